#include "skyhook/corrector/iteration_matrix.h"

#include <algorithm>
#include <cmath>

namespace skyhook {

using Source = JacobianStrategy::Source;
using Update = JacobianStrategy::Update;

IterationMatrix::IterationMatrix(const DaeProblem& problem, JacobianStrategy strategy)
    : problem_(problem),
      strategy_(strategy),
      dF_dy_(problem.structure().pattern),
      dF_dyp_(dF_dy_.pattern),
      J_(dF_dy_.pattern),
      klu_(dF_dy_.pattern),
      scaled_(J_.value.size()),
      column_scale_(problem.structure().y.size(), 1.0) {
  const Structure& s = problem.structure();
  has_scales_ = std::ranges::any_of(s.y, [](const Variable& v) { return v.index >= 2; });
  if (strategy.source == Source::dense) differences_.emplace(problem, single_columns(s.size()));
  if (strategy.source == Source::grouped) differences_.emplace(problem, group_columns(*s.pattern));
}

void IterationMatrix::combine(double alpha) {
  const std::size_t n = J_.value.size();
  const double *dy = dF_dy_.value.data(), *dyp = dF_dyp_.value.data();
  double* J = J_.value.data();
  for (std::size_t k = 0; k < n; ++k) J[k] = dy[k] + alpha * dyp[k];
  alpha_ = alpha;
}

Eval IterationMatrix::exact(const Point& point, Workspace& workspace) {
  return problem_.derivatives(point, dF_dy_, dF_dyp_, workspace);
}

Eval IterationMatrix::differences(const Point& point, CSpan F, double alpha, Workspace& workspace, Cost& cost) {
  cost.residuals += differences_->residuals_per_jacobian();
  cost.residuals_for_jacobian += differences_->residuals_per_jacobian();
  const Eval eval = differences_->evaluate(point, F, alpha, J_, workspace);
  if (eval != Eval::ok || strategy_.update == Update::none) return eval;
  if (!problem_.mass(point, dF_dyp_, workspace)) return Eval::ok;
  has_parts_ = true;
  for (std::size_t k = 0; k < J_.value.size(); ++k) dF_dy_.value[k] = J_.value[k] - alpha * dF_dyp_.value[k];
  return eval;
}

Eval IterationMatrix::evaluate(const Point& point, CSpan F, double alpha, Workspace& workspace, Cost& cost) {
  ++cost.jacobians;
  has_parts_ = false;
  alpha_ = alpha;
  if (strategy_.source != Source::exact) return differences(point, F, alpha, workspace, cost);
  const Eval eval = exact(point, workspace);
  if (eval != Eval::ok) return eval;
  has_parts_ = strategy_.update != Update::none;
  combine(alpha);
  return eval;
}

Eval IterationMatrix::update(const Point& point, double alpha, Workspace& workspace, Cost& cost) {
  ++cost.updates;
  if (!problem_.structure().dF_dyp_constant) problem_.mass(point, dF_dyp_, workspace);
  combine(alpha);
  return Eval::ok;
}

bool IterationMatrix::factor(double h, Cost& cost) {
  ++cost.factorisations;
  if (!has_scales_) return klu_.factor(J_.value);
  const Structure& s = problem_.structure();
  const Pattern& p = *J_.pattern;
  for (int j = 0; j < p.cols; ++j) {
    const int index = s.y[j].index;
    column_scale_[j] = index < 2 ? 1.0 : index == 2 ? 1 / h : std::pow(h, 1 - index);
    for (int k = p.start[j]; k < p.start[j + 1]; ++k) scaled_[k] = J_.value[k] * column_scale_[j];
  }
  return klu_.factor(scaled_);
}

void IterationMatrix::solve(Span b) {
  klu_.solve(b);
  if (!has_scales_) return;
  for (std::size_t j = 0; j < b.size(); ++j) b[j] *= column_scale_[j];
}

}  // namespace skyhook
