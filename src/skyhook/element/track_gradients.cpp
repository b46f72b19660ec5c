#include "skyhook/element/track_gradients.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace skyhook::element {
namespace {

using model::Along, model::GradientChange, model::TrackPiece;

struct Slope {
  double from;  // as far as the next one
  Along climb;  // over the way from there
};

double sine_of(double gradient) { return gradient / std::sqrt(1 + gradient * gradient); }

Slope constant(double from, double value) {
  Slope out{from, {}};
  out.climb.c[0] = value;
  return out;
}

// dz/ds changes as 3 u^2 - 2 u^3, so that its rate does not jump: what follows the line turns with it. R is the least radius, in the middle; an arc of it is
// R times the change of the angle long, and this 3/2 of that.
std::vector<Slope> slopes_of(const std::vector<GradientChange>& changes) {
  std::vector<Slope> out{constant(-std::numeric_limits<double>::infinity(), 0)};
  double before = 0;
  for (const GradientChange& c : changes) {
    const double length = 1.5 * c.radius * std::abs(std::atan(c.gradient) - std::atan(before)),
                 from = c.at - 0.5 * length;
    if (!(from >= out.back().from))
      throw ModelError(c.where,
                       fmt::format("the change of gradient at {:.6g} m begins before the last one ends.", c.at),
                       "Sort them by `at`, or give smaller radii.");
    if (!(length > 0) && c.gradient != before)
      throw ModelError(c.where,
                       fmt::format("the gradient changes at {:.6g} m at once: the line would have a kink.", c.at),
                       "Give the `radius` of the arc between, 2000 m or more on lines.");
    Slope arc = constant(from, sine_of(before));
    if (length > 0) {
      const double rise = sine_of(c.gradient) - sine_of(before);
      arc.climb.c[2] = 3 * rise / (length * length), arc.climb.c[3] = -2 * rise / (length * length * length);
      out.push_back(arc);
    }
    out.push_back(constant(from + length, sine_of(c.gradient)));
    before = c.gradient;
  }
  return out;
}

TrackPiece cut(const TrackPiece& p, double from, double to) {
  return {to - from, p.curvature.from(from), {}, p.tilt.from(from), p.widening.from(from)};
}

}  // namespace

// d|tilt|/ds
void add_lift(TrackPiece& p, double lift) {
  const double side = p.tilt.at(0.5 * p.length) < 0 ? -lift : lift;
  const Along rate = p.tilt.slopes();
  for (std::size_t i = 0; i < 6; ++i) p.climb.c[i] += side * rate.c[i];
  p.climb.sine = side * rate.sine, p.climb.cosine = side * rate.cosine, p.climb.number = rate.number;
}

void climb(std::vector<TrackPiece>& pieces, const std::vector<GradientChange>& gradients, double lift) {
  const std::vector<Slope> slopes = slopes_of(gradients);
  std::vector<TrackPiece> out;
  double s = 0;
  std::size_t k = 0;
  for (const TrackPiece& p : pieces) {
    for (double x = 0; x < p.length;) {
      while (k + 1 < slopes.size() && slopes[k + 1].from <= s + x + 1e-9) ++k;  // m: no slivers
      const double next = k + 1 < slopes.size() ? slopes[k + 1].from - s : p.length;
      const double to = next < p.length - 1e-9 ? next : p.length;
      out.push_back(x == 0 && to == p.length ? p : cut(p, x, to));
      const bool is_first = !std::isfinite(slopes[k].from);
      out.back().climb = is_first ? slopes[k].climb : slopes[k].climb.from(s + x - slopes[k].from);
      add_lift(out.back(), lift);
      x = to;
    }
    s += p.length;
  }
  pieces = std::move(out);
}

}  // namespace skyhook::element
