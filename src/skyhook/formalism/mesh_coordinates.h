// Bodies of nodal coordinates in the state.
#pragma once
#include <vector>

#include "skyhook/formalism/equations_of_motion.h"

namespace skyhook::formalism {

struct MeshCoordinates {
  int body, iq, iv, count;
};
std::vector<MeshCoordinates> mesh_coordinates(const EquationsOfMotion& eq);

}  // namespace skyhook::formalism
