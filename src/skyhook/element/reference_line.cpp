#include "skyhook/element/reference_line.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "skyhook/element/unknown_bend.h"

namespace skyhook::element {
namespace {

using Plane = ReferenceLine::Plane;

Plane direction(double heading) { return {std::cos(heading), std::sin(heading)}; }
Plane left_of(const Plane& a) { return {-a.y, a.x}; }

}  // namespace

ReferenceLine::ReferenceLine(const model::RoadGrid& grid)
    : first_(grid.u_first), step_(grid.u_step), begin_{grid.x, grid.y}, along_(direction(grid.heading)) {
  const std::vector<double>& h = grid.headings;
  if (std::ranges::all_of(h, [&](double a) { return a == grid.heading; })) return;
  nodes_ = {begin_};
  tangents_ = {direction(h[0])};
  for (std::size_t k = 0; k < h.size(); ++k) {
    nodes_.push_back(nodes_.back() + step_ * direction(h[k]));
    tangents_.push_back(
        direction(k + 1 < h.size() ? h[k] + 0.5 * std::remainder(h[k + 1] - h[k], 2 * std::numbers::pi) : h[k]));
  }
}

ReferenceLine::Point ReferenceLine::point(double u) const {
  const double s = (u - first_) / step_, last = static_cast<double>(nodes_.size() - 1);
  if (s <= 0.0) return {nodes_.front() + (u - first_) * tangents_.front(), tangents_.front(), {}, {}};
  if (s >= last) return {nodes_.back() + ((s - last) * step_) * tangents_.back(), tangents_.back(), {}, {}};
  const auto k = std::min(static_cast<std::size_t>(s), nodes_.size() - 2);
  const double t = s - static_cast<double>(k);
  const Plane a = nodes_[k], m = step_ * tangents_[k], n = step_ * tangents_[k + 1], d = nodes_[k + 1] - a;
  const Plane c = 3.0 * d - 2.0 * m - n, e = m + n - 2.0 * d;  // a + m t + c t^2 + e t^3
  return {a + t * (m + t * (c + t * e)), (1 / step_) * (m + t * (2.0 * c + (3 * t) * e)),
          (1 / (step_ * step_)) * (2.0 * c + (6 * t) * e), (6 / (step_ * step_ * step_)) * e};
}

// Every so many nodes first, then those about the nearest of them.
double ReferenceLine::nearest_node(const Plane& r) const {
  const std::size_t n = nodes_.size(), stride = static_cast<std::size_t>(std::sqrt(static_cast<double>(n)));
  std::size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  const auto consider = [&](std::size_t k) {
    const Plane d = nodes_[k] - r;
    if (const double square = dot(d, d); square < least) least = square, best = k;
  };
  for (std::size_t k = 0; k < n; k += stride) consider(k);
  consider(n - 1);
  const std::size_t about = best;
  for (std::size_t k = about > stride ? about - stride : 0; k < std::min(n, about + stride + 1); ++k) consider(k);
  return first_ + step_ * static_cast<double>(best);
}

ReferenceLine::Place ReferenceLine::place(double x, double y) const {
  const Plane r{x, y};
  if (is_straight()) {
    const Plane d = r - begin_, side = left_of(along_);
    return {{.value = first_ + dot(d, along_), .x = along_.x, .y = along_.y},
            {.value = dot(d, side), .x = side.x, .y = side.y}};
  }
  if (!std::isfinite(x) || !std::isfinite(y)) return {unknown_bend(), unknown_bend()};
  double u = nearest_node(r);
  Point p = point(u);
  for (int k = 0; k < 50; ++k) {
    const Plane d = r - p.c;
    const double f = dot(d, p.c1), slope = dot(p.c1, p.c1) - dot(d, p.c2);
    const double step = std::clamp(f / std::max(slope, 0.1), -step_, step_);  // 0.1: beyond the centre of the bend
    if (!(std::abs(step) > 1e-14 * (std::abs(u) + step_))) break;
    u += step;
    p = point(u);
  }
  const Plane d = r - p.c;
  const double size = std::sqrt(dot(p.c1, p.c1)), D = std::max(dot(p.c1, p.c1) - dot(d, p.c2), 0.1);
  const Plane g = (1 / D) * p.c1, along = (1 / size) * p.c1, side = left_of(along);
  const double bend = 3 * dot(p.c1, p.c2) - dot(d, p.c3);
  const Plane turn = left_of((1 / size) * (p.c2 - dot(along, p.c2) * along));
  return {{u, g.x, g.y, (2 * p.c2.x * g.x - bend * g.x * g.x) / D, (p.c2.x * g.y + p.c2.y * g.x - bend * g.x * g.y) / D,
           (2 * p.c2.y * g.y - bend * g.y * g.y) / D},
          {dot(d, side), side.x, side.y, turn.x * g.x, turn.x * g.y, turn.y * g.y}};
}

}  // namespace skyhook::element
