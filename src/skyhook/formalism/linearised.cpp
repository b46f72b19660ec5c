#include "skyhook/formalism/linearised.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "skyhook/formalism/characteristic_length.h"
#include "skyhook/formalism/constrained_steps.h"

namespace skyhook::formalism {

using recursive::Equations;

bool is_sparse(const Equations& eq, Storage storage) {
  return storage == Storage::sparse || (storage == Storage::by_size && eq.nv() + eq.ng() > many);
}

Linearised::Linearised(const Equations& eq, Trace trace, const Conditions* given, Storage storage)
    : eq_(eq),
      given_(given),
      trace_(trace),
      sparse_(formalism::is_sparse(eq, storage)),
      mass_(std::make_shared<const Pattern>(eq.mass_pattern())),
      jacobian_(std::make_shared<const Pattern>(eq.constraint_pattern())),
      ws_(eq.workspace()),
      tau_(eq.nv()),
      qdot_(eq.nq()),
      zero_v_(eq.nv(), 0.0),
      zero_g_(eq.ng(), 0.0) {
  const double length = characteristic_length(eq.model());
  for (const int row : eq.active()) scale_.push_back(eq.rows()[row].is_moment ? 1.0 : 1.0 / length);
  for (int j = 0; j < eq.nv(); ++j) diagonal_.push_back(mass_.pattern->find(j, j));
  find_row_places();
}

void Linearised::find_row_places() {
  const Pattern& jacobian = *jacobian_.pattern;
  PatternBuilder builder(eq_.ng() + (given_ ? given_->count() : 0), eq_.nv());
  for (int j = 0; j < jacobian.cols; ++j) {
    for (int k = jacobian.start[j]; k < jacobian.start[j + 1]; ++k) builder.add(jacobian.row[k], j);
  }
  for (int k = 0; given_ && k < given_->count(); ++k) {
    if (const int iv = given_->tree_coordinate(k); iv >= 0) builder.add(eq_.ng() + k, iv);
    for (const int j : eq_.tree().coordinates_of(given_->pair(k).dofs)) builder.add(eq_.ng() + k, j);
  }
  rows_ = Csc(std::make_shared<const Pattern>(builder.build()));
  for (int j = 0; j < jacobian.cols; ++j) {
    for (int k = jacobian.start[j]; k < jacobian.start[j + 1]; ++k)
      jacobian_at_.push_back(rows_.pattern->find(jacobian.row[k], j));
  }
}

bool Linearised::evaluate(const State& s) {
  g.resize(eq_.ng()), rate.resize(eq_.ng());
  const Input in{s.t, s.q, s.v, zero_v_, zero_g_, zero_g_};
  if (eq_.residual(in, {tau_, qdot_, g, rate}, ws_) != Eval::ok) return false;
  eq_.matrices(s.t, s.q, {mass_.value, jacobian_.value}, ws_);
  for (std::size_t k = 0; k < jacobian_at_.size(); ++k) {
    constexpr double rounding = 1e-13;  // of entries that are about 1: a hinge beside a hinge adds nothing else
    const double entry = scale_[jacobian_.pattern->row[k]] * jacobian_.value[k];
    rows_.value[jacobian_at_[k]] = std::abs(entry) > rounding ? entry : 0.0;
  }
  if (given_) {
    for (const auto& e : given_->entries(ws_.nodes))
      rows_.value[rows_.pattern->find(eq_.ng() + e.row, e.column)] = e.value;
  }
  for (int r = 0; r < eq_.ng(); ++r) g[r] *= scale_[r], rate[r] *= scale_[r];
  if (given_) {
    const Vector off = given_->differences(s.q, s.v, ws_.nodes);
    g.insert(g.end(), off.begin(), off.end());
  }
  if (traces_.empty()) find_traces();
  for (int i = 0; i < eq_.nv(); ++i) mass_.value[diagonal_[i]] += traces_[i];
  if (!sparse_) G = DenseMatrix(rows_), M = DenseMatrix(mass_);
  const auto finite = [](double x) { return std::isfinite(x); };
  return std::ranges::all_of(rows_.value, finite) && std::ranges::all_of(mass_.value, finite);
}

void Linearised::find_traces() {
  double most = 1e-300;
  for (int i = 0; i < eq_.nv(); ++i) most = std::max(most, std::abs(inertia(i)));
  double least = most;
  const auto moves_mass = [&](int i) { return inertia(i) > 1e-14 * most; };
  for (int i = 0; i < eq_.nv(); ++i) {
    if (moves_mass(i)) least = std::min(least, inertia(i));
  }
  // Lengths of rows are measured by inertias, and pivots by the longest of them: a coordinate that moves no mass is lighter than all that do,
  // so that it follows them, but not by much. With next to nothing its rows would be so long that a short lever elsewhere is none beside them.
  for (int i = 0; i < eq_.nv(); ++i)
    traces_.push_back(trace_ == Trace::rank ? (moves_mass(i) ? 1e-9 * most : std::max(1e-9 * most, 0.01 * least))
                      : moves_mass(i)       ? 1e-13 * inertia(i)
                                            : 1e-9 * least);
}

std::vector<int> all_but(const std::vector<int>& held, int count) {
  std::vector<char> is_held(count, 0);
  for (const int j : held) is_held[j] = 1;
  std::vector<int> free;
  for (int j = 0; j < count; ++j) {
    if (!is_held[j]) free.push_back(j);
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
  if (lin.is_sparse()) {
    ConstrainedSteps steps(lin, held, lin.given() ? lin.given()->count() : 0);
    return steps.nearest(Vector(lin.equations().nv(), 0.0), b);
  }
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
