// Limit cycles over a parameter: the branch that leaves an equilibrium where a mode begins to grow (Hopf), followed around its folds by pseudo-arclength
// continuation of the shooting equations; which of its cycles are stable; where it turns back (docs/theory/20_limit_cycles.md).
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "skyhook/analysis/shooting.h"

namespace skyhook::analysis {

struct LimitCycle {
  double parameter = 0, period = 0;
  double low = 0, high = 0;   // of the output
  bool is_stable = false;
  bool is_fold = false;       // the branch turns back here
  ComplexVector multipliers;  // largest first, without the one of the cycle's own direction
  double own = 0;             // distance of that one from 1: what the others are good for
  Vector x;                   // a state of it
  double amplitude() const { return 0.5 * (high - low); }
};

struct CycleBranch {
  std::vector<LimitCycle> cycles;  // along the branch
  std::string end;                 // why it ends: "the parameter leaves its range", ...
  bool is_complete = true;         // it ends where it should, not where the numbers fail
  long runs = 0;
  std::string unit;                // of the output
};

// Where a branch begins: an equilibrium with an oscillation that neither grows nor decays, x = size Re(mode e^(i w t)).
struct HopfPoint {
  double parameter = 0, frequency = 0;  // Hz
  ComplexVector mode;                   // of the states of the flow map
  double size = 1e-3;
};

struct ContinuationOptions {
  double low = 0, high = 1;       // of the parameter
  double largest_amplitude = 0;   // of the output; 0: none
  double step = 0.25;             // of the arclength, in scales: the amplitude grows by this part of itself at most
  int most_points = 120;
  double residual = 1e-7;         // of a cycle, in scales
  std::function<void(const LimitCycle&)> found = {};
  std::function<bool()> should_stop = {};
};

CycleBranch follow_cycles(const FlowMap& flow, const HopfPoint& start, const ContinuationOptions& options);

// The same motion as a check, without any of this: from a cycle the parameter goes through `values`, `periods` of simulation at each, and what
// is left of the oscillation in the last of them is half its range.
struct RampPoint {
  double parameter = 0, amplitude = 0;
  std::string problem;
};
std::vector<RampPoint> ramp(const FlowMap& flow, const LimitCycle& from, const std::vector<double>& values, int periods,
                            const std::function<bool()>& should_stop = {});

}  // namespace skyhook::analysis
