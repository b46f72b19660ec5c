// Where on the line a point is seen from.
#include <algorithm>
#include <cmath>
#include <limits>

#include "skyhook/model/track_line.h"

namespace skyhook::model {
namespace {

constexpr double side = 128, spacing = 16;  // m, of the squares, and of the places that are looked at
constexpr long long row = 1LL << 31;

long long column_of(double x) { return static_cast<long long>(std::floor(x / side)); }
long long square_of(double x, double y) { return column_of(x) * row + column_of(y); }

}  // namespace

// Places of the line, each in all squares that it is nearer to than the spacing: so a point on the track finds them in its own square.
void TrackLine::scatter() {
  const int count = std::max(1, static_cast<int>(std::ceil(length_ / spacing)));
  for (int i = 0; i <= count; ++i) {
    const double s = length_ * i / count;
    const TrackPlace<double> p = place(s);
    for (long long a = column_of(p.position.x - spacing); a <= column_of(p.position.x + spacing); ++a) {
      for (long long b = column_of(p.position.y - spacing); b <= column_of(p.position.y + spacing); ++b)
        seen_.push_back({a * row + b, s, p.position, p.tangent()});
    }
  }
  first_ = {0, 0, place(0.0).position, place(0.0).tangent()};
  last_ = {0, length_, place(length_).position, place(length_).tangent()};
  std::ranges::stable_sort(seen_, {}, &Seen::square);
}

// Of the places that have the point beside them, the one from whose tangent it is least far; where there is none, the straight lines before and
// behind the track; where the point is beside neither, as a vehicle that has left it, the nearest place of all.
double TrackLine::nearest(const Vec3d& r) const {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  double best = 0, least = infinite;
  const auto consider = [&](const Seen& p, double from, double to) {
    const Vec3d d = r - p.at;
    const double ahead = dot(p.tangent, d), off = dot(d, d) - ahead * ahead;
    if (ahead >= from && ahead <= to && off < least) least = off, best = p.s + ahead;
  };
  for (const Seen& p : std::ranges::equal_range(seen_, square_of(r.x, r.y), {}, &Seen::square))
    consider(p, -spacing, spacing);
  if (least < spacing * spacing) return best;
  consider(first_, -infinite, 0);
  consider(last_, 0, infinite);
  if (least < infinite) return best;
  return std::ranges::min_element(seen_, {}, [&](const Seen& p) { return dot(p.at - r, p.at - r); })->s;
}

// Newton's iteration for tangent . (r - c) = 0; its steps are bounded where the point is beyond the centre of the bend. Elsewhere a step leaves its square over the radius: of a
// micrometre less than rounding.
double TrackLine::foot(const Vec3d& r, double guess) const {
  if (is_straight()) return r.x;
  double s = std::isinf(guess) ? nearest(r) : guess;
  for (int i = 0; i < 30; ++i) {
    const Course c = course(s);
    const Vec3d d = r - c.at;
    const double slope = 1 - dot(c.bend, d),
                 step = std::clamp(dot(c.tangent, d) / std::max(slope, 0.1), -spacing, spacing);
    s += step;
    if (!(std::abs(step) > (slope > 0.5 ? 1e-6 : 1e-13 * (1 + std::abs(s))))) break;
  }
  return s;
}

}  // namespace skyhook::model
