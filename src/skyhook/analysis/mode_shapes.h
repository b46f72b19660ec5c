// What all that find modes share: an eigenvalue as the user reads it, the motion of bodies, names.
#pragma once
#include "skyhook/analysis/mode_energies.h"

namespace skyhook::analysis {

Mode mode_of(Complex value, const ComplexVector& state);
// Fills what follows from `coordinates`: bodies, sizes, shares, the name.
// Positions that say how bodies are bent, modal coordinates and those of nodes, each with the velocity that is its rate: in pictures bodies bend by them.
struct BentCoordinate {
  int iq, iv;
};
std::vector<BentCoordinate> bent_coordinates(const simulation::Equations& eq);
void complete(const simulation::Equations& eq, const OperatingPoint& at, ModeEnergies& energies, Mode& mode);

}  // namespace skyhook::analysis
