#include "skyhook/element/rail/contact_gap.h"

#include <algorithm>
#include <cmath>

#include "skyhook/element/rail/wheel_over_plane.h"

namespace skyhook::element::rail {

ContactGap::ContactGap(const RailPair& pair, const AxlePlace& place, const RailContact& contact, double angle,
                       double depth)
    : pair_(pair),
      place_(place),
      turn_(place),
      contact_(contact),
      angle_(angle),
      depth_(depth),
      c_(std::cos(angle)),
      s_(std::sin(angle)) {}

// Newton's method for the lengths at which either curve has passed t.
ContactGap::Across ContactGap::at(double t) const {
  using D = Dual<1>;
  Across out{contact_.s + t, contact_.sigma + t, 0, 0, 0};
  double rail_up = 0, wheel_up = 0;
  for (int pass = 0; pass < 20; ++pass) {
    const ProfileJet<double> r = pair_.rail().jet(out.sigma);
    const double y = r.y - contact_.rail.y, z = r.z - contact_.rail.z;
    rail_up = c_ * z - s_ * y;
    const double step = (c_ * y + s_ * z - t) / (c_ * r.y1 + s_ * r.z1);
    out.sigma -= step;
    if (std::abs(step) < 1e-13) break;
  }
  for (int pass = 0; pass < 20; ++pass) {
    const SilhouettePoint<D> w =
        silhouette(pair_.wheel().jet(D::variable(out.s, 0)), turn_, pair_.half(), pair_.radius());
    const D y = w.at.y - D(contact_.y), z = w.at.z + D(contact_.height - contact_.z - depth_);
    wheel_up = c_ * z.v - s_ * y.v, out.x = w.at.x.v - contact_.x;
    const D along = D(c_) * y + D(s_) * z;
    const double step = (along.v - t) / along.d[0];
    out.s -= step;
    if (std::abs(step) < 1e-13) break;
  }
  out.gap = wheel_up - rail_up + c_ * depth_;
  out.curvature = 2 * relative_curvatures(pair_.contact_at(turn_, out.s, out.sigma)).along;
  return out;
}

// In steps of a hundredth of a millimetre of the wheel's profile. Seen along z the wheel goes down as a whole, and the overlap over y is the depth less the gap; along x it is a parabola, whose square has
// an integral that goes with the power 2.5 of its height.
ContactGap::Overlap ContactGap::overlap(double low, double high) const {
  constexpr double step = 1e-5;
  const Profile &wheel = pair_.wheel(), &rail = pair_.rail();
  const auto t_of = [&](const ProfilePoint<double>& p) {
    return c_ * (p.y - contact_.rail.y) + s_ * (p.z - contact_.rail.z);
  };
  Overlap out{};
  double sum = 0, before = std::nan("");
  bool was_in = false;
  const double first = std::max(contact_.s + low, wheel.first()), last = std::min(contact_.s + high, wheel.last());
  for (double s = first; s < last; s += step) {
    const SilhouettePoint<double> p = silhouette(wheel.jet(s), turn_, pair_.half(), pair_.radius());
    const double y = p.at.y - pair_.rail_y(), width = std::abs(y - before);
    before = y;
    if (!p.is_seen || !(y > rail.first_y() && y < rail.last_y())) {
      was_in = false;
      continue;
    }
    const ProfileJet<double> at = rail.jet(rail.s_at(y));
    const double deep = depth_ - (p.at.z + contact_.height - at.z);
    const bool is_in = deep > 0, begins = is_in && !was_in;
    was_in = is_in;
    if (!is_in) continue;
    const double t = t_of({at.y, at.z});
    if (begins) out.pieces.push_back({t, t});
    out.pieces.back().last = t;
    const double weight = deep * deep * std::sqrt(deep) * (std::isfinite(width) ? width : 0.0);
    sum += weight, out.x += weight * (p.at.x - contact_.x), out.y += weight * y,
        out.angle += weight * std::atan2(at.z1, at.y1);
  }
  if (!(sum > 0)) return {0, contact_.rail.y, contact_.angle, 0, {}};
  out.x /= sum, out.y /= sum, out.angle /= sum;
  out.t = t_of(rail.at(rail.s_at(out.y)));
  return out;
}

double ContactGap::rail_distance(double t1, double t2) const {
  const ProfilePoint<double> a = pair_.rail().at(at(t1).sigma), b = pair_.rail().at(at(t2).sigma);
  return std::hypot(a.y - b.y, a.z - b.z);
}

// Of a scan, and the parabola through the deepest place and its neighbours.
double ContactGap::deepest(double low, double high) const {
  constexpr int steps = 200;
  std::vector<double> gaps;
  for (int k = 0; k <= steps; ++k) gaps.push_back(at(low + (high - low) * k / steps).gap);
  const auto k = static_cast<std::size_t>(std::ranges::min_element(gaps) - gaps.begin());
  if (k == 0 || k == gaps.size() - 1) return -gaps[k];
  const double slope = (gaps[k + 1] - gaps[k - 1]) / 2, bend = gaps[k + 1] - 2 * gaps[k] + gaps[k - 1];
  return -gaps[k] + (bend > 0 ? slope * slope / (2 * bend) : 0.0);
}

double ContactGap::ridge(double t) const {
  double widest = 0, out = 0;
  for (int k = 1; k < 40; ++k) {
    const double gap = at(t * k / 40).gap;
    if (gap > widest) widest = gap, out = t * k / 40;
  }
  return out;
}

GapGrid ContactGap::grid(double approach, const Reach& reach, int cells, double cell) const {
  const double step = reach.width / 8, beyond = std::max(5 * reach.width, reach.apart);
  double pressed = 0;                                // of the way across
  const auto end = [&](double sign, double limit) {  // up to where the gap stays open
    double last = 0;
    for (double t = 0; std::abs(t) < std::min(std::abs(last) + beyond, std::abs(limit)); t += sign * step) {
      const Across a = at(t);
      if (!(std::abs(a.gap) < 1e-3)) break;  // the slope of a profile has turned away
      if (a.gap < approach) last = t, pressed += step;
    }
    return last + 2 * sign * step;
  };
  const double low = end(-1, reach.lowest), high = end(1, reach.highest),
               length = std::sqrt(approach / relative_curvatures(contact_).along) * 1.05;
  const double pieces =
      std::clamp((high - low) / (pressed + 4 * step), 1.0, 3.0);  // cells across are not wasted on what is open
  GapGrid g;
  if (cell > 0) {
    const auto first = [&](double from, double middle) { return std::floor((from - middle) / cell) - 1; };
    const auto count = [&](double from, double to, double middle) {
      return static_cast<int>(std::ceil((to - middle) / cell) + 2 - first(from, middle));
    };
    g.dx = g.dy = cell;
    g.nx = count(-length, length, reach.x), g.ny = count(low, high, reach.t);
    g.x0 = reach.x + cell * first(-length, reach.x), g.y0 = reach.t + cell * first(low, reach.t);
  } else {
    g.nx = cells, g.ny = static_cast<int>(pieces * cells);
    g.dx = 2 * length / g.nx, g.dy = (high - low) / g.ny;
    g.x0 = -g.dx * (g.nx - 1) / 2, g.y0 = low + g.dy / 2;
  }
  for (int k = 0; k < g.ny; ++k) add_row(g.y(k), g);
  return g;
}

// From the silhouette to either side. Where the wheel ends its circle goes on as a parabola.
void ContactGap::add_row(double t, GapGrid& g) const {
  const Across a = at(t);
  const WheelOverPlane wheel(pair_.wheel(), place_, pair_.half(), pair_.radius(),
                             {{contact_.x, contact_.y, contact_.z - contact_.height + depth_}, angle_});
  const SilhouettePoint<double> lowest = silhouette(pair_.wheel().jet(a.s), turn_, pair_.half(), pair_.radius());
  const WheelOverPlane::At from{a.s, std::asin(lowest.sine)};
  const double up = wheel.point(from).z;
  const std::size_t row = g.gap.size();
  g.gap.resize(row + static_cast<std::size_t>(g.nx));
  const auto set = [&](int i, WheelOverPlane::At& near) {
    const double beside = g.x(i) - a.x, above = wheel.height(g.x(i), t, near) - up;
    g.gap[row + static_cast<std::size_t>(i)] =
        a.gap + (std::isfinite(above) ? above : a.curvature * beside * beside / 2);
  };
  const int middle = std::clamp(static_cast<int>(std::lround((a.x - g.x0) / g.dx)), 0, g.nx - 1);
  WheelOverPlane::At near = from;
  for (int i = middle; i < g.nx; ++i) set(i, near);
  near = from;
  for (int i = middle - 1; i >= 0; --i) set(i, near);
}

}  // namespace skyhook::element::rail
