// How errors of beams of nodal coordinates count in implicit methods of differences. Such a line is stiff in every direction but those of its turns. There its velocities are
// differences of positions, as where only positions are constrained: their errors change with the step and the order, so that a change of step looks like a vibration of a tolerance, and
// another change follows. So positions tell the error. How far a node is from design says nothing about what of its place must be known; its nominal size, the length of the line, does.
#pragma once
#include "skyhook/formalism/equations_of_motion.h"
#include "skyhook/problem/problem.h"

namespace skyhook::formulation {

// `velocities`: number of the first one among the unknowns.
// Increments stand first. Velocities have the weights of index 2: for methods that damp vibrations at every order.
void count_lines_by_increments(const formalism::EquationsOfMotion& equations, int velocities, Structure& structure);
// Positions stand first. A velocity counts by the strain that it would cause if it were stopped, which is that over the speed of waves in the material. Of soft lines that is not much less
// than it counts otherwise: for methods whose higher orders enlarge vibrations, and must see them.
void count_lines_by_strain(const formalism::EquationsOfMotion& equations, int velocities, Structure& structure);

}  // namespace skyhook::formulation
