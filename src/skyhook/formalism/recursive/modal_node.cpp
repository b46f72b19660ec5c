#include "skyhook/formalism/recursive/modal_node.h"

#include <cmath>
#include <memory>

#include "skyhook/formalism/recursive/completed_moments.h"
#include "skyhook/formalism/recursive/passes.h"
#include "skyhook/formalism/recursive/waist_pose.h"
#include "skyhook/math/lanes.h"

namespace skyhook::formalism::recursive {
namespace {

using CSpan = std::span<const double>;

constexpr double no_inertia = 1e-13;         // relative: less than this is rounding
constexpr std::size_t wide = 8, narrow = 4;  // lanes

std::size_t index(int k, int l, int n) { return static_cast<std::size_t>(k * n + l); }

// sum_l m_l x_l of entries that stand side by side
template <std::size_t Size>
std::array<double, Size> lane_sums(const double* m, const double* x, int n) {
  constexpr std::size_t registers = Size / 4;
  std::array<Lanes, registers> sum{};
  for (int l = 0; l < n; ++l) {
    const Lanes factor(x[l]);
    for (std::size_t i = 0; i < registers; ++i) sum[i] += Lanes::load(m + 4 * i) * factor;
    m += Size;
  }
  std::array<double, Size> out;
  for (std::size_t i = 0; i < registers; ++i) sum[i].store(out.data() + 4 * i);
  return out;
}

// int a x b of int a b^T
Vec3d axial_of(const Mat3d& m) { return {m.r1.z - m.r2.y, m.r2.x - m.r0.z, m.r0.y - m.r1.x}; }

// sum_l m_kl x_l
Vec3d row_times(const std::vector<double>& m, int k, int n, const double* x) {
  const auto sum = lane_sums<narrow>(m.data() + narrow * index(k, 0, n), x, n);
  return {sum[0], sum[1], sum[2]};
}

Mat3d symmetric(const std::array<double, wide>& s) {
  return {{s[0], s[3], s[5]}, {s[3], s[1], s[4]}, {s[5], s[4], s[2]}};
}

// The motion of the frame in the axes of the body.
struct Frame {
  Mat3d R;  // body axes to global ones
  Vec3d w, al, a;
  Frame(const Node& node, const NodeState& x)
      : R(x.R * node.moments->axes),
        w(transpose_times(R, x.w)),
        al(transpose_times(R, x.al)),
        a(transpose_times(R, x.a)) {}
};

ModalState& state_of(const Node& node, NodeState& x) {
  GuideState& guide = x.guide ? *x.guide : x.guide.emplace();
  if (guide.modal) return *guide.modal;
  ModalState& s = guide.modal.emplace();
  size_for(*node.moments, s);
  return s;
}

// sum z'_k m_kl z'_l
Vec3d quadratic(const std::vector<double>& m, int n, const double* x) {
  Vec3d sum;
  for (int k = 0; k < n; ++k) sum += x[k] * row_times(m, k, n, x);
  return sum;
}

// Of accelerations in the axes of the body: what they take, added to f, n and tau of all fields.
void add_accelerations(const ModalMoments& m, const std::vector<double>& M, const ModalState& s, const FieldState& x,
                       const Vec3d& a, const Vec3d& al, const double* zdd, Vec3d& f, Vec3d& n, double* tau) {
  f += m.mass * a + cross(al, s.c);
  n += cross(s.c, a) + s.I * al;
  for (int k = 0; k < x.n; ++k) {
    f += zdd[k] * x.ck[k], n += zdd[k] * x.ek[k];
    double sum = dot(x.ck[k], a) + dot(x.ek[k], al);
    const double* const row = M.data() + index(k, 0, x.n);
    for (int l = 0; l < x.n; ++l) sum += row[l] * zdd[l];
    tau[k] += sum;
  }
}

// What velocities take, with their squares.
void add_velocity_products(const ModalMoments& m, const ModalState& s, const FieldState& x, const Vec3d& w, Vec3d& f,
                           Vec3d& n, double* tau) {
  f += cross(w, cross(w, s.c) + 2.0 * s.cd);
  n += s.Id * w + cross(w, s.I * w + s.h);
  if (!m.shortening.empty()) f += quadratic(m.shortening, x.n, x.zd);
  if (m.has_spin_stiffness) n += quadratic(m.spin, x.n, x.zd);
  for (int k = 0; k < x.n; ++k) tau[k] += dot(w, x.gk[k] - 0.5 * (x.Ik[k + 1] * w));
}

// Both, or of one of them alone, for the modes of a body. `zdd` null: velocities alone.
void add_inertia(const ModalMoments& m, ModalState& s, const Frame& at, const double* zdd, bool with_velocities,
                 Vec3d& f, Vec3d& n, std::vector<double>& tau) {
  const FieldState x = fields_of(m, s);
  const CompletedMoments* const all = completed(m);
  double* const forces = all ? forces_on_fields(*all, s) : tau.data();
  const Vec3d none;
  if (all)
    add_accelerations(m, all->mass_of_fields, s, x, zdd ? at.a : none, zdd ? at.al : none,
                      follow_accelerations(*all, s, zdd, with_velocities), f, n, forces);
  else if (zdd)
    add_accelerations(m, m.M, s, x, at.a, at.al, zdd, f, n, forces);
  if (with_velocities) add_velocity_products(m, s, x, at.w, f, n, forces);
  if (all) take_forces(*all, s, tau.data());
}

struct WaistGuide final : model::GuideLaw<WaistGuide> {
  int coordinates() const override { return 6; }
  template <class T>
  model::GuidePose<T> law(std::span<const T> q) const {
    const Vec3<T> theta{q[3], q[4], q[5]};
    const RotationCoefficients<T> k(dot(theta, theta));
    return {{q[0], q[1], q[2]}, of_vector(theta, k.s, k.c)};
  }
};

}  // namespace

std::shared_ptr<const model::Guide> waist_guide() {
  static const auto guide = std::make_shared<const WaistGuide>();
  return guide;
}

std::array<double, 6> Waist::of(CSpan all, int first) const {
  const auto sum = lane_sums<wide>(B.data(), all.data() + first, modes);
  return {sum[0], sum[1], sum[2], sum[3], sum[4], sum[5]};
}

void Waist::add_transposed(CSpan six, std::span<double> all) const {
  double* const to = all.data() + iv;
  for (int k = 0; k < modes; ++k) {
    for (int i = 0; i < 6; ++i) to[k] += factor(i, k) * six[static_cast<std::size_t>(i)];
  }
}

ModalMoments::ModalMoments(const model::ModalBody& body, const Mat3d& axes_at_design)
    : modes(body.modes), axes(axes_at_design), mass(body.mass), first(body.first), K(body.stiffness), D(body.damping) {
  const int n = modes, all = n + 1;
  const auto square = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
  K.resize(square, 0.0), D.resize(square, 0.0), M.resize(square, 0.0);
  inertia.resize(wide * static_cast<std::size_t>(all * all)), spin.resize(narrow * square),
      gyroscopic.resize(narrow * square);
  for (int k = 0; k < all; ++k) {
    for (int l = 0; l < all; ++l) {
      const Mat3d& s = body.moment(k, l);
      const double twice = 2 * trace(s);
      double* const i = inertia.data() + wide * index(k, l, all);
      i[0] = twice - 2 * s.r0.x, i[1] = twice - 2 * s.r1.y, i[2] = twice - 2 * s.r2.z;
      i[3] = -s.r0.y - s.r1.x, i[4] = -s.r1.z - s.r2.y, i[5] = -s.r2.x - s.r0.z;
    }
  }
  for (int k = 0; k < n; ++k) {
    spin_design.push_back(axial_of(body.moment(0, k + 1)));
    for (int l = 0; l < n; ++l) {
      const std::size_t i = index(k, l, n);
      const Vec3d e = axial_of(body.moment(l + 1, k + 1));
      for (int c = 0; c < 3; ++c)
        spin[narrow * i + static_cast<std::size_t>(c)] = e[c],
                          gyroscopic[narrow * i + static_cast<std::size_t>(c)] = 2 * e[c];
      M[i] = trace(body.moment(k + 1, l + 1)) + (body.rotary.empty() ? 0.0 : body.rotary[i]);
    }
  }
  // stress that stiffens: terms of second order in z of the moments
  for (int c = 0; c < 6; ++c) {
    const std::vector<double>& given = body.geometric.centrifugal[static_cast<std::size_t>(c)];
    if (given.empty()) continue;
    for (int k = 0; k < n; ++k) {
      for (int l = 0; l < n; ++l)
        inertia[wide * index(k + 1, l + 1, all) + static_cast<std::size_t>(c)] -=
            (c < 3 ? 1.0 : 0.5) * (given[index(k, l, n)] + given[index(l, k, n)]);
    }
  }
  const auto add_symmetric = [&](const std::vector<double>& given, std::vector<double>& to, std::size_t c) {
    for (int k = 0; k < n; ++k) {
      for (int l = 0; l < n; ++l)
        to[narrow * index(k, l, n) + c] += 0.5 * (given[index(k, l, n)] + given[index(l, k, n)]);
    }
  };
  for (std::size_t c = 0; c < 3; ++c) {
    const auto &by_al = body.geometric.angular_acceleration[c], &by_a = body.geometric.acceleration[c];
    if (!by_al.empty()) add_symmetric(by_al, spin, c), has_spin_stiffness = true;
    if (by_a.empty()) continue;
    shortening.resize(narrow * square, 0.0);
    add_symmetric(by_a, shortening, c);
  }
}

namespace {

void move_fields(const ModalMoments& m, const FieldState& x, ModalState& s) {
  const int n = x.n;
  s.c = m.first[0];
  const bool shortens = !m.shortening.empty();
  for (int k = 0; k < n; ++k) {
    const Vec3d& first = m.first[static_cast<std::size_t>(k + 1)];
    x.ck[k] = first;
    if (shortens) x.ck[k] += row_times(m.shortening, k, n, x.z);
    s.c += 0.5 * x.z[k] * (first + x.ck[k]);
    x.ek[k] = m.spin_design[static_cast<std::size_t>(k)] + row_times(m.spin, k, n, x.z);
  }
  s.I = {};
  for (int k = 0; k <= n; ++k) {
    const double* const row = m.inertia.data() + wide * index(k, 0, n + 1);
    std::array<double, wide> sum = lane_sums<wide>(row + wide, x.z, n);
    for (std::size_t c = 0; c < wide; ++c) sum[c] += row[c];
    x.Ik[k] = symmetric(sum);
    s.I += (k == 0 ? 0.5 : 0.5 * x.z[k - 1]) * x.Ik[k];
  }
}

}  // namespace

void move_modal(const Node& node, CSpan q, NodeState& x) {
  const ModalMoments& m = *node.moments;
  ModalState& s = state_of(node, x);
  for (int k = 0; k < m.modes; ++k) s.z[static_cast<std::size_t>(k)] = q[static_cast<std::size_t>(node.iq + k)];
  const CompletedMoments* const all = completed(m);
  if (all) follow_positions(*all, s);
  const FieldState fields = fields_of(m, s);
  move_fields(m, fields, s);
  if (!all) return;
  const Following f = following_of(*all, s);
  contract(*all, f, fields.ck, s.ck.data()), contract(*all, f, fields.ek, s.ek.data());
  s.Ik[0] = fields.Ik[0], contract(*all, f, fields.Ik + 1, s.Ik.data() + 1);
}

void modal_velocity(const Node& node, CSpan v, NodeState& x) {
  const ModalMoments& m = *node.moments;
  ModalState& s = *x.guide->modal;
  for (int k = 0; k < m.modes; ++k) s.zd[static_cast<std::size_t>(k)] = v[static_cast<std::size_t>(node.iv + k)];
  const CompletedMoments* const all = completed(m);
  if (all) follow_velocities(*all, s);
  const FieldState fields = fields_of(m, s);
  s.cd = s.h = {}, s.Id = {};
  for (int k = 0; k < fields.n; ++k) {
    s.cd += fields.zd[k] * fields.ck[k], s.h += fields.zd[k] * fields.ek[k], s.Id += fields.zd[k] * fields.Ik[k + 1];
    fields.gk[k] = row_times(m.gyroscopic, k, fields.n, fields.zd);
  }
  if (all) contract(*all, following_of(*all, s), fields.gk, s.gk.data());
  std::fill(s.tau.begin(), s.tau.end(), 0.0);
}

void add_modal_inertia(const Tree& tree, CSpan a, std::vector<NodeState>& states) {
  for (const ModalNode& modal : tree.modal) {
    const Node& node = tree.nodes[static_cast<std::size_t>(modal.node)];
    NodeState& x = states[static_cast<std::size_t>(modal.node)];
    ModalState& s = *x.guide->modal;
    const Frame at(node, x);
    Vec3d f, n;
    std::fill(s.tau.begin(), s.tau.end(), 0.0);
    add_inertia(*node.moments, s, at, a.data() + node.iv, true, f, n, s.tau);
    if (const CompletedMoments* const all = completed(*node.moments)) keep(*all, s, a.data() + node.iv);
    x.f += at.R * f, x.n += at.R * n;
  }
}

void modal_change(const Node& node, const Vec3d& al, const Vec3d& a0, CSpan change, NodeState& x) {
  ModalState& s = *x.guide->modal;
  Frame at(node, x);
  at.a = transpose_times(at.R, a0), at.al = transpose_times(at.R, al);
  Vec3d f, n;
  std::fill(s.tau.begin(), s.tau.end(), 0.0);
  add_inertia(*node.moments, s, at, change.data() + node.iv, false, f, n, s.tau);
  x.f = at.R * f, x.n = at.R * n;
}

void modal_articulated(const Node& node, const NodeState& x, Articulated& y) {
  const ModalMoments& m = *node.moments;
  ModalState& s = *x.guide->modal;
  const Frame at(node, x);
  y.I = at.R * s.I * transpose(at.R);
  y.H = skew(at.R * s.c);
  y.M = Mat3d::diagonal({m.mass, m.mass, m.mass});
  Vec3d f, n;
  std::fill(s.u.begin(), s.u.end(), 0.0);
  add_inertia(m, s, at, nullptr, true, f, n, s.u);
  y.pf = x.f + at.R * f, y.pn = x.n + at.R * n;
  for (std::size_t k = 0; k < s.Un.size(); ++k) s.Un[k] = at.R * s.ek[k], s.Uf[k] = at.R * s.ck[k];
  s.D = m.M;
  for (int k = 0; completed(m) && k < m.modes; ++k) {
    for (int l = 0; l < m.modes; ++l) s.D[index(k, l, m.modes)] = modal_mass(m, s, k, l);
  }
}

// The point moves by W z'' beside what the body carries along: with its inertia IA and force p, W^T IA W, IA W and W^T (p + IA c).
void add_point_to_modal(const Node& point, const NodeState& x, const Articulated& y, NodeState& up) {
  ModalState& s = *up.guide->modal;
  const GuideState& at6 = *x.guide;
  const Waist& waist = *point.waist;
  const int n = waist.modes;
  std::array<Vec3d, 6> Yn, Yf;
  std::array<double, 36> D;
  std::array<double, 6> bias;
  const Vec3d pn = y.pn + y.I * y.cal + y.H * y.ca, pf = y.pf + transpose_times(y.H, y.cal) + y.M * y.ca;
  for (std::size_t i = 0; i < 6; ++i) {
    Yn[i] = y.I * at6.turn[i] + y.H * at6.shift[i], Yf[i] = transpose_times(y.H, at6.turn[i]) + y.M * at6.shift[i];
    bias[i] = dot(at6.turn[i], pn) + dot(at6.shift[i], pf);
  }
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 6; ++j) D[i * 6 + j] = dot(at6.turn[i], Yn[j]) + dot(at6.shift[i], Yf[j]);
  }
  const auto B = [&](std::size_t i, int k) { return waist.factor(static_cast<int>(i), k); };
  for (int l = 0; l < n; ++l) {
    const auto j = static_cast<std::size_t>(l);
    std::array<double, 6> column{};
    Vec3d wn, wf;
    for (std::size_t i = 0; i < 6; ++i) {
      const double b = B(i, l);
      if (b == 0.0) continue;
      for (std::size_t r = 0; r < 6; ++r) column[r] += D[r * 6 + i] * b;
      wn += b * Yn[i], wf += b * Yf[i], s.u[j] += b * bias[i];
    }
    s.Un[j] += wn + cross(x.d, wf), s.Uf[j] += wf;
    for (int k = 0; k < n; ++k) {
      double sum = 0;
      for (std::size_t i = 0; i < 6; ++i) sum += B(i, k) * column[i];
      s.D[index(k, l, n)] += sum;
    }
  }
}

