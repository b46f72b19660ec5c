// The drives in a RunState: a run that goes on with other drives jumps where it starts, and must say so.
#pragma once
#include <string>
#include <vector>

#include "skyhook/model/model.h"
#include "skyhook/simulation/run_state.h"

namespace skyhook::simulation {

void save_drives(const model::Model& model, double t, Saving& to);
// Drives whose value or rate at the time of `from` is another than the one saved, by more than `tolerance` (of 1 or their
// size), and what jumps. Drives that were not saved are told as well.
std::vector<std::string> changed_drives(const model::Model& model, const Restoring& from, double tolerance);

// A drive that is another from an instant on, in SI units.
struct DriveSet {
  std::string drive;
  Location where = {};
  double value_before, value, rate_before, rate;
  std::string text() const;  // what jumps
};
// Those whose value or rate at t differs between two states of one model, by more than `tolerance` as above.
std::vector<DriveSet> drives_set(const model::Model& before, const model::Model& after, double t, double tolerance);

}  // namespace skyhook::simulation
