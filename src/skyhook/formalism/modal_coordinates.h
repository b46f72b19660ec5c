// Velocity coordinates that are modes of bodies that bend, or of the nodes of beams: a start holds them as they are given.
#pragma once
#include <vector>

#include "skyhook/formalism/recursive/equations.h"

namespace skyhook::formalism {

inline std::vector<int> modal_coordinates(const recursive::Equations& eq) {
  std::vector<int> out;
  for (const recursive::ModalNode& modal : eq.tree().modal) {
    for (int k = 0; k < modal.modes; ++k) out.push_back(modal.iv + k);
  }
  for (const recursive::MeshNode& mesh : eq.tree().meshes) {
    for (int k = 0; k < mesh.mesh->coordinates; ++k) out.push_back(mesh.iv + k);
  }
  return out;
}

}  // namespace skyhook::formalism