// D = L L^T in place; U becomes U L^-T, u becomes L^-1 (tau - u).
bool release_modal(const Node& node, CSpan tau, NodeState& x, Articulated& y) {
  ModalState& s = *x.guide->modal;
  const int n = node.moments->modes;
  for (int k = 0; k < n; ++k) {
    const auto i = static_cast<std::size_t>(k);
    s.u[i] = tau[static_cast<std::size_t>(node.iv + k)] - s.u[i];
    for (int l = 0; l <= k; ++l) {
      double sum = s.D[index(k, l, n)];
      for (int j = 0; j < l; ++j) sum -= s.D[index(k, j, n)] * s.D[index(l, j, n)];
      if (l < k) {
        s.D[index(k, l, n)] = sum / s.D[index(l, l, n)];
        continue;
      }
      if (!(sum > no_inertia * s.D[index(k, k, n)])) return false;
      s.D[index(k, k, n)] = std::sqrt(sum);
    }
    for (int l = 0; l < k; ++l) {
      const double d = s.D[index(k, l, n)];
      const auto j = static_cast<std::size_t>(l);
      s.Un[i] -= d * s.Un[j], s.Uf[i] -= d * s.Uf[j], s.u[i] -= d * s.u[j];
    }
    const double inverse = 1 / s.D[index(k, k, n)];
    s.Un[i] = inverse * s.Un[i], s.Uf[i] = inverse * s.Uf[i], s.u[i] *= inverse;
    y.I -= outer(s.Un[i], s.Un[i]), y.H -= outer(s.Un[i], s.Uf[i]), y.M -= outer(s.Uf[i], s.Uf[i]);
    y.pn += s.u[i] * s.Un[i], y.pf += s.u[i] * s.Uf[i];
  }
  return true;
}

