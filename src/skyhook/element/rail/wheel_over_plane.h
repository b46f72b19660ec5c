// The surface of a wheel over a plane that holds the x of the track: how far above the plane the wheel is at (x, t). The point of the wheel that lies there is found by Newton's method.
//
// Across the silhouette (silhouette.h) the wheel's circle is nearly a parabola over x, but where the wheel yaws the circle leaves the place t of the plane by x yaw/cos(angle), and meets other
// curvatures of a flange there: at 16 mrad of yaw, 7 mm from the silhouette, a parabola is up to a micrometre off.
#pragma once
#include <cmath>

#include "skyhook/element/rail/silhouette.h"

namespace skyhook::element::rail {

// The normal is (0, -sin angle, cos angle), t counts along (0, cos angle, sin angle); from `origin`, in axes of the track, z from the middle of the axle.
struct SlopedPlane {
  Vec3<double> origin;
  double angle = 0;
};

class WheelOverPlane {
 public:
  WheelOverPlane(const Profile& wheel, const AxlePlace& place, double half, double radius, const SlopedPlane& plane)
      : wheel_(wheel),
        turn_(place),
        half_(half),
        radius_(radius),
        plane_(plane),
        c_(std::cos(plane.angle)),
        s_(std::sin(plane.angle)) {}

  // Of the wheel: length along its profile, angle about the axle from straight below, positive ahead.
  struct At {
    double s = 0, phi = 0;
  };
  // x, t and the height over the plane.
  Vec3<double> point(const At& at) const;
  // The height at (x, t). `at`: a point near it, then the one that is there; NaN, and `at` as it was, where Newton's method leaves the wheel.
  double height(double x, double t, At& at) const;

 private:
  Vec3<double> turned(double x, double y, double z) const;  // from axes of the wheelset to those of the plane

  const Profile& wheel_;
  AxleTurn turn_;
  double half_, radius_;
  SlopedPlane plane_;
  double c_, s_;
};

}  // namespace skyhook::element::rail
