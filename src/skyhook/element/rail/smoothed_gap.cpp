#include "skyhook/element/rail/smoothed_gap.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "skyhook/base/kept_answers.h"
#include "skyhook/element/rail/kept_on_thread.h"
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
// no more than what lies beyond the cut. Steps are whole numbers of fine ones and nodes their multiples, so that places of nodes do not jump where a range grows.
constexpr double two_pi_squared = 19.739208802178717;
// What the square of the step is inversely proportional to, 1/m.
double demand(double bend, double higher_over_nu) { return bend * std::max(cut - higher_over_nu, 2.0); }
double step_squared(double nu, double most_demand) { return two_pi_squared * nu / most_demand; }
constexpr double no_bell = 2;  // times the bend of a profile: its curvature changes along the peak
constexpr double parts = 4;  // fine steps in the shortest one: steps are shorter than they might be by a fifth at most

// exp(x) of -700 < x <= 0, to rounding: 2^k e^r with |r| <= ln(2)/2, and the series of e^r.
Lanes exp_below_zero(const Lanes& x) {
  constexpr double magic =
      6755399441055744.0;  // 1.5 2^52: a number added to it is rounded, and stands in its last bits
  constexpr double ln2_high = 6.93147180369123816490e-01, ln2_low = 1.90821492927058770002e-10;
  const Lanes rounded = x * Lanes(1.44269504088896340736) + Lanes(magic), k = rounded - Lanes(magic);
  const Lanes r = x - k * Lanes(ln2_high) - k * Lanes(ln2_low);
  Lanes sum(1.0 / 479001600);  // 1/12!
  for (const double c : {1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120,
                         1.0 / 24, 1.0 / 6, 0.5, 1.0, 1.0})
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
  coarse_ = std::clamp(static_cast<int>(std::ceil(parts * coarse / finest)), 8, 4096);
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
  for (std::size_t k = 0; k < bends.size(); ++k)
    bends_[k] = std::max({bends[k > 0 ? k - 1 : 0], bends[k], bends[std::min(k + 1, bends.size() - 1)]});
  while (coarse_eta_.size() % Lanes::count != 0)
    coarse_eta_.push_back(away), coarse_rho_.push_back(of.radius), coarse_tau_.push_back(0.0), bends_.push_back(0.0);
}

SmoothedGap::Kept& SmoothedGap::kept() const {
  auto& all = kept_on_thread<Kept>();
  return all[number_ % all.size()];
}

void SmoothedGap::rough_four(const GapPlace& u, const Turned& turned, std::size_t k, Kept& out) const {
  const Lanes q(u[3]), length(turned.length), cosine(turned.cosine), sine(turned.sine);
  const Lanes eta = Lanes::load(&coarse_eta_[k]), rho = Lanes::load(&coarse_rho_[k]),
              tau = Lanes::load(&coarse_tau_[k]);
  const Lanes tilt = q * tau * tau, X = length * (eta + q * rho * tau),
              Y = rho * (Lanes(1.0) - Lanes(0.5) * tilt * (Lanes(1.0) + Lanes(0.25) * tilt));
  const Lanes y = Lanes(u[0]) + X * cosine + Y * sine, z = Lanes(u[1]) + X * sine - Y * cosine;
  const LaneMask is_above = (tilt < Lanes(0.5)) & (y >= Lanes(rail_.first())) & (y < Lanes(rail_.last()));
  const RailHeight::Rough rail = rail_.rough(y);
  select(is_above, (z - rail.z) * rail.cosine, Lanes(far)).store(&out.rough[k]);
  rail.sharpness.store(&out.sharpness[k]);
}

// How far any node may have come nearer: with the centre, by the turn about it, and by what q does to X and Y, (tau + 0.6 tau^2) rho + eta / 2 at most.
bool SmoothedGap::has_moved(const GapPlace& from, const GapPlace& to) const {
  constexpr double tau = RailHeight::steepest;
  const double by_q = (tau + 0.6 * tau * tau) * largest_ + 0.5 * widest_;
  const double way = std::hypot(to[0] - from[0], to[1] - from[1]) + (widest_ + largest_) * std::abs(to[2] - from[2]) +
                     by_q * std::abs(to[3] - from[3]);
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
    if (may_count(k) || may_count(k + 1) || may_count(k + 2) || may_count(k + 3))
      to.fours.push_back(static_cast<int>(k));
  }
}

