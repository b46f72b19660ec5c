#include "skyhook/element/rail/gap_scan.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <utility>

#include "skyhook/element/rail/kept_on_thread.h"
#include "skyhook/math/lane_signs.h"

namespace skyhook::element::rail {
namespace {

constexpr double rail_step = 1e-4;  // m across the rail
constexpr double margin = 3.5e-4;   // m, by which the wheel may move until all nodes are looked at again
constexpr double steepest =
    6;  // tangent of the slope up to which that margin holds; steeper nodes are always looked at
constexpr double most_yaw = 0.1;  // rad, the same
constexpr double yaw_factor = 1.3 * (0.5 * steepest * steepest + 2 * steepest);
constexpr std::size_t room = Lanes::count;
constexpr double sharpest =
    110;  // 1/m of the rail's table, up to which a distance is foretold to sharpest margin (margin + rail_step) = 17 um

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
  for (std::size_t k = 0; k < tau_.size(); k += Lanes::count) {
    const Lanes tau = Lanes::load(&tau_[k]);
    looks_down_.push_back(any(tau == tau)), is_steep_.push_back(any(abs(tau) > Lanes(steepest)));
  }
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
    return (b.cosine * std::abs(a.z - 2 * b.z + c.z) + 1e-3 * std::abs(a.cosine - 2 * b.cosine + c.cosine)) *
           per_step_ * per_step_;
  };
  std::vector<double> each, out;
  for (std::ptrdiff_t k = 0; k < count; ++k) each.push_back(bend(k));
  for (std::ptrdiff_t k = 0; k < count; ++k)
    out.push_back(*std::max_element(each.begin() + std::max<std::ptrdiff_t>(0, k - reach),
                                    each.begin() + std::min(count, k + reach + 1)));
  return out;
}

inline GapScan::Place GapScan::place(const Axle<double>& axle, int k) const {
  const auto at = static_cast<std::size_t>(k);
  const Lanes p = Lanes::load(&y_[at]), rho = Lanes::load(&rho_[at]);
  const Lanes sine = Lanes(-axle.axis.x / axle.length) * Lanes::load(&tau_[at]),
              cosine = sqrt(max(Lanes(1.0) - sine * sine, Lanes(0.0)));
  Place out;
  out.y =
      Lanes(axle.centre.y) + p * Lanes(axle.axis.y) + rho * (sine * Lanes(axle.ahead.y) + cosine * Lanes(axle.down.y));
  out.z =
      Lanes(axle.centre.z) + p * Lanes(axle.axis.z) + rho * (sine * Lanes(axle.ahead.z) + cosine * Lanes(axle.down.z));
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
    cell.set(i, static_cast<double>(which)), end[i] = Lanes::load(&rail_[which].z),
                                             out.cell[static_cast<std::size_t>(i)] = which;
  }
  const auto pairs = [](const Lanes& a, const Lanes& b) {
    return std::pair(Lanes(__builtin_shufflevector(a.v, b.v, 0, 4, 2, 6)),
                     Lanes(__builtin_shufflevector(a.v, b.v, 1, 5, 3, 7)));
  };
  const auto low = [](const Lanes& a, const Lanes& b) { return Lanes(__builtin_shufflevector(a.v, b.v, 0, 1, 4, 5)); };
  const auto high = [](const Lanes& a, const Lanes& b) { return Lanes(__builtin_shufflevector(a.v, b.v, 2, 3, 6, 7)); };
  const auto [z01, cosine01] = pairs(end[0], end[1]);
  const auto [z23, cosine23] = pairs(end[2], end[3]);
  const Lanes part = at.on_rail - cell, a_z = low(z01, z23), b_z = high(z01, z23), a_cosine = low(cosine01, cosine23),
              b_cosine = high(cosine01, cosine23);
  const Lanes gap = at.z - a_z - part * (b_z - a_z);
  out.by_z = a_cosine + part * (b_cosine - a_cosine);
  out.by_y = Lanes(per_step_) * (gap * (b_cosine - a_cosine) - (b_z - a_z) * out.by_z);
  out.distance = select(at.is_above, gap * out.by_z, Lanes(nowhere));
  return out;
}

