#include "skyhook/analysis/linearisation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "skyhook/analysis/index_range.h"

namespace skyhook::analysis {
namespace {

using simulation::Equations;

void put(DenseMatrix& to, int row, int col, const DenseMatrix& block, double factor = 1) {
  for (int j = 0; j < block.cols; ++j) {
    for (int i = 0; i < block.rows; ++i) to(row + i, col + j) = factor * block(i, j);
  }
}

// The mass matrix of y, scaled to a diagonal of ones so that units do not matter.
class MassSolver {
 public:
  explicit MassSolver(const DenseMatrix& M) : scale_(static_cast<std::size_t>(M.rows)) {
    for (int i = 0; i < M.rows; ++i) {
      if (!(M(i, i) > 0)) massless_ = massless_ < 0 ? i : massless_;
      scale_[static_cast<std::size_t>(i)] = M(i, i) > 0 ? 1 / std::sqrt(M(i, i)) : 1.0;
    }
    DenseMatrix scaled = M;
    for (int j = 0; j < M.cols; ++j) {
      for (int i = 0; i < M.rows; ++i) scaled(i, j) *= scale_[i] * scale_[j];
    }
    if (M.rows == 0) return;  // nothing moves freely
    factors_ = std::make_unique<LeastNorm>(scaled, 1e-13);
    if (massless_ < 0 && factors_->rank() < M.rows) massless_ = pivot_columns(scaled, 1e-13).order.back();
  }
  int massless() const { return massless_; }  // a coordinate that moves no mass; -1: none
  DenseMatrix solve(const DenseMatrix& right) const {
    DenseMatrix out(right.rows, right.cols);
    if (!factors_) return out;
    Vector x(scale_.size());
    for (int j = 0; j < right.cols; ++j) {
      for (int i = 0; i < right.rows; ++i) x[i] = scale_[i] * right(i, j);
      x = factors_->solve(x);
      for (int i = 0; i < right.rows; ++i) out(i, j) = scale_[i] * x[i];
    }
    return out;
  }

