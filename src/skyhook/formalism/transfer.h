// One motion in the coordinates of two equations of the same model, which differ in the joints that they cut. Initial values, jumps of
// drives and values that events set are found in the coordinates of joints, where the user means them, whatever a run has.
#pragma once
#include <vector>

#include "skyhook/formalism/forward.h"
#include "skyhook/formalism/state.h"

namespace skyhook::model {
struct Model;
}

namespace skyhook::formalism {

// All bodies stand and move as before; inner states and own coordinates are the same. Angles are taken on the turn nearest to those
// that `from` holds.
State transfer(const recursive::Equations& from, const State& state, const recursive::Equations& to);

// For Held::angles: those of all hinges and of forces about an axis, from design. What is measured is nearest to what the equations hold.
std::vector<double> angles_at(const recursive::Equations& eq, const State& state);
// Before there is a state: those of drives and given initial values.
std::vector<double> given_angles(const model::Model& model, double t);

}  // namespace skyhook::formalism
