#include "skyhook/element/road.h"

#include <cmath>

#include "skyhook/element/cosine_row.h"
#include "skyhook/element/finding.h"

namespace skyhook::element {

void check_stairs(const std::vector<double>& at, const std::vector<double>& height, StairFields names,
                  const model::FieldSource& source) {
  if (at.size() != height.size()) {
    fail(source, at.size() > height.size() ? names.at : names.height,
         "there are " + std::to_string(at.size()) + " places of steps (" + names.at + ") and " +
             std::to_string(height.size()) + " heights (" + names.height + ").",
         "Give one height for each place.");
  }
  for (std::size_t i = 1; i < at.size(); ++i) {
    if (!(at[i] > at[i - 1]))
      fail(source, names.at, "its steps are not in rising order.", "Sort them by x, and their heights along.");
  }
}

namespace {

void check(const RoadFields& f, const model::FieldSource& source) {
  check_stairs(f.step_at, f.step_height, {"step_at", "step_height"}, source);
  if (std::abs(f.heading) != 1.0) fail(source, "heading", "heading is neither 1 nor -1.", "Write 1 or -1.");
  if (!f.speed && f.start != 0.0)
    fail(source, "start", "start is given without speed.", "Give the speed, or remove start.");
}

std::shared_ptr<const model::Surface> surface_of(const RoadFields& f) {
  model::Surface::Parts parts{.profile = f.profile, .lift = f.lift, .along = f.heading};
  if (f.bump_height != 0.0)
    parts.reliefs.push_back(std::make_shared<CosineRow>(f.bump_height, f.bump_length, f.bump_at));
  for (std::size_t i = 0; i < f.step_at.size(); ++i) parts.stairs.push_back({f.step_at[i], f.step_height[i]});
  return std::make_shared<const model::Surface>(std::move(parts));
}

void check_footprint(const RoadFields& f, const model::Surface& surface, const model::FieldSource& source) {
  if (f.footprint.empty() && !f.points.empty())
    fail(source, "points", "points are given without a footprint.", "Give `footprint: [length, width]`.");
  if (!f.footprint.empty() && f.footprint.size() != 2)
    fail(source, "footprint", "the footprint is no pair.", "Write [length, width].");
  for (const double n : f.points) {
    if (f.points.size() != 2 || n != std::round(n))
      fail(source, "points", "points are no pair of whole numbers.", "Write [along, across], for example [5, 3].");
  }
  if (!f.footprint.empty() && !surface.parts().stairs.empty())
    fail(source, "footprint", "the road has stairs that jump, over which no mean is smooth.",
         "Round them: a road of type stair with `rounding`.");
}

// Of a plane the mean is that of one point. Points across count where the road differs across, or where the wheel may turn on it.
std::vector<Road::Point> patch_of(const RoadFields& f, const model::Surface& surface,
                                  const model::FieldSource& source) {
  check_footprint(f, surface, source);
  std::vector<Road::Point> out;
  if (f.footprint.empty() || surface.is_plane()) return out;
  const int along = f.points.empty() ? 5 : static_cast<int>(f.points[0]);
  const int across = f.points.empty() ? 3 : static_cast<int>(f.points[1]);
  for (int i = 0; i < along; ++i) {
    for (int j = 0; j < across; ++j)
      out.push_back({f.footprint[0] * ((i + 0.5) / along - 0.5), f.footprint[1] * ((j + 0.5) / across - 0.5)});
  }
  return out;
}

// A road by name has all its heights itself.
void check_named(const RoadFields& f, const model::FieldSource& source) {
  const char* field = f.profile              ? "profile"
                      : f.lift               ? "lift"
                      : f.bump_height != 0.0 ? "bump_height"
                      : !f.step_at.empty()   ? "step_at"
                                             : nullptr;
  if (field)
    fail(source, field, std::string(field) + " is given beside a road by name, which has its own heights.",
         "Remove it, or write a road of its own and add the other: `add: [name]`.");
}

}  // namespace

Pair OnRoadFields::place(const model::FieldSource& source, const model::Model& model) const {
  const model::Road* on = named(model);
  if (!on && !from)
    fail(source, "from", "it needs `from` or `road`.", "Name the road, or what carries its own: `from: ground`.");
  if (on && (from || from_at))
    fail(source, from ? "from" : "from_at", "`from` is given beside a road by name, which has its place itself.",
         "Remove it.");
  PairFields pair;
  pair.from = on ? on->from : *from, pair.to = to;
  pair.from_at = from_at, pair.to_at = to_at;
  return pair.place(source);
}

std::shared_ptr<const model::Surface> ground_of(const OnRoadFields& on, const std::optional<model::Curve>& profile,
                                                const model::Model& model, const model::FieldSource& source) {
  const model::Road* road = on.named(model);
  if (!road) return std::make_shared<const model::Surface>(model::Surface::Parts{.profile = profile});
  if (profile)
    fail(source, "profile", "profile is given beside a road by name, which has its own heights.",
         "Remove one of them.");
  if (!road->surface->is_smooth_and_still())
    fail(source, "road",
         "road \"" + road->name + "\" has stairs or a lift: it has no nearest point that moves smoothly.",
         "Round its stairs (`rounding`), or put it on a body that moves, instead of a lift.");
  return road->surface;
}

Road::Road(const RoadFields& f, const model::Road* named, const model::FieldSource& source)
    : is_named(named != nullptr), is_moving(f.speed.has_value()), speed(f.speed.value_or(0.0)), start(f.start) {
  check(f, source);
  if (named) check_named(f, source);
  surface = named ? named->surface : surface_of(f);
  patch = patch_of(f, *surface, source);
  speed *= surface->parts().along;
}

}  // namespace skyhook::element
