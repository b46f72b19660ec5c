#include "skyhook/formalism/recursive/completed_moments.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace skyhook::formalism::recursive {
namespace {

using model::ModalBody;
using Four = std::array<double, 4>;

std::size_t place(int i, int j, int n) {
  return static_cast<std::size_t>(i) * static_cast<std::size_t>(n) + static_cast<std::size_t>(j);
}

// Matrices of modes, symmetric; those of geometric stiffness, zero where they are not given.
struct Square {
  int n;
  std::vector<double> m;
  explicit Square(int size) : n(size), m(place(size, 0, size)) {}
  static Square of(const std::vector<double>& given, int n) {
    Square out(n);
    for (int k = 0; k < n && !given.empty(); ++k) {
      for (int l = 0; l < n; ++l) out.m[place(k, l, n)] = 0.5 * (given[place(k, l, n)] + given[place(l, k, n)]);
    }
    return out;
  }
  Square& add(double factor, const Square& other) {
    for (std::size_t i = 0; i < m.size(); ++i) m[i] += factor * other.m[i];
    return *this;
  }
  double largest() const {
    double most = 0;
    for (const double x : m) most = std::max(most, std::abs(x));
    return most;
  }
};

// What the displacement of second order w = z z / 2 has to have, int (1, X)_r w_alpha dm = z . T z, by (21.6); and back.
struct Targets {
  std::vector<Square> entry;  // 4 x 3
  explicit Targets(int modes) : entry(12, Square(modes)) {}
  Square& at(int r, int alpha) { return entry[static_cast<std::size_t>(3 * r + alpha)]; }
  const Square& at(int r, int alpha) const { return entry[static_cast<std::size_t>(3 * r + alpha)]; }
};

constexpr std::array<std::array<int, 2>, 3> mixed{{{0, 1}, {1, 2}, {2, 0}}};  // of centrifugal 3, 4, 5

Targets targets_of(const model::GeometricStiffness& g, int n) {
  Targets t(n);
  const auto centrifugal = [&](std::size_t c) { return Square::of(g.centrifugal[c], n); };
  Square trace(n);
  for (std::size_t i = 0; i < 3; ++i) trace.add(-0.25, centrifugal(i));  // 2 tr S = sum of -K_ii / 2
  for (int i = 0; i < 3; ++i) {
    const auto c = static_cast<std::size_t>(i);
    t.at(0, i).add(0.5, Square::of(g.acceleration[c], n));
    t.at(1 + i, i).add(1, trace).add(0.5, centrifugal(c));
    const auto [a, b] = mixed[c];
    for (const auto& [r, alpha] : {std::array{a, b}, std::array{b, a}})
      t.at(1 + r, alpha).add(0.25, centrifugal(3 + c));
    const int j = (i + 1) % 3, k = (i + 2) % 3;  // int (X x w)_i = int X_j w_k - X_k w_j
    const Square half = Square::of(g.angular_acceleration[c], n);
    t.at(1 + j, k).add(0.25, half), t.at(1 + k, j).add(-0.25, half);
  }
  return t;
}

model::GeometricStiffness stiffness_of(const Targets& t, int n) {
  model::GeometricStiffness g;
  for (int i = 0; i < 3; ++i) {
    const auto c = static_cast<std::size_t>(i);
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    g.acceleration[c] = Square(n).add(2, t.at(0, i)).m;
    g.angular_acceleration[c] = Square(n).add(2, t.at(1 + j, k)).add(-2, t.at(1 + k, j)).m;
    g.centrifugal[c] = Square(n).add(-2, t.at(1 + j, j)).add(-2, t.at(1 + k, k)).m;
    const auto [a, b] = mixed[c];
    g.centrifugal[3 + c] = Square(n).add(2, t.at(1 + a, b)).add(2, t.at(1 + b, a)).m;
  }
  return g;
}

// psi_i = sum_r g_ir (1, x, y, z)_r, orthonormal over the mass, by Gram and Schmidt, the largest first. Directions in which the body is thin are left out: its moments there are nothing
// but rounding.
std::vector<Four> orthonormal(const std::array<Four, 4>& P) {
  constexpr double thin = 1e-3;
  const double size = std::sqrt((P[1][1] + P[2][2] + P[3][3]) / P[0][0]);
  const auto product = [&](const Four& a, const Four& b) {
    double sum = 0;
    for (std::size_t r = 0; r < 4; ++r) {
      for (std::size_t s = 0; s < 4; ++s) sum += a[r] * P[r][s] * b[s];
    }
    return sum;
  };
  std::vector<Four> left, out;
  for (std::size_t r = 0; r < 4; ++r) left.emplace_back(), left.back()[r] = r == 0 ? 1 : 1 / size;
  while (!left.empty()) {
    const auto best = std::ranges::max_element(left, {}, [&](const Four& x) { return product(x, x); });
    const double square = product(*best, *best);
    if (square < thin * P[0][0]) break;
    Four x = *best;
    for (double& c : x) c /= std::sqrt(square);
    left.erase(best);
    for (Four& other : left) {
      const double along = product(x, other);
      for (std::size_t r = 0; r < 4; ++r) other[r] -= along * x[r];
    }
    out.push_back(x);
  }
  return out;
}

struct Follower {
  int alpha;
  Four psi;
  Square Q;
};

// The body with followers as further shapes.
class Extension {
 public:
  explicit Extension(const ModalBody& body) : body_(body), m_(body.modes) {
    P_[0] = {body.mass, body.first[0].x, body.first[0].y, body.first[0].z};
    const Mat3d& J = body.moment(0, 0);
    for (int i = 0; i < 3; ++i) P_[static_cast<std::size_t>(1 + i)] = {body.first[0][i], J[i][0], J[i][1], J[i][2]};
    find_followers();
  }
  const std::vector<Follower>& followers() const { return followers_; }