void SmoothedGap::find_rough_distances(const GapPlace& u, Kept& to) const {
  if (to.number != number_ || has_moved(to.near, u)) {
    choose_fours(u, to.turned, to);
    to.number = number_, to.near = u;
  } else {
    for (const int k : to.fours) rough_four(u, to.turned, static_cast<std::size_t>(k), to);
  }
}

// Runs of coarse nodes beside which the distance counts, with what the gap asks of the step on each.
int SmoothedGap::ranges(const Kept& near, std::array<Range, 8>& out) const {
  const int n = static_cast<int>(eta_.size() - 1) / coarse_ + 1;
  const auto of = [](const std::vector<double>& list, int k) {
    return Lanes::load(&list[static_cast<std::size_t>(k)]);
  };
  Lanes lowest(far);
  for (const int four : near.fours) lowest = min(lowest, of(near.rough, four));
  const double least = std::min(std::min(lowest[0], lowest[1]), std::min(lowest[2], lowest[3]));
  if (least >= far) return 0;
  const Lanes most(least + cut * nu_ + slack), above(least + slack), per_nu(1 / nu_);
  int count = 0;
  for (const int four : near.fours) {
    const Lanes rough = of(near.rough, four);
    const LaneMask counts = rough <= most;
    if (!any(counts)) continue;
    const int first = counts[0]   ? 0
                      : counts[1] ? 1
                      : counts[2] ? 2
                                  : 3,
              last = counts[3]   ? 3
                     : counts[2] ? 2
                     : counts[1] ? 1
                                 : 0;
    const int begin = std::max(0, four + first - 1), end = std::min(n - 1, four + last + 1);
    const bool joins =
        count > 0 && (begin <= out[static_cast<std::size_t>(count - 1)].end || count == static_cast<int>(out.size()));
    if (!joins) out[static_cast<std::size_t>(count++)] = {begin, end, 0};
    Range& range = out[static_cast<std::size_t>(count - 1)];
    range.end = end;
    const Lanes bend = max(Lanes(1.0), of(bends_, four) + of(near.sharpness, four));
    const Lanes demands =
        select(counts, Lanes(no_bell) * bend * max(Lanes(cut) - (rough - above) * per_nu, Lanes(2.0)), Lanes(0.0));
    for (int i = 0; i < Lanes::count; ++i) range.demand = std::max(range.demand, demands[i]);
  }
  return count;
}

// Four nodes near the rail, none of them behind `last`, and their distances.
void SmoothedGap::look(int last, const GapPlace& u, const Turned& turned, Look& out) const {
  const auto at = [&](int lane) { return static_cast<std::size_t>(std::min(out.k + lane * out.stride, last)); };
  const std::array<std::size_t, 4> node{at(0), at(1), at(2), at(3)};
  const auto four = [&](const std::vector<double>& of) {
    return Lanes(of[node[0]], of[node[1]], of[node[2]], of[node[3]]);
  };
  const Lanes eta = four(eta_);
  out.rho = four(rho_), out.tau = four(tau_);
  const Lanes q(u[3]), slope = q * out.tau, tilt = slope * out.tau;
  out.along = eta + slope * out.rho, out.root = sqrt(max(Lanes(1.0) - tilt, Lanes(0.01)));
  const Lanes X = Lanes(turned.length) * out.along, Y = out.rho * out.root;
  out.dy = X * Lanes(turned.cosine) + Y * Lanes(turned.sine),
  out.dz = X * Lanes(turned.sine) - Y * Lanes(turned.cosine);
  const Lanes y = Lanes(u[0]) + out.dy, k = Lanes(out.k) + Lanes(out.stride) * Lanes(0, 1, 2, 3);
  out.s = Lanes(first_) + k * Lanes(step_);
  out.f = rail_.jet(y);
  out.cosine = Lanes(1.0) / sqrt(Lanes(1.0) + out.f[1] * out.f[1]), out.above = Lanes(u[1]) + out.dz - out.f[0];
  const LaneMask counts =
      (tilt < Lanes(0.99)) & (y >= Lanes(rail_.first())) & (y < Lanes(rail_.last())) & (k <= Lanes(last));
  out.distance = select(counts, out.above * out.cosine, Lanes(far));
}

