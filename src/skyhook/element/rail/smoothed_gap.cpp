#include "skyhook/element/rail/smoothed_gap.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "skyhook/element/rail/rolling.h"

namespace skyhook::element::rail {
namespace {

constexpr double coarse_step = 1e-3;  // m, on which it is looked where the wheel may touch
constexpr double slack = 2e-5;        // m, what that may miss of a peak of 160 /m
constexpr double cut = 25;            // distances beyond the least one by more than this many nu weigh 1e-11
constexpr double sharpest = 200;      // 1/m, for which the fine nodes are near enough
constexpr double far = 1e30, unseen = 1e12;  // m; a slope that no wheel has

// The trapezoidal rule over a bell whose width is sqrt(nu / bend): exact to exp(-2 pi^2 / 0.7^2) = 3e-18. Steps are halves of halves of a
// coarse one and begin at coarse nodes, so that places of nodes do not jump where a range grows.
double step_for(double nu, double bend) { return 0.7 * std::sqrt(nu / bend); }

}  // namespace

SmoothedGap::SmoothedGap(const WheelOnRail& of, double nu) : of_(of), nu_(nu), rail_(*of.rail) {
  const int cells = std::max(2, static_cast<int>((of.wheel->last() - of.wheel->first()) / coarse_step));
  first_ = of.wheel->first(), last_ = of.wheel->last();
  const double coarse = (last_ - first_) / cells;
  while (coarse_ < 4096 && coarse / coarse_ > step_for(nu, sharpest)) coarse_ *= 2;
  step_ = coarse / coarse_;
  for (int k = 0; k <= cells * coarse_; ++k) {
    const ProfileJet<double> p = of.wheel->jet(first_ + k * step_);
    const bool is_seen = p.y1 > 0 && std::abs(p.z1) < RailHeight::steepest * p.y1;
    nodes_.push_back({p.y, of.radius - p.z, is_seen ? p.z1 / p.y1 : unseen});
    if (k % coarse_ == 0) bends_.push_back(detail::curvature(p));
  }
}

double SmoothedGap::rough_distance(const Node& node, const GapPlace& u, const Turned& turned) const {
  const double tilt = u[3] * node.tau * node.tau;
  if (!(tilt < 0.5) || node.tau == unseen) return far;
  const double X = turned.length * (node.eta + u[3] * node.rho * node.tau), Y = node.rho * (1 - 0.5 * tilt * (1 + 0.25 * tilt));
  const double y = u[0] + X * turned.cosine + Y * turned.sine;
  if (!rail_.contains(y)) return far;
  const RailHeight::Rough rail = rail_.rough(y);
  return (u[1] + X * turned.sine - Y * turned.cosine - rail.z) * rail.cosine;
}

// Runs of coarse nodes beside which the distance counts, with the sharpest curvature of the gap on each.
int SmoothedGap::ranges(const GapPlace& u, const Turned& turned, std::array<Range, 8>& out) const {
  static thread_local std::vector<double> rough;  // as long as the profile: sized at the first call
  const int n = static_cast<int>(bends_.size());
  rough.resize(static_cast<std::size_t>(n));
  double least = far;
  for (int k = 0; k < n; ++k) {
    rough[static_cast<std::size_t>(k)] = rough_distance(nodes_[static_cast<std::size_t>(k * coarse_)], u, turned);
    least = std::min(least, rough[static_cast<std::size_t>(k)]);
  }
  if (least >= far) return 0;
  const double most = least + cut * nu_ + slack;
  int count = 0;
  for (int k = 0; k < n; ++k) {
    if (rough[static_cast<std::size_t>(k)] > most) continue;
    const int begin = std::max(0, k - 1), end = std::min(n - 1, k + 1);
    const bool joins = count > 0 && (begin <= out[static_cast<std::size_t>(count - 1)].end || count == static_cast<int>(out.size()));
    if (!joins) out[static_cast<std::size_t>(count++)] = {begin, end, 1};
    Range& range = out[static_cast<std::size_t>(count - 1)];
    range.end = end;
    const Node& node = nodes_[static_cast<std::size_t>(k * coarse_)];
    const double y = u[0] + node.eta * turned.cosine + node.rho * turned.sine;
    const double rail = rail_.sharpness(y);
    for (int j = begin; j <= end; ++j) range.bend = std::max(range.bend, bends_[static_cast<std::size_t>(j)] + rail);
  }
  return count;
}

// A node near the rail, and its distance.
bool SmoothedGap::look(int k, const GapPlace& u, const Turned& turned, Look& out) const {
  const Node& node = nodes_[static_cast<std::size_t>(k)];
  const double q = u[3], tilt = q * node.tau * node.tau;
  if (!(tilt < 0.99) || node.tau == unseen) return false;
  out.k = k, out.along = node.eta + q * node.rho * node.tau, out.root = std::sqrt(1 - tilt);
  const double X = turned.length * out.along, Y = node.rho * out.root;
  out.dy = X * turned.cosine + Y * turned.sine, out.dz = X * turned.sine - Y * turned.cosine;
  const double y = u[0] + out.dy;
  if (!rail_.contains(y)) return false;
  out.f = rail_.jet(y);
  out.cosine = 1 / std::sqrt(1 + out.f[1] * out.f[1]), out.above = u[1] + out.dz - out.f[0];
  out.distance = out.above * out.cosine;
  return true;
}

// Its weight and its derivatives, onto the sums.
void SmoothedGap::add(const Look& at, double weight, const Turned& turned, bool with_bends, Sums& to) const {
  const Node& node = nodes_[static_cast<std::size_t>(at.k)];
  const double tau = node.tau, s = s_of(at.k), c = at.cosine, c3 = c * c * c;
  const auto& f = at.f;
  const double X_q = turned.length * node.rho * tau + turned.length_q * at.along, Y_q = -0.5 * node.rho * tau * tau / at.root;
  const double y_q = X_q * turned.cosine + Y_q * turned.sine, z_q = X_q * turned.sine - Y_q * turned.cosine;
  const double c_y = -f[1] * f[2] * c3, D_y = -f[1] * c + at.above * c_y, D_z = c;
  const GapPlace d{D_y, D_z, D_z * at.dy - D_y * at.dz, D_y * y_q + D_z * z_q};
  to.all += weight, to.s += weight * s;
  for (std::size_t i = 0; i < 4; ++i) to.u[i] += weight * d[i], to.su[i] += weight * s * d[i];
  if (!with_bends) return;
  const double c_yy = -(f[2] * f[2] + f[1] * f[3]) * c3 + 3 * f[1] * f[1] * f[2] * f[2] * c3 * c * c;
  const double D_yy = -f[2] * c - 2 * f[1] * c_y + at.above * c_yy, D_yz = c_y;
  const double X_qq = 2 * turned.length_q * node.rho * tau + turned.length_qq * at.along,
               Y_qq = -0.25 * node.rho * tau * tau * tau * tau / (at.root * at.root * at.root);
  const double y_qq = X_qq * turned.cosine + Y_qq * turned.sine, z_qq = X_qq * turned.sine - Y_qq * turned.cosine;
  const GapPlace y_u{1, 0, -at.dz, y_q}, z_u{0, 1, at.dy, z_q};
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const double bent = D_yy * y_u[i] * y_u[j] + D_yz * (y_u[i] * z_u[j] + z_u[i] * y_u[j]);
      to.uu[i][j] += weight * (bent - d[i] * d[j] / nu_);
    }
  }
  to.uu[2][2] += weight * (-D_y * at.dy - D_z * at.dz), to.uu[3][2] += weight * (-D_y * z_q + D_z * y_q);
  to.uu[3][3] += weight * (D_y * y_qq + D_z * z_qq);
}

