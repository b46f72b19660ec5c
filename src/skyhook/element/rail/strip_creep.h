// FASTSIM [Kalker 1982] on the pressures of a half-space: slices of any length along rolling under the friction of the pressure that is there, with
// one flexibility, the mean of Kalker's three by the parts of the creepage. So a patch that slides does so against its slip, which three
// flexibilities turn aside.
#pragma once
#include "skyhook/element/rail/creep_law.h"
#include "skyhook/element/rail/half_space.h"
#include "skyhook/element/rail/kalker.h"

namespace skyhook::element::rail {

// Displacement over traction, m^3/N: (|x| L1 + |y| L2 + |spin| sqrt(ab) L3)/sqrt(x^2 + y^2 + ab spin^2).
double mean_flexibility(const Creep<double>& at, const KalkerCoefficients& table, double shear);

// On the wheel, about (x, y) of `contact`. `creep` has friction, and creepages at that point; `scale` is a factor on the pressures.
CreepForce<double> strip_force(const GapGrid& grid, const HalfSpaceContact& contact, double scale,
                               const Creep<double>& creep, double flexibility);

}  // namespace skyhook::element::rail
