// Variable-order BDF by SUNDIALS IDA: the trusted reference integrator. No SUNDIALS type leaves ida*.cpp.
#pragma once
#include <memory>
#include <span>
#include <string>

#include "skyhook/integrator/step.h"
#include "skyhook/problem/problem.h"

namespace skyhook::integrator {

class Ida {
 public:
  // y and yp must be consistent at t (IDACalcIC is not used). The problem must outlive the integrator.
  Ida(const DaeProblem& problem, Options options, double t, CSpan y, CSpan yp);
  ~Ida();
  Ida(Ida&&) noexcept;
  Ida& operator=(Ida&&) noexcept;

  // One step of the integrator's own size, never past t_limit. reached_limit: t == t_limit exactly. Each limit that
  // cuts a step costs accuracy control a few more steps: use it for true ends and interpolate() for output times.
  StepResult step(double t_limit, double due = 0);  // due: as of Bdf
  // y (and y' unless its span is empty) at any t within the last step.
  void interpolate(double t, Span y, Span yp) const;
  // First by the starter of our BDF, from which IDA takes over (ida_start.h).
  void restart(Jump jump, double t, CSpan y, CSpan yp);
  double t() const;
  CSpan y() const;
  CSpan yp() const;
  const Cost& cost() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace skyhook::integrator
