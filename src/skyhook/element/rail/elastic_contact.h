// A wheel on its rail, both elastic: the patch of Hertz where the rigid bodies would overlap most, or one at each place where they do, with damping and
// lift-off (docs/theory/17_creep_forces.md (17.25) to (17.31)). Its creep forces are those of any law of creep.
#pragma once
#include "skyhook/element/rail/gap_scan.h"
#include "skyhook/element/rail/rolling.h"
#include "skyhook/model/contribution.h"
#include "skyhook/model/track_line.h"

namespace skyhook::element::rail {

struct ElasticOptions {
  WheelOnRail place;
  RollingOptions rolling;
  bool has_several = false;  // multi-Hertz
  double damping = 5;        // s/m, of Hunt and Crossley: N = k p^(3/2) (1 + damping p')
  std::shared_ptr<const model::TrackLine> line = {};  // nullptr: straight along x of the frame
};

std::shared_ptr<const model::ContributionLaw> elastic_contact(const ElasticOptions& options);

// A place where the tangents of wheel and rail are parallel: the distance of the two is least there, or largest between two such (a saddle).
struct Parallel {
  double s, distance;
};

// The least ones below `reach`, at most this many, from the flange to the field side; behind each but the last the largest distance up to the next.
constexpr int most_patches = 3;
struct Overlaps {
  std::array<Parallel, most_patches> least;
  std::array<Parallel, most_patches> between;
  int count = 0;
};
Overlaps overlaps(const WheelOnRail& of, const GapScan& scan, const Axle<double>& axle, double reach);

// What a patch needs to know of the geometry, in the mirror (of a left wheel), from the origin of the rail's profile.
template <class T>
struct TouchGeometry {
  T approach;             // p, m; negative: the gap
  HertzShape<T> shape;
  Vec3<T> at;             // the contact point: half way between the two surfaces
  T normal_y, normal_z;   // of the rail, unit
  T A, B, rho;            // curvatures of the gap along and across; rolling radius
};

}  // namespace skyhook::element::rail
