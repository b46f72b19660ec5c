// Whether a model that was read again with other parameters can take over a run.
#pragma once
#include <string>
#include <vector>

#include "skyhook/simulation/prepare.h"

namespace skyhook::simulation {

// What has changed but numbers: "joint "hinge" is no longer there"; empty: nothing. A run can go on where everything of the
// model is the same, by name and kind, in the same order and between the same bodies.
std::string structural_difference(const model::Model& before, const model::Model& after);

// The same of what has been built from the two: states, constraint rows, drives, inner states, channels. So whatever a model
// can hold is compared, also what the list above may have forgotten.
std::string structural_difference(const Equations& before, const Equations& after);

// The first name that one of two lists has and the other has not, or in another place; empty: they are the same.
// `what`: "the constraint".
std::string difference_of_names(const std::string& what, const std::vector<std::string>& before,
                                const std::vector<std::string>& after);

}  // namespace skyhook::simulation
