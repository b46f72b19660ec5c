#include "skyhook/element/road.h"

#include <cmath>

#include "skyhook/element/finding.h"

namespace skyhook::element {

namespace {

void check(const RoadFields& f, const model::FieldSource& source) {
  if (f.step_at.size() != f.step_height.size()) {
    fail(source, f.step_at.size() > f.step_height.size() ? "step_at" : "step_height",
         "there are " + std::to_string(f.step_at.size()) + " places of steps (step_at) and " +
             std::to_string(f.step_height.size()) + " heights (step_height).",
         "Give one height for each place.");
  }
  for (std::size_t i = 1; i < f.step_at.size(); ++i) {
    if (!(f.step_at[i] > f.step_at[i - 1]))
      fail(source, "step_at", "its steps are not in rising order.", "Sort them by x, and their heights along.");
  }
  if (std::abs(f.heading) != 1.0) fail(source, "heading", "heading is neither 1 nor -1.", "Write 1 or -1.");
  if (!f.speed && f.start != 0.0)
    fail(source, "start", "start is given without speed.", "Give the speed, or remove start.");
}

model::Surface surface_of(const RoadFields& f, const model::FieldSource& source) {
  check(f, source);
  model::Surface::Parts parts{.profile = f.profile,
                              .bump_height = f.bump_height,
                              .bump_length = f.bump_length,
                              .bump_at = f.bump_at,
                              .lift = f.lift};
  for (std::size_t i = 0; i < f.step_at.size(); ++i) parts.stairs.push_back({f.step_at[i], f.step_height[i]});
  return model::Surface(std::move(parts));
}

}  // namespace

Road::Road(const RoadFields& f, const model::FieldSource& source)
    : surface(surface_of(f, source)),
      is_moving(f.speed.has_value()),
      speed(f.speed.value_or(0.0)),
      start(f.start),
      heading(f.heading) {}

}  // namespace skyhook::element
