// The road below a wheel: a surface, and the way x of the wheel on it. It has a name and stands under `roads`, or its heights are fields of
// the wheel's element.
#pragma once
#include <vector>

#include "skyhook/element/pair_fields.h"
#include "skyhook/model/surface.h"

namespace skyhook::element {

// The two frames of what stands on a road: a road by name says where it is.
struct OnRoadFields {
  std::optional<model::Marker> from;
  model::RoadRef road;
  model::Marker to;
  std::optional<Vec3d> from_at, to_at;

  static constexpr auto fields = describe(
      field(&OnRoadFields::from, "from", "-", any(),
            "marker, body or ground that carries the road or its like; not with `road`, which says it"),
      field(&OnRoadFields::road, "road", "-", any(), "a road under `roads`, by its name"),
      field(&OnRoadFields::to, "to", "-", any(), "marker or body (its reference frame) that stands on it").required(),
      field(&OnRoadFields::from_at, "from_at", "m", any(),
            "point on `from`, global; default: that of the marker or body")
          .mirrored(Mirror::point),
      field(&OnRoadFields::to_at, "to_at", "m", any(), "point on `to`, global; default: that of the marker or body")
          .mirrored(Mirror::point));

  const model::Road* named(const model::Model& model) const {
    return road.index < 0 ? nullptr : &model.roads[static_cast<std::size_t>(road.index)];
  }
  // ModelError where neither or both of `from` and `road` are given.
  Pair place(const model::FieldSource& source, const model::Model& model) const;
};

// The ground of a contact: the road by name, or a profile. ModelError where both are given, or where it jumps or moves.
std::shared_ptr<const model::Surface> ground_of(const OnRoadFields& on, const std::optional<model::Curve>& profile,
                                                const model::Model& model, const model::FieldSource& source);

struct RoadFields {
  std::vector<double> footprint, points;
  std::optional<double> speed;
  double start = 0, heading = 1;
  std::optional<model::Curve> profile;
  std::optional<model::Motion> lift;
  double bump_height = 0, bump_length = 1, bump_at = 0;
  std::vector<double> step_at, step_height;

  static constexpr auto fields = describe(
      field(&RoadFields::footprint, "footprint", "m", positive(),
            "[length, width] over which the heights of the road are averaged, turning with the wheel; without it the "
            "wheel touches in one point"),
      field(&RoadFields::points, "points", "-", between(1.0, 99.0),
            "with `footprint`: [along, across], how many points are averaged; default [5, 3]"),
      field(&RoadFields::speed, "speed", "m/s", any(),
            "the road runs below the wheel: x = speed (t - start), on a road by name added to the wheel's own x; "
            "without it x is the wheel's own, seen from `from`"),
      field(&RoadFields::start, "start", "s", any(), "with `speed`: when the wheel is at x = 0"),
      field(&RoadFields::heading, "heading", "-", between(-1.0, 1.0),
            "without `speed` and `road`: 1, the way runs along x of `from`, or -1, against it")
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

// One height for each place, in rising order; else ModelError.
struct StairFields {
  const char *at, *height;
};
void check_stairs(const std::vector<double>& at, const std::vector<double>& height, StairFields names,
                  const model::FieldSource& source);

struct Road {
  // `named`: the road that the element names, or nullptr. ModelError where the fields contradict each other.
  Road(const RoadFields& fields, const model::Road* named, const model::FieldSource& source);

  void look(const model::Relative<double>& m, model::TableLooks& looks) const { surface->look(way(m), m.r.y, looks); }
  int segment_at(const model::Relative<double>& m) const { return surface->segment_at(way(m)); }

  // x on the road, and its rate; y is that of the wheel.
  template <class T>
  T way(const model::Relative<T>& m) const {
    const T run(speed * (value_of(m.t) - start));
    return !is_moving ? m.r.x : is_named ? m.r.x + run : run;
  }
  template <class T>
  T way_rate(const model::Relative<T>& m) const {
    return !is_moving ? m.v.x : is_named ? m.v.x + T(speed) : T(speed);
  }
  template <class T>
  model::Slope<T> slope(const model::Relative<T>& m, int segment) const {
    return patch.empty() ? surface->slope(way(m), m.r.y, value_of(m.t), segment) : mean_slope(m, segment);
  }
  // Over a footprint, which turns with the wheel.
  template <class T>
  model::Slope<T> mean_slope(const model::Relative<T>& m, int segment) const;

  struct Point {
    double x, y;  // ahead of the wheel's centre and to its left
  };
  std::shared_ptr<const model::Surface> surface;
  std::vector<Point> patch;  // of its footprint; empty: one point
  bool is_named, is_moving;
  double speed, start;  // of the wheel on a road that runs below it, along x of `from`
};

template <class T>
model::Slope<T> Road::mean_slope(const model::Relative<T>& m, int segment) const {
  using std::sqrt;
  // Ahead is across the wheel's axis, y of B, in the plane of the road's frame; where that axis stands upright, along x.
  T c(1.0), s(0.0), turning(0.0);
  const T ax = m.R[0].y, ay = m.R[1].y, size = ax * ax + ay * ay;
  if (value_of(size) > 1e-6) {
    const T per = T(1.0) / sqrt(size);
    c = ay * per, s = -ax * per;
    // d/dt of the angle of (ay, -ax), with a' = w x a
    const T az = m.R[2].y, rx = m.w.y * az - m.w.z * ay, ry = m.w.z * ax - m.w.x * az;
    turning = (ax * ry - ay * rx) * per * per;
  }
  const T x = way(m), y = m.r.y, part(1.0 / static_cast<double>(patch.size()));
  model::Slope<T> sum{T(0.0), T(0.0), T(0.0), T(0.0), T(0.0)};
  for (const Point& p : patch) {
    const T dx = T(p.x) * c - T(p.y) * s, dy = T(p.x) * s + T(p.y) * c;
    const model::Slope<T> h = surface->slope(x + dx, y + dy, value_of(m.t), segment);
    sum.height += h.height, sum.x += h.x, sum.y += h.y, sum.friction += h.friction;
    sum.rate += h.rate + (h.y * dx - h.x * dy) * turning;
  }
  return {part * sum.height, part * sum.x, part * sum.y, part * sum.rate, part * sum.friction};
}

}  // namespace skyhook::element
