// The profile of a rail as a height over y, with derivatives: quintic polynomials on cells of a tenth of a millimetre through height, slope and curvature of the
// profile, so that two derivatives are continuous. Faces steeper than `steepest` are left out: no flange touches there.
#pragma once
#include <array>
#include <vector>

#include "skyhook/element/rail/profile.h"
#include "skyhook/math/lanes.h"

namespace skyhook::element::rail {

class RailHeight {
 public:
  explicit RailHeight(const Profile& rail);
  static constexpr double step = 1e-4;   // m
  static constexpr double steepest = 6;  // 80.5 degrees

  bool contains(double y) const { return y >= first_ && y < last_; }
  double first() const { return first_; }
  double last() const { return last_; }

  // Of four at once, to some micrometres, where it contains y; beyond its ends those of the ends.
  struct Rough {
    Lanes z, cosine, sharpness;  // how the rail is bent, convex positive, 1/m
  };
  Rough rough(const Lanes& y) const;
  // z and three derivatives to y.
  std::array<double, 4> jet(double y) const;
  // Of four at once; beyond its ends those of the ends.
  std::array<Lanes, 4> jet(const Lanes& y) const;

 private:
  struct Place {
    int cell __attribute__((vector_size(16)));
    Lanes part;  // of the cell
  };
  Place place(const Lanes& y) const;

  double first_ = 0, last_ = 0, per_step_ = 1 / step;
  std::vector<std::array<double, 4>>
      rough_;  // of each cell: z, its change up to the next, cosine and sharpness in the middle
  std::vector<std::array<double, 8>> cells_;  // powers of the way into the cell, and nothing
};

}  // namespace skyhook::element::rail
