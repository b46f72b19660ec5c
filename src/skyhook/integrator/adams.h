// Adams predictor-corrector of variable order 1-12 and variable step, PECE with local extrapolation: the
// algorithm STEP of Shampine and Gordon, Computer Solution of Ordinary Differential Equations, 1975, chapter 10. Behind jumps it begins with a
// Runge-Kutta step (adams_start.h).
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
  Adams(const Adams&);  // with all its memory; of the same problem
  Adams& operator=(const Adams&);
  Adams(Adams&&) noexcept;
  Adams& operator=(Adams&&) noexcept;

  // One step, never past t_limit. reached_limit: t == t_limit exactly. Limits that cut steps are expensive: interpolate.
  StepResult step(double t_limit);
  // Within the last step; y' unless its span is empty. Where accepted() has rewritten y, values are those before.
  void interpolate(double t, Span y, Span yp) const;
  // With a Runge-Kutta step, then at order 5; at order 1 where the next limit is near. y' is evaluated at once. Explicit methods
  // take any jump alike.
  void restart(Jump jump, double t, CSpan y);
  double t() const;
  CSpan y() const;            // from which the next step begins
  CSpan yp() const;           // its derivative; where accepted() has rewritten y, as before
  const Cost& cost() const;   // residuals: evaluations of f
  bool is_stiff() const;      // stability, not accuracy, has limited the step most of the time
  double stiff_rate() const;  // 1/s; of what is stiff, when it was last seen
  void forget_stiffness();    // is_stiff() judges anew
  long repairs() const;       // position projections so far
  Workspace& workspace();     // what the problem keeps for this run

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace skyhook::integrator
