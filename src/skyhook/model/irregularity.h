// How a track deviates from its layout: four functions of the way s along it, each with two derivatives.
#pragma once
#include <array>

#include "skyhook/math/lanes.h"

namespace skyhook::model {

struct Deviations {
  using Derivatives = std::array<double, 3>;  // value, slope and curvature
  Derivatives gauge{};                        // the rails are farther from each other
  Derivatives alignment{};                    // their middle lies to the left
  Derivatives level{};                        // their mean height
  Derivatives cross_level{};                  // the left one is higher than the right one
};

struct Irregularity {
  virtual ~Irregularity() = default;
  virtual Deviations at(double s) const = 0;
  virtual Lanes values(double s) const = 0;  // the four in that order, without derivatives
  // Looks that are so far apart, in m, show all of it.
  virtual double grain() const = 0;
};

}  // namespace skyhook::model
