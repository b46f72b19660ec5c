// A wheel as the rail under it sees it. Where the line of the track bends, climbs or is uneven, the rail is taken for a cylinder along the tangent of the line at
// the foot of the wheel's centre, shifted as the irregularities have it there: the line is straight over the length of a patch.
#pragma once
#include "skyhook/element/rail/wheel_touch.h"
#include "skyhook/model/contribution.h"
#include "skyhook/model/track_line.h"

namespace skyhook::element::rail {

using LinePtr = std::shared_ptr<const model::TrackLine>;  // nullptr: straight along x of the frame

inline bool is_plain(const LinePtr& line) { return !line || (line->is_straight() && line->is_even()); }

template <class T>
struct RailFrame {
  Vec3<T> origin;  // the middle of the track at the wheel, with the shift of its rail
  Mat3<T> axes;
  T s;  // of the foot along the line
};

template <class T>
RailFrame<T> rail_frame_at(const WheelOnRail& of, const model::TrackLine& line, const model::TrackPlace<T>& foot,
                           const T& s) {
  if (line.is_even()) return {foot.position, foot.axes, s};
  const model::RailShifts<T> shifts = line.rails(s);
  const model::RailShift<T>& rail = of.side > 0 ? shifts.of_left : shifts.of_right;
  return {foot.position + rail.left * foot.axes.column(1) + rail.up * foot.axes.column(2), foot.axes, s};
}

// At the wheel's frame at r, whose axle points along `axis`. `near`: roughly where on the line its foot is; infinite: nobody knows.
template <class T>
RailFrame<T> rail_frame(const WheelOnRail& of, const model::TrackLine& line, const Vec3<T>& r, const Vec3<T>& axis,
                        double near) {
  const model::TrackFoot<T> foot = line.at_foot(r + T(of.side * of.half) * axis, near);
  return rail_frame_at<T>(of, line, foot, foot.s);
}

// The motion in axes of the rail, from its origin, and these axes: what acts there turns back with them.
template <class T>
struct Seen {
  model::Relative<T> motion;
  Mat3<T> axes;
  bool is_turned = false;

  model::Wrench<T> back(const model::Wrench<T>& w) const {
    return is_turned ? model::Wrench<T>{axes * w.f, axes * w.n} : w;
  }
};

template <class T>
Seen<T> seen_in(const RailFrame<T>& rail, const model::Relative<T>& m) {
  Seen<T> out{m, rail.axes, true};
  out.motion.r = transpose_times(rail.axes, m.r - rail.origin);
  out.motion.v = transpose_times(rail.axes, m.v), out.motion.w = transpose_times(rail.axes, m.w);
  out.motion.R = Mat3<T>::columns(transpose_times(rail.axes, m.R.column(0)), transpose_times(rail.axes, m.R.column(1)),
                                  transpose_times(rail.axes, m.R.column(2)));
  return out;
}

template <class T>
Seen<T> seen(const WheelOnRail& of, const LinePtr& line, const model::Relative<T>& m) {
  if (is_plain(line)) return {m, Mat3<T>::identity(), false};
  return seen_in(rail_frame(of, *line, m.r, m.R.column(1), m.set.way), m);
}

// Of the pose alone: all that contact needs is where the wheel's frame is and where its axle points.
template <class T>
Axle<T> axle_on(const WheelOnRail& of, const LinePtr& line, const model::Pose<T>& x) {
  const Vec3<T> axis = x.R.column(1);
  if (is_plain(line)) return axle_along(of, x.r, axis);
  const RailFrame<T> rail = rail_frame(of, *line, x.r, axis, x.way);
  return axle_along(of, transpose_times(rail.axes, x.r - rail.origin), transpose_times(rail.axes, axis));
}

}  // namespace skyhook::element::rail
