#include "skyhook/formalism/least_displacement.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "skyhook/formalism/characteristic_length.h"
#include "skyhook/math/rotation.h"

namespace skyhook::formalism {
namespace {

using recursive::Equations;

// Largest change of a position, rad or m, at which the minimum counts as reached.
constexpr double at_rest = 1e-13;

double product(const Vector& a, const Vector& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }

Vector column(const DenseMatrix& a, int j) {
  const auto first = a.value.begin() + static_cast<std::ptrdiff_t>(j) * a.rows;
  return {first, first + a.rows};
}

Vector transpose_product(const DenseMatrix& a, const Vector& x) {
  Vector out(a.cols);
  for (int j = 0; j < a.cols; ++j) out[j] = product(column(a, j), x);
  return out;
}

// What is left of the motion at a point, orthonormal in the metric, in all coordinates; and the slope along it.
struct Tangent {
  DenseMatrix Z;
  Vector slope, multipliers;
};

class Minimum {
 public:
  Minimum(const Equations& eq, const Displacement& displacement, Linearised& lin, const std::vector<int>& held)
      : eq_(eq), displacement_(displacement), lin_(lin), held_(held), free_(all_but(held, eq.tree().nv)) {}

  // By Newton's method; of many coordinates by that of Gauss and Newton, which takes the mass matrix for the Hessian: it creeps where the mass has far
  // to go, and so takes more steps.
  double search(State& s) {
    return lin_.is_sparse() ? descend(s, 200, &Minimum::gauss_newton) : descend(s, 50, &Minimum::newton);
  }

 private:
  // A way to go down from a point: what it comes to where the minimum is near, and how to take it.
  struct Descent {
    double rest;  // the largest change of a position that is left to first order
    std::function<bool(State&)> step;
  };

  double descend(State& s, int most, Descent (Minimum::*from)(const Vector&)) {
    constexpr double rounding = 1e-9;
    double rest = std::numeric_limits<double>::infinity();
    for (int k = 0; k < most; ++k) {
      if (!lin_.evaluate(s)) break;
      const Vector gradient = displacement_.gradient(s, lin_);
      if (is_nothing(gradient)) return 0;
      const Descent descent = (this->*from)(gradient);
      const double before = rest;
      rest = descent.rest;
      if (!(rest > at_rest) || (rest < rounding && rest > 0.5 * before)) return 0;
      if (!descent.step(s)) break;
    }
    return rest < rounding ? 0.0 : rest;
  }
  Descent newton(const Vector& gradient) {
    Tangent tangent = tangent_at(gradient);
    const double rest = largest(tangent.Z * tangent.slope);
    return {rest, [this, tangent = std::move(tangent), gradient](State& s) mutable {
              tangent.multipliers = multipliers(gradient);
              return step(s, tangent);
            }};
  }
  Descent gauss_newton(const Vector& gradient) {
    ConstrainedSteps steps(lin_, held_, lin_.rows() - eq_.ng(), displacement_.springs(lin_));
    const Vector move = steps.nearest(scaled_by(-1.0, gradient), Vector(lin_.rows(), 0.0));
    return {largest(move), [this, move](State& s) { return step_along(s, move, displacement_.value(s, lin_)); }};
  }

  // Nothing has moved, or by rounding alone: the usual case of a model that is drawn as it starts.
  bool is_nothing(const Vector& gradient) const {
    for (const int j : free_) {
      if (std::abs(gradient[j]) > 0.1 * at_rest * lin_.inertia(j)) return false;
    }
    return true;
  }

