// The nearest point of a surface that varies in both directions.
#include <cmath>

#include "skyhook/model/surface.h"

namespace skyhook::model {
namespace {

constexpr int scan = 8;  // of a scan, to each side

struct Plane {
  double x = 0, y = 0;
};
struct Symmetric {
  double xx, xy, yy;
  double least() const { return 0.5 * (xx + yy) - std::hypot(0.5 * (xx - yy), xy); }
  Plane solve(const Plane& b) const {
    const double det = xx * yy - xy * xy;
    return {(yy * b.x - xy * b.y) / det, (xx * b.y - xy * b.x) / det};
  }
};

// Half the squared distance of the point of the surface above (x, y), with its derivatives to them.
struct Square {
  double value;
  Plane gradient;
  Symmetric hessian;
};
Square square_of(const Bend& h, const Plane& p, const Vec3d& r) {
  const double up = h.value - r.z, dx = p.x - r.x, dy = p.y - r.y;
  return {0.5 * (dx * dx + dy * dy + up * up),
          {dx + up * h.x, dy + up * h.y},
          {1 + h.x * h.x + up * h.xx, h.x * h.y + up * h.xy, 1 + h.y * h.y + up * h.yy}};
}

bool is_flatter(const Square& a, const Square& b) {
  return a.value <= b.value * (1 + 1e-12) &&
         std::hypot(a.gradient.x, a.gradient.y) < std::hypot(b.gradient.x, b.gradient.y);
}

// Newton's step, turned towards steepest descent where the surface bends away.
Plane descent(const Square& s) {
  const double lift = std::max(0.0, 0.1 - s.hessian.least());
  const Symmetric safe{s.hessian.xx + lift, s.hessian.xy, s.hessian.yy + lift};
  return safe.solve({-s.gradient.x, -s.gradient.y});
}

}  // namespace

// grad d = n(p(r)). With the foot p = (x, y), its condition hessian dp = dr_xy + grad h dr_z; the second derivatives of d
// stand in the tangent plane, where their principal directions are found.
Surface::Foot Surface::foot_in_space(const Vec3d& r, Search search) const {
  const auto at = [&](const Plane& p) { return square_of(height(p.x, p.y), p, r); };
  Plane p{r.x, r.y};
  Square s = at(p);
  const double reach = std::sqrt(2 * s.value);
  if (search == Search::all && reach > 0.0) {
    for (int i = -scan; i <= scan; ++i) {
      for (int j = -scan; j <= scan; ++j) {
        const Plane q{r.x + reach * i / scan, r.y + reach * j / scan};
        if (const Square there = at(q); there.value < s.value) s = there, p = q;
      }
    }
  }
  const double rounding = 1e-15 * (std::abs(r.x) + std::abs(r.y) + std::abs(r.z) + reach);
  for (int k = 0; k < 60 && std::hypot(s.gradient.x, s.gradient.y) > rounding; ++k) {
    const Plane step = descent(s);
    Plane q;
    Square there{};
    double part = 1.0;
    for (; part > 1e-3; part *= 0.5) {
      q = {p.x + part * step.x, p.y + part * step.y};
      // near the foot the square is flat to rounding, but its gradient still falls
      there = at(q);
      if (there.value < s.value || is_flatter(there, s)) break;
    }
    if (part <= 1e-3) break;
    p = q, s = there;
  }
  const Height h = height(p.x, p.y);
  const double length = std::sqrt(1 + h.x * h.x + h.y * h.y);
  const Vec3d n{-h.x / length, -h.y / length, 1 / length};
  Foot foot{.x = p.x,
            .distance = n.x * (r.x - p.x) + n.y * (r.y - p.y) + n.z * (r.z - h.value),
            .normal = n,
            .tangent = {},
            .bend = 0.0,
            .y = p.y};
  // Along a direction d of the tangent plane the foot moves by dp, and the normal by -(D2h dp) across n, over its length.
  const Vec3d t1 = normalized({1, 0, h.x}), t2 = cross(n, t1);
  const auto moved = [&](const Vec3d& d) { return s.hessian.solve({d.x + h.x * d.z, d.y + h.y * d.z}); };
  const auto turned = [&](const Plane& dp, const Vec3d& t) {
    return -(t.x * (h.xx * dp.x + h.xy * dp.y) + t.y * (h.xy * dp.x + h.yy * dp.y)) / length;
  };
  const bool is_nearest = s.hessian.least() > 0.0;  // else it is no minimum, and has no such derivatives
  const Plane p1 = moved(t1), p2 = moved(t2);
  const Symmetric w{is_nearest ? turned(p1, t1) : 0.0, is_nearest ? turned(p2, t1) : 0.0,
                    is_nearest ? turned(p2, t2) : 0.0};
  const double angle = 0.5 * std::atan2(2 * w.xy, w.xx - w.yy), c = std::cos(angle), sine = std::sin(angle);
  foot.tangent = c * t1 + sine * t2, foot.other_tangent = c * t2 - sine * t1;
  foot.bend = c * c * w.xx + 2 * c * sine * w.xy + sine * sine * w.yy;
  foot.other_bend = sine * sine * w.xx - 2 * c * sine * w.xy + c * c * w.yy;
  return foot;
}

}  // namespace skyhook::model
