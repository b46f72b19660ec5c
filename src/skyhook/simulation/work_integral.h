// Work of elements that store no energy, by Gauss' rule of two points on the integrator's dense output: order 4, and never at an
// end, where an event may be. The steps resolve what the error test sees; the force of a drive is not among that, so with drives
// the rule is refined until it settles.
#pragma once
#include <functional>

#include "skyhook/simulation/snapshot.h"

namespace skyhook::simulation {

class WorkIntegral {
 public:
  using StateAt = std::function<const formalism::State&(double t)>;  // within the last step
  // `tolerance`: of the work that drives do, relative.
  WorkIntegral(double tolerance, StateAt state_at) : tolerance_(tolerance), state_at_(std::move(state_at)) {}

  // A copy that finds the states elsewhere.
  WorkIntegral along(StateAt state_at) const {
    WorkIntegral copy = *this;
    copy.state_at_ = std::move(state_at);
    return copy;
  }

  // Goes on from the instant that the snapshot shows.
  void begin(const Snapshot& s);
  // The work done since the last call. Asked for whole steps, so that it does not depend on the output times.
  double until(double t, Evaluator& s);
  // The same, but the integral does not go on from there: for a sample within a step.
  double up_to(double t, Evaluator& s);

 private:
  double gauss(double from, double h, Evaluator& s);
  double refined(double from, double h, double whole, int refinements, Evaluator& s);
  double power_at(double t, Evaluator& s);

  double tolerance_;
  StateAt state_at_;
  std::vector<double> lambda_;
  double t_ = 0, largest_power_ = 0;
};

}  // namespace skyhook::simulation
