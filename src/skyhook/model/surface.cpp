#include "skyhook/model/surface.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>

namespace skyhook::model {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr int parts = 16;  // of a scan, to each side

// Half the derivative of the squared distance to the point of the surface over x; zero at the foot.
double pull(const Surface::Height& h, double x, const Vec3d& r) { return x - r.x + (h.value - r.z) * h.slope; }
double pull_rate(const Surface::Height& h, const Vec3d& r) {
  return 1.0 + h.slope * h.slope + (h.value - r.z) * h.curvature;
}

// H/2 (1 - cos(2 pi u)), u from 0 to 1 along the bump, with three derivatives to x.
std::array<double, 4> bump(const Surface::Parts& p, double x) {
  const double u = (x - p.bump_at) / p.bump_length;
  if (!(u > 0.0 && u < 1.0)) return {};
  const double turn = 2.0 * std::numbers::pi, half = 0.5 * p.bump_height, k = turn / p.bump_length;
  const double c = std::cos(turn * u), s = std::sin(turn * u);
  return {half * (1.0 - c), half * k * s, half * k * k * c, -half * k * k * k * s};
}

}  // namespace

Surface::Surface(Parts given) : parts_(std::move(given)) {
  std::erase_if(parts_.stairs, [](const Stair& s) { return s.rise == 0.0; });  // nothing happens there
  for (const Stair& stair : parts_.stairs) levels_.push_back(levels_.back() + stair.rise);
}

Surface::Height Surface::height(double x, double t, int segment) const {
  Height out;
  out.value = levels_[static_cast<std::size_t>(segment)];
  if (parts_.profile) {
    Dual<1, Dual<1>> twice(Dual<1>::variable(x, 0));
    twice.d[0] = Dual<1>(1.0);
    const auto y = parts_.profile->at(twice);
    out.value += y.v.v, out.slope += y.v.d[0], out.curvature += y.d[0].d[0];
  }
  if (parts_.bump_height != 0.0) {
    const auto b = bump(parts_, x);
    out.value += b[0], out.slope += b[1], out.curvature += b[2];
  }
  if (parts_.lift) {
    const Motion2 up = parts_.lift->value_and_rate(t);
    out.value += up.value, out.rate += up.rate;
  }
  return out;
}

std::array<double, 4> Surface::derivatives(double x, double t, int segment) const {
  const Height h = height(x, t, segment);
  double third = bump(parts_, x)[3];
  if (parts_.profile) {
    Dual<1, Dual<1, Dual<1>>> thrice(Dual<1, Dual<1>>(Dual<1>::variable(x, 0)));
    thrice.v.d[0] = Dual<1>(1.0), thrice.d[0] = Dual<1, Dual<1>>(1.0);
    third += parts_.profile->at(thrice).d[0].d[0].d[0];
  }
  return {h.value, h.slope, h.curvature, third};
}

int Surface::segment_at(double x) const {
  const auto next = std::ranges::upper_bound(parts_.stairs, x, {}, &Stair::at);
  return static_cast<int>(next - parts_.stairs.begin());
}

double Surface::behind_begin(double x, int segment) const {
  return segment == 0 ? never : x - parts_.stairs[static_cast<std::size_t>(segment) - 1].at;
}

double Surface::before_end(double x, int segment) const {
  const auto k = static_cast<std::size_t>(segment);
  return k == parts_.stairs.size() ? never : parts_.stairs[k].at - x;
}

// No farther to either side than the surface is below.
double Surface::nearest_of_scan(const Vec3d& r, double reach) const {
  double best = r.x, least = reach * reach;
  for (int k = -parts; k <= parts; ++k) {
    const double x = r.x + reach * k / parts, dx = x - r.x;
    const double dz = (parts_.profile ? parts_.profile->at(x) : 0.0) + bump(parts_, x)[0] - r.z;
    if (const double square = dx * dx + dz * dz; square < least) least = square, best = x;
  }
  return best;
}

// Newton's method, bisection where it would leave the bracket or where the surface bends away.
Surface::Foot Surface::foot(const Vec3d& r, Search search) const {
  assert(parts_.stairs.empty() && !parts_.lift);
  double x = r.x;
  Height h = height(x);
  const double reach = std::abs(h.value - r.z);
  double low = x - reach, high = x + reach;
  if (search == Search::all && reach > 0.0) {
    x = nearest_of_scan(r, reach), h = height(x);
    low = x - reach / parts, high = x + reach / parts;
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
  const double length = std::sqrt(1 + h.slope * h.slope), rate = pull_rate(h, r);
  const Vec3d normal{-h.slope / length, 0, 1 / length}, tangent{1 / length, 0, h.slope / length};
  const double distance = (r.x - x) * normal.x + (r.z - h.value) * normal.z;
  return {x, distance, normal, tangent, rate > 0 ? -h.curvature / (length * rate) : 0.0};
}

}  // namespace skyhook::model
