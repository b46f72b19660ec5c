#include "skyhook/element/road.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "skyhook/element/finding.h"

namespace skyhook::element {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

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

// h/2 (1 - cos(2 pi u)), u from 0 to 1 along the bump.
void add_bump(double height, double length, double u, Road::Height& out) {
  if (u <= 0.0 || u >= 1.0) return;
  const double w = 2.0 * std::numbers::pi, c = std::cos(w * u), s = std::sin(w * u);
  out.value += 0.5 * height * (1.0 - c);
  out.slope += 0.5 * height * w / length * s;
  out.curvature += 0.5 * height * (w / length) * (w / length) * c;
}

}  // namespace

Road::Road(const RoadFields& f, const model::FieldSource& source)
    : is_moving_(f.speed.has_value()),
      speed_(f.speed.value_or(0.0)),
      start_(f.start),
      heading_(f.heading),
      profile_(f.profile),
      lift_(f.lift),
      bump_height_(f.bump_height),
      bump_length_(f.bump_length),
      bump_at_(f.bump_at),
      levels_(1, 0.0) {
  check(f, source);
  for (std::size_t i = 0; i < f.step_at.size(); ++i) {
    if (f.step_height[i] == 0.0) continue;  // nothing happens there
    corners_.push_back(f.step_at[i]);
    levels_.push_back(levels_.back() + f.step_height[i]);
  }
}

Road::Height Road::height(double x, double t, int segment) const {
  Height out;
  out.value = levels_[static_cast<std::size_t>(segment)];
  if (profile_) {
    Dual<1, Dual<1>> twice(Dual<1>::variable(x, 0));
    twice.d[0] = Dual<1>(1.0);
    const auto y = profile_->at(twice);
    out.value += y.v.v, out.slope += y.v.d[0], out.curvature += y.d[0].d[0];
  }
  if (bump_height_ != 0.0) add_bump(bump_height_, bump_length_, (x - bump_at_) / bump_length_, out);
  if (lift_) {
    const model::Motion2 up = lift_->value_and_rate(t);
    out.value += up.value, out.rate += up.rate;
  }
  return out;
}

int Road::segment_at(double x) const {
  return static_cast<int>(std::upper_bound(corners_.begin(), corners_.end(), x) - corners_.begin());
}

double Road::behind_begin(double x, int segment) const {
  return segment == 0 ? never : x - corners_[static_cast<std::size_t>(segment) - 1];
}

double Road::before_end(double x, int segment) const {
  const auto k = static_cast<std::size_t>(segment);
  return k == corners_.size() ? never : corners_[k] - x;
}

}  // namespace skyhook::element