  ModalBody extended() const {
    ModalBody out;
    out.mass = body_.mass, out.modes = m_ + static_cast<int>(followers_.size());
    const int n = out.modes;
    out.first = body_.first, out.second.resize(place(n + 1, 0, n + 1));
    for (const Follower& f : followers_) {
      out.first.emplace_back();
      for (std::size_t r = 0; r < 4; ++r) out.first.back()[f.alpha] += f.psi[r] * P_[0][r];
    }
    for (int k = 0; k <= n; ++k) {
      for (int l = 0; l <= n; ++l) out.second[place(k, l, n + 1)] = k <= l ? moment(k, l) : transpose(moment(l, k));
    }
    const auto widened = [&](const std::vector<double>& given) {
      std::vector<double> wide(given.empty() ? 0 : place(n, 0, n));
      for (int k = 0; k < m_ && !given.empty(); ++k) {
        for (int l = 0; l < m_; ++l) wide[place(k, l, n)] = given[place(k, l, m_)];
      }
      return wide;
    };
    out.rotary = widened(body_.rotary);
    if (!has_rest_) return out;
    for (std::size_t c = 0; c < 3; ++c) {
      out.geometric.acceleration[c] = widened(rest_.acceleration[c]);
      out.geometric.angular_acceleration[c] = widened(rest_.angular_acceleration[c]);
      out.geometric.centrifugal[c] = widened(rest_.centrifugal[c]),
      out.geometric.centrifugal[3 + c] = widened(rest_.centrifugal[3 + c]);
    }
    return out;
  }

 private:
  void find_followers() {
    Targets rest = targets_of(body_.geometric, m_);
    const Targets wanted = rest;
    double largest = 0;
    for (const Square& t : wanted.entry) largest = std::max(largest, t.largest());
    const std::vector<Four> basis = orthonormal(P_);
    for (int alpha = 0; alpha < 3; ++alpha) {
      for (const Four& psi : basis) {
        Square y(m_);
        for (int r = 0; r < 4; ++r) y.add(psi[static_cast<std::size_t>(r)], wanted.at(r, alpha));
        for (int r = 0; r < 4; ++r) {  // what it gives of the wanted moments
          double moment = 0;
          for (std::size_t s = 0; s < 4; ++s) moment += P_[static_cast<std::size_t>(r)][s] * psi[s];
          rest.at(r, alpha).add(-moment, y);
        }
        if (y.largest() > 0) followers_.push_back({alpha, psi, Square(m_).add(2, y)});
      }
    }
    for (const Square& t : rest.entry) has_rest_ = has_rest_ || t.largest() > 1e-12 * largest;
    rest_ = stiffness_of(rest, m_);
    double most = 0;
    for (const Follower& f : followers_) most = std::max(most, f.Q.largest());
    std::erase_if(followers_, [&](const Follower& f) { return f.Q.largest() < 1e-12 * most; });
  }

  // int of field k and field l transposed, k <= l.
  Mat3d moment(int k, int l) const {
    if (l <= m_) return body_.moment(k, l);
    const Follower& f = followers_[static_cast<std::size_t>(l - m_ - 1)];
    Vec3d column;  // int b_k psi
    if (k <= m_) {
      column = f.psi[0] * body_.first[static_cast<std::size_t>(k)];
      for (int i = 0; i < 3; ++i) {
        for (int c = 0; c < 3; ++c) column[c] += f.psi[static_cast<std::size_t>(1 + i)] * body_.moment(k, 0)[c][i];
      }
    } else {
      const Follower& g = followers_[static_cast<std::size_t>(k - m_ - 1)];
      column[g.alpha] = f.psi == g.psi ? 1 : 0;
    }
    Mat3d out;
    for (int c = 0; c < 3; ++c) out[c][f.alpha] = column[c];
    return out;
  }