SmoothedGap::Slopes SmoothedGap::slopes(const Look& at, const Turned& turned) const {
  const Lanes &c = at.cosine, slope = at.rho * at.tau;
  const Lanes X_q = Lanes(turned.length) * slope + Lanes(turned.length_q) * at.along,
              Y_q = -(Lanes(0.5) * slope * at.tau / at.root);
  const Lanes c_y = -(at.f[1] * at.f[2] * c * c * c);
  return {at.above * c_y - at.f[1] * c, c, X_q * Lanes(turned.cosine) + Y_q * Lanes(turned.sine),
          X_q * Lanes(turned.sine) - Y_q * Lanes(turned.cosine), c_y};
}

SmoothedGap::Curvatures SmoothedGap::curvatures(const Look& at, const Slopes& by, const Turned& turned) const {
  const Lanes &c = at.cosine, &tau = at.tau, c3 = c * c * c, slope = at.rho * tau;
  const auto& f = at.f;
  const Lanes c_yy = Lanes(3.0) * f[1] * f[1] * f[2] * f[2] * c3 * c * c - (f[2] * f[2] + f[1] * f[3]) * c3;
  const Lanes X_qq = Lanes(2 * turned.length_q) * slope + Lanes(turned.length_qq) * at.along,
              Y_qq = -(Lanes(0.25) * slope * tau * tau * tau / (at.root * at.root * at.root));
  return {at.above * c_yy - f[2] * c - Lanes(2.0) * f[1] * by.cosine, by.cosine,
          X_qq * Lanes(turned.cosine) + Y_qq * Lanes(turned.sine),
          X_qq * Lanes(turned.sine) - Y_qq * Lanes(turned.cosine)};
}

// The longest one that is short enough, a coarse one at most.
int SmoothedGap::stride_for(double step2) const {
  return std::clamp(static_cast<int>(std::sqrt(step2) / step_), 1, coarse_);
}

// All nodes that may count; the least distance.
double SmoothedGap::look_along(const GapPlace& u, Kept& to) const {
  std::array<Range, 8> where{};
  find_rough_distances(u, to);
  const int count = ranges(to, where);
  to.used = 0;
  Lanes nearest(far);
  for (std::size_t range = 0; range < static_cast<std::size_t>(count); ++range) {
    const int stride = stride_for(step_squared(nu_, where[range].demand)), end = where[range].end * coarse_;
    for (int k = where[range].begin * coarse_ / stride * stride; k <= end; k += Lanes::count * stride) {
      if (to.used == to.looks.size()) to.looks.emplace_back();
      Look& four = to.looks[to.used++];
      four.k = k, four.stride = stride;
      look(end, u, to.turned, four);
      nearest = min(nearest, four.distance);
    }
  }
  return std::min(std::min(nearest[0], nearest[1]), std::min(nearest[2], nearest[3]));
}

// What the nodes weigh, and the means.
void SmoothedGap::weigh(double least, Kept& to) const {
  Answer& out = to.answer;
  Lanes all, s;
  std::array<Lanes, gap_directions> sum;
  out.first_s = last_, out.last_s = first_;
  for (std::size_t i = 0; i < to.used; ++i) {
    Look& four = to.looks[i];
    const LaneMask counts = four.distance <= Lanes(least + cut * nu_);
    four.weight = Lanes(0.0);
    if (!any(counts)) continue;
    const int first = counts[0]   ? 0
                      : counts[1] ? 1
                      : counts[2] ? 2
                                  : 3,
              last = counts[3]   ? 3
                     : counts[2] ? 2
                     : counts[1] ? 1
                                 : 0;
    out.first_s = std::min(out.first_s, four.s[first]), out.last_s = std::max(out.last_s, four.s[last]);
    const Lanes depth = max((Lanes(least) - four.distance) * Lanes(1 / nu_), Lanes(-2 * cut));
    four.weight = select(counts, Lanes(four.stride) * exp_below_zero(depth), Lanes(0.0));
    all += four.weight, s += four.weight * four.s;
    const auto d = slopes(four, to.turned).to_place(four);
    for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += four.weight * d[j];
  }
  const double weight = total(all);
  to.per_weight = 1 / weight;
  out.g = least - nu_ * std::log(weight * step_ / (last_ - first_));
  out.s = total(s) * to.per_weight;
  for (std::size_t i = 0; i < sum.size(); ++i) out.g_u[i] = total(sum[i]) * to.per_weight;
}

