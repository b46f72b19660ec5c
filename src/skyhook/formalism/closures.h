// The loops may close in more than one way with the same given values: a parallelogram is also an antiparallelogram. Which of them
// Newton's method finds depends on the tree; which moves the mass least does not.
#pragma once
#include "skyhook/formalism/least_displacement.h"

namespace skyhook::formalism {

// `s`, a minimum on the constraints, becomes the least of those that a number of starts find; of equal ones neither the tree nor the
// path of the search chooses. Returns another one where the choice is a near thing, and where it is not the one that a continuous motion
// from design has `led` to. Hinges count their turns from `guess`.
std::optional<OtherClosure> take_least(const recursive::Equations& eq, const Displacement& displacement,
                                       Linearised& lin, const std::vector<int>& held, const State& guess, bool led,
                                       State& s);

// From starts further and further from `guess`, where Newton's method finds no way from there: at a dead centre it has none.
bool close_from_around(const recursive::Equations& eq, Linearised& lin, const std::vector<int>& held,
                       const State& guess, State& s, Consistency& out);

}  // namespace skyhook::formalism
