#include "skyhook/element/rail/smoothed_gap.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <span>

#include "skyhook/element/rail/rolling.h"

namespace skyhook::element::rail {
namespace {

constexpr double coarse_step = 1e-3;  // m, on which it is looked where the wheel may touch
constexpr double slack = 2e-5;        // m, what that may miss of a peak of 160 /m
constexpr double cut = 20;            // distances beyond the least one by more than this many nu weigh 2e-9
constexpr double sharpest = 200;      // 1/m, for which the fine nodes are near enough
constexpr double far = 1e30;          // m
constexpr double away = 1e3;          // m, where nodes stand that the rail does not see
constexpr double margin = 6e-5;       // m, by which the wheel may move until all nodes are looked at again
constexpr double most_skew = 0.01;    // q up to which that is reckoned

// The trapezoidal rule with steps h over a bell of the width b = sqrt(nu / bend) errs by exp(-2 pi^2 b^2 / h^2), and by less where the bell stands higher up and weighs less: in all
// no more than what lies beyond the cut. Steps are parts of a coarse one and begin at coarse nodes, so that places of nodes do not jump where a range grows.
constexpr double two_pi_squared = 19.739208802178717;
// What the square of the step is inversely proportional to, 1/m.
double demand(double bend, double higher_over_nu) { return bend * std::max(cut - higher_over_nu, 2.0); }
double step_squared(double nu, double most_demand) { return two_pi_squared * nu / most_demand; }
constexpr int divisible = 12;  // coarse steps, into fine ones

// exp(x) of -700 < x <= 0, to rounding: 2^k e^r with |r| <= ln(2)/2, and the series of e^r.
Lanes exp_below_zero(const Lanes& x) {
  constexpr double magic = 6755399441055744.0;  // 1.5 2^52: a number added to it is rounded, and stands in its last bits
  constexpr double ln2_high = 6.93147180369123816490e-01, ln2_low = 1.90821492927058770002e-10;
  const Lanes rounded = x * Lanes(1.44269504088896340736) + Lanes(magic), k = rounded - Lanes(magic);
  const Lanes r = x - k * Lanes(ln2_high) - k * Lanes(ln2_low);
  Lanes sum(1.0 / 479001600);  // 1/12!
  for (const double c : {1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5, 1.0, 1.0})
    sum = sum * r + Lanes(c);
  using Bits = LaneMask::Bits;
  constexpr long long one = 0x3ff0000000000000LL;
  return sum * Lanes(Lanes::Register((Bits(rounded.v) << 52) + Bits{one, one, one, one}));
}

double total(const Lanes& x) { return (x[0] + x[1]) + (x[2] + x[3]); }

}  // namespace

SmoothedGap::SmoothedGap(const WheelOnRail& of, double nu) : of_(of), nu_(nu), rail_(*of.rail) {
  static std::atomic<unsigned> count{0};
  number_ = count++;
  const int cells = std::max(2, static_cast<int>((of.wheel->last() - of.wheel->first()) / coarse_step));
  first_ = of.wheel->first(), last_ = of.wheel->last();
  const double coarse = (last_ - first_) / cells;
  const double finest = std::sqrt(step_squared(nu, demand(sharpest, 0)));
  while (coarse_ < 4092 && coarse / coarse_ > finest) coarse_ += divisible;
  step_ = coarse / coarse_;
  for (int k = 0; k <= cells * coarse_; ++k) {
    const ProfileJet<double> p = of.wheel->jet(first_ + k * step_);
    const bool is_seen = p.y1 > 0 && std::abs(p.z1) < RailHeight::steepest * p.y1;
    widest_ = std::max(widest_, std::abs(p.y)), largest_ = std::max(largest_, of.radius - p.z);
    eta_.push_back(is_seen ? p.y : away), rho_.push_back(of.radius - p.z), tau_.push_back(is_seen ? p.z1 / p.y1 : 0.0);
    if (k % coarse_ != 0) continue;
    coarse_eta_.push_back(eta_.back()), coarse_rho_.push_back(rho_.back()), coarse_tau_.push_back(tau_.back());
    bends_.push_back(detail::curvature(p));
  }
  const std::vector<double> bends = bends_;  // the sharpest within a coarse step
  for (std::size_t k = 0; k < bends.size(); ++k) bends_[k] = std::max({bends[k > 0 ? k - 1 : 0], bends[k], bends[std::min(k + 1, bends.size() - 1)]});
  while (coarse_eta_.size() % Lanes::count != 0) coarse_eta_.push_back(away), coarse_rho_.push_back(of.radius), coarse_tau_.push_back(0.0);
}

void SmoothedGap::rough_four(const GapPlace& u, const Turned& turned, std::size_t k, Kept& out) const {
  const Lanes q(u[3]), length(turned.length), cosine(turned.cosine), sine(turned.sine);
  const Lanes eta = Lanes::load(&coarse_eta_[k]), rho = Lanes::load(&coarse_rho_[k]), tau = Lanes::load(&coarse_tau_[k]);
  const Lanes tilt = q * tau * tau, X = length * (eta + q * rho * tau), Y = rho * (Lanes(1.0) - Lanes(0.5) * tilt * (Lanes(1.0) + Lanes(0.25) * tilt));
  const Lanes y = Lanes(u[0]) + X * cosine + Y * sine, z = Lanes(u[1]) + X * sine - Y * cosine;
  const LaneMask is_above = (tilt < Lanes(0.5)) & (y >= Lanes(rail_.first())) & (y < Lanes(rail_.last()));
  for (int i = 0; i < Lanes::count; ++i) {
    const std::size_t at = k + static_cast<std::size_t>(i);
    out.rough[at] = far;
    if (!is_above[i]) continue;
    const RailHeight::Rough rail = rail_.rough(y[i]);
    out.rough[at] = (z[i] - rail.z) * rail.cosine, out.sharpness[at] = rail.sharpness;
  }
}

// How far any node may have come nearer: with the centre, by the turn about it, and by what q does to X and Y, (tau + 0.6 tau^2) rho + eta / 2 at most.
bool SmoothedGap::has_moved(const GapPlace& from, const GapPlace& to) const {
  constexpr double tau = RailHeight::steepest;
  const double by_q = (tau + 0.6 * tau * tau) * largest_ + 0.5 * widest_;
  const double way = std::hypot(to[0] - from[0], to[1] - from[1]) + (widest_ + largest_) * std::abs(to[2] - from[2]) + by_q * std::abs(to[3] - from[3]);
  return !(way <= margin && to[3] < most_skew);
}

// Those that count where the wheel has moved by the margin, and the least distance with it. A distance shrinks by the move and, where the slope of the rail changes under a node that is
// above it, by a twentieth of itself. Nodes beside the ends of the rail may come above it.
void SmoothedGap::choose_fours(const GapPlace& u, const Turned& turned, Kept& to) const {
  to.rough.resize(coarse_eta_.size()), to.sharpness.resize(coarse_eta_.size());
  for (std::size_t k = 0; k < coarse_eta_.size(); k += Lanes::count) rough_four(u, turned, k, to);
  const double most = *std::ranges::min_element(to.rough) + cut * nu_ + slack + 4 * margin, ends = 10 * margin;
  const auto may_count = [&](std::size_t k) {
    if (to.rough[k] < far) return to.rough[k] <= most;
    const double y = u[0] + coarse_eta_[k] * turned.cosine + coarse_rho_[k] * turned.sine;
    return y > rail_.first() - ends && y < rail_.last() + ends;
  };
  to.fours.clear();
  for (std::size_t k = 0; k < coarse_eta_.size(); k += Lanes::count) {
    if (may_count(k) || may_count(k + 1) || may_count(k + 2) || may_count(k + 3)) to.fours.push_back(static_cast<int>(k));
  }
}

const SmoothedGap::Kept& SmoothedGap::rough_distances(const GapPlace& u, const Turned& turned) const {
  static thread_local std::array<Kept, 128> all;
  Kept& kept = all[number_ % all.size()];
  if (kept.number != number_ || has_moved(kept.at, u)) {
    choose_fours(u, turned, kept);
    kept.number = number_, kept.at = u;
  } else {
    for (const int k : kept.fours) rough_four(u, turned, static_cast<std::size_t>(k), kept);
  }
  return kept;
}

// Runs of coarse nodes beside which the distance counts, with what the gap asks of the step on each.
int SmoothedGap::ranges(const GapPlace& u, const Turned& turned, std::array<Range, 8>& out) const {
  const Kept& near = rough_distances(u, turned);
  const int n = static_cast<int>(bends_.size());
  Lanes lowest(far);
  for (const int four : near.fours) lowest = min(lowest, Lanes::load(&near.rough[static_cast<std::size_t>(four)]));
  const double least = std::min(std::min(lowest[0], lowest[1]), std::min(lowest[2], lowest[3])), per_nu = 1 / nu_;
  if (least >= far) return 0;
  const double most = least + cut * nu_ + slack;
  int count = 0;
  const auto take = [&](int k) {
    const int begin = std::max(0, k - 1), end = std::min(n - 1, k + 1);
    const bool joins = count > 0 && (begin <= out[static_cast<std::size_t>(count - 1)].end || count == static_cast<int>(out.size()));
    if (!joins) out[static_cast<std::size_t>(count++)] = {begin, end, 0};
    Range& range = out[static_cast<std::size_t>(count - 1)];
    range.end = end;
    const auto at = static_cast<std::size_t>(k);
    const double bend = std::max(1.0, bends_[at] + near.sharpness[at]);
    range.demand = std::max(range.demand, demand(1.1 * bend, (near.rough[at] - least - slack) * per_nu));
  };
  for (const int four : near.fours) {
    const LaneMask counts = Lanes::load(&near.rough[static_cast<std::size_t>(four)]) <= Lanes(most);
    if (!any(counts)) continue;
    for (int i = 0; i < Lanes::count; ++i) {
      if (counts[i]) take(four + i);
    }
  }
  return count;
}

// Four nodes near the rail, none of them behind `last`, and their distances.
void SmoothedGap::look(int last, const GapPlace& u, const Turned& turned, Look& out) const {
  const auto first = static_cast<std::size_t>(out.k), stride = static_cast<std::size_t>(out.stride);
  const bool is_whole = out.k + 3 * out.stride <= last;
  if (is_whole) {
    const auto four = [&](const std::vector<double>& of) { return Lanes(of[first], of[first + stride], of[first + 2 * stride], of[first + 3 * stride]); };
    out.eta = four(eta_), out.rho = four(rho_), out.tau = four(tau_);
  } else {
    const auto at = [&](std::size_t lane) { return std::min(first + lane * stride, static_cast<std::size_t>(last)); };
    const auto four = [&](const std::vector<double>& of) { return Lanes(of[at(0)], of[at(1)], of[at(2)], of[at(3)]); };
    out.eta = four(eta_), out.rho = four(rho_), out.tau = four(tau_);
  }
  const Lanes q(u[3]), tilt = q * out.tau * out.tau;
  out.along = out.eta + q * out.rho * out.tau, out.root = sqrt(max(Lanes(1.0) - tilt, Lanes(0.01)));
  const Lanes X = Lanes(turned.length) * out.along, Y = out.rho * out.root;
  out.dy = X * Lanes(turned.cosine) + Y * Lanes(turned.sine), out.dz = X * Lanes(turned.sine) - Y * Lanes(turned.cosine);
  const Lanes y = Lanes(u[0]) + out.dy;
  out.f = rail_.jet(y);
  out.cosine = Lanes(1.0) / sqrt(Lanes(1.0) + out.f[1] * out.f[1]), out.above = Lanes(u[1]) + out.dz - out.f[0];
  LaneMask counts = (tilt < Lanes(0.99)) & (y >= Lanes(rail_.first())) & (y < Lanes(rail_.last()));
  if (!is_whole) counts = counts & (Lanes(out.k) + Lanes(out.stride) * Lanes(0, 1, 2, 3) <= Lanes(last));
  out.distance = select(counts, out.above * out.cosine, Lanes(far));
}

// Their weights and derivatives, onto the sums.
void SmoothedGap::add(const Look& at, const Lanes& weight, const Turned& turned, bool with_bends, Sums& to) const {
  const Lanes cosine(turned.cosine), sine(turned.sine), half(0.5);
  const Lanes &tau = at.tau, &c = at.cosine, c3 = c * c * c;
  const Lanes s = Lanes(s_of(at.k)) + Lanes(at.stride * step_) * Lanes(0, 1, 2, 3);
  const auto& f = at.f;
  const Lanes slope = at.rho * tau, X_q = Lanes(turned.length) * slope + Lanes(turned.length_q) * at.along, Y_q = -(half * slope * tau / at.root);
  const Lanes y_q = X_q * cosine + Y_q * sine, z_q = X_q * sine - Y_q * cosine;
  const Lanes c_y = -(f[1] * f[2] * c3), D_y = at.above * c_y - f[1] * c, D_z = c;
  const std::array<Lanes, 4> d{D_y, D_z, D_z * at.dy - D_y * at.dz, D_y * y_q + D_z * z_q};
  const Lanes weighted_s = weight * s;
  to.all += weight, to.s += weighted_s;
  for (std::size_t i = 0; i < 4; ++i) to.u[i] += weight * d[i], to.su[i] += weighted_s * d[i];
  if (!with_bends) return;
  const Lanes c_yy = Lanes(3.0) * f[1] * f[1] * f[2] * f[2] * c3 * c * c - (f[2] * f[2] + f[1] * f[3]) * c3;
  const Lanes D_yy = at.above * c_yy - f[2] * c - Lanes(2.0) * f[1] * c_y, D_yz = c_y;
  const Lanes X_qq = Lanes(2 * turned.length_q) * slope + Lanes(turned.length_qq) * at.along,
              Y_qq = -(Lanes(0.25) * slope * tau * tau * tau / (at.root * at.root * at.root));
  const Lanes y_qq = X_qq * cosine + Y_qq * sine, z_qq = X_qq * sine - Y_qq * cosine;
  const std::array<Lanes, 4> y_u{Lanes(1.0), Lanes(0.0), -at.dz, y_q}, z_u{Lanes(0.0), Lanes(1.0), at.dy, z_q};
  const Lanes one_nu(1 / nu_);
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const Lanes bent = D_yy * y_u[i] * y_u[j] + D_yz * (y_u[i] * z_u[j] + z_u[i] * y_u[j]);
      to.uu[i][j] += weight * (bent - d[i] * d[j] * one_nu);
    }
  }
  to.uu[2][2] -= weight * (D_y * at.dy + D_z * at.dz), to.uu[3][2] += weight * (D_z * y_q - D_y * z_q);
  to.uu[3][3] += weight * (D_y * y_qq + D_z * z_qq);
}

