// FASTSIM [Kalker 1982] on the pressures of a half-space: slices of any length along rolling under the friction of the pressure that is there, with the flexibilities of
// the ellipse of the same axes.
#pragma once
#include "skyhook/element/rail/creep_law.h"
#include "skyhook/element/rail/fastsim.h"
#include "skyhook/element/rail/half_space.h"
#include "skyhook/element/rail/kalker.h"

namespace skyhook::element::rail {

// On the wheel, about (x, y) of `contact`. `creep` has friction, and creepages at that point; `scale` is a factor on the pressures.
CreepForce<double> strip_force(const GapGrid& grid, const HalfSpaceContact& contact, double scale,
                               const Creep<double>& creep, const Flexibilities<double>& flexibility, double shear);

}  // namespace skyhook::element::rail
