#include "skyhook/formalism/linearised.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "skyhook/formalism/characteristic_length.h"

namespace skyhook::formalism {

using recursive::Equations;

Linearised::Linearised(const Equations& eq, Trace trace, const Conditions* given)
    : eq_(eq),
      given_(given),
      trace_(trace),
      mass_(std::make_shared<const Pattern>(eq.mass_pattern())),
      jacobian_(std::make_shared<const Pattern>(eq.constraint_pattern())),
      ws_(eq.workspace()),
      tau_(eq.nv()),
      qdot_(eq.nq()),
      zero_v_(eq.nv(), 0.0),
      zero_g_(eq.ng(), 0.0) {
  const double length = characteristic_length(eq.model());
  for (const auto& row : eq.rows()) scale_.push_back(row.is_moment ? 1.0 : 1.0 / length);
}

bool Linearised::evaluate(const State& s) {
  g.resize(eq_.ng()), rate.resize(eq_.ng());
  const Input in{s.t, s.q, s.v, zero_v_, zero_g_, zero_g_};
  if (eq_.residual(in, {tau_, qdot_, g, rate}, ws_) != Eval::ok) return false;
  eq_.matrices(s.t, s.q, {mass_.value, jacobian_.value}, ws_);
  const DenseMatrix rows(jacobian_);
  const DenseMatrix more = given_ ? given_->rows(ws_.nodes) : DenseMatrix(0, eq_.nv());
  G = DenseMatrix(rows.rows + more.rows, eq_.nv());
  for (int j = 0; j < G.cols; ++j) {
    for (int r = 0; r < rows.rows; ++r) {
      constexpr double rounding = 1e-13;  // of entries that are about 1: a hinge beside a hinge adds nothing else
      const double entry = scale_[eq_.active()[r]] * rows(r, j);
      G(r, j) = std::abs(entry) > rounding ? entry : 0.0;
    }
    for (int r = 0; r < more.rows; ++r) G(rows.rows + r, j) = more(r, j);
  }
  for (int r = 0; r < eq_.ng(); ++r) g[r] *= scale_[eq_.active()[r]], rate[r] *= scale_[eq_.active()[r]];
  if (given_) {
    const Vector off = given_->differences(s.q, s.v, ws_.nodes);
    g.insert(g.end(), off.begin(), off.end());
  }
  M = DenseMatrix(mass_);
  if (traces_.empty()) find_traces();
  for (int i = 0; i < M.rows; ++i) M(i, i) += traces_[i];
  return G.is_finite() && M.is_finite();
}

void Linearised::find_traces() {
  double most = 1e-300;
  for (int i = 0; i < M.rows; ++i) most = std::max(most, std::abs(M(i, i)));
  double least = most;
  const auto moves_mass = [&](int i) { return M(i, i) > 1e-14 * most; };
  for (int i = 0; i < M.rows; ++i) {
    if (moves_mass(i)) least = std::min(least, M(i, i));
  }
  for (int i = 0; i < M.rows; ++i)
    traces_.push_back(trace_ == Trace::rank ? 1e-9 * most : moves_mass(i) ? 1e-13 * M(i, i) : 1e-9 * least);
}

std::vector<int> all_but(const std::vector<int>& held, int count) {
  std::vector<int> free;
  for (int j = 0; j < count; ++j) {
    if (std::find(held.begin(), held.end(), j) == held.end()) free.push_back(j);
  }
  return free;
}

void equilibrate(DenseMatrix& a, Vector& b) {
  Vector size(a.rows, 0.0);
  for (int j = 0; j < a.cols; ++j) {
    for (int i = 0; i < a.rows; ++i) size[i] += a(i, j) * a(i, j);
  }
  const double most = std::sqrt(largest(size));
  for (int i = 0; i < a.rows; ++i) {
    const double length = std::sqrt(size[i]);
    if (!(length > 10 * rank_threshold * most)) continue;  // nothing at all counts as nothing
    b[i] /= length;
    for (int j = 0; j < a.cols; ++j) a(i, j) /= length;
  }
}

Vector smallest_step(const Linearised& lin, const Vector& b, const std::vector<int>& held) {
  const std::vector<int> free = all_but(held, lin.G.cols);
  std::vector<int> all_rows(lin.G.rows);
  std::iota(all_rows.begin(), all_rows.end(), 0);
  Vector x(lin.G.cols, 0.0);
  if (free.empty()) return x;
  const Cholesky metric(lin.M.select(free, free));  // with held coordinates the metric is that of the others
  if (!metric.ok()) return Vector(lin.G.cols, std::nan(""));
  const DenseMatrix A = transpose(metric.solve_lower(transpose(lin.G.select(all_rows, free))));
  const Vector step = metric.solve_upper(LeastNorm(A, rank_threshold).solve(b));
  for (std::size_t k = 0; k < free.size(); ++k) x[free[k]] = step[k];
  return x;
}

Vector scaled_by(double s, Vector x) {
  for (double& e : x) e *= s;
  return x;
}

}  // namespace skyhook::formalism
