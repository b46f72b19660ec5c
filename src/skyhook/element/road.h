// The road below a wheel (SPEC K7): its height over the way x, and over time where it moves up and down itself.
#pragma once
#include <vector>

#include "skyhook/model/field_source.h"
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

class Road {
 public:
  // ModelError where the fields contradict each other.
  Road(const RoadFields& fields, const model::FieldSource& source);

  // With its derivatives to x, and its rate where the wheel stands still.
  struct Height {
    double value = 0, slope = 0, curvature = 0, rate = 0;
  };
  void look(double x, model::TableLooks& looks) const {
    if (profile_) add_look(*profile_, "profile", "way x", "m", x, looks);
  }
  // Stairs cut the road into segments, counted from 0. The height is smooth within one, and goes on beyond its ends.
  Height height(double x, double t, int segment) const;
  int segment_at(double x) const;
  // How far x is inside of the segment: from its begin, and from its end. Infinite where it has none.
  double behind_begin(double x, int segment) const;
  double before_end(double x, int segment) const;

  template <class T>
  T way(const model::Relative<T>& m) const {
    return is_moving_ ? T(speed_ * (value_of(m.t) - start_)) : T(heading_) * m.r.x;
  }
  template <class T>
  T way_rate(const model::Relative<T>& m) const {
    return is_moving_ ? T(speed_) : T(heading_) * m.v.x;
  }

 private:
  bool is_moving_;
  double speed_, start_, heading_;
  std::optional<model::Curve> profile_;
  std::optional<model::Motion> lift_;
  double bump_height_, bump_length_, bump_at_;
  std::vector<double> corners_, levels_;  // where segments meet; height of each
};

}  // namespace skyhook::element