SmoothedGap::Answer SmoothedGap::at(const GapPlace& u, bool with_bends) const {
  Answer out;
  const double length = 1 / std::sqrt(1 + u[3]), length3 = length * length * length;
  const Turned turned{std::cos(u[2]), std::sin(u[2]), length, -0.5 * length3, 0.75 * length3 * length * length};
  std::array<Range, 8> where{};
  const int count = ranges(u, turned, where);
  static thread_local std::vector<Look> near;  // sized at the first calls
  near.clear();
  double least = far;
  for (std::size_t range = 0; range < static_cast<std::size_t>(count); ++range) {
    int stride = coarse_;
    while (stride > 1 && stride * step_ > step_for(nu_, 1.1 * where[range].bend)) stride /= 2;
    for (int k = where[range].begin * coarse_; k <= where[range].end * coarse_; k += stride) {
      Look look_at;
      if (!look(k, u, turned, look_at)) continue;
      look_at.stride = stride;
      least = std::min(least, look_at.distance), near.push_back(look_at);
    }
  }
  if (near.empty()) return out;
  Sums sum;
  out.first_s = last_, out.last_s = first_;
  for (const Look& each : near) {
    if (each.distance > least + cut * nu_) continue;
    out.first_s = std::min(out.first_s, s_of(each.k)), out.last_s = std::max(out.last_s, s_of(each.k));
    add(each, each.stride * std::exp((least - each.distance) / nu_), turned, with_bends, sum);
  }
  const double one = 1 / sum.all;
  out.is_there = true;
  out.g = least - nu_ * std::log(sum.all * step_ / (last_ - first_));
  out.s = sum.s * one;
  for (std::size_t i = 0; i < 4; ++i) out.g_u[i] = sum.u[i] * one;
  for (std::size_t i = 0; i < 4; ++i) {
    out.s_u[i] = -(sum.su[i] * one - out.s * out.g_u[i]) / nu_;
    for (std::size_t j = 0; j <= i && with_bends; ++j)
      out.g_uu[i][j] = out.g_uu[j][i] = sum.uu[i][j] * one + out.g_u[i] * out.g_u[j] / nu_;
  }
  return out;
}

}  // namespace skyhook::element::rail
