// The distance of a wheel from its rail all over its profile, quickly and roughly, to see where it may touch: points of the wheel every half
// millimetre against a table of the rail. What is found is refined by others.
#pragma once
#include <vector>

#include "skyhook/element/rail/wheel_touch.h"

namespace skyhook::element::rail {

class GapScan {
 public:
  explicit GapScan(const WheelOnRail& of);
  static constexpr double step = 5e-4;      // m of the wheel's profile; profiles are smoothed over more than that
  static constexpr double nowhere = 1e300;  // not above the rail, or not seen from it

  int size() const { return static_cast<int>(nodes_.size()); }
  double s(int k) const { return first_ + k * step; }
  // About the distance along the rail's normal, at each node.
  void distances(const Axle<double>& axle, std::vector<double>& out) const;

 private:
  struct Rail {
    double z, cosine;
  };
  double radius_, first_, rail_first_ = 0, per_step_ = 1;
  std::vector<ProfileJet<double>> nodes_;
  std::vector<Rail> rail_;
};

}  // namespace skyhook::element::rail
