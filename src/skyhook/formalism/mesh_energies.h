// What bodies of nodal coordinates have of the energies of a mode.
#pragma once
#include <complex>
#include <span>
#include <string>
#include <vector>

#include "skyhook/formalism/snapshot.h"

namespace skyhook::formalism {

struct MeshEnergies {
  int body;
  std::string name;
  double motion, strain,
      damping;  // z* M z, z* K z and z* D z of its coordinates z in the mode, K and D as they are at the snapshot
};
std::vector<MeshEnergies> mesh_energies(const Snapshot& s, std::span<const std::complex<double>> mode);

}  // namespace skyhook::formalism
