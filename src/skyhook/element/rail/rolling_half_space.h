// Steady rolling with creepage of two half-spaces of one material under pressures that are known: tractions on the same cells, by Kalker's exact theory ([Kalker 1990];
// docs/theory/17_creep_forces.md (17.29)). It is what FASTSIM simplifies, and like half_space.h a reference for single positions, not a model for runs.
#pragma once
#include <array>
#include <vector>

#include "skyhook/element/rail/creep_law.h"
#include "skyhook/element/rail/half_space.h"

namespace skyhook::element::rail {

struct Tractions {
  std::vector<double> x, y;  // Pa, on the wheel, of the cells
  std::vector<char> slides;  // of the cells
  int sweeps = 0;
  double change = 0;  // of the last sweep, over the sum of all tractions
  bool is_found = false;
};

// Two shares of a cell, which tend to the same as cells become small. CONTACT has 1 and 1/6, the limit is nearer with these (docs/theory/17_creep_forces.md).
struct RollingRule {
  double edge = 0.5;       // how far a cell at the leading edge has come within the patch
  double ahead = 1.0 / 6;  // of its middle the spin counts there
};

class RollingHalfSpace {
 public:
  RollingHalfSpace(const GapGrid& grid, const Elastic& material, const RollingRule& rule = {});

  // On the wheel, about (x, y) of `contact`. `creep` has friction, and creepages at that point; `scale` is a factor on the pressures. Begins with `tractions`, where there are any, and leaves there what it has found.
  CreepForce<double> force(const HalfSpaceContact& contact, double scale, const Creep<double>& creep,
                           Tractions& tractions) const;

 private:
  // How far a cell has slid when it comes from `part` of a cell ahead, by tractions on cells that are i, k cells behind and beside it.
  struct Shift {
    double part = 1;
    std::array<std::vector<double>, 3> table;  // xx, xy, yy
  };
  Shift shifts(double part, const Elastic& material) const;
  struct Sweep;

  GapGrid grid_;
  RollingRule rule_;
  Shift whole_, leading_;
};

}  // namespace skyhook::element::rail
