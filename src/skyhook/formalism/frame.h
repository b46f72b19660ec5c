// Frames that bodies carry, and how they move at one instant.
#pragma once
#include "skyhook/formalism/joint_motion.h"
#include "skyhook/formalism/snapshot.h"

namespace skyhook::formalism {

struct Frame {
  int carrier = 0;  // as the equations number them
  Vec3d r;          // from the carrier's origin, in its axes
  Mat3d axes = Mat3d::identity();
};
// A point and axes, given at the design position, as the reference frame of the body carries them; a marker moves with the point of a bending
// body that it stands on.
Frame frame_of(const recursive::Equations& eq, int body, const Vec3d& at = {}, const Mat3d& axes = Mat3d::identity());
Frame frame_of(const recursive::Equations& eq, const model::Marker& marker);

struct PointMotion {
  Vec3d p, v, a;  // global
};
PointMotion motion_of(const Snapshot& s, const Frame& frame);
Vec3d point_of(const Snapshot& s, const Frame& frame);             // its position alone
Vec3d angular_velocity_of(const Snapshot& s, const Frame& frame);  // global axes
Vec3d angular_acceleration_of(const Snapshot& s, const Frame& frame);
Mat3d axes_of(const Snapshot& s, const Frame& frame);  // to global
Mat3d turn_of(const Snapshot& s, const Frame& frame);  // of its carrier since design
// From the one point to the other, global axes.
Vec3d span_between(const Snapshot& s, const Frame& from, const Frame& to);
// `to` seen from `from`, in axes of `from`.
JointMotion motion_between(const Snapshot& s, const Frame& from, const Frame& to);

}  // namespace skyhook::formalism
