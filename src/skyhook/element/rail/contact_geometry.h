// Where rigid wheels touch rails: for a wheelset at a given shift, roll and yaw, or with the roll at which both wheels touch.
//
// One wheel at a time (RailPair): its silhouette (silhouette.h) is let down onto the rail. The gap over the wheel's profile, measured along z, has
// its least value at the contact; the next lowest minimum is the rival, which takes over where the contact jumps. All minima are found on a
// grid of half a millimetre, then by Newton's method to rounding; nothing depends on where one starts.
//
// The outcome is in axes of the track of a left wheel, x ahead, y left, z up; of a right wheel in the mirror, so that y counts to the right and both
// sides of a wheelset that stands in the middle are the same. Heights count from the top of the rails (their origin).
#pragma once
#include <optional>
#include <vector>

#include "skyhook/element/rail/silhouette.h"

namespace skyhook::element::rail {

struct RailContact {
  double s = 0, sigma = 0;               // lengths along the profiles of wheel and rail
  double height = 0;                     // z of the middle of the axle that lets it touch here
  double x = 0, y = 0, z = 0;            // the point on the track; x from the middle of the axle
  ProfilePoint<double> wheel{}, rail{};  // the same in axes of the profiles
  double angle = 0;                      // of the contact plane to the horizontal, positive on an ordinary wheel
  double radius = 0;                     // m from the axle: the rolling radius
  double phi = 0;                        // angle about the axle from straight below, positive ahead
  double wheel_curvature = 0, rail_curvature = 0;  // of the profiles, 1/m, positive where convex
  double rolling_curvature = 0;                    // of the wheel along its way: cos(angle of the profile)/radius
  double skew = 0;  // rad: of the wheel's circle to the x of the track, in the plane of contact; about yaw/cos(angle)
  bool is_edge = false;  // at an end of a profile: what comes behind is not known
};

// Half the curvatures of wheel and rail together, in the plane of contact: the gap is A x^2 + B y^2 in axes that are turned a little where the
// wheelset yaws. The wheel has its two about the axes of its circle, the rail has none along the track.
struct RelativeCurvatures {
  double A, B;   // the smaller one first; 1/m
  double along;  // of the gap over the x of the track, at one y of the plane: half of it
};
RelativeCurvatures relative_curvatures(const RailContact& contact);

struct RailContacts {
  std::vector<RailContact> minima;  // the lowest first; height falls from one to the next
  bool is_between = false;          // none, since the wheel is not above the rail
  const RailContact& contact() const { return minima.front(); }
  // How far the rival is from touching; nothing: there is none.
  std::optional<double> rival_gap() const;
};

// One wheel above one rail.
class RailPair {
 public:
  // `half`: of the distance of the tape circles; `radius` of these. `rail_y`: of the origin of the rail, from the middle of the track.
  RailPair(ProfilePtr wheel, ProfilePtr rail, double half, double radius, double rail_y);

  // `within`: minima of gaps larger than the least one by more than this are left out.
  RailContacts find(const AxlePlace& place, double within = 5e-3) const;
  // What is known at a pair of lengths, touching or not: its height is the one at which the two points have one z.
  RailContact at(const AxlePlace& place, double s, double sigma) const { return contact_at(AxleTurn(place), s, sigma); }
  RailContact contact_at(const AxleTurn& turn, double s, double sigma) const;
  // Newton's method alone, from lengths near a contact; nothing: it has left the profiles or found no end.
  std::optional<RailContact> refine(const AxlePlace& place, double s, double sigma) const;

  const Profile& wheel() const { return *wheel_; }
  const Profile& rail() const { return *rail_; }
  double half() const { return half_; }
  double radius() const { return radius_; }
  double rail_y() const { return rail_y_; }

 private:
  struct Node {
    double s;
    ProfileJet<double> jet;
  };
  double rail_height(double y) const;  // of the grid
  std::vector<double> gaps(const AxleTurn& turn) const;
  std::optional<RailContact> refined(const AxleTurn& turn, double s, double sigma) const;
  std::optional<RailContact> bisected(const AxleTurn& turn, double low, double high) const;
  RailContact near(const AxleTurn& turn, std::size_t node) const;

  ProfilePtr wheel_, rail_;
  double half_, radius_, rail_y_;
  std::vector<Node> nodes_;      // of the wheel
  std::vector<double> heights_;  // of the rail over y, on a grid
};

// How a wheelset and a track are measured.
struct RailMeasures {
  double gauge = 1.435, gauge_depth = 0.014;        // m: between the gauge faces, at that depth below the top
  double flange_back = 1.360, tape_circle = 0.070;  // m: between the backs of the flanges; from one to the tape circle
  double radius = 0.46;                             // m, of the tape circle
  double half() const { return flange_back / 2 + tape_circle; }
};

// Both wheels: what is found is of the left one, and of the right one in the mirror.
struct WheelsetContacts {
  double roll = 0, height = 0;  // height: z of the middle of the axle
  double delta_r = 0;           // rolling radius left - right: grows where the wheelset shifts to the left
  RailContacts left, right;
};

class WheelsetOnTrack {
 public:
  // ModelError where the profiles cannot stand on each other at these measures.
  WheelsetOnTrack(ProfilePtr left_wheel, ProfilePtr right_wheel, ProfilePtr left_rail, ProfilePtr right_rail,
                  const RailMeasures& measures);
  WheelsetOnTrack(const ProfilePtr& wheel, const ProfilePtr& rail, const RailMeasures& measures)
      : WheelsetOnTrack(wheel, wheel, rail, rail, measures) {}

  // Roll and height so that both wheels touch. Nothing: a wheel is beside its rail.
  std::optional<WheelsetContacts> find(double shift, double yaw = 0) const;
  // At this roll; the height is that of the wheel that touches first.
  WheelsetContacts at(const AxlePlace& place) const;

  const RailPair& left() const { return left_; }
  const RailPair& right() const { return right_; }
  const RailMeasures& measures() const { return measures_; }

 private:
  RailMeasures measures_;
  RailPair left_, right_;
};

}  // namespace skyhook::element::rail
