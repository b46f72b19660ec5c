#include "skyhook/element/rail/gap_scan.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <utility>

#include "skyhook/element/rail/kept_on_thread.h"

namespace skyhook::element::rail {
namespace {

constexpr double rail_step = 1e-4;  // m across the rail
constexpr double margin = 2.5e-4;   // m, by which the wheel may move until all nodes are looked at again
constexpr double steepest = 6;      // tangent of the slope up to which that margin holds; steeper nodes are always looked at
constexpr double most_yaw = 0.1;    // rad, the same
constexpr double sharpest = 200;    // 1/m of the rail's table, up to which a distance is foretold to sharpest margin (margin + rail_step) = 18 um

}  // namespace

GapScan::GapScan(const WheelOnRail& of) : radius_(of.radius), first_(of.wheel->first()) {
  static std::atomic<unsigned> scans{0};
  number_ = scans++;
  for (double at = first_; at <= of.wheel->last(); at += step) {
    const ProfileJet<double> p = of.wheel->jet(at);
    y_.push_back(p.y), rho_.push_back(of.radius - p.z);
    tau_.push_back(p.y1 > 0 ? p.z1 / p.y1 : std::numeric_limits<double>::quiet_NaN());
    widest_ = std::max(widest_, std::abs(p.y)), radius_ = std::max(radius_, rho_.back());
    ++count_;
  }
  while (y_.size() % Lanes::count != 0)
    y_.push_back(0), rho_.push_back(of.radius), tau_.push_back(std::numeric_limits<double>::quiet_NaN());
  rail_first_ = of.rail->first_y(), per_step_ = 1 / rail_step;
  for (double y = rail_first_; y <= of.rail->last_y(); y += rail_step) {
    const ProfileJet<double> q = of.rail->jet(of.rail->s_at(y));
    rail_.push_back({q.z, q.y1 / std::hypot(q.y1, q.z1)});
  }
  bend_ = largest_bends();
}

// Of distances over each cell and those that a node and the ones beside it may come to from there. The slope of the cosine counts with the largest distance that is looked at.
std::vector<double> GapScan::largest_bends() const {
  const auto reach = static_cast<std::ptrdiff_t>((margin + step) / rail_step) + 2, count = std::ssize(rail_);
  const auto bend = [&](std::ptrdiff_t k) {
    const auto at = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(k, 1, count - 2));
    const Rail &a = rail_[at - 1], &b = rail_[at], &c = rail_[at + 1];
    return (b.cosine * std::abs(a.z - 2 * b.z + c.z) + 1e-3 * std::abs(a.cosine - 2 * b.cosine + c.cosine)) * per_step_ * per_step_;
  };
  std::vector<double> each, out;
  for (std::ptrdiff_t k = 0; k < count; ++k) each.push_back(bend(k));
  for (std::ptrdiff_t k = 0; k < count; ++k)
    out.push_back(*std::max_element(each.begin() + std::max<std::ptrdiff_t>(0, k - reach), each.begin() + std::min(count, k + reach + 1)));
  return out;
}

inline GapScan::Place GapScan::place(const Axle<double>& axle, int k) const {
  const auto at = static_cast<std::size_t>(k);
  const Lanes p = Lanes::load(&y_[at]), rho = Lanes::load(&rho_[at]);
  const Lanes sine = Lanes(-axle.axis.x / axle.length) * Lanes::load(&tau_[at]), cosine = sqrt(max(Lanes(1.0) - sine * sine, Lanes(0.0)));
  Place out;
  out.y = Lanes(axle.centre.y) + p * Lanes(axle.axis.y) + rho * (sine * Lanes(axle.ahead.y) + cosine * Lanes(axle.down.y));
  out.z = Lanes(axle.centre.z) + p * Lanes(axle.axis.z) + rho * (sine * Lanes(axle.ahead.z) + cosine * Lanes(axle.down.z));
  const Lanes on_rail = (out.y - Lanes(rail_first_)) * Lanes(per_step_);
  const double last = static_cast<double>(rail_.size() - 1);
  out.is_above = (abs(sine) < Lanes(1.0)) & (on_rail >= Lanes(0.0)) & (on_rail < Lanes(last));
  out.on_rail = select(out.is_above, on_rail, Lanes(0.0));
  return out;
}

