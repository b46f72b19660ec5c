// In which order sampled controllers that are due at the same instant are updated.
#pragma once
#include <vector>

#include "skyhook/model/model.h"

namespace skyhook::simulation {

// Whether two controllers can be due at the same instant, up to rounding: sample times whose ratio is that of whole
// numbers share a grid, and the offsets must lie on it. Where no such ratio below a million is found they are said to.
bool can_meet(const model::Controller& a, const model::Controller& b);

// A permutation of the controllers in which those that are read directly (no delay of the one that is read, outputs of the
// one that reads follow from its inputs) come before their readers; otherwise as in the file. Throws ModelError for a circle
// of such readings, an algebraic loop: "a -> b -> a".
std::vector<int> update_order(const model::Model& model);

}  // namespace skyhook::simulation