const SmoothedGap::Answer& SmoothedGap::at(const GapPlace& u) const {
  Kept& here = kept();
  const unsigned answers = KeptAnswers::number();
  if (here.number == number_ && here.is_known && here.answers == answers && here.place == u) return here.answer;
  const double length = 1 / std::sqrt(1 + u[3]), length3 = length * length * length;
  here.turned = {std::cos(u[2]), std::sin(u[2]), length, -0.5 * length3, 0.75 * length3 * length * length};
  const double least = look_along(u, here);
  here.place = u, here.is_known = true, here.answers = answers;
  here.answer = {};
  here.answer.is_there = least < far;
  if (here.answer.is_there) weigh(least, here);
  return here.answer;
}

const SmoothedGap::Kept& SmoothedGap::known(const GapPlace& u) const { return at(u), kept(); }

GapPlace SmoothedGap::slopes_of_s(const GapPlace& u) const {
  const Kept& here = known(u);
  std::array<Lanes, gap_directions> sum;
  for (std::size_t i = 0; i < here.used; ++i) {
    const Look& four = here.looks[i];
    const auto d = slopes(four, here.turned).to_place(four);
    const Lanes weight = four.weight * (four.s - Lanes(here.answer.s));
    for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += weight * d[j];
  }
  GapPlace out;
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = -total(sum[i]) * here.per_weight / nu_;
  return out;
}

SmoothedGap::Bends SmoothedGap::bends(const GapPlace& u) const {
  const Kept& here = known(u);
  std::array<std::array<Lanes, gap_directions>, gap_directions> sum;
  const Lanes one_nu(1 / nu_);
  for (std::size_t i = 0; i < here.used; ++i) {
    const Look& four = here.looks[i];
    const Slopes by = slopes(four, here.turned);
    const Curvatures bent = curvatures(four, by, here.turned);
    const auto d = by.to_place(four);
    const std::array<Lanes, 4> y_u{Lanes(1.0), Lanes(0.0), -four.dz, by.y_q},
        z_u{Lanes(0.0), Lanes(1.0), four.dy, by.z_q};
    for (std::size_t a = 0; a < 4; ++a) {
      for (std::size_t b = 0; b <= a; ++b)
        sum[a][b] += four.weight * (bent.across * y_u[a] * y_u[b] + bent.mixed * (y_u[a] * z_u[b] + z_u[a] * y_u[b]) -
                                    d[a] * d[b] * one_nu);
    }
    sum[2][2] -= four.weight * (by.across * four.dy + by.up * four.dz),
        sum[3][2] += four.weight * (by.up * by.y_q - by.across * by.z_q);
    sum[3][3] += four.weight * (by.across * bent.y_qq + by.up * bent.z_qq);
  }
  const GapPlace& g_u = here.answer.g_u;
  Bends out;
  for (std::size_t a = 0; a < 4; ++a) {
    for (std::size_t b = 0; b <= a; ++b)
      out[a][b] = out[b][a] = total(sum[a][b]) * here.per_weight + g_u[a] * g_u[b] / nu_;
  }
  return out;
}

// Points move by y' and z', and bend by y'' and z''.
double SmoothedGap::bend_along(const GapPlace& u, const GapPlace& rate) const {
  const Kept& here = known(u);
  const Lanes c_y(rate[0]), c_z(rate[1]), phi(rate[2]), q(rate[3]), one_nu(1 / nu_), two(2.0);
  double mean = 0;
  for (std::size_t i = 0; i < rate.size(); ++i) mean += here.answer.g_u[i] * rate[i];
  Lanes sum;
  for (std::size_t i = 0; i < here.used; ++i) {
    const Look& four = here.looks[i];
    const Slopes by = slopes(four, here.turned);
    const Curvatures bent = curvatures(four, by, here.turned);
    const Lanes y = c_y - phi * four.dz + q * by.y_q, z = c_z + phi * four.dy + q * by.z_q;
    const Lanes y_bend = q * (q * bent.y_qq - two * phi * by.z_q) - phi * phi * four.dy,
                z_bend = q * (q * bent.z_qq + two * phi * by.y_q) - phi * phi * four.dz;
    const Lanes along = by.across * y + by.up * z - Lanes(mean);
    sum += four.weight * (bent.across * y * y + two * bent.mixed * y * z + by.across * y_bend + by.up * z_bend -
                          along * along * one_nu);
  }
  return total(sum) * here.per_weight;
}

}  // namespace skyhook::element::rail