inline GapScan::Four GapScan::four(const Place& at) const {
  // Both ends of a cell lie side by side: four cells are four loads, which change rows and columns.
  Four out;
  Lanes cell, end[Lanes::count];
  for (int i = 0; i < Lanes::count; ++i) {
    const auto which = static_cast<std::size_t>(at.on_rail[i]);
    cell.set(i, static_cast<double>(which)), end[i] = Lanes::load(&rail_[which].z), out.cell[static_cast<std::size_t>(i)] = which;
  }
  const auto pairs = [](const Lanes& a, const Lanes& b) { return std::pair(Lanes(__builtin_shufflevector(a.v, b.v, 0, 4, 2, 6)), Lanes(__builtin_shufflevector(a.v, b.v, 1, 5, 3, 7))); };
  const auto low = [](const Lanes& a, const Lanes& b) { return Lanes(__builtin_shufflevector(a.v, b.v, 0, 1, 4, 5)); };
  const auto high = [](const Lanes& a, const Lanes& b) { return Lanes(__builtin_shufflevector(a.v, b.v, 2, 3, 6, 7)); };
  const auto [z01, cosine01] = pairs(end[0], end[1]);
  const auto [z23, cosine23] = pairs(end[2], end[3]);
  const Lanes part = at.on_rail - cell, a_z = low(z01, z23), b_z = high(z01, z23), a_cosine = low(cosine01, cosine23), b_cosine = high(cosine01, cosine23);
  const Lanes gap = at.z - a_z - part * (b_z - a_z);
  out.by_z = a_cosine + part * (b_cosine - a_cosine);
  out.by_y = Lanes(per_step_) * (gap * (b_cosine - a_cosine) - (b_z - a_z) * out.by_z);
  out.distance = select(at.is_above, gap * out.by_z, Lanes(nowhere));
  return out;
}

void GapScan::distances(const Axle<double>& axle, std::vector<double>& out) const {
  out.resize(y_.size());
  for (std::size_t k = 0; k < y_.size(); k += Lanes::count) four(place(axle, static_cast<int>(k))).distance.store(&out[k]);
  out.resize(static_cast<std::size_t>(count_));
}

// How far any node has moved across the track at most, but for steep ones: with the tape circle, by the turn of the profile about it, and by the turn of the points
// along their circles, rho d with d = sin(psi) e1 + cos(psi) e2. There sin(psi) = ratio tau and e1 has ratio across the track, so that the last one is less than
// rho (tau^2 / 2 + 2 tau) (ratio + ratio0) |ratio - ratio0| over a cosine.
double GapScan::moved(const Axle<double>& from, const Axle<double>& to) const {
  const auto ratio = [](const Axle<double>& a) { return std::abs(a.axis.x / a.length); };
  const double turned = 1.3 * (0.5 * steepest * steepest + 2 * steepest) * (ratio(from) + ratio(to)) *
                        std::abs(from.axis.x / from.length - to.axis.x / to.length);
  const double shift = std::hypot(from.centre.y - to.centre.y, from.centre.z - to.centre.z);
  if (!(ratio(to) < most_yaw)) return nowhere;
  return shift + widest_ * norm(from.axis - to.axis) + radius_ * (norm(from.down - to.down) + turned);
}

// A distance shrinks by no more than the move and, where the slope of the rail changes under a node that is far above it, by 1/15 of itself: the sharpest rail has 13 mm
// at its corner. What the grids miss is as much again. Nodes beside the ends of the rail may come above it; these, steep ones and those above a sharp rail are not foretold. The fours
// beside near ones belong to them.
void GapScan::scan(const Axle<double>& axle, double most, Kept& to) const {
  to.distance.assign(y_.size() + 1, nowhere), to.exact_at.resize(y_.size());
  to.fours.clear(), to.fours.reserve(y_.size()), to.least.reserve(y_.size());
  const Lanes nearest(1.1 * (most + 1.2 * margin)), first(rail_first_), last(rail_first_ + static_cast<double>(rail_.size() - 1) / per_step_), ends(3 * margin);
  const Lanes aside(2 * radius_ * (std::abs(axle.axis.x / axle.length) + 1.1 * margin / widest_));  // of a steep node, by the yaw
  bool was_near = false;
  Foretold now, before{-Lanes::count, false, {}, {}, {}, {}, {}, {}};
  for (int k = 0; k < count_; k += Lanes::count, before = now) {
    now.first = k, now.is_known = false;
    const Place there = place(axle, k);
    const Lanes tau = Lanes::load(&tau_[static_cast<std::size_t>(k)]);
    const LaneMask looks_down = tau == tau, may_cross = (abs(there.y - first) < ends) | (abs(there.y - last) < ends);
    const LaneMask is_steep = (abs(tau) > Lanes(steepest)) & (there.y > first - ends - aside) & (there.y < last + ends + aside);
    bool is_near = any(looks_down & (may_cross | is_steep));
    if (!is_near && any(there.is_above)) {
      const Four at = four(there);
      is_near = any(at.distance <= nearest), now.is_known = is_near || any(at.distance <= nearest + nearest);
      if (now.is_known) expand(axle, there, at, now);
      now.is_known = now.is_known && all(now.bend <= Lanes(sharpest));
    }
    if (is_near && !was_near && before.first >= 0 && (to.fours.empty() || to.fours.back().first < before.first)) to.fours.push_back(before);
    if (is_near || was_near) to.fours.push_back(now);
    was_near = is_near;
  }
}

