// Velocity coordinates that are modes of bodies that bend: a start holds them as they are given.
#pragma once
#include <vector>

#include "skyhook/formalism/recursive/equations.h"

namespace skyhook::formalism {

inline std::vector<int> modal_coordinates(const recursive::Equations& eq) {
  std::vector<int> out;
  for (const recursive::ModalNode& modal : eq.tree().modal) {
    for (int k = 0; k < modal.modes; ++k) out.push_back(modal.iv + k);
  }
  return out;
}

}  // namespace skyhook::formalism
