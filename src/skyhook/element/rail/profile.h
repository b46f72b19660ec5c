// Profiles of wheels and rails: those of the standards, cones and arcs, and how points become a curve (model/profile.h has the picture).
//
//   const ProfilePtr wheel = built_in("s1002");
//   const ProfilePtr rail = inclined(*built_in("uic60"), std::atan(1.0 / 40));
//   const ProfileJet<double> p = wheel->jet(s);      // y, z and three derivatives to s; any scalar
//
// Points become a smoothing spline (fit_profile). What that does is stated in the profile: waves of the curve of the length `smoothing` are
// halved, those of twice the length keep 98.5 %, those of half of it 1.5 %; so a jump of the curvature is spread over about half that length, with
// 5 % of it beyond on either side, and a corner is rounded. Zones of standards meet with jumps of up to 0.12 um and with other curvatures; these
// are eased first over 0.25 mm, without overshoot (eased_profile.h). The largest distance of a given point is kept in Parts::deviation.
#pragma once
#include <string>
#include <vector>

#include "skyhook/model/profile.h"

namespace skyhook::element::rail {

using model::Profile, model::ProfileJet, model::ProfilePoint, model::ProfilePtr;

// Points in order along a profile, in m and in its axes: left side, y to the field side, z up.
struct ProfilePoints {
  std::vector<double> y, z;
  std::vector<int> lines{};  // of the file that they come from, one each; empty: none
};

struct Shaping {
  std::string name;
  Profile::Kind kind = Profile::Kind::either;
  double smoothing = 1e-3;           // m; 0: half the usual distance of points, which passes nearly through all of them
  double largest_gap = 5e-3;         // m between neighbours
  std::string file{};                // for messages
  std::vector<std::string> notes{};  // the source
  ProfilePoints given{};             // from which deviations count; none: from those that are fitted
};

// The curve near the points; its s = 0 lies where y = 0. A wheel is shifted to z = 0 there, a rail to z = 0 at its top. ModelError with the line
// where points are too few, repeated, not finite, far apart, turn back or cross, or reach not over y = 0, or where their size is not that of a profile.
ProfilePtr fit_profile(const ProfilePoints& points, const Shaping& shaping);

// A straight tread that becomes thinner to the field side: the radius is r0 - slope y, |y| up to half the width.
ProfilePtr conical(double slope, double width = 0.15);
// A circle, touched at y = 0 by a line of that slope: the head of a rail (convex up), |y| up to half the width.
ProfilePtr circular(double radius, double slope = 0, double width = 0.07);

// Profiles that have a name: s1002, en15302_wheel_a, en15302_rail_a, uic60, ... ; nullptr: there is none of that name.
ProfilePtr built_in(const std::string& name);
struct BuiltIn {
  std::string name, summary;
};
const std::vector<BuiltIn>& built_ins();

// The rail leant to the inside of the track by that angle (1:40 is atan(1/40)), about its origin, and lifted so that its top has z = 0.
ProfilePtr inclined(const Profile& rail, double angle);
// The same one for all wheels of a track: made once as long as somebody holds it.
ProfilePtr leant(const ProfilePtr& rail, double angle);
// Worn flat between two y: the chord in place of what stands out there, then smoothed as the profile was.
ProfilePtr worn_flat(const Profile& profile, double from, double to);

}  // namespace skyhook::element::rail
