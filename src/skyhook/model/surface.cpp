#include "skyhook/model/surface.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "skyhook/model/bend_of.h"

namespace skyhook::model {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr int scan = 16;  // of a scan, to each side

// Half the derivative of the squared distance to the point of the surface over x; zero at the foot.
double pull(const Bend& h, double x, const Vec3d& r) { return x - r.x + (h.value - r.z) * h.x; }
double pull_rate(const Bend& h, const Vec3d& r) { return 1.0 + h.x * h.x + (h.value - r.z) * h.xx; }

// From 0 to 1 over a blend, half at 0.
template <class T>
T inside(const T& depth) {
  const T s = depth / T(Patch::blend) + T(0.5);
  if (value_of(s) <= 0.0) return T(0.0);
  if (value_of(s) >= 1.0) return T(1.0);
  return s * s * (T(3.0) - T(2.0) * s);
}

template <class T>
T friction_of(const Surface::Parts& parts, const T& x, const T& y) {
  const T u = T(parts.along) * x, v = T(parts.across) * y;
  T out(parts.friction);
  for (const Patch& p : parts.patches) {
    const T part =
        inside(u - T(p.x_first)) * inside(T(p.x_last) - u) * inside(v - T(p.y_first)) * inside(T(p.y_last) - v);
    out += part * (T(p.friction) - out);
  }
  return out;
}

}  // namespace

Surface::Surface(Parts given) : parts_(std::move(given)) {
  std::erase_if(parts_.stairs, [](const Stair& s) { return s.rise == 0.0; });  // nothing happens there
  for (const Stair& stair : parts_.stairs) levels_.push_back(levels_.back() + stair.rise);
  for (const auto& relief : parts_.reliefs) varies_across_ = varies_across_ || relief->varies_across();
}

Surface::Height Surface::height(double x, double y, double t, int segment) const {
  const double u = parts_.along * x, v = parts_.across * y;
  Height out;
  out.value = levels_[static_cast<std::size_t>(segment)];
  if (parts_.profile) out += bend_of(*parts_.profile, u);
  for (const auto& relief : parts_.reliefs) out += relief->at(u, v);
  const auto raise = [&](const Motion& lift) {
    const Motion2 up = lift.value_and_rate(t);
    out.value += up.value, out.rate += up.rate;
  };
  if (parts_.lift) raise(*parts_.lift);
  if (!parts_.posts.empty()) raise(post_below(u, v).lift);
  out.x *= parts_.along, out.y *= parts_.across, out.xy *= parts_.along * parts_.across;
  return out;
}

const Surface::Post& Surface::post_below(double x, double y) const {
  return *std::ranges::min_element(parts_.posts, {},
                                   [&](const Post& p) { return (x - p.x) * (x - p.x) + (y - p.y) * (y - p.y); });
}

double Surface::friction(double x, double y) const { return friction_of(parts_, x, y); }

FrictionSlope Surface::friction_slope(double x, double y) const {
  if (parts_.patches.empty()) return {parts_.friction, 0.0, 0.0};
  const Dual<2> f = friction_of(parts_, Dual<2>::variable(x, 0), Dual<2>::variable(y, 1));
  return {f.v, f.d[0], f.d[1]};
}

void Surface::look(double x, double y, TableLooks& looks) const {
  const double u = parts_.along * x, v = parts_.across * y;
  if (parts_.profile) add_look(*parts_.profile, "profile", "way x", "m", u, looks);
  for (const auto& relief : parts_.reliefs) relief->look(u, v, looks);
}

int Surface::segment_at(double x) const {
  const auto next = std::ranges::upper_bound(parts_.stairs, parts_.along * x, {}, &Stair::at);
  return static_cast<int>(next - parts_.stairs.begin());
}

double Surface::behind_begin(double x, int segment) const {
  return segment == 0 ? never : parts_.along * x - parts_.stairs[static_cast<std::size_t>(segment) - 1].at;
}

double Surface::before_end(double x, int segment) const {
  const auto k = static_cast<std::size_t>(segment);
  return k == parts_.stairs.size() ? never : parts_.stairs[k].at - parts_.along * x;
}

Surface::Foot Surface::foot(const Vec3d& r, Search search) const {
  assert(is_smooth_and_still());
  return varies_across_ ? foot_in_space(r, search) : foot_in_plane(r, search);
}

double Surface::value_along(double x) const {
  const double u = parts_.along * x;
  double out = parts_.profile ? parts_.profile->at(u) : 0.0;
  for (const auto& relief : parts_.reliefs) out += relief->at(u, 0.0).value;
  return out;
}

// No farther to either side than the surface is below.
double Surface::nearest_of_scan(const Vec3d& r, double reach) const {
  double best = r.x, least = reach * reach;
  for (int k = -scan; k <= scan; ++k) {
    const double x = r.x + reach * k / scan, dx = x - r.x, dz = value_along(x) - r.z;
    if (const double square = dx * dx + dz * dz; square < least) least = square, best = x;
  }
  return best;
}

// Newton's method, bisection where it would leave the bracket or where the surface bends away.
Surface::Foot Surface::foot_in_plane(const Vec3d& r, Search search) const {
  double x = r.x;
  Bend h = height(x);
  const double reach = std::abs(h.value - r.z);
  double low = x - reach, high = x + reach;
  if (search == Search::all && reach > 0.0) {
    x = nearest_of_scan(r, reach), h = height(x);
    low = x - reach / scan, high = x + reach / scan;
  }
  for (int k = 0; k < 60; ++k) {
    const double f = pull(h, x, r), rate = pull_rate(h, r);
    if (rate > 0 && std::abs(f) <= 1e-15 * (std::abs(x) + std::abs(r.z) + reach) * rate) break;
    (f > 0 ? high : low) = x;
    double next = rate > 0 ? x - f / rate : 0.5 * (low + high);
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (next == x) break;
    x = next, h = height(x);
  }
  const double length = std::sqrt(1 + h.x * h.x), rate = pull_rate(h, r);
  const Vec3d normal{-h.x / length, 0, 1 / length}, tangent{1 / length, 0, h.x / length};
  const double distance = (r.x - x) * normal.x + (r.z - h.value) * normal.z;
  return {x, distance, normal, tangent, rate > 0 ? -h.xx / (length * rate) : 0.0, r.y};
}

}  // namespace skyhook::model
