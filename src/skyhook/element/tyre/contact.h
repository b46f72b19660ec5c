// Where a wheel, a thin disc, meets the road, and how fast it slides there: docs/theory/14_tyres.md (14.1) to (14.4). All in axes of the road.
#pragma once
#include <algorithm>

#include "skyhook/model/element.h"
#include "skyhook/model/surface.h"

namespace skyhook::element::tyre {

// The road below the wheel's centre: its tangent plane there counts.
using model::Below;

// The same height with a vertical normal: to a wheel that moves by `v` it is a post that goes up and down.
template <class T>
Below<T> level(const Below<T>& road, const Vec3<T>& v) {
  const T climb = (road.normal.x * v.x + road.normal.y * v.y) / road.normal.z;
  return {road.height, {T(0.0), T(0.0), T(1.0)}, road.rate - climb, road.friction};
}

template <class T>
struct WheelContact {
  Vec3<T> ahead, left, up;  // axes at the contact point: up is the road's normal, `ahead` lies in the wheel's plane too
  Vec3<T> arm;              // from the wheel's centre to the contact point
  T camber;                 // rad
  T radius;                 // loaded: length of the arm
  T deflection_rate;        // m/s, of unloaded minus loaded radius
  T speed, slide_y;         // m/s, of the contact point along `ahead` and `left`
  T spin;                   // rad/s, about the wheel's axis
  bool is_upright;          // false: the wheel lies, nothing else is meant to be read
};

// Without derivatives, and without the numbers.
template <class T>
WheelContact<double> axes_of(const WheelContact<T>& c) {
  const auto plain = [](const Vec3<T>& x) { return Vec3d{value_of(x.x), value_of(x.y), value_of(x.z)}; };
  return {plain(c.ahead), plain(c.left), plain(c.up), plain(c.arm), 0, 0, 0, 0, 0, 0, c.is_upright};
}

// The wheel's axis is y of frame B, to the left.
template <class T>
WheelContact<T> contact_of(const model::Relative<T>& m, const Below<T>& road) {
  using std::asin, std::sqrt;
  constexpr double least = 0.1;  // cosine of the camber: 84 degrees
  WheelContact<T> c;
  const Vec3<T> axis = m.R.column(1);
  const T sine = dot(axis, road.normal);
  c.is_upright = 1.0 - value_of(sine) * value_of(sine) >= least * least;
  if (!c.is_upright) return c;
  const T cosine = sqrt(T(1.0) - sine * sine);
  c.up = road.normal;
  c.ahead = (T(1.0) / cosine) * cross(axis, road.normal);
  c.left = cross(c.up, c.ahead);
  c.camber = asin(sine);
  const Vec3<T> spoke = cross(c.ahead, axis);  // in the wheel's plane, off the road
  c.radius = (m.r.z - road.height) * road.normal.z / cosine;
  c.arm = -c.radius * spoke;
  c.spin = dot(m.w, axis);
  // The contact point moves along the road: what the point of the hub there does not do, the deflection does.
  const Vec3<T> hub = m.v + cross(m.w - c.spin * axis, c.arm);
  c.deflection_rate = (road.rate * road.normal.z - dot(hub, c.up)) / cosine;
  c.speed = dot(hub, c.ahead);
  c.slide_y = dot(hub, c.left) + c.deflection_rate * dot(spoke, c.left);
  return c;
}

}  // namespace skyhook::element::tyre
