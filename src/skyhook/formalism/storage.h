// Whether analyses of the constraints work on dense or on sparse matrices.
#pragma once
#include "skyhook/formalism/forward.h"

namespace skyhook::formalism {

// Dense decompositions cost the cube of the number of unknowns, coordinates and rows: from `many` on they are left. Tests ask for one
// of the two.
enum class Storage { by_size, dense, sparse };
constexpr int many = 150;
bool is_sparse(const recursive::Equations& eq, Storage storage);

}  // namespace skyhook::formalism