 private:
  Vector scale_;
  std::unique_ptr<LeastNorm> factors_;
  int massless_ = -1;
};

void name_states(const Equations& eq, const Tangent& t, Linearisation& out) {
  const std::vector<std::string> units = formalism::tangent_units(eq);
  for (const int iv : t.independent) out.states.push_back({eq.freedom_name(iv), units[iv]});
  for (const int iv : t.independent)
    out.states.push_back({eq.freedom_name(iv) + "_rate", units[iv] == "-" ? "1/s" : units[iv] + "/s"});
  for (int iv = eq.moving(); iv < eq.nv(); ++iv) out.states.push_back({eq.velocity_names()[iv], units[iv]});
}

// Drives alone say where everything is: nothing is left but the inputs.
Linearisation without_states(const Equations& eq, const LinearOptions& options) {
  Linearisation out;
  if (options.with_inputs) out.inputs = inputs_of(eq);
  const int nu = static_cast<int>(out.inputs.size());
  out.B = out.F = out.input_shape = out.input_drift = DenseMatrix(0, nu);
  return out;
}

// With rows for the inner states, which are nothing of a displacement.
DenseMatrix extended(const DenseMatrix& a, int rows) {
  DenseMatrix out(rows, a.cols);
  put(out, 0, 0, a);
  return out;
}

// Whether the matrices are the same where what spins has turned on: rotors and wheels that are round.
bool stays_the_same(const Equations& eq, const OperatingPoint& at, const LinearBlocks& b) {
  OperatingPoint later = at;
  Vector turn(at.state.v.begin(), at.state.v.begin() + eq.moving());
  turn.resize(static_cast<std::size_t>(eq.nv()));
  for (const auto& body : at.floating) {
    for (int k = 0; k < 3; ++k) {
      turn[static_cast<std::size_t>(body.iv + k)] = 0;
      if (body.rotation >= 0) turn[static_cast<std::size_t>(body.rotation + k)] = 0;
    }
  }
  const double fastest = largest(turn);
  if (fastest == 0) return true;
  for (double& x : turn) x *= 0.7 / fastest;
  eq.plus(later.state.q, turn);
  for (std::size_t k = 0; k < later.u.size(); k += 3) later.u[k] += 0.7 / fastest * later.u[k + 1];
  const LinearBlocks found = exact_blocks(eq, later);
  if (!found.problem.empty()) return false;
  const LinearBlocks c = MovingAxes(eq, later).blocks(found);
  const double mass = largest(b.M.value);
  const auto same = [](const DenseMatrix& x, const DenseMatrix& y, double usual) {
    return largest(sum(x, y, -1).value) <= 1e-7 * std::max(largest(x.value), usual);
  };
  return same(b.M, c.M, mass) && same(b.D, c.D, mass * fastest) && same(b.K, c.K, mass * fastest * fastest) &&
         same(b.G, c.G, 1.0);
}

bool is_steady(const Equations& eq, const OperatingPoint& at, const LinearBlocks& b, const MovingAxes& axes,
               const Tangent& t) {
  const double fastest = largest(at.state.v);
  if (largest(t.Z_rate.value) > 1e-9 * std::max(1.0, fastest)) return false;
  if (at.is_given_motion) return stays_the_same(eq, at, b);
  // Of an angular velocity in turning axes the change in others is T^T (a - V T^T v), that of v being T p'.
  DenseMatrix v(eq.nv(), 1), a(eq.nv(), 1);
  v.value = at.state.v, a.value = at.a;
  const Vector fixed = axes.back(sum(a, axes.times(&MovingAxes::Block::V, axes.back(v)), -1)).value;
  return largest(fixed) <= 1e-6 * std::max(1.0, fastest * fastest);
}

}  // namespace

Linearisation linearise(const simulation::Prepared& prepared, const OperatingPoint& at, const LinearOptions& options) {
  const Equations& eq = *prepared.active;
  if (eq.nv() == 0) return without_states(eq, options);
  Linearisation out;
  const LinearBlocks found = options.differences ? difference_blocks(eq, at) : exact_blocks(eq, at);
  out.evaluations = found.evaluations;
  if (!found.problem.empty()) return out.problem = found.problem, out;
  const MovingAxes axes(eq, at);
  const LinearBlocks b = axes.blocks(found);
  const Tangent t = tangent_of(eq, at, b, axes);
  if (!t.problem.empty()) return out.problem = t.problem, out;

  const int nv = eq.nv(), nm = eq.moving(), n = t.Z.cols, ns = eq.ns();
  const std::vector<int> all = index_range(0, nv), m = index_range(0, nm), c = index_range(nm, nv);
  const DenseMatrix Z = extended(t.Z, nv), rate = extended(t.Z_rate, nv), curve = extended(t.Z_curve, nv);
  const DenseMatrix by_speed = sum(b.D * Z, b.M * rate, 2), by_place = sum(sum(b.K * Z, b.D * rate), b.M * curve);
  const std::vector<int> columns = index_range(0, n);
  const DenseMatrix Yt = transpose(t.Y);
  out.coordinates = n, out.inner = ns, out.independent = t.independent;
  out.M = Yt * (b.M * Z).select(m, columns), out.D = Yt * by_speed.select(m, columns);
  out.K = Yt * by_place.select(m, columns), out.E = Yt * b.D.select(m, c);
  if (options.with_inputs) out.inputs = inputs_of(eq);
  const InputColumns u = input_columns(prepared, at, out.inputs, b, axes, t);
  if (!u.problem.empty()) return out.problem = u.problem, out;
  const int nu = u.force.cols;
  out.F = Yt * u.force.select(m, index_range(0, nu));
  for (double& x : out.F.value) x = -x;

  const MassSolver mass(out.M);
  if (mass.massless() >= 0) {
    return out.problem = fmt::format("Nothing with mass moves along {}: it has no equation of motion.",
                                     eq.freedom_name(t.independent[mass.massless()])),
           out;
  }
  const int nx = 2 * n + ns;
  out.A = DenseMatrix(nx, nx), out.B = DenseMatrix(nx, nu);
  for (int i = 0; i < n; ++i) out.A(i, n + i) = 1;
  put(out.A, n, 0, mass.solve(out.K), -1), put(out.A, n, n, mass.solve(out.D), -1);
  put(out.A, n, 2 * n, mass.solve(out.E), -1), put(out.B, n, 0, mass.solve(out.F));
  put(out.A, 2 * n, 0, by_place.select(c, columns), -1), put(out.A, 2 * n, n, by_speed.select(c, columns), -1);
  put(out.A, 2 * n, 2 * n, b.D.select(c, c), -1), put(out.B, 2 * n, 0, u.force.select(c, index_range(0, nu)), -1);

  name_states(eq, t, out);
  const MovingAxes::Part by_place_of_axes = &MovingAxes::Block::U;
  out.shape = axes.T_times(Z), out.drift = sum(axes.T_times(rate), axes.times(by_place_of_axes, Z));
  out.input_shape = axes.T_times(u.P), out.input_drift = sum(axes.T_times(u.R), axes.times(by_place_of_axes, u.P));
  out.is_steady = at.stands || is_steady(eq, at, b, axes, t);
  return out;
}

}  // namespace skyhook::analysis