  const ModalBody& body_;
  int m_;
  std::array<Four, 4> P_;  // moments of (1, x, y, z)
  std::vector<Follower> followers_;
  model::GeometricStiffness rest_;  // of directions that are left out
  bool has_rest_ = false;
};

bool stiffens(const model::GeometricStiffness& g) {
  const auto is_given = [](const auto& all) {
    return std::ranges::any_of(all,
                               [](const auto& m) { return std::ranges::any_of(m, [](double x) { return x != 0; }); });
  };
  return is_given(g.acceleration) || is_given(g.angular_acceleration) || is_given(g.centrifugal);
}

// Q_j x of all followers.
void products(const CompletedMoments& m, const double* x, double* out) {
  const double* Q = m.follow.data();
  for (int i = 0; i < m.followers * m.modes; ++i) {
    double sum = 0;
    for (int l = 0; l < m.modes; ++l) sum += *Q++ * x[l];
    out[i] = sum;
  }
}

double product(const double* a, const double* b, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

// Behind what is of modes: z of the fields and slopes; z' of the fields, slopes by z', slopes by z'', forces on the fields that are kept, and for use z'' of the fields and forces on them.
std::size_t slopes(const CompletedMoments& m) { return static_cast<std::size_t>(m.modes + m.fields); }
const double* kept_forces(const CompletedMoments& m, const ModalState& s) {
  return s.zd.data() + slopes(m) + 2 * m.followers * m.modes;
}
double* scratch(const CompletedMoments& m, ModalState& s) {
  return s.zd.data() + slopes(m) + 2 * m.followers * m.modes + m.fields;
}

}  // namespace

std::shared_ptr<const ModalMoments> moments_of(const ModalBody& body, const Mat3d& axes, bool completes) {
  if (!completes || body.modes == 0 || !stiffens(body.geometric))
    return std::make_shared<const ModalMoments>(body, axes);
  const Extension extension(body);
  const ModalMoments of_modes(body, axes), of_fields(extension.extended(), axes);
  CompletedMoments out{of_fields};
  out.fields = of_fields.modes, out.followers = static_cast<int>(extension.followers().size()), out.modes = body.modes;
  out.mass_of_fields = of_fields.M;
  out.M = of_modes.M, out.K = of_modes.K, out.D = of_modes.D;
  for (const Follower& f : extension.followers()) out.follow.insert(out.follow.end(), f.Q.m.begin(), f.Q.m.end());
  return std::make_shared<const CompletedMoments>(std::move(out));
}

void size_for(const ModalMoments& m, ModalState& s) {
  const auto n = static_cast<std::size_t>(m.modes);
  s.tau.resize(n), s.u.resize(n), s.Un.resize(n), s.Uf.resize(n), s.D.resize(n * n);
  const CompletedMoments* const all = completed(m);
  const std::size_t fields = all ? static_cast<std::size_t>(all->fields) : 0,
                    more = all ? static_cast<std::size_t>(all->followers) * n : 0;
  s.z.resize(n + fields + more), s.zd.resize(n + 4 * fields + 2 * more);
  s.ck.resize(n + fields), s.ek.resize(n + fields), s.gk.resize(n + fields);
  s.Ik.resize(n + 1 + (all ? fields + 1 : 0));
}

FieldState fields_of(const ModalMoments& m, ModalState& s) {
  const CompletedMoments* const all = completed(m);
  const int before = all ? m.modes : 0;
  return {all ? all->fields : m.modes,
          s.z.data() + before,
          s.zd.data() + before,
          s.ck.data() + before,
          s.ek.data() + before,
          s.gk.data() + before,
          s.Ik.data() + (all ? m.modes + 1 : 0)};
}

Following following_of(const CompletedMoments& m, const ModalState& s) {
  const double *const slope = s.z.data() + slopes(m), *const rate = s.zd.data() + slopes(m);
  return {slope, rate, rate + m.followers * m.modes};
}

void follow_positions(const CompletedMoments& m, ModalState& s) {
  double *const all = s.z.data() + m.modes, *const slope = s.z.data() + slopes(m);
  products(m, s.z.data(), slope);
  std::copy_n(s.z.data(), m.modes, all);
  for (int j = 0; j < m.followers; ++j) all[m.modes + j] = 0.5 * product(slope + j * m.modes, s.z.data(), m.modes);
}

void follow_velocities(const CompletedMoments& m, ModalState& s) {
  double *const all = s.zd.data() + m.modes, *const rate = s.zd.data() + slopes(m);
  const double* const slope = s.z.data() + slopes(m);
  products(m, s.zd.data(), rate);
  std::copy_n(s.zd.data(), m.modes, all);
  for (int j = 0; j < m.followers; ++j) all[m.modes + j] = product(slope + j * m.modes, s.zd.data(), m.modes);
}

const double* follow_accelerations(const CompletedMoments& m, ModalState& s, const double* zdd, bool with_bias) {
  const Following f = following_of(m, s);
  double* const all = scratch(m, s);
  for (int k = 0; k < m.modes; ++k) all[k] = zdd ? zdd[k] : 0.0;
  for (int j = 0; j < m.followers; ++j)
    all[m.modes + j] = (zdd ? product(f.slope + j * m.modes, zdd, m.modes) : 0.0) +
                       (with_bias ? product(f.rate + j * m.modes, s.zd.data(), m.modes) : 0.0);
  return all;
}

double* forces_on_fields(const CompletedMoments& m, ModalState& s) {
  double* const forces = scratch(m, s) + m.fields;
  std::fill_n(forces, m.fields, 0.0);
  return forces;
}

void take_forces(const CompletedMoments& m, const ModalState& s, double* of_modes) {
  const Following f = following_of(m, s);
  const double* const forces = kept_forces(m, s) + 2 * m.fields;
  for (int k = 0; k < m.modes; ++k) {
    of_modes[k] = forces[k];
    for (int j = 0; j < m.followers; ++j) of_modes[k] += f.slope[j * m.modes + k] * forces[m.modes + j];
  }
}

void keep(const CompletedMoments& m, ModalState& s, const double* zdd) {
  products(m, zdd, s.zd.data() + slopes(m) + m.followers * m.modes);
  double* const kept = scratch(m, s) - m.fields;
  std::copy_n(kept + 2 * m.fields, m.fields, kept);
}

double modal_mass(const ModalMoments& moments, const ModalState& s, int k, int l) {
  const CompletedMoments* const m = completed(moments);
  if (!m) return moments.M[place(k, l, moments.modes)];
  const Following f = following_of(*m, s);
  const auto M = [&](int i, int j) { return m->mass_of_fields[place(i, j, m->fields)]; };
  double sum = M(k, l);
  for (int i = 0; i < m->followers; ++i) {
    const double by_k = f.slope[i * m->modes + k], by_l = f.slope[i * m->modes + l];
    sum += by_k * M(m->modes + i, l) + M(k, m->modes + i) * by_l;
    for (int j = 0; j < m->followers; ++j) sum += by_k * M(m->modes + i, m->modes + j) * f.slope[j * m->modes + l];
  }
  return sum;
}

// With tau = P^T tau', z' = (z, y): P^T (d tau'/dz' P + d tau'/dz'' (0, rate) + M' (0, acceleration)) + sum_j tau'_j Q_j, and P^T (d tau'/d zd' P + 2 M' (0, rate)).
void contract_block(const CompletedMoments& m, const ModalState& s, std::vector<double>& by_z,
                    std::vector<double>& by_rate) {
  const Following f = following_of(m, s);
  const double* const tau = kept_forces(m, s);
  const int n = m.modes, N = m.fields;
  double *const z = by_z.data() + place(N, 0, N), *const rate = by_rate.data() + place(N, 0, N);
  std::fill_n(z, n * n, 0.0), std::fill_n(rate, n * n, 0.0);
  const auto at = [N](const std::vector<double>& a, int i, int j) { return a[place(i, j, N)]; };
  const auto column = [&](int i, int l, double& of_z, double& of_rate) {  // row i of the fields, column l of the modes
    of_z = at(by_z, i, l), of_rate = at(by_rate, i, l);
    for (int j = 0; j < m.followers; ++j) {
      const int c = n + j, e = j * n + l;
      of_z +=
          at(by_z, i, c) * f.slope[e] + at(by_rate, i, c) * f.rate[e] + at(m.mass_of_fields, i, c) * f.acceleration[e];
      of_rate += at(by_rate, i, c) * f.slope[e] + 2 * at(m.mass_of_fields, i, c) * f.rate[e];
    }
  };
  for (int l = 0; l < n; ++l) {
    for (int i = 0; i < N; ++i) {
      double of_z = 0, of_rate = 0;
      column(i, l, of_z, of_rate);
      if (i < n) {
        z[place(i, l, n)] += of_z, rate[place(i, l, n)] += of_rate;
        continue;
      }
      for (int k = 0; k < n; ++k) {
        const double slope = f.slope[(i - n) * n + k];
        z[place(k, l, n)] +=
            slope * of_z + tau[i] * m.follow[static_cast<std::size_t>((i - n) * n + k) * static_cast<std::size_t>(n) +
                                             static_cast<std::size_t>(l)];
        rate[place(k, l, n)] += slope * of_rate;
      }
    }
  }
  std::copy_n(z, n * n, by_z.begin()), std::copy_n(rate, n * n, by_rate.begin());
}

}  // namespace skyhook::formalism::recursive
