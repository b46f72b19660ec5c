#include "skyhook/formalism/recursive/led_node.h"

#include <array>

namespace skyhook::formalism::recursive {
namespace {

using model::ByCoordinate;

template <class T>
Vec3<T> axial(const Mat3<T>& m) {
  const T half(0.5);
  return {half * (m.r2.y - m.r1.z), half * (m.r0.z - m.r2.x), half * (m.r1.x - m.r0.y)};
}
template <class T, class Get>
Vec3d entries(const Vec3<T>& a, Get&& get) {
  return {get(a.x), get(a.y), get(a.z)};
}
template <class T, class Get>
Mat3d entries(const Mat3<T>& a, Get&& get) {
  return {entries(a.r0, get), entries(a.r1, get), entries(a.r2, get)};
}

}  // namespace

void move_led(const Node& node, const NodeState& up, NodeState& x) {
  GuideState& at = x.guide ? *x.guide : x.guide.emplace();
  at.q[0] = x.drive.value;
  const std::array way{ByCoordinate::variable(x.drive.value, 0)};
  const model::GuidePose<ByCoordinate> pose = node.guide->pose(std::span<const ByCoordinate>(way));
  const auto here = [](const ByCoordinate& y) { return y.v; };
  const auto change = [](const ByCoordinate& y) { return y.d[0]; };
  const Mat3d A = entries(pose.R, here);
  x.R = up.R * A;
  x.d = up.R * (node.d + entries(pose.r, here));
  at.turn[0] = up.R * axial(entries(pose.R, change) * transpose(A));
  at.shift[0] = up.R * entries(pose.r, change);
}

// Second derivatives along the drive: of A the part that is skew in A'' A^T, as A' A'^T is symmetric.
void led_products(const Node& node, const NodeState& up, const NodeState& x, Vec3d& al, Vec3d& a) {
  const std::array way{jet2(x.drive.value, x.drive.rate, x.drive.acceleration)};
  const model::GuidePose<Jet2> pose = node.guide->pose(std::span<const Jet2>(way));
  const Mat3d A = entries(pose.R, [](const Jet2& y) { return value(y); });
  const auto second = [](const Jet2& y) { return acceleration(y); };
  const Vec3d wd = x.v - up.v;  // w × d + S s'
  al = cross(up.w, x.w - up.w) + up.R * axial(entries(pose.R, second) * transpose(A));
  a = cross(up.w, 2.0 * wd - cross(up.w, x.d)) + up.R * entries(pose.r, second);
}

}  // namespace skyhook::formalism::recursive
