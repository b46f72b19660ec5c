// What `skyhook critical-speed` has found: where a mode begins to grow, limit cycles born there and those that runs have swung into, a ramp that checks them; as table, JSON and findings.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "skyhook/analysis/findings.h"
#include "skyhook/analysis/limit_cycles.h"
#include "skyhook/analysis/root_locus.h"
#include "skyhook/base/table.h"

namespace skyhook::analysis {

struct CriticalSpeed {
  std::string model, parameter, unit;  // unit as written; may be empty
  double low = 0, high = 0;            // of the parameter
  simulation::ChannelInfo output;
  std::vector<Crossing> crossings;
  std::vector<CycleBranch> branches;
  std::vector<RampPoint> ramp;
  bool interrupted = false;  // there would have been more
  std::vector<Warning> warnings;
  std::shared_ptr<const Stand> stand;

  // The cycle furthest on the side where rest is stable. It is the nonlinear critical value if the branch turns back or begins there; where a branch is only not followed any
  // further, no more is known than that there are cycles up to here.
  struct Furthest {
    double value = 0;
    bool is_known = false;
    std::string end;  // of its branch
  };
  std::optional<Furthest> furthest() const;
  std::optional<double> nonlinear() const;  // where it is known
  bool grows() const;                       // what is unstable lies above the linear critical value, or is taken to
  // Cycles go towards the side where rest is stable.
  bool is_subcritical() const;
  bool is_complete() const;  // all branches end where they should
};

Table table_of(const CriticalSpeed& found);  // cycles
std::string json_of(const CriticalSpeed& found);
// Lines of text: linear and nonlinear critical value, the ramp.
std::vector<std::string> verdicts_of(const CriticalSpeed& found);
// Over the number of the row: rest, cycles, ramp; `parameter` is a channel (docs/results.md).
Findings findings_of(const CriticalSpeed& found);

}  // namespace skyhook::analysis