void GapScan::distances(const Axle<double>& axle, std::vector<double>& out) const {
  out.resize(y_.size());
  for (std::size_t k = 0; k < y_.size(); k += Lanes::count)
    four(place(axle, static_cast<int>(k))).distance.store(&out[k]);
  out.resize(static_cast<std::size_t>(count_));
}

// How far any node has moved across the track at most, but for steep ones: with the tape circle, by the turn of the profile about it, and by the turn of the points
// along their circles, rho d with d = sin(psi) e1 + cos(psi) e2. There sin(psi) = ratio tau and e1 has ratio across the track, so that the last one is less than
// rho (tau^2 / 2 + 2 tau) (ratio + ratio0) |ratio - ratio0| over a cosine.
double GapScan::moved(const Axle<double>& from, const Axle<double>& to) const {
  const auto ratio = [](const Axle<double>& a) { return std::abs(a.axis.x / a.length); };
  const double turned =
      yaw_factor * (ratio(from) + ratio(to)) * std::abs(from.axis.x / from.length - to.axis.x / to.length);
  const double shift = std::hypot(from.centre.y - to.centre.y, from.centre.z - to.centre.z);
  if (!(ratio(to) < most_yaw)) return nowhere;
  return shift + widest_ * norm(from.axis - to.axis) + radius_ * (norm(from.down - to.down) + turned);
}

// A distance shrinks by no more than the move and, where the slope of the rail changes under a node that is far above it, by 1/15 of itself: the sharpest rail has 13 mm
// at its corner. What the grids miss is as much again. Nodes beside the ends of the rail may come above it; these, steep ones and those above a sharp rail are not foretold. The fours
// beside near ones belong to them.
void GapScan::scan(const Axle<double>& axle, double most, Kept& to) const {
  const std::size_t fours = looks_down_.size();
  Foretold& f = to.foretold;
  for (auto* each : {&f.distance, &f.by_y, &f.by_z, &f.by_roll, &f.by_yaw, &f.bend}) each->resize(y_.size() + 2 * room);
  to.distance.assign(y_.size() + 1, nowhere), to.told_at.resize(fours), to.exact_at.resize(fours),
      to.is_known.assign(fours, 0), to.kind.assign(fours, Kind::far);
  std::ranges::fill(f.distance, std::numeric_limits<double>::quiet_NaN());
  to.candidates.reserve(fours), to.watched.reserve(fours), to.least.reserve(y_.size());
  const double nearest = 1.1 * (most + 1.2 * margin);
  const Lanes first(rail_first_), last(rail_first_ + static_cast<double>(rail_.size() - 1) / per_step_),
      ends(3 * margin);
  // A steep node goes across by rho (tau dq + the lean of the axle |d cosine|), where moved() bounds dq, and |d cosine| <= tau dq^(1/2).
  const double dq = margin / (yaw_factor * radius_), lean = std::abs(axle.down.y) + margin / radius_;
  const auto aside = [&](const Lanes& steep) {
    return Lanes(1.1 * radius_) * (steep * Lanes(dq) + Lanes(lean) * min(steep * Lanes(std::sqrt(dq)), Lanes(1.0)));
  };
  for (std::size_t i = 0; i < fours; ++i) {
    if (!looks_down_[i]) continue;
    const Place there = place(axle, static_cast<int>(i) * Lanes::count);
    const Lanes tau = Lanes::load(&tau_[i * Lanes::count]);
    LaneMask may_come = (tau == tau) & ((abs(there.y - first) < ends) | (abs(there.y - last) < ends));
    if (is_steep_[i]) {
      const Lanes steep = abs(tau), way = ends + aside(steep);
      may_come = may_come | ((steep > Lanes(steepest)) & (there.y > first - way) & (there.y < last + way));
    }
    bool is_near = signs(may_come) != 0;
    if (!is_near && signs(there.is_above) != 0) {
      const Four at = four(there);
      is_near = signs(at.distance <= Lanes(nearest)) != 0;
      if (is_near || signs(at.distance <= Lanes(2 * nearest)) != 0)
        to.is_known[i] = is_known(axle, static_cast<int>(i), there, at, f);
    }
    if (!is_near) continue;
    to.kind[i] = Kind::near;
    for (const std::size_t beside : {i - 1, i + 1})
      if (beside < fours && to.kind[beside] == Kind::far) to.kind[beside] = Kind::beside;
  }
  watch(nearest, to);
}