void modal_acceleration(const Node& node, const NodeState& x, std::span<double> zdd) {
  const ModalState& s = *x.guide->modal;
  const int n = node.moments->modes;
  double* const out = zdd.data() + node.iv;
  for (int k = n - 1; k >= 0; --k) {
    const auto i = static_cast<std::size_t>(k);
    double sum = s.u[i] - dot(s.Un[i], x.al) - dot(s.Uf[i], x.a);
    for (int l = k + 1; l < n; ++l) sum -= s.D[index(l, k, n)] * out[l];
    out[k] = sum / s.D[index(k, k, n)];
  }
}

double modal_kinetic_energy(const Node& node, const NodeState& x) {
  const ModalMoments& m = *node.moments;
  const ModalState& s = *x.guide->modal;
  const Mat3d R = x.R * m.axes;
  const Vec3d w = transpose_times(R, x.w), v = transpose_times(R, x.v);
  double sum = 0.5 * m.mass * dot(v, v) + dot(v, s.cd + cross(w, s.c)) + 0.5 * dot(w, s.I * w) + dot(w, s.h);
  for (int k = 0; k < m.modes; ++k) {
    for (int l = 0; l < m.modes; ++l)
      sum += 0.5 * modal_mass(m, s, k, l) * s.zd[static_cast<std::size_t>(k)] * s.zd[static_cast<std::size_t>(l)];
  }
  return sum;
}

