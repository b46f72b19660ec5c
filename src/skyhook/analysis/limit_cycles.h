// Limit cycles over a parameter: the branch that leaves an equilibrium where a mode begins to grow (Hopf), or the one through a cycle that a run has settled into, followed around
// its folds by pseudo-arclength continuation of the shooting equations; which of its cycles are stable; where it turns back (docs/theory/20_limit_cycles.md).
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "skyhook/analysis/settled_cycle.h"
#include "skyhook/analysis/shooting.h"

namespace skyhook::analysis {

struct LimitCycle {
  double parameter = 0, period = 0;
  double low = 0, high = 0;  // of the output
  bool is_stable = false;
  bool is_fold = false;       // the branch turns back here
  ComplexVector multipliers;  // largest first, without the one of the cycle's own direction
  double own =
      0;     // by how much the cycle's own direction is not carried into itself: what the multipliers are good for
  Vector x;  // a state of it
  double amplitude() const { return 0.5 * (high - low); }
};

struct CycleBranch {
  std::string start;               // "the linear critical value", ...
  bool from_onset = false;         // its first cycle lies beside rest
  std::vector<LimitCycle> cycles;  // along the branch
  std::string end;                 // why it ends: "the parameter leaves its range", ...
  bool is_complete = true;         // it ends where it should, not where the numbers fail
  bool is_whole = true;            // and is not cut off by the number of cycles asked for
  long runs = 0;
  std::string unit;  // of the output
};

// Where a branch begins: an equilibrium with an oscillation that neither grows nor decays, x = size Re(mode e^(i w t)).
struct HopfPoint {
  double parameter = 0, frequency = 0;  // Hz
  ComplexVector mode;                   // of the states of the flow map
  double size = 1e-3;
};

struct ContinuationOptions {
  double low = 0, high = 1;      // of the parameter
  double largest_amplitude = 0;  // of the output; 0: none
  double step = 0.25;            // of the arclength, in scales: the amplitude grows by this part of itself at most
  int most_points = 120;
  double residual = 1e-7;  // of a cycle, in scales
  std::function<void(const LimitCycle&)> found = {};
  std::function<bool()> should_stop = {};
};

CycleBranch follow_cycles(const FlowMap& flow, const HopfPoint& start, const ContinuationOptions& options);

// To both sides of it; the branch begins where the one to the side of lower parameters ends.
CycleBranch follow_cycles(const FlowMap& flow, const SettledCycle& start, const ContinuationOptions& options);

}  // namespace skyhook::analysis
