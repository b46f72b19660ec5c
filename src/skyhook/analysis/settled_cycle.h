// Limit cycles as runs show them: one that a run has swung into, and what is left of it while the parameter falls (docs/theory/20_limit_cycles.md).
#pragma once
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "skyhook/analysis/flow_map.h"

namespace skyhook::analysis {

// A cycle that a run has settled into: where a branch begins to which no onset leads.
struct SettledCycle {
  double parameter = 0, period = 0, amplitude = 0;
  Vector x;
  std::string problem;  // why there is none
};
// Of the last third of a passage: its output swings to and fro, as far as before.
SettledCycle settled_cycle(const Passage& passage, double parameter);
// Largest and smallest value of even samples, and between them by the parabola through three.
std::pair<double, double> range_of(const std::vector<double>& samples);

// The same motion as a check, without any of this: from a cycle the parameter goes through `values`, `periods` of simulation at each, and what
// is left of the oscillation in the last of them is half its range.
struct RampPoint {
  double parameter = 0, amplitude = 0;
  std::string problem;
};
std::vector<RampPoint> ramp(const FlowMap& flow, const SettledCycle& from, const std::vector<double>& values,
                            int periods, const std::function<bool()>& should_stop = {});

}  // namespace skyhook::analysis