// The wheel's section turns with the roll about its centre. With the yaw, of which q is the square of the tangent, the length of the axle across the track is L = (1 + q)^(-1/2), and a
// point is at (p + rho tau q) L along it and rho (1 - tau^2 q)^(1/2) below it. False: the rail is too sharp there.
bool GapScan::is_known(const Axle<double>& axle, int four, const Place& place, const Four& at, Foretold& to) const {
  Lanes bend;
  for (int i = 0; i < Lanes::count; ++i) bend.set(i, bend_[at.cell[static_cast<std::size_t>(i)]]);
  if (signs(bend <= Lanes(sharpest)) != 15) return false;
  const auto node = static_cast<std::size_t>(four) * Lanes::count, in = node + room;
  const double ratio = axle.axis.x / axle.length, q = ratio * ratio, L = axle.length, slope = -0.5 * L * L * L;
  const Lanes rho = Lanes::load(&rho_[node]), tau = Lanes::load(&tau_[node]), rise = rho * tau;
  const Lanes along = Lanes(slope) * (Lanes::load(&y_[node]) + Lanes(q) * rise) + Lanes(L) * rise;
  const Lanes down = Lanes(-0.5) * rise * tau / sqrt(Lanes(1.0) - Lanes(q) * tau * tau);
  const Lanes y = Lanes(axle.axis.y / L) * along + Lanes(axle.down.y) * down,
              z = Lanes(axle.axis.z / L) * along + Lanes(axle.down.z) * down;
  const auto put = [&](const Lanes& each, std::vector<double>& where) {
    select(place.is_above, each, Lanes(0.0)).store(&where[in]);
  };
  at.distance.store(&to.distance[in]), bend.store(&to.bend[in]);
  put(at.by_y, to.by_y), put(at.by_z, to.by_z);
  put(at.by_z * (place.y - Lanes(axle.centre.y)) - at.by_y * (place.z - Lanes(axle.centre.z)), to.by_roll);
  put(at.by_y * y + at.by_z * z, to.by_yaw);
  return true;
}

void GapScan::watch(double nearest, Kept& to) const {
  to.candidates.clear(), to.watched.clear();
  const auto fours = static_cast<int>(to.kind.size());
  for (int i = 0; i < fours; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (to.kind[at] != Kind::near || (to.is_known[at] && signs(may_be_least(i, nearest, to.foretold)) == 0)) continue;
    to.candidates.push_back(i);
    const int beside = to.is_known[at] ? 1 : 0;
    for (int each = i - beside; each <= i + beside; ++each) {
      if (each < 0 || each >= fours || to.kind[static_cast<std::size_t>(each)] == Kind::far) continue;
      if (to.watched.empty() || to.watched.back() < each) to.watched.push_back(each);
    }
  }
}

// A node that stands above one beside it by more than any move within the margin can change, or too far away, is none of the least ones. The parts of a move, each in what moved() counts
// of it, add up to the margin at most; what is foretold of two nodes is off by as much as choose() says. No numbers of those beside decide nothing.
LaneMask GapScan::may_be_least(int four, double nearest, const Foretold& at) const {
  const std::size_t k = static_cast<std::size_t>(four) * Lanes::count + room;
  const Lanes turn(1 / radius_), skew(1 / (yaw_factor * radius_)), way(1.02 * margin), off(off_by(margin)),
      d = Lanes::load(&at.distance[k]);
  const auto is_above = [&](std::size_t other) {
    const auto apart = [&](const std::vector<double>& of) { return Lanes::load(&of[other]) - Lanes::load(&of[k]); };
    const Lanes y = apart(at.by_y), z = apart(at.by_z);
    const Lanes change =
        way * max(max(sqrt(y * y + z * z), turn * abs(apart(at.by_roll))), skew * abs(apart(at.by_yaw)));
    return d > Lanes::load(&at.distance[other]) + change +
                   off * max(Lanes::load(&at.bend[other]), Lanes::load(&at.bend[k])) + Lanes(2e-9);
  };
  return !((d > Lanes(nearest)) | is_above(k - 1) | is_above(k + 1));
}