  Tangent tangent_at(const Vector& gradient) {
    DenseMatrix metric = lin_.M;
    displacement_.add_metric(lin_, metric);
    const Cholesky chol(metric.select(free_, free_));
    Tangent out;
    if (free_.empty() || !chol.ok()) return out.Z = DenseMatrix(eq_.nv(), 0), out;
    std::vector<int> rows(lin_.G.rows);
    std::iota(rows.begin(), rows.end(), 0);
    DenseMatrix A = transpose(chol.solve_lower(transpose(lin_.G.select(rows, free_))));
    Vector sizes(A.rows, 1.0);
    equilibrate(A, sizes);
    const DenseMatrix N = null_space(A, rank_threshold);
    out.Z = DenseMatrix(eq_.nv(), N.cols);
    for (int j = 0; j < N.cols; ++j) {
      const Vector z = chol.solve_upper(column(N, j));
      for (std::size_t i = 0; i < free_.size(); ++i) out.Z(free_[i], j) = z[i];
    }
    out.slope = transpose_product(out.Z, gradient);
    return out;
  }

  Vector multipliers(const Vector& gradient) const {
    if (lin_.G.rows == 0) return {};
    std::vector<int> rows(lin_.G.rows);
    std::iota(rows.begin(), rows.end(), 0);
    Vector of_free;
    for (const int j : free_) of_free.push_back(-gradient[j]);
    return LeastNorm(transpose(lin_.G.select(rows, free_)), rank_threshold).solve(of_free);
  }

  // Gradient of the Lagrangian along the tangent, at a neighbouring point.
  Vector lagrangian_slope(const State& s, const Tangent& tangent, const Vector& move) {
    State near = s;
    eq_.plus(near.q, move);
    if (!lin_.evaluate(near)) return Vector(tangent.Z.cols, std::nan(""));
    Vector gradient = displacement_.gradient(near, lin_);
    if (!tangent.multipliers.empty()) {
      const Vector pull = transpose_product(lin_.G, tangent.multipliers);
      for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] += pull[i];
    }
    return transpose_product(tangent.Z, gradient);
  }

  DenseMatrix hessian(const State& s, const Tangent& tangent) {
    constexpr double width = 1e-5;
    const int n = tangent.Z.cols;
    DenseMatrix H(n, n);
    for (int j = 0; j < n; ++j) {
      const Vector z = column(tangent.Z, j);
      const double h = width / std::max(largest(z), 1e-300);
      const Vector ahead = lagrangian_slope(s, tangent, scaled_by(h, z));
      const Vector back = lagrangian_slope(s, tangent, scaled_by(-h, z));
      for (int i = 0; i < n; ++i) H(i, j) = (ahead[i] - back[i]) / (2 * h);
    }
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < j; ++i) H(i, j) = H(j, i) = 0.5 * (H(i, j) + H(j, i));
    }
    return H;
  }

  // Newton's direction where the Hessian is positive, else that of steepest descent in the metric.
  Vector direction(const State& s, const Tangent& tangent) {
    const DenseMatrix H = hessian(s, tangent);
    const Vector down = scaled_by(-1.0, tangent.slope);
    if (!H.is_finite()) return tangent.Z * down;
    const Cholesky chol(H);
    if (!chol.ok()) return tangent.Z * down;
    DenseMatrix rhs(static_cast<int>(down.size()), 1);
    rhs.value = down;
    return tangent.Z * chol.solve_upper(chol.solve_lower(rhs).value);
  }

  bool step(State& s, const Tangent& tangent) {
    const double value = displacement_.value(s, lin_);
    return step_along(s, direction(s, tangent), value);
  }
  bool step_along(State& s, const Vector& move, double value) {
    constexpr double longest = 0.5;  // rad or m
    const State from = s;
    double share = std::min(1.0, longest / std::max(largest(move), 1e-300));
    for (int halving = 0; halving < 12; ++halving, share /= 2) {
      State next = from;
      eq_.plus(next.q, scaled_by(share, move));
      Consistency ignored;
      if (close_loops(eq_, lin_, next, held_, ignored) && displacement_.value(next, lin_) <= value * (1 + 1e-12)) {
        s = next;
        return true;
      }
    }
    return false;
  }

  const Equations& eq_;
  const Displacement& displacement_;
  Linearised& lin_;
  const std::vector<int>& held_;
  std::vector<int> free_;
};

Vec3d turn_between(const Quaternion<double>& from, const Quaternion<double>& to) {
  return rotation_vector(transpose(rotation_of(from)) * rotation_of(to));
}

}  // namespace

