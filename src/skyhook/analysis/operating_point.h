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

  formalism::Input input() const { return {state.t, state.q, state.v, a, lambda, no_eta, formalism::Drives::move, u}; }
};

// Drives stand at their values.
OperatingPoint at_rest(const simulation::Equations& eq, const formalism::State& state,
                       const std::vector<double>& lambda);
// Accelerations and constraint forces are found; where there are none, `problem` says why.
std::optional<OperatingPoint> in_motion(const simulation::Equations& eq, const formalism::State& state,
                                        std::string& problem);

}  // namespace skyhook::analysis
