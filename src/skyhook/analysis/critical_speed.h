// What `skyhook critical-speed` has found: where a mode begins to grow, the limit cycles born there, a ramp that checks them; as table, JSON and findings.
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
  CycleBranch branch;
  std::vector<RampPoint> ramp;
  std::vector<Warning> warnings;
  std::shared_ptr<const Stand> stand;

  // Up to here no cycle is known: the end of the branch on the side where rest is stable.
  std::optional<double> nonlinear() const;
  // Cycles go towards the side where rest is stable.
  bool is_subcritical() const;
};

Table table_of(const CriticalSpeed& found);  // cycles
std::string json_of(const CriticalSpeed& found);
// Lines of text: linear and nonlinear critical value, the ramp.
std::vector<std::string> verdicts_of(const CriticalSpeed& found);
// Over the number of the row: rest, cycles, ramp; `parameter` is a channel (docs/results.md).
Findings findings_of(const CriticalSpeed& found);

}  // namespace skyhook::analysis
