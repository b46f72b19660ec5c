// A wheel that stays on its rail: contact as a constraint with contact variables ([Arnold 2004] (24) to (28), [Arnold 2003] (9);
// docs/theory/18_rigid_contact.md). Its normal force is the multiplier of its row, and its creep forces read it.
#pragma once
#include "skyhook/element/rail/gap_scan.h"
#include "skyhook/element/rail/on_track.h"
#include "skyhook/element/rail/rolling.h"
#include "skyhook/model/contribution.h"

namespace skyhook::element::rail {

struct ConstraintOptions {
  WheelOnRail place;
  RollingOptions rolling;
  int variables = 1;  // of one wheel: its circle alone, or also the angle about the axle, as the IVP test set has it
  double nu = 5e-6;   // m, of quasi-elastic contact
  LinePtr line = {};
};

// Where the wheel may touch: minima of the distance over s, the nearest first; distances along the rail's normal. Not the ends of a profile.
struct Nearest {
  double s, distance;
};
std::vector<Nearest> nearest_points(const WheelOnRail& of, const GapScan& scan, const Axle<double>& axle,
                                    double within = 5e-3);

// The same smoothed, [Arnold 2003] (10): without contact variables and without jumps, with the parameter nu.
std::shared_ptr<const model::ContributionLaw> quasi_elastic_contact(const ConstraintOptions& options);

std::shared_ptr<const model::ContributionLaw> rigid_contact(const ConstraintOptions& options);

}  // namespace skyhook::element::rail
