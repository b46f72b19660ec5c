// Where equations are linearised: a state with its accelerations and constraint forces.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "skyhook/analysis/equilibrium.h"

namespace skyhook::analysis {

struct OperatingPoint {
  formalism::State state;
  std::vector<double> a, lambda;  // of the active rows
  std::vector<double> no_eta;     // zeros
  std::vector<double> u;          // prescribed motions with their rates and accelerations, as Equations::inputs()
  bool stands = false;            // in equilibrium: nothing moves, drives neither
  bool is_given_motion = false;   // a steady motion that was asked for: all is as it is for an observer who goes along
  double yaw_rate = 0;            // of such an observer about z, rad/s
  std::vector<SteadyMotion::Floating> floating;  // what goes round then

  formalism::Input input() const { return {state.t, state.q, state.v, a, lambda, no_eta, formalism::Drives::move, u}; }
};

// At rest or in the steady motion that was found; drives stand at their values. It belongs to the rows that hold there:
OperatingPoint at_equilibrium(const Equilibrium& equilibrium);
// the prepared model with these, contacts that are closed, what sticks, and what controllers say.
simulation::Prepared prepared_at(simulation::Prepared prepared, const Equilibrium& equilibrium);
// What a linear system there takes for granted: smooth friction at rest, forces that the motion takes.
std::vector<Warning> what_is_assumed(const Equilibrium& equilibrium);

// Drives stand at their values.
OperatingPoint at_rest(const simulation::Equations& eq, const formalism::State& state,
                       const std::vector<double>& lambda);
// Accelerations and constraint forces are found; where there are none, `problem` says why.
std::optional<OperatingPoint> in_motion(const simulation::Equations& eq, const formalism::State& state,
                                        std::string& problem);

}  // namespace skyhook::analysis
