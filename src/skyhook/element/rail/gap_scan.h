// The distance of a wheel from its rail all over its profile, quickly and roughly, to see where it may touch: points of the wheel every half
// millimetre against a table of the rail, four at once. What is found is refined by others.
#pragma once
#include <vector>

#include "skyhook/element/rail/wheel_touch.h"
#include "skyhook/math/lanes.h"

namespace skyhook::element::rail {

class GapScan {
 public:
  explicit GapScan(const WheelOnRail& of);
  static constexpr double step = 5e-4;      // m of the wheel's profile; profiles are smoothed over more than that
  static constexpr double nowhere = 1e300;  // not above the rail, or not seen from it

  int size() const { return count_; }
  double s(int k) const { return first_ + k * step; }
  // About the distance along the rail's normal, at each node.
  void distances(const Axle<double>& axle, std::vector<double>& out) const;

  // The same where it may be less than `most`, and at the nodes beside these; nowhere elsewhere. Nodes are looked at that were near at the last full scan, which is
  // made anew when the wheel has moved by so much that others may have come near: what is found does not depend on what was asked before.
  struct Near {
    const std::vector<double>& distance;
    const std::vector<int>& nodes;  // the first of each four that were looked at, in order
  };
  Near near(const Axle<double>& axle, double most) const;

 private:
  struct Rail {
    double z, cosine;
  };
  // Of the last full scan, one for each scan on each thread.
  struct Kept {
    unsigned number = ~0u;
    double most = 0;
    Axle<double> axle{};
    std::vector<double> distance;
    std::vector<int> nodes;
  };
  void four(const Axle<double>& axle, int k, double* out) const;
  void choose_nodes(const Axle<double>& axle, double most, Kept& to) const;
  double moved(const Axle<double>& from, const Axle<double>& to) const;

  double radius_, first_, rail_first_ = 0, per_step_ = 1, widest_ = 0;
  int count_ = 0;
  unsigned number_;
  std::vector<double> y_, rho_, tau_;  // of the nodes, by fours: z'/y', no number where it looks away from the rail
  std::vector<Rail> rail_;
};

}  // namespace skyhook::element::rail