Vec3d modal_first_moment(const Node& node, const NodeState& x) {
  return x.R * (node.moments->axes * x.guide->modal->c);
}
Mat3d modal_inertia(const Node& node, const NodeState& x) {
  const Mat3d R = x.R * node.moments->axes;
  return R * x.guide->modal->I * transpose(R);
}

double strain_energy(const Node& node, CSpan q) {
  const ModalMoments& m = *node.moments;
  const double* const z = q.data() + node.iq;
  double sum = 0;
  for (int k = 0; k < m.modes; ++k) {
    for (int l = 0; l < m.modes; ++l) sum += 0.5 * m.K[index(k, l, m.modes)] * z[k] * z[l];
  }
  return sum;
}

namespace {

// Of y_j: its rate has the slope by z' and the rate by z; its acceleration the slope by z'', twice the rate by z', and the acceleration by z.
void contract_columns(const CompletedMoments& m, const Following& f, std::vector<ModalColumn>& out) {
  for (int k = 0; k < m.modes; ++k) {
    ModalColumn& c = out[static_cast<std::size_t>(k)];
    for (int j = 0; j < m.followers; ++j) {
      const ModalColumn& y = out[static_cast<std::size_t>(m.modes + j)];
      const int e = j * m.modes + k;
      const double slope = f.slope[e], rate = f.rate[e], acceleration = f.acceleration[e];
      c.n_z += slope * y.n_z + rate * y.n_v + acceleration * y.n_a,
          c.f_z += slope * y.f_z + rate * y.f_v + acceleration * y.f_a;
      c.n_v += slope * y.n_v + 2 * rate * y.n_a, c.f_v += slope * y.f_v + 2 * rate * y.f_a;
      c.n_a += slope * y.n_a, c.f_a += slope * y.f_a, c.by_spin += slope * y.by_spin;
    }
  }
}

}  // namespace

