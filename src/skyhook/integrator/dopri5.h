// Dormand and Prince's explicit Runge-Kutta method of order 5(4) with dense output of order 4 (Hairer,
// Nørsett and Wanner, Solving Ordinary Differential Equations I, II.5 and II.6). A problem that
// repairs is projected inside the last stage, so that the derivative there serves the next step ([Simeon 1996] §4.2, MDOP5).
#pragma once
#include <memory>

#include "skyhook/integrator/step.h"
#include "skyhook/problem/ode_problem.h"

namespace skyhook::integrator {

class Dopri5 {
 public:
  // The problem must outlive the integrator.
  Dopri5(const OdeProblem& problem, Options options, double t, CSpan y);
  ~Dopri5();
  Dopri5(const Dopri5&);  // with all its memory; of the same problem
  Dopri5& operator=(const Dopri5&);
  Dopri5(Dopri5&&) noexcept;
  Dopri5& operator=(Dopri5&&) noexcept;

  // One step, never past t_limit. reached_limit: t == t_limit exactly.
  StepResult step(double t_limit);
  // Within the last step; y' unless its span is empty. Where accepted() has rewritten y, values are those before.
  void interpolate(double t, Span y, Span yp) const;
  // What interpolate() gives within the last step is of order 5 from now on, as good as the step's end: two evaluations, once a
  // step. Before it is of order 4, whose error may be seven times that of the step.
  void refine();
  // y' is evaluated at once. Explicit methods take any jump alike.
  void restart(Jump jump, double t, CSpan y);
  double t() const;
  CSpan y() const;            // from which the next step begins
  CSpan yp() const;           // its derivative; where accepted() has rewritten y, as before
  const Cost& cost() const;   // residuals: evaluations of f
  bool is_stiff() const;      // an implicit method would take far larger steps (Hairer's test)
  double stiff_rate() const;  // 1/s; of what is stiff, when it was last seen
  void forget_stiffness();    // is_stiff() judges anew
  long repairs() const;       // position projections so far
  Workspace& workspace();     // what the problem keeps for this run

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace skyhook::integrator
