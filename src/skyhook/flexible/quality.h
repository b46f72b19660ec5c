// How well a few shapes stand for a part: the part alone, floating, reduced and in full.
#pragma once
#include "skyhook/flexible/reduction.h"

namespace skyhook::flexible {

struct FreeVibration {
  double hz = 0, full_hz = 0;  // of the reduced part, of the full one
  double mac = 0;              // of their shapes over the mass, 1: the same
};

struct StaticError {
  std::string place, direction;
  double
      full = 0,
      reduced =
          0;  // displacement there of a unit force (m/N) or rotation by a unit moment (rad/(N.m)), inertia balancing it
  double error() const { return full != 0 ? (reduced - full) / full : 0; }
};

struct Quality {
  std::vector<FreeVibration> vibrations;
  std::vector<StaticError> statics;
  Dense effective;          // shapes x 6: shares of mass and inertia
  double highest_kept = 0;  // Hz
  double worst_below = 0;   // largest relative error of the frequencies of the lower half
};

// Vibrations: those of the full part up to the highest shape, but no more than `most`.
Quality quality_of(const FeModel& part, const std::vector<Place>& places, const Reduced& reduced, int most = 20);

}  // namespace skyhook::flexible