void modal_columns(const Node& node, const NodeState& x, CSpan a, std::vector<ModalColumn>& out) {
  const ModalMoments& m = *node.moments;
  ModalState& s = *x.guide->modal;
  const CompletedMoments* const all = completed(m);
  const FieldState fields = fields_of(m, s);
  const int modes = fields.n;
  if (out.size() < static_cast<std::size_t>(modes)) out.resize(static_cast<std::size_t>(modes));
  const Frame at(node, x);
  const Vec3d v = transpose_times(at.R, x.v);
  const double* const zdd = all ? follow_accelerations(*all, s, a.data() + node.iv, true) : a.data() + node.iv;
  const bool shortens = !m.shortening.empty();
  for (int k = 0; k < modes; ++k) {
    const auto i = static_cast<std::size_t>(k);
    const Vec3d &c = fields.ck[k], &e = fields.ek[k];
    const Mat3d& I = fields.Ik[k + 1];
    // changes of I' and h with z_k: sum_l I_kl z'_l and sum_l E_lk z'_l, E^T = E - G
    const double* const row = m.inertia.data() + wide * index(k + 1, 1, modes + 1);
    const Mat3d Id = symmetric(lane_sums<wide>(row, fields.zd, modes));
    const Vec3d hdd = row_times(m.spin, k, modes, zdd) - row_times(m.gyroscopic, k, modes, zdd);  // of h' by z_k
    const Vec3d rate = row_times(m.spin, k, modes, fields.zd), hd = rate - fields.gk[k];
    Vec3d f_z = cross(at.al, c) + cross(at.w, cross(at.w, c)), f_v = 2.0 * cross(at.w, c);
    Vec3d n_z = cross(c, at.a) + I * at.al + Id * at.w + cross(at.w, I * at.w + hd) + hdd;
    Vec3d n_v = I * at.w + cross(at.w, e);
    if (shortens) {
      const Vec3d bend = row_times(m.shortening, k, modes, fields.zd);
      f_z += 2.0 * cross(at.w, bend) + row_times(m.shortening, k, modes, zdd), f_v += 2.0 * bend;
    }
    if (m.has_spin_stiffness) n_v += rate + hd;  // of z' E z' by z'_k
    const Vec3d by_spin = fields.gk[k] - I * at.w + 2.0 * cross(v, c) + cross(at.w, e);
    out[i] = {at.R * n_z, at.R * f_z, at.R * n_v, at.R * f_v, at.R * e, at.R * c, at.R * by_spin};
  }
  if (all) contract_columns(*all, following_of(*all, s), out);
}

