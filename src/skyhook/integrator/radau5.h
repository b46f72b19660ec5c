// RADAU5 for F(t, y, y') = 0: collocation at three Radau points, order 5, stiffly accurate.
// Hairer, Wanner, Solving Ordinary Differential Equations II, IV.8, for implicit equations: the stages solve
// F(t_i, Y_i, Y_i') = 0 by simplified Newton with dF/dy and dF/dy' kept apart, so one real and one complex
// factorisation serve any step size. Local errors and corrections of a variable of index k count h^(k-1).
//
// A problem that repairs is moved back to its manifold before a step is accepted; where that fails the step is repeated
// with half its size. y' stays that of the collocation, wrong by no more than y was moved: the next step does not use
// it, but for its first guess.
#pragma once
#include <memory>

#include "skyhook/integrator/step.h"
#include "skyhook/problem/problem.h"

namespace skyhook::integrator {

class Radau5 {
 public:
  // y and yp must be consistent at t. The problem must outlive the integrator.
  Radau5(const DaeProblem& problem, Options options, double t, CSpan y, CSpan yp);
  ~Radau5();
  Radau5(const Radau5&);  // with all its memory; of the same problem
  Radau5& operator=(const Radau5&);
  Radau5(Radau5&&) noexcept;
  Radau5& operator=(Radau5&&) noexcept;

  // One step, never past t_limit. reached_limit: t == t_limit exactly.
  StepResult step(double t_limit);
  // The collocation polynomial (order 3 inside the step) and its derivative; y' unless its span is empty. What a repair
  // moved is spread over the step by a cubic, so that y stays continuous and y' at the ends is that of the collocation.
  void interpolate(double t, Span y, Span yp) const;
  // At full order, with the step that was wanted before.
  void restart(Jump jump, double t, CSpan y, CSpan yp);
  double t() const;
  CSpan y() const;
  CSpan yp() const;
  const Cost& cost() const;
  long repairs() const;  // position projections so far

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace skyhook::integrator
