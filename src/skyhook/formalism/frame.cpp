#include "skyhook/formalism/frame.h"

#include "skyhook/formalism/recursive/equations.h"

namespace skyhook::formalism {
namespace {

const recursive::NodeState& carrier_of(const Snapshot& s, const Frame& frame) {
  return s.nodes[static_cast<std::size_t>(frame.carrier)];
}

}  // namespace

Frame frame_of(const recursive::Equations& eq, int body, const Vec3d& at, const Mat3d& axes) {
  const int node = body == model::ground ? 0 : eq.tree().node_of_body[static_cast<std::size_t>(body)];
  return {node, at - eq.tree().origin[static_cast<std::size_t>(node)], axes};
}

Frame frame_of(const recursive::Equations& eq, const model::Marker& marker) {
  const recursive::Place place = eq.tree().place(marker);
  return {place.node, place.r, place.axes};
}

PointMotion motion_of(const Snapshot& s, const Frame& frame) {
  const recursive::NodeState& x = carrier_of(s, frame);
  const Vec3d r = x.R * frame.r;
  return {x.p + r, x.v + cross(x.w, r), x.a + cross(x.al, r) + cross(x.w, cross(x.w, r))};
}

Vec3d point_of(const Snapshot& s, const Frame& frame) {
  const recursive::NodeState& x = carrier_of(s, frame);
  return x.p + x.R * frame.r;
}

Vec3d angular_velocity_of(const Snapshot& s, const Frame& frame) { return carrier_of(s, frame).w; }
Vec3d angular_acceleration_of(const Snapshot& s, const Frame& frame) { return carrier_of(s, frame).al; }
Mat3d axes_of(const Snapshot& s, const Frame& frame) { return carrier_of(s, frame).R * frame.axes; }
Mat3d turn_of(const Snapshot& s, const Frame& frame) { return carrier_of(s, frame).R; }

Vec3d span_between(const Snapshot& s, const Frame& from, const Frame& to) {
  const recursive::NodeState &a = carrier_of(s, from), &b = carrier_of(s, to);
  return b.p + b.R * to.r - a.p - a.R * from.r;
}

JointMotion motion_between(const Snapshot& s, const Frame& from, const Frame& to) {
  const recursive::NodeState &a = carrier_of(s, from), &b = carrier_of(s, to);
  const Mat3d axes = axes_of(s, from);
  const Vec3d rb = b.R * to.r, ra = a.R * from.r, span = span_between(s, from, to);
  const Vec3d rate = b.v + cross(b.w, rb) - a.v - cross(a.w, ra + span);
  return {transpose_times(axes, span), transpose(axes) * axes_of(s, to), transpose_times(axes, rate),
          transpose_times(axes, b.w - a.w)};
}

}  // namespace skyhook::formalism