void modal_block(const Node& node, const NodeState& x, std::vector<double>& by_z, std::vector<double>& by_rate) {
  const ModalMoments& m = *node.moments;
  const Frame at6(node, x);
  const Vec3d &w = at6.w, &al = at6.al, &a = at6.a;
  const std::array<double, 6> half{-0.5 * w.x * w.x, -0.5 * w.y * w.y, -0.5 * w.z * w.z,
                                   -w.x * w.y,       -w.y * w.z,       -w.z * w.x};
  const CompletedMoments* const all = completed(m);
  const int n = all ? all->fields : m.modes;
  if (const std::size_t room = all ? index(n, 0, n) + index(m.modes, 0, m.modes) : 0; by_z.size() < room)
    by_z.resize(room), by_rate.resize(room);
  for (int k = 0; k < n; ++k) {
    for (int l = 0; l < n; ++l) {
      const std::size_t i = index(k, l, n), j = index(k + 1, l + 1, n + 1);
      const auto along = [&](const std::vector<double>& from, const Vec3d& motion) {
        const double* const entry = from.data() + narrow * i;
        return entry[0] * motion.x + entry[1] * motion.y + entry[2] * motion.z;
      };
      double sum = along(m.spin, al);
      for (std::size_t c = 0; c < half.size(); ++c) sum += half[c] * m.inertia[wide * j + c];
      if (!m.shortening.empty()) sum += along(m.shortening, a);
      by_z[i] = sum;
      by_rate[i] = along(m.gyroscopic, w);
    }
  }
  if (all) contract_block(*all, *x.guide->modal, by_z, by_rate);
}

}  // namespace skyhook::formalism::recursive
