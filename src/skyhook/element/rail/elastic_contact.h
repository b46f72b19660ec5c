// A wheel on its rail, both elastic: the patch of Hertz where the rigid bodies would overlap most, or one at each place where they do, with damping and
// lift-off (docs/theory/17_creep_forces.md (17.23) to (17.27)). Its creep forces are those of any law of creep.
#pragma once
#include "skyhook/element/rail/gap_scan.h"
#include "skyhook/element/rail/on_track.h"
#include "skyhook/element/rail/rolling.h"
#include "skyhook/model/contribution.h"

namespace skyhook::element::rail {

// The part of the track that moves under the wheel and travels along with it: a mass with a spring and a damper in each direction, left and up. Mass 0: the rail does not give way.
struct TrackBed {
  double mass = 0;
  std::array<double, 2> stiffness{}, damping{};
};

struct ElasticOptions {
  WheelOnRail place;
  RollingOptions rolling;
  bool has_several = false;  // multi-Hertz
  double damping = 5;        // s/m, of Hunt and Crossley: N = k p^(3/2) (1 + damping p')
  LinePtr line = {};
  TrackBed bed = {};
};

std::shared_ptr<const model::ContributionLaw> elastic_contact(const ElasticOptions& options);

// A place where wheel and rail have parallel tangents and the way between them is along their normal: the distance is least there, or largest between
// two such (a saddle). (17.23).
struct Parallel {
  double s = 0, sigma = 0;  // lengths along the profiles of wheel and rail
  double distance = 0;
  bool is_held =
      false;  // no such place, but the deepest point of an overlap that has none: s does not move with the pose
};

// The least ones below `reach`, at most this many, from the flange to the field side; behind each but the last the largest distance up to the next.
constexpr int most_patches = 3;
struct Overlaps {
  std::array<Parallel, most_patches> least;
  std::array<Parallel, most_patches> between;
  int count = 0;
};

class OverlapSearch {
 public:
  explicit OverlapSearch(const WheelOnRail& of);
  Overlaps find(const Axle<double>& axle, double reach) const;

 private:
  bool refine(const Axle<double>& axle, double low, double high, double begin, double sign, Parallel& at) const;
  double lowest_near(const GapScan::Near& near, int node) const;
  Parallel deepest(const Axle<double>& axle, int node) const;
  double sigma_at(double y) const;

  WheelOnRail of_;
  GapScan scan_;
  double first_y_, per_step_;
  std::vector<double> sigma_;  // over y, to begin with
};

// (17.23) for any scalar: t . (P - Q) and t . n, of the wheel's point P with its normal n and the rail's point Q with its tangent t.
template <class T>
std::array<T, 2> not_parallel(const WheelPoint<T>& wheel, const ProfileJet<T>& rail) {
  return {rail.y1 * (wheel.at.y - rail.y) + rail.z1 * (wheel.at.z - rail.z),
          rail.y1 * wheel.normal.y + rail.z1 * wheel.normal.z};
}
// Its derivatives to s and sigma.
struct Steering {
  double f_s, f_sigma, h_s, h_sigma;
  double determinant() const { return f_s * h_sigma - f_sigma * h_s; }
};
Steering steering(const WheelOnRail& of, const Axle<double>& axle, double s, double sigma,
                  std::array<double, 2>& residual, double& distance);

// What a patch needs to know of the geometry, in the mirror (of a left wheel), from the origin of the rail's profile.
template <class T>
struct TouchGeometry {
  T approach;  // p, m; negative: the gap
  HertzShape<T> shape;
  Vec3<T> at;            // the contact point: half way between the two surfaces
  T normal_y, normal_z;  // of the rail, unit
  T A, B, rho;           // curvatures of the gap along and across; rolling radius
};

}  // namespace skyhook::element::rail
