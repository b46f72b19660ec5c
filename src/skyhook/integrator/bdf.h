// Our own BDF of order 1-5 with variable step and fixed leading coefficient (Jackson and Sacks-Davis 1980; Brenan,
// Campbell and Petzold 1996, chapter 5), of the family of DASSL and IDA. What is
// different: unknowns are scaled by h in Newton's method, multipliers are in no test, the Jacobian follows one of the
// strategies of [Arnold 2006], an order that would amplify undamped vibrations is avoided, and a start or restart begins at order 3
// from a Runge-Kutta step. docs/theory/08 tells why.
#pragma once
#include <memory>

#include "skyhook/integrator/step.h"
#include "skyhook/problem/problem.h"

namespace skyhook::integrator {

class Bdf {
 public:
  // y and yp must be consistent at t. The problem must outlive the integrator.
  Bdf(const DaeProblem& problem, Options options, double t, CSpan y, CSpan yp);
  ~Bdf();
  Bdf(const Bdf&);  // with all its memory; of the same problem
  Bdf& operator=(const Bdf&);
  Bdf(Bdf&&) noexcept;
  Bdf& operator=(Bdf&&) noexcept;

  // One step of the integrator's own size, never past t_limit. reached_limit: t == t_limit exactly. A problem that repairs
  // is moved back to its manifold before the value enters the history.
  // `due`: the next instant at which the run stops for sure, where t_limit is nearer for another reason: starts are planned up to there.
  StepResult step(double t_limit, double due = 0);
  // y (and y' unless its span is empty) at any t within the last step.
  void interpolate(double t, Span y, Span yp) const;

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