// The wheel's section turns with the roll about its centre. With the yaw, of which q is the square of the tangent, the length of the axle across the track is L = (1 + q)^(-1/2), and a
// point is at (p + rho tau q) L along it and rho (1 - tau^2 q)^(1/2) below it.
void GapScan::expand(const Axle<double>& axle, const Place& place, const Four& at, Foretold& to) const {
  const auto node = static_cast<std::size_t>(to.first);
  const double ratio = axle.axis.x / axle.length, q = ratio * ratio, L = axle.length, slope = -0.5 * L * L * L;
  const Lanes rho = Lanes::load(&rho_[node]), tau = Lanes::load(&tau_[node]), rise = rho * tau;
  const Lanes along = Lanes(slope) * (Lanes::load(&y_[node]) + Lanes(q) * rise) + Lanes(L) * rise;
  const Lanes down = Lanes(-0.5) * rise * tau / sqrt(Lanes(1.0) - Lanes(q) * tau * tau);
  const Lanes y = Lanes(axle.axis.y / L) * along + Lanes(axle.down.y) * down, z = Lanes(axle.axis.z / L) * along + Lanes(axle.down.z) * down;
  const auto where_above = [&](const Lanes& of) { return select(place.is_above, of, Lanes(0.0)); };
  to.distance = at.distance, to.by_y = where_above(at.by_y), to.by_z = where_above(at.by_z);
  to.by_roll = where_above(at.by_z * (place.y - Lanes(axle.centre.y)) - at.by_y * (place.z - Lanes(axle.centre.z)));
  to.by_yaw = where_above(at.by_y * y + at.by_z * z);
  for (int i = 0; i < Lanes::count; ++i) to.bend.set(i, bend_[at.cell[static_cast<std::size_t>(i)]]);
}

void GapScan::look(const Axle<double>& axle, int first, Kept& to) const {
  const auto at = static_cast<std::size_t>(first);
  if (to.exact_at[at] == to.question) return;
  to.exact_at[at] = to.question;
  four(place(axle, first)).distance.store(&to.distance[at]);
}

void GapScan::foretell(const Axle<double>& axle, Kept& to) const {
  const auto q = [](const Axle<double>& a) { return a.axis.x * a.axis.x / (a.length * a.length); };
  const Axle<double>& from = to.axle;
  const Lanes y(axle.centre.y - from.centre.y), z(axle.centre.z - from.centre.z), yaw(q(axle) - q(from));
  const Lanes roll(axle.down.z * from.down.y - axle.down.y * from.down.z);  // its sine
  double* distance = to.distance.data();
  for (const Foretold& each : to.fours) {
    if (each.is_known)
      (each.distance + y * each.by_y + z * each.by_z + roll * each.by_roll + yaw * each.by_yaw).store(distance + each.first);
    else
      look(axle, each.first, to);
  }
}

bool GapScan::is_least(const Axle<double>& axle, int k, Kept& to) const {
  if (k < 1 || k + 1 >= count_) return false;
  for (const int each : {k - 1, k, k + 1}) look(axle, each - each % Lanes::count, to);
  const double* d = &to.distance[static_cast<std::size_t>(k)];
  return *d <= to.most && *d <= d[-1] && *d < d[1] && d[1] != nowhere && d[-1] != nowhere;
}

// The rail's table bends by `bend` times its step at each node of it: what is foretold of a node that has moved is off by up to bend moved (moved + step), of two by twice that. Turns
// by the margin add 1e-7 m to all nodes alike.
void GapScan::choose(const Axle<double>& axle, double moved, Kept& to) const {
  const Lanes off(2 * moved * (moved + rail_step)), rounding(1e-9), most(to.most + 1e-6);
  to.least.clear();
  const double* distance = to.distance.data();
  for (const Foretold& each : to.fours) {
    const double* d = distance + each.first;
    const Lanes at = Lanes::load(d), below = each.is_known ? at - (off * each.bend + rounding) : at - Lanes(2e-5);
    const Lanes before = each.first > 0 ? Lanes::load(d - 1) : Lanes(d[0], d[0], d[1], d[2]), behind = Lanes::load(d + 1);
    const LaneMask may_be = (below <= most) & (below <= before) & (below <= behind);
    if (!any(may_be)) continue;
    for (int i = 0; i < Lanes::count; ++i)
      if (may_be[i] && is_least(axle, each.first + i, to)) to.least.push_back(each.first + i);
  }
}

GapScan::Near GapScan::near(const Axle<double>& axle, double most) const {
  auto& all = kept_on_thread<Kept>();
  Kept& kept = all[number_ % all.size()];
  double way = kept.number == number_ && most == kept.most ? moved(kept.axle, axle) : nowhere;
  if (!(way <= margin)) {
    kept.number = number_, kept.most = most, kept.axle = axle, way = 0;
    scan(axle, most, kept);
  }
  ++kept.question;
  foretell(axle, kept);
  choose(axle, way, kept);
  return {kept.distance, kept.least};
}

}  // namespace skyhook::element::rail
