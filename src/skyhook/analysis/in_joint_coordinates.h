// The same model at the same position in the coordinates of its joints, where a run has others: what is given of a steady motion are rates of
// joints, with all others at rest, which is a statement on those (docs/theory/11_absolute_coordinates.md).
#pragma once
#include "skyhook/simulation/prepare.h"

namespace skyhook::analysis {

simulation::Prepared in_joint_coordinates(const simulation::Prepared& prepared);

// `state` of equations of the same model, in the coordinates that `prepared` has; turns of its angles are in State::angles.
formalism::State in_coordinates_of(const simulation::Prepared& prepared, const simulation::Equations& from,
                                   const formalism::State& state);

// The same with the start there.
simulation::Prepared starting_at(const simulation::Prepared& prepared, const formalism::State& state);

}  // namespace skyhook::analysis
