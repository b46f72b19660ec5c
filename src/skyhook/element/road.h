// The road below a wheel: a surface, and the way x of the wheel on it.
#pragma once
#include <vector>

#include "skyhook/model/field_source.h"
#include "skyhook/model/surface.h"
#include "skyhook/model/tabulated.h"

namespace skyhook::element {

struct RoadFields {
  std::optional<double> speed;
  double start = 0, heading = 1;
  std::optional<model::Curve> profile;
  std::optional<model::Motion> lift;
  double bump_height = 0, bump_length = 1, bump_at = 0;
  std::vector<double> step_at, step_height;

  static constexpr auto fields = describe(
      field(&RoadFields::speed, "speed", "m/s", any(),
            "the road runs below the wheel: x = speed (t - start); without it x is the wheel's own, seen from `from`"),
      field(&RoadFields::start, "start", "s", any(), "with `speed`: when the wheel is at x = 0"),
      field(&RoadFields::heading, "heading", "-", between(-1.0, 1.0),
            "without `speed`: 1, the way runs along x of `from`, or -1, against it")
          .mirrored(Mirror::x)
          .in_axes_of_from(),
      field(&RoadFields::profile, "profile", "m", any(), "height over the way x, smooth").over("x:m"),
      field(&RoadFields::lift, "lift", "m", any(), "height over time, added: a post that goes up and down").over("t:s"),
      field(&RoadFields::bump_height, "bump_height", "m", any(), "of a cosine bump, added"),
      field(&RoadFields::bump_length, "bump_length", "m", positive(), "from its begin to its end"),
      field(&RoadFields::bump_at, "bump_at", "m", any(), "way x where it begins"),
      field(&RoadFields::step_at, "step_at", "m", any(), "way x of a stair, or of several: the height jumps there"),
      field(&RoadFields::step_height, "step_height", "m", any(), "of each: the road goes up by it towards larger x"));
};

struct Road {
  // ModelError where the fields contradict each other.
  Road(const RoadFields& fields, const model::FieldSource& source);

  void look(double x, model::TableLooks& looks) const {
    if (const model::Curve* profile = surface.profile()) add_look(*profile, "profile", "way x", "m", x, looks);
  }

  template <class T>
  T way(const model::Relative<T>& m) const {
    return is_moving ? T(speed * (value_of(m.t) - start)) : T(heading) * m.r.x;
  }
  template <class T>
  T way_rate(const model::Relative<T>& m) const {
    return is_moving ? T(speed) : T(heading) * m.v.x;
  }

  model::Surface surface;
  bool is_moving;
  double speed, start, heading;
};

}  // namespace skyhook::element
