#include "skyhook/corrector/input_expansion.h"

#include <algorithm>

#include "skyhook/base/kept_answers.h"

namespace skyhook {

InputExpansion::InputExpansion(const DaeProblem& problem, ColumnGroups groups, std::shared_ptr<const Pattern> pattern)
    : problem_(problem),
      differences_(problem, std::move(groups), *pattern, Increments::second_order),
      here_(pattern),
      moved_(pattern),
      u_(problem.structure().inputs),
      u_new_(u_),
      F_(problem.structure().size()),
      slope_(u_.size()) {}

void InputExpansion::excitations(const Point& point, Span u) const {
  if (point.u.empty())
    problem_.inputs(point.t, u);
  else
    std::copy(point.u.begin(), point.u.end(), u.begin());
}

Eval InputExpansion::evaluate(const Point& point, CSpan F, Csc& dF_dy, Workspace& workspace, Cost& cost) {
  const long before = differences_.residuals();
  const Eval eval = differences_.evaluate(point, F, 0.0, dF_dy, workspace);
  ++cost.jacobians;
  cost.residuals += differences_.residuals() - before;
  cost.residuals_for_jacobian += differences_.residuals() - before;
  return eval;
}

Eval InputExpansion::build(const Point& point, CSpan F, Workspace& workspace, Cost& cost) {
  excitations(point, u_);
  if (const Eval eval = evaluate(point, F, here_, workspace, cost); eval != Eval::ok) return eval;
  const Point moved{point.t, point.y, point.yp, u_};
  for (std::size_t i = 0; i < u_.size(); ++i) {
    const double u = u_[i];
    u_[i] += Increments::second_order.of(u, Variable{});
    const double delta = u_[i] - u;
    ++cost.residuals, ++cost.residuals_for_jacobian, KeptAnswers::forget_if_told();
    Eval eval = problem_.residual(moved, F_, workspace);
    if (eval == Eval::ok) eval = evaluate(moved, F_, moved_, workspace, cost);
    u_[i] = u;
    if (eval != Eval::ok) return eval;
    slope_[i].clear();
    for (int k = 0; k < here_.pattern->nonzeros(); ++k) {
      const double slope = (moved_.value[k] - here_.value[k]) / delta;
      if (slope != 0) slope_[i].push_back({k, slope});
    }
  }
  is_built_ = true;
  return Eval::ok;
}

void InputExpansion::follow(const Point& point, Csc& dF_dy) {
  excitations(point, u_new_);
  for (std::size_t i = 0; i < u_.size(); ++i) {
    const double change = u_new_[i] - u_[i];
    for (const Entry& e : slope_[i]) dF_dy.value[e.at] += e.value * change;
  }
  u_.swap(u_new_);
}

}  // namespace skyhook
