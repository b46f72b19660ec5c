// What sampled controllers say at the start time, at a position that stands still: an equilibrium has it as their output. One that is
// sampled later, or whose output is delayed, keeps its start value, as in a run; that is told.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "skyhook/simulation/prepare.h"
#include "skyhook/simulation/snapshot.h"

namespace skyhook::analysis {

class FirstOutputs {
 public:
  explicit FirstOutputs(const simulation::Prepared& prepared);
  bool empty() const { return !any_; }
  const std::vector<Warning>& warnings() const { return warnings_; }
  // All signals. `lambda` are those of the rows of `eq`, of which those that switch are left out for reactions.
  std::vector<double> at(const simulation::Prepared& prepared, const formalism::State& state,
                         const std::vector<double>& lambda, const simulation::Equations& eq);
  const std::string& problem() const { return problem_; }

 private:
  bool any_ = false;
  std::vector<Warning> warnings_;
  std::string problem_;
};

}  // namespace skyhook::analysis
