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

  // g with its derivatives to the place, and the mean s of the contact, weighted as the distance is.
  struct Answer {
    bool is_there = false;  // false: no point of the wheel is above the rail
    double g = 0, s = 0;
    GapPlace g_u{};
    double first_s = 0, last_s = 0;  // where it reaches
  };
  const Answer& at(const GapPlace& u) const;
  bool reaches_end(const Answer& a) const { return a.first_s <= first_ || a.last_s >= last_; }
  // Where it is there: the derivatives of s, the second ones of g, and rate . g_uu rate alone. Behind at() of the same place, which is remembered for the last one,
  // they cost a part of it.
  GapPlace slopes_of_s(const GapPlace& u) const;
  using Bends = std::array<GapPlace, gap_directions>;
  Bends bends(const GapPlace& u) const;
  double bend_along(const GapPlace& u, const GapPlace& rate) const;

 private:
  struct Turned {
    double cosine, sine, length, length_q, length_qq;
  };
  // Four nodes, `stride` fine ones apart, their distances and weights.
  struct Look {
    int k, stride;
    Lanes rho, tau, along, root, dy, dz, cosine, above, distance, weight;
    std::array<Lanes, 4> f;  // height of the rail below and its derivatives
    Lanes s;
  };
  // How the distance changes with a point that moves across and up, the point with q, and the cosine of the rail across.
  struct Slopes {
    Lanes across, up, y_q, z_q, cosine;
    std::array<Lanes, gap_directions> to_place(const Look& at) const {
      return {across, up, up * at.dy - across * at.dz, across * y_q + up * z_q};
    }
  };
  // And how these do.
  struct Curvatures {
    Lanes across, mixed, y_qq, z_qq;
  };
  struct Range {
    int begin = 0, end = 0;  // coarse nodes
    double demand = 0;       // 1/m, of the gap on the step there
  };
  // Of each wheel, on each thread: coarse nodes near the rail at the place where all were looked at, which serve until the wheel has moved by so much that others may
  // come near, so that what is found does not depend on what was asked before; and the last place that was asked for.
  struct Kept {
    unsigned number = ~0u;
    GapPlace near{};
    std::vector<double> rough, sharpness;
    std::vector<int> fours;
    bool is_known = false;
    unsigned answers = 0;
    GapPlace place{};
    Turned turned{};
    Answer answer;
    std::vector<Look> looks;  // grows at the first calls
    std::size_t used = 0;
    double per_weight = 0;  // 1 over the sum of weights
  };
  Kept& kept() const;
  const Kept& known(const GapPlace& u) const;
  void rough_four(const GapPlace& u, const Turned& turned, std::size_t k, Kept& out) const;
  void choose_fours(const GapPlace& u, const Turned& turned, Kept& to) const;
  bool has_moved(const GapPlace& from, const GapPlace& to) const;
  void find_rough_distances(const GapPlace& u, Kept& to) const;
  int ranges(const Kept& near, std::array<Range, 8>& out) const;
  int stride_for(double step2) const;
  void look(int last, const GapPlace& u, const Turned& turned, Look& out) const;
  double look_along(const GapPlace& u, Kept& to) const;
  void weigh(double least, Kept& to) const;
  Slopes slopes(const Look& at, const Turned& turned) const;
  Curvatures curvatures(const Look& at, const Slopes& by, const Turned& turned) const;

  WheelOnRail of_;
  double nu_, first_ = 0, last_ = 0, step_ = 0;  // step of the fine nodes
  int coarse_ = 0;                               // fine nodes per coarse one
  double widest_ = 0, largest_ = 0;              // of eta and rho
  unsigned number_;
  RailHeight rail_;
  std::vector<double> eta_, rho_, tau_;                       // of the fine nodes
  std::vector<double> coarse_eta_, coarse_rho_, coarse_tau_;  // of the coarse ones, four by four
  std::vector<double> bends_;                                 // the sharpest curvature of the wheel about coarse nodes
};

}  // namespace skyhook::element::rail
