// A length typical of a model: by it moments and rotations are compared with forces and displacements.
#pragma once
#include "skyhook/model/model.h"

namespace skyhook::formalism {

// Mean distance of the joints' points and of the centres of mass from their common mean; 1 m if all coincide.
double characteristic_length(const model::Model& model);

}  // namespace skyhook::formalism
