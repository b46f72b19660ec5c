// Whether friction that depends on constraint forces leaves accelerations that exist and are unique ([Arnold 2004] (23)):
//
//   rank G M^-1 (G^T - df/dlambda) = number of constraints     the generalised Grübler condition
//
// and before that whether the loads that the friction depends on are unique at all.
#pragma once
#include <string>

#include "skyhook/formalism/consistency.h"

namespace skyhook::formalism {

// What forbids to run the model from here, in the user's words; empty: nothing. The condition is tested for full sliding:
// in the direction of the motion, or from rest in both directions of each joint, the others going along as the
// constraints want. `all`: equations with every row; `active`: those with the independent ones.
std::string find_friction_problem(const recursive::Equations& all, const recursive::Equations& active,
                                  const State& state);

}  // namespace skyhook::formalism
