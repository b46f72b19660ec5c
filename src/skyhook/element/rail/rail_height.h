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

  struct Rough {
    double z, cosine, sharpness;  // how the rail is bent, convex positive, 1/m
  };
  // To a tenth of a micrometre, where it contains y.
  Rough rough(double y) const {
    const double at = (y - first_) * per_step_;
    const auto k = static_cast<std::size_t>(at);
    const double part = at - static_cast<double>(k);
    const Rough &a = rough_[k], &b = rough_[k + 1];
    return {a.z + part * (b.z - a.z), a.cosine + part * (b.cosine - a.cosine), a.sharpness};
  }
  // z and three derivatives to y.
  std::array<double, 4> jet(double y) const;
  // Of four at once; beyond its ends those of the ends.
  std::array<Lanes, 4> jet(const Lanes& y) const;

 private:
  double first_ = 0, last_ = 0, per_step_ = 1 / step;
  std::vector<Rough> rough_;
  std::vector<std::array<double, 6>> cells_;  // powers of the way into the cell
};

}  // namespace skyhook::element::rail