inline void GapScan::look(int four, Kept& to) const {
  const auto at = static_cast<std::size_t>(four);
  if (to.exact_at[at] == to.question) return;
  to.exact_at[at] = to.told_at[at] = to.question;
  const int first = four * Lanes::count;
  this->four(place(to.now, first)).distance.store(&to.distance[static_cast<std::size_t>(first)]);
}

// How far it has moved since the last full scan, as slopes count it.
struct GapScan::Move {
  Lanes y, z, roll, yaw;
  Move(const Axle<double>& from, const Axle<double>& to)
      : y(to.centre.y - from.centre.y),
        z(to.centre.z - from.centre.z),
        roll(to.down.z * from.down.y - to.down.y * from.down.z),
        yaw(skew(to) - skew(from)) {}
  static double skew(const Axle<double>& a) { return a.axis.x * a.axis.x / (a.length * a.length); }
};

void GapScan::tell(const Move& by, int four, Kept& to) const {
  const auto i = static_cast<std::size_t>(four);
  if (!to.is_known[i]) return look(four, to);
  const Foretold& f = to.foretold;
  const std::size_t k = i * Lanes::count, in = k + room;
  to.told_at[i] = to.question;
  (Lanes::load(&f.distance[in]) + by.y * Lanes::load(&f.by_y[in]) + by.z * Lanes::load(&f.by_z[in]) +
   by.roll * Lanes::load(&f.by_roll[in]) + by.yaw * Lanes::load(&f.by_yaw[in]))
      .store(&to.distance[k]);
}

bool GapScan::is_least(int k, Kept& to) const {
  if (k < 1 || k + 1 >= count_) return false;
  const int before = (k - 1) / Lanes::count, behind = (k + 1) / Lanes::count;
  look(before, to);
  if (behind != before) look(behind, to);
  const double* d = &to.distance[static_cast<std::size_t>(k)];
  return *d <= to.most && *d <= d[-1] && *d < d[1] && d[1] != nowhere && d[-1] != nowhere;
}

// The rail's table bends by `bend` times its step at each node of it: what is foretold of a node that has moved is off by up to bend moved (moved + step), of two by twice that. Turns
// by the margin add 2e-7 m to all nodes alike.
double GapScan::off_by(double moved) { return 2 * moved * (moved + rail_step); }

void GapScan::choose(double moved, Kept& to) const {
  const Lanes off(off_by(moved)), rounding(1e-9), most(to.most + 1e-6);
  to.least.clear();
  const double* distance = to.distance.data();
  for (const int four : to.candidates) {
    const int first = four * Lanes::count;
    const double* d = distance + first;
    const auto i = static_cast<std::size_t>(four);
    const Lanes at = Lanes::load(d);
    int may_be = signs(at <= most);
    if (to.is_known[i]) {
      const Lanes below = at - (off * Lanes::load(&to.foretold.bend[i * Lanes::count + room]) + rounding);
      const Lanes before = first > 0 ? Lanes::load(d - 1) : Lanes(d[0], d[0], d[1], d[2]), behind = Lanes::load(d + 1);
      may_be = signs((below <= most) & (below <= before) & (below <= behind));
    }
    for (int n = 0; n < Lanes::count && may_be >> n != 0; ++n)
      if ((may_be >> n & 1) != 0 && is_least(first + n, to)) to.least.push_back(first + n);
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
  ++kept.question, kept.now = axle;
  const Move by(kept.axle, axle);
  for (const int four : kept.watched) tell(by, four, kept);
  choose(way, kept);
  return {*this, kept};
}

double GapScan::Near::distance(int node) const {
  const int four = node / Lanes::count;
  const auto i = static_cast<std::size_t>(four);
  if (kept_.kind[i] != Kind::far && kept_.told_at[i] != kept_.question)
    of_.tell(Move(kept_.axle, kept_.now), four, kept_);
  return kept_.distance[static_cast<std::size_t>(node)];
}

double GapScan::Near::largest(int from, int to) const {
  double out = distance(from);
  for (int k = from + 1; k < to; ++k) out = std::max(out, distance(k));
  return out;
}

double GapScan::Near::smallest() const {
  double out = nowhere;
  for (int k = 0; k < of_.count_; ++k) out = std::min(out, distance(k));
  return out;
}

}  // namespace skyhook::element::rail
