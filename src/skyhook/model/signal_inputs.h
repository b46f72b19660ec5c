// What continuous signals may read, by the names of channels, and their formulas, when the whole model is known.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "skyhook/model/model.h"

namespace skyhook::model {

struct Readable {
  std::string name, unit;
  SignalInput input;
};

// Positions, velocities, inner states and signals of the model.
std::vector<Readable> readables(const Model& model);

// Looks up what the formulas of Model::continuous read, compiles them, finds their units and their order. Throws ModelError with file and
// line: a name that is not known or that no signal may read, a circle, quantities that do not go together, a unit that a listener does not take.
void resolve_signals(Model& model);

}  // namespace skyhook::model
