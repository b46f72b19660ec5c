// The distance of a wheel from its rail, smoothed over the profile: g = -nu ln(mean of exp(-distance / nu)) [Arnold 2003] (10), docs/theory/18_rigid_contact.md (18.8).
//
// The silhouette of the wheel depends on the yaw through q = (a_x / |a_yz|)^2 alone, and turns with the roll phi as a whole:
//
//   P = c + X j + Y d,  j = (cos phi, sin phi), d = (sin phi, -cos phi),  X = (eta + q rho tau)/sqrt(1 + q), Y = rho sqrt(1 - q tau^2),  tau = zeta'/eta'
//
// so that eta, rho and tau of the nodes are known beforehand, and all derivatives to c_y, c_z, phi and q are closed. Nodes go through the formulas four by four. The distance of a
// point is its height above the rail times the cosine of the rail's slope there, which is that along the normal to first order.
#pragma once
#include <array>
#include <vector>

#include "skyhook/element/rail/rail_height.h"
#include "skyhook/element/rail/wheel_touch.h"
#include "skyhook/math/lanes.h"

namespace skyhook::element::rail {

constexpr int gap_directions = 4;
using GapPlace = std::array<double, gap_directions>;  // c_y, c_z, phi, q

// From the centre of the tape circle and the axle, as axle_of() has them.
template <class T>
std::array<T, gap_directions> gap_place(const Vec3<T>& centre, const Vec3<T>& axis) {
  using std::atan2;
  return {centre.y, centre.z, atan2(axis.z, axis.y), axis.x * axis.x / (axis.y * axis.y + axis.z * axis.z)};
}

class SmoothedGap {
 public:
  SmoothedGap(const WheelOnRail& of, double nu);

  // g and the mean s of the contact, weighted as the distance is, with derivatives to the place; second ones of g where asked for.
  struct Answer {
    bool is_there = false;  // false: no point of the wheel is above the rail
    double g = 0, s = 0;
    GapPlace g_u{}, s_u{};
    std::array<GapPlace, gap_directions> g_uu{};
    double first_s = 0, last_s = 0;  // where it reaches
  };
  Answer at(const GapPlace& u, bool with_bends) const;
  bool reaches_end(const Answer& a) const { return a.first_s <= first_ || a.last_s >= last_; }

 private:
  struct Turned {
    double cosine, sine, length, length_q, length_qq;
  };
  struct Range {
    int begin = 0, end = 0;  // coarse nodes
    double demand = 0;       // 1/m, of the gap on the step there
  };
  // Four nodes, `stride` fine ones apart, and their distances.
  struct Look {
    int k, stride;
    Lanes eta, rho, tau, along, root, dy, dz, cosine, above, distance;
    std::array<Lanes, 4> f;  // height of the rail below and its derivatives
  };
  struct Sums {
    Lanes all, s;
    std::array<Lanes, gap_directions> u, su;
    std::array<std::array<Lanes, gap_directions>, gap_directions> uu;
  };
  // Coarse nodes near the rail at the place where all were looked at, one such list for each wheel on each thread. It serves until the wheel has moved by so much that others may
  // come near: what is found does not depend on what was asked before.
  struct Kept {
    unsigned number = ~0u;
    GapPlace at{};
    std::vector<double> rough, sharpness;
    std::vector<int> fours;
  };
  void rough_four(const GapPlace& u, const Turned& turned, std::size_t k, Kept& out) const;
  void choose_fours(const GapPlace& u, const Turned& turned, Kept& to) const;
  bool has_moved(const GapPlace& from, const GapPlace& to) const;
  const Kept& rough_distances(const GapPlace& u, const Turned& turned) const;
  int ranges(const GapPlace& u, const Turned& turned, std::array<Range, 8>& out) const;
  int stride_for(double step2) const;
  void look(int last, const GapPlace& u, const Turned& turned, Look& out) const;
  void add(const Look& at, const Lanes& weight, const Turned& turned, bool with_bends, Sums& to) const;
  double s_of(int k) const { return first_ + k * step_; }

  WheelOnRail of_;
  double nu_, first_ = 0, last_ = 0, step_ = 0;  // step of the fine nodes
  int coarse_ = 12;                              // fine nodes per coarse one
  double widest_ = 0, largest_ = 0;              // of eta and rho
  unsigned number_;
  RailHeight rail_;
  std::vector<double> eta_, rho_, tau_;                       // of the fine nodes
  std::vector<double> coarse_eta_, coarse_rho_, coarse_tau_;  // of the coarse ones, four by four
  std::vector<double> bends_;                                 // the sharpest curvature of the wheel about coarse nodes
};

}  // namespace skyhook::element::rail