// The largest one that divides a coarse step.
int SmoothedGap::stride_for(double step2) const {
  int stride = coarse_;
  while (stride > 1 && (coarse_ % stride != 0 || stride * step_ * stride * step_ > step2)) --stride;
  return stride;
}

SmoothedGap::Answer SmoothedGap::at(const GapPlace& u, bool with_bends) const {
  Answer out;
  const double length = 1 / std::sqrt(1 + u[3]), length3 = length * length * length;
  const Turned turned{std::cos(u[2]), std::sin(u[2]), length, -0.5 * length3, 0.75 * length3 * length * length};
  std::array<Range, 8> where{};
  const int count = ranges(u, turned, where);
  static thread_local std::vector<Look> looks;  // grows at the first calls
  std::size_t used = 0;
  Lanes nearest(far);
  for (std::size_t range = 0; range < static_cast<std::size_t>(count); ++range) {
    const int stride = stride_for(step_squared(nu_, where[range].demand)), end = where[range].end * coarse_;
    for (int k = where[range].begin * coarse_; k <= end; k += Lanes::count * stride) {
      if (used == looks.size()) looks.emplace_back();
      Look& four = looks[used++];
      four.k = k, four.stride = stride;
      look(end, u, turned, four);
      nearest = min(nearest, four.distance);
    }
  }
  const std::span<const Look> near(looks.data(), used);
  const double least = std::min(std::min(nearest[0], nearest[1]), std::min(nearest[2], nearest[3]));
  if (least >= far) return out;
  Sums sum;
  out.first_s = last_, out.last_s = first_;
  for (const Look& four : near) {
    const LaneMask counts = four.distance <= Lanes(least + cut * nu_);
    if (!any(counts)) continue;
    const int first = counts[0] ? 0 : counts[1] ? 1 : counts[2] ? 2 : 3, last = counts[3] ? 3 : counts[2] ? 2 : counts[1] ? 1 : 0;
    out.first_s = std::min(out.first_s, s_of(four.k + first * four.stride)), out.last_s = std::max(out.last_s, s_of(four.k + last * four.stride));
    const Lanes depth = max((Lanes(least) - four.distance) * Lanes(1 / nu_), Lanes(-2 * cut));
    add(four, select(counts, Lanes(four.stride) * exp_below_zero(depth), Lanes(0.0)), turned, with_bends, sum);
  }
  const double all = total(sum.all), one = 1 / all;
  out.is_there = true;
  out.g = least - nu_ * std::log(all * step_ / (last_ - first_));
  out.s = total(sum.s) * one;
  for (std::size_t i = 0; i < 4; ++i) out.g_u[i] = total(sum.u[i]) * one;
  for (std::size_t i = 0; i < 4; ++i) {
    out.s_u[i] = -(total(sum.su[i]) * one - out.s * out.g_u[i]) / nu_;
    for (std::size_t j = 0; j <= i && with_bends; ++j)
      out.g_uu[i][j] = out.g_uu[j][i] = total(sum.uu[i][j]) * one + out.g_u[i] * out.g_u[j] / nu_;
  }
  return out;
}

}  // namespace skyhook::element::rail
