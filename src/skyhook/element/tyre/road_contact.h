// A wheel's road with the modes of a tyre on it: 1, 2 on the first segment of the road, in contact and in the air; 3, 4 on the next
// one, and so on.
#pragma once
#include <algorithm>
#include <cmath>
#include <string>

#include "skyhook/element/road.h"
#include "skyhook/element/tyre/contact.h"
#include "skyhook/model/grain.h"
#include "skyhook/model/on_road.h"
#include "skyhook/model/over_ground.h"

namespace skyhook::element::tyre {

struct RoadMode {
  int segment;
  bool in_contact;
  int number() const { return 2 * segment + (in_contact ? 1 : 2); }
};
inline RoadMode road_mode(int number) { return {(number - 1) / 2, number % 2 == 1}; }

struct RoadContact {
  Road road;
  model::Raise raise = {};

  template <class T>
  RoadMode mode_of(const model::Relative<T>& m) const {
    if (m.set.mode > 0) return road_mode(m.set.mode);
    return {road.surface->segment_at(value_of(road.way(m))), true};
  }

  template <class T>
  Below<T> below(const model::Relative<T>& m, int segment) const {
    Below<T> here = model::Surface::below_of(road.slope(m, segment));  // of a belt: `moving` has its speed
    here.height = here.height + T(raise.height), here.rate = here.rate + T(raise.rate);
    return here;
  }
  // Ahead of the wheel, as model::OverGround: the height of its road and the friction.
  static constexpr int sights = 2;
  double grain(const model::Relative<double>& now) const {
    return model::grain_of(*road.surface) / std::hypot(road.way_rate(now), now.v.y);
  }
  void look_ahead(const model::Relative<double>& now, const model::OverGround::Times& times,
                  std::span<double> seen) const {
    model::Relative<double> then = now;
    const auto count = static_cast<std::size_t>(times.count);
    for (std::size_t k = 0; k < count; ++k) {
      const double in = times.first + static_cast<double>(k) * times.step;
      then.t = now.t + in, then.r = now.r + in * now.v;
      const model::Slope<double> h = road.slope(then, road.segment_at(then));
      seen[k] = h.height, seen[count + k] = h.friction;
    }
  }
  bool is_lifted() const { return road.surface->parts().lift || !road.surface->parts().posts.empty(); }
  // A road that runs below the wheel is a belt: it goes back where the wheel would go ahead.
  template <class T>
  model::Relative<T> moving(const model::Relative<T>& m) const {
    if (!road.is_moving) return m;
    model::Relative<T> seen = m;
    seen.v.x = seen.v.x + T(road.speed);
    return seen;
  }

  // `grip(segment)`: positive where the tyre touches and pushes.
  template <class Grip>
  int first_mode(const model::Relative<double>& m, const Grip& grip) const {
    const int segment = road.surface->segment_at(road.way(m));
    return RoadMode{segment, grip(segment) > 0.0}.number();
  }
  template <class Grip>
  double watch(const model::Relative<double>& m, const Grip& grip) const {
    const RoadMode mode = road_mode(m.set.mode);
    const double x = road.way(m), g = grip(mode.segment);
    return std::min({mode.in_contact ? g : -g, road.surface->behind_begin(x, mode.segment),
                     road.surface->before_end(x, mode.segment)});
  }
  template <class Grip>
  int next_mode(const model::Relative<double>& m, const Grip& grip) const {
    const RoadMode mode = road_mode(m.set.mode);
    const double x = road.way(m), begin = std::abs(road.surface->behind_begin(x, mode.segment));
    const double end = std::abs(road.surface->before_end(x, mode.segment));
    if (std::abs(grip(mode.segment)) < std::min(begin, end)) return RoadMode{mode.segment, !mode.in_contact}.number();
    const int next = mode.segment + (end <= begin ? 1 : -1);
    return RoadMode{next, grip(next) > 0.0}.number();
  }
  static std::string event(int from, int to) {
    const RoadMode a = road_mode(from), b = road_mode(to);
    const std::string what = a.in_contact == b.in_contact ? "" : b.in_contact ? "landing" : "lift-off";
    if (a.segment == b.segment) return what;
    return what.empty() ? "step" : "step, " + what;
  }
};

}  // namespace skyhook::element::tyre
