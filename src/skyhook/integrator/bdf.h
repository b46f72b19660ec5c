// Our own BDF of order 1-5 with variable step and fixed leading coefficient (SPEC I1). Of the family of DASSL and IDA; what
// is different stands in bdf.cpp beside its reason, and in docs/theory/08.
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
  Bdf(Bdf&&) noexcept;
  Bdf& operator=(Bdf&&) noexcept;

  // One step of the integrator's own size, never past t_limit. reached_limit: t == t_limit exactly.
  StepResult step(double t_limit);
  // y (and y' unless its span is empty) at any t within the last step.
  void interpolate(double t, Span y, Span yp) const;
  double t() const;
  CSpan y() const;
  CSpan yp() const;
  const Cost& cost() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace skyhook::integrator
