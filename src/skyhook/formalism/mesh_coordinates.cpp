#include "skyhook/formalism/mesh_coordinates.h"

#include "skyhook/formalism/recursive/equations.h"

namespace skyhook::formalism {

std::vector<MeshCoordinates> mesh_coordinates(const EquationsOfMotion& eq) {
  std::vector<MeshCoordinates> out;
  for (const recursive::MeshNode& m : eq.behind()->tree().meshes)
    out.push_back({m.body, m.iq, m.iv, m.mesh->coordinates});
  return out;
}

}  // namespace skyhook::formalism
