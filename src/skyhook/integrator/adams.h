// Adams predictor-corrector of variable order 1-12 and variable step, PECE with local extrapolation (SPEC I5): the
// algorithm STEP of Shampine and Gordon, Computer Solution of Ordinary Differential Equations, 1975, chapter 10.
#pragma once
#include <memory>

#include "skyhook/integrator/step.h"
#include "skyhook/problem/ode_problem.h"

namespace skyhook::integrator {

class Adams {
 public:
  // The problem must outlive the integrator.
  Adams(const OdeProblem& problem, Options options, double t, CSpan y);
  ~Adams();
  Adams(Adams&&) noexcept;
  Adams& operator=(Adams&&) noexcept;

  // One step, never past t_limit. reached_limit: t == t_limit exactly. Limits that cut steps are dear: interpolate.
  StepResult step(double t_limit);
  void interpolate(double t, Span y, Span yp) const;  // within the last step; y' unless its span is empty
  double t() const;
  CSpan y() const;
  CSpan yp() const;
  const Cost& cost() const;  // residuals: evaluations of f
  bool is_stiff() const;     // stability, not accuracy, has limited the step most of the time
  long repairs() const;      // position projections so far

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace skyhook::integrator
