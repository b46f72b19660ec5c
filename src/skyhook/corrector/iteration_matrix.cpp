#include "skyhook/corrector/iteration_matrix.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace skyhook {

using Source = JacobianStrategy::Source;
using Update = JacobianStrategy::Update;

std::string why_not(const DaeProblem& problem, const JacobianStrategy& strategy) {
  const Structure& s = problem.structure();
  if (strategy.update != Update::extended || s.inputs == 0 || s.dF_dyp_constant) return {};
  return "the extended update leaves out how the mass matrix changes with the excitations, which it does in these "
         "equations. Choose the explicit formalism, whose dF/dy' is constant, or the partitioned update";
}

IterationMatrix::IterationMatrix(const DaeProblem& problem, JacobianStrategy strategy)
    : problem_(problem),
      strategy_(strategy),
      lu_(problem.structure().pattern),
      column_scale_(problem.structure().y.size(), 1.0) {
  if (const std::string reason = why_not(problem, strategy); !reason.empty()) throw std::invalid_argument(reason);
  const Structure& s = problem.structure();
  has_scales_ = std::ranges::any_of(s.y, [](const Variable& v) { return v.index >= 2; });
  if (strategy.source == Source::estimated) estimate_.emplace(problem), mass_ = Csc(s.pattern);
  live_on(s.pattern);
}

ColumnGroups IterationMatrix::groups() const {
  return strategy_.source == Source::dense ? single_columns(problem_.structure().size()) : group_columns(*J_.pattern);
}

void IterationMatrix::live_on(std::shared_ptr<const Pattern> pattern) {
  for (Csc* m : {&dF_dy_, &dF_dyp_, &J_}) *m = Csc(pattern);
  if (pattern != problem_.structure().pattern) lu_ = SparseLu(pattern);
  if (strategy_.source != Source::exact) differences_.emplace(problem_, groups(), *pattern);
  if (strategy_.update == Update::extended && problem_.structure().inputs > 0)
    expansion_.emplace(problem_, groups(), pattern);
  if (!estimate_) return;
  mass_from_.resize(J_.value.size());
  for (int j = 0; j < pattern->cols; ++j) {
    for (int k = pattern->start[j]; k < pattern->start[j + 1]; ++k)
      mass_from_[k] = mass_.pattern->find(pattern->row[k], j);
  }
}

Eval IterationMatrix::scan(const Point& point, CSpan F, Workspace& workspace, Cost& cost) {
  const long before = estimate_->residuals();
  const Eval eval = estimate_->scan(point, F, workspace);
  ++cost.jacobians;
  cost.residuals += estimate_->residuals() - before;
  cost.residuals_for_jacobian += estimate_->residuals() - before;
  if (eval != Eval::ok) return eval;
  if (estimate_->has_grown()) live_on(estimate_->pattern());
  scanned_at_ = point.t;
  return eval;
}

Eval IterationMatrix::widen(const Point& point, CSpan F, double alpha, Workspace& workspace, Cost& cost) {
  const Eval eval = scan(point, F, workspace, cost);
  return eval == Eval::ok ? evaluate(point, F, alpha, workspace, cost) : eval;
}

void IterationMatrix::combine(double alpha) {
  const std::size_t n = J_.value.size();
  const double *dy = dF_dy_.value.data(), *dyp = dF_dyp_.value.data();
  double* J = J_.value.data();
  for (std::size_t k = 0; k < n; ++k) J[k] = dy[k] + alpha * dyp[k];
  alpha_ = alpha;
}

bool IterationMatrix::renew_mass(const Point& point, Workspace& workspace) {
  if (!estimate_) return problem_.mass(point, dF_dyp_, workspace);
  if (!problem_.mass(point, mass_, workspace)) return false;
  for (std::size_t k = 0; k < mass_from_.size(); ++k)
    dF_dyp_.value[k] = mass_from_[k] < 0 ? 0.0 : mass_.value[mass_from_[k]];
  return true;
}

Eval IterationMatrix::exact(const Point& point, double alpha, Workspace& workspace) {
  const Eval eval = problem_.derivatives(point, dF_dy_, dF_dyp_, workspace);
  if (eval != Eval::ok) return eval;
  has_both_ = true, has_parts_ = strategy_.update != Update::none;
  combine(alpha);
  return eval;
}

// Where dF/dy' is known y' stays where it is: dF/dy then has no part of the noise that grows with alpha.
Eval IterationMatrix::differences(const Point& point, CSpan F, double alpha, Workspace& workspace, Cost& cost) {
  const bool in_parts = strategy_.update != Update::none && renew_mass(point, workspace);
  const long before = differences_->residuals();
  const Eval eval = differences_->evaluate(point, F, in_parts ? 0.0 : alpha, in_parts ? dF_dy_ : J_, workspace);
  cost.residuals += differences_->residuals() - before;
  cost.residuals_for_jacobian += differences_->residuals() - before;
  if (eval != Eval::ok || !in_parts) return eval;
  has_both_ = has_parts_ = true;
  combine(alpha);
  return eval;
}

// S1: it is enough to find the second derivatives once.
Eval IterationMatrix::expand(const Point& point, CSpan F, Workspace& workspace, Cost& cost) {
  const Eval eval = expansion_->is_built() ? Eval::ok : expansion_->build(point, F, workspace, cost);
  expansion_->start(point);
  return eval;
}

Eval IterationMatrix::evaluate(const Point& point, CSpan F, double alpha, Workspace& workspace, Cost& cost) {
  has_both_ = has_parts_ = false;
  alpha_ = alpha;
  evaluated_at_ = point.t;
  Eval eval = Eval::ok;
  if (estimate_ && estimate_->pattern()->nonzeros() == 0) eval = scan(point, F, workspace, cost);
  if (eval != Eval::ok) return eval;
  ++cost.jacobians;
  eval = strategy_.source == Source::exact ? exact(point, alpha, workspace)
                                           : differences(point, F, alpha, workspace, cost);
  return eval == Eval::ok && has_parts_ && expansion_ ? expand(point, F, workspace, cost) : eval;
}

// A problem that cannot tell dF/dy' alone keeps the last one.
Eval IterationMatrix::update(const Point& point, double alpha, Workspace& workspace, Cost& cost) {
  ++cost.updates;
  if (!problem_.structure().dF_dyp_constant) renew_mass(point, workspace);
  if (expansion_) expansion_->follow(point, dF_dy_);
  combine(alpha);
  return Eval::ok;
}

bool IterationMatrix::factor(double h, Cost& cost) {
  ++cost.factorisations;
  if (!has_scales_) return lu_.factor(J_.value);
  const Structure& s = problem_.structure();
  for (std::size_t j = 0; j < column_scale_.size(); ++j) {
    const int index = s.y[j].index;
    column_scale_[j] = index < 2 ? 1.0 : index == 2 ? 1 / h : std::pow(h, 1 - index);
  }
  return lu_.factor(J_.value, column_scale_);
}

void IterationMatrix::solve(Span b) { lu_.solve(b); }

}  // namespace skyhook
