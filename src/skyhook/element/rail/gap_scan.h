// The distance of a wheel from its rail all over its profile, quickly and roughly, to see where it may touch: points of the wheel every half
// millimetre against a table of the rail, four at once. What is found is refined by others.
#pragma once
#include <array>
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

  // Where the wheel may be nearest: `least` has the nodes with a distance of at most `most`, not above the one before and below the one behind, in order. There and at the nodes
  // beside the distance is that of distances(). Elsewhere it is foretold, to less than 20 micrometres, by the slopes of the last full scan, or nowhere where the wheel is far away. A full
  // scan is made anew when the wheel has moved by so much that others may have come near: what is least does not depend on what was asked before.
  class Near;
  Near near(const Axle<double>& axle, double most) const;

 private:
  struct Rail {
    double z, cosine;
  };
  // Four nodes seen from the rail, and their distance with its slopes across and up.
  struct Place {
    Lanes y, z, on_rail;  // the last one in cells of the rail's table
    LaneMask is_above;
  };
  struct Four {
    Lanes distance, by_y, by_z;
    std::array<std::size_t, Lanes::count> cell;
  };
  // Of the last full scan, by nodes: distances where they can be foretold, else no numbers. Slopes: with the centre across and up, with the roll, with the square of the tangent
  // of the yaw. Room for four stands before the first and behind the last.
  struct Foretold {
    std::vector<double> distance, by_y, by_z, by_roll, by_yaw;
    std::vector<double> bend;  // 1/m, of the rail about there
  };
  // Of four nodes. Beside: they are far, but those before or behind them are near.
  enum class Kind : char { far, beside, near };
  // One for each scan on each thread.
  struct Kept {
    unsigned number = ~0u;
    double most = 0;
    Axle<double> axle{}, now{};  // of the last full scan, and of the last question
    Foretold foretold;
    std::vector<Kind> kind;       // of each four
    std::vector<char> is_known;   // or nothing can be foretold
    std::vector<int> candidates;  // fours that may hold a least node until the next full scan
    std::vector<int> watched;     // these, and the ones beside them where they are foretold
    std::vector<double> distance;
    unsigned long question = 0;
    std::vector<unsigned long> told_at,
        exact_at;  // of each four: the last question at which its distance was found, and not foretold
    std::vector<int> least;
  };
  Place place(const Axle<double>& axle, int k) const;
  Four four(const Place& at) const;
  std::vector<double> largest_bends() const;
  void scan(const Axle<double>& axle, double most, Kept& to) const;
  bool is_known(const Axle<double>& axle, int four, const Place& place, const Four& at, Foretold& to) const;
  void watch(double nearest, Kept& to) const;
  LaneMask may_be_least(int four, double nearest, const Foretold& at) const;
  struct Move;
  void tell(const Move& by, int four, Kept& to) const;
  void choose(double moved, Kept& to) const;
  bool is_least(int k, Kept& to) const;
  void look(int four, Kept& to) const;
  static double off_by(double moved);
  double moved(const Axle<double>& from, const Axle<double>& to) const;

  double radius_, first_, rail_first_ = 0, per_step_ = 1, widest_ = 0;
  int count_ = 0;
  unsigned number_;
  std::vector<double> y_, rho_, tau_;  // of the nodes, by fours: z'/y', no number where it looks away from the rail
  std::vector<Rail> rail_;
  std::vector<double> bend_;  // 1/m: the largest of the rail's table, within what a wheel moves between two scans
  std::vector<char> looks_down_, is_steep_;  // of each four: one of its nodes
};

// Until the next question on this thread.
class GapScan::Near {
 public:
  Near(const GapScan& of, Kept& kept) : least(kept.least), of_(of), kept_(kept) {}
  const std::vector<int>& least;
  double distance(int node) const;
  double largest(int from, int to) const;  // from one node to the one before another
  double smallest() const;

 private:
  const GapScan& of_;
  Kept& kept_;
};

}  // namespace skyhook::element::rail