Vector difference(const Equations& eq, const std::vector<double>& q, const std::vector<double>& p) {
  Vector d(eq.nv(), 0.0);
  for (const auto& node : eq.tree().nodes) {
    const int scalars = node.scalars;
    for (int k = 0; k < scalars; ++k) d[node.iv + k] = q[node.iq + k] - p[node.iq + k];
    if (!node.rotates()) continue;
    const int i = node.iq + scalars;
    const Vec3d turn = turn_between({p[i], p[i + 1], p[i + 2], p[i + 3]}, {q[i], q[i + 1], q[i + 2], q[i + 3]});
    for (int k = 0; k < 3; ++k) d[node.iv + scalars + k] = turn[k];
  }
  return d;
}

Displacement::Displacement(const Equations& eq, const Poses& reference, const State& start, const Conditions* released)
    : eq_(eq), reference_(reference), start_(start), released_(released) {
  if (!released) return;
  // So heavy that the mass has a say only where the values leave one.
  constexpr double outweighs = 1e6;
  const double length = characteristic_length(eq.model());
  for (const auto& body : eq.model().bodies) weight_ += outweighs * (body.mass * length * length + trace(body.inertia));
}

Vector Displacement::inertia(const Linearised& lin) const {
  Vector out = lin.traces();
  for (const recursive::OwnNode& own : eq_.tree().own) out[own.iv] += own.what.mass;
  for (const recursive::MeshNode& mesh : eq_.tree().meshes) {
    for (int k = 0; k < mesh.mesh->coordinates; ++k) out[mesh.iv + k] += mesh.mesh->mass.at(k, k);
  }
  for (const recursive::ModalNode& modal : eq_.tree().modal) {
    const auto& M = eq_.tree().nodes[modal.node].moments->M;
    for (int k = 0; k < modal.modes; ++k) out[modal.iv + k] += M[static_cast<std::size_t>(k * (modal.modes + 1))];
  }
  return out;
}

double Displacement::value(const State& s, Linearised& lin) const {
  double sum = mass_distance(eq_, reference_, lin.nodes());
  const Vector away = difference(eq_, s.q, start_.q), mass = inertia(lin);
  for (std::size_t i = 0; i < away.size(); ++i) sum += 0.5 * mass[i] * away[i] * away[i];
  return sum + misfit(s, lin);
}

double Displacement::misfit(const State& s, Linearised& lin) const {
  if (!released_) return 0;
  const Vector off = released_->differences(s.q, s.v, lin.nodes());
  return 0.5 * weight_ * product(off, off);
}

Vector Displacement::gradient(const State& s, Linearised& lin) const {
  Vector out(eq_.nv(), 0.0);
  mass_distance_gradient(eq_, reference_, lin.nodes(), out);
  const Vector away = difference(eq_, s.q, start_.q), mass = inertia(lin);
  for (std::size_t i = 0; i < away.size(); ++i) out[i] += mass[i] * away[i];
  if (!released_) return out;
  const Vector off = released_->differences(s.q, s.v, lin.nodes());
  for (const auto& e : released_->entries(lin.nodes())) out[e.column] += weight_ * e.value * off[e.row];
  return out;
}

SoftRows Displacement::springs(Linearised& lin) const {
  if (!released_) return {};
  return {released_->count(), released_->entries(lin.nodes()), weight_};
}

void Displacement::add_metric(Linearised& lin, DenseMatrix& metric) const {
  if (!released_) return;
  const DenseMatrix rows = released_->rows(lin.nodes());
  for (int j = 0; j < metric.cols; ++j) {
    for (int i = 0; i < metric.rows; ++i) {
      for (int r = 0; r < rows.rows; ++r) metric(i, j) += weight_ * rows(r, i) * rows(r, j);
    }
  }
}

double minimise(const Equations& eq, const Displacement& displacement, Linearised& lin, State& s,
                const std::vector<int>& held) {
  return Minimum(eq, displacement, lin, held).search(s);
}

}  // namespace skyhook::formalism
