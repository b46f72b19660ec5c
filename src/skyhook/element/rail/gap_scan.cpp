#include "skyhook/element/rail/gap_scan.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <utility>

namespace skyhook::element::rail {
namespace {

constexpr double margin = 1.5e-4;  // m, by which the wheel may move until all nodes are looked at again
constexpr double steepest = 6;     // tangent of the slope up to which that margin holds; steeper nodes are always looked at
constexpr double most_yaw = 0.1;   // rad, the same

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
  constexpr double rail_step = 1e-4;
  rail_first_ = of.rail->first_y(), per_step_ = 1 / rail_step;
  for (double y = rail_first_; y <= of.rail->last_y(); y += rail_step) {
    const ProfileJet<double> q = of.rail->jet(of.rail->s_at(y));
    rail_.push_back({q.z, q.y1 / std::hypot(q.y1, q.z1)});
  }
}

void GapScan::four(const Axle<double>& axle, int k, double* out) const {
  const auto at = static_cast<std::size_t>(k);
  const Lanes p = Lanes::load(&y_[at]), rho = Lanes::load(&rho_[at]);
  const Lanes sine = Lanes(-axle.axis.x / axle.length) * Lanes::load(&tau_[at]), cosine = sqrt(max(Lanes(1.0) - sine * sine, Lanes(0.0)));
  const Lanes y = Lanes(axle.centre.y) + p * Lanes(axle.axis.y) + rho * (sine * Lanes(axle.ahead.y) + cosine * Lanes(axle.down.y));
  const Lanes z = Lanes(axle.centre.z) + p * Lanes(axle.axis.z) + rho * (sine * Lanes(axle.ahead.z) + cosine * Lanes(axle.down.z));
  const Lanes place = (y - Lanes(rail_first_)) * Lanes(per_step_);
  const double last = static_cast<double>(rail_.size() - 1);
  const LaneMask is_above = (abs(sine) < Lanes(1.0)) & (place >= Lanes(0.0)) & (place < Lanes(last));
  // Both ends of a cell lie side by side: four cells are four loads, which change rows and columns.
  const Lanes held = select(is_above, place, Lanes(0.0));
  Lanes cell, end[Lanes::count];
  for (int i = 0; i < Lanes::count; ++i) {
    const auto which = static_cast<std::size_t>(held[i]);
    cell.set(i, static_cast<double>(which)), end[i] = Lanes::load(&rail_[which].z);
  }
  const auto pairs = [](const Lanes& a, const Lanes& b) { return std::pair(Lanes(__builtin_shufflevector(a.v, b.v, 0, 4, 2, 6)), Lanes(__builtin_shufflevector(a.v, b.v, 1, 5, 3, 7))); };
  const auto low = [](const Lanes& a, const Lanes& b) { return Lanes(__builtin_shufflevector(a.v, b.v, 0, 1, 4, 5)); };
  const auto high = [](const Lanes& a, const Lanes& b) { return Lanes(__builtin_shufflevector(a.v, b.v, 2, 3, 6, 7)); };
  const auto [z01, cosine01] = pairs(end[0], end[1]);
  const auto [z23, cosine23] = pairs(end[2], end[3]);
  const Lanes part = held - cell, a_z = low(z01, z23), b_z = high(z01, z23), a_cosine = low(cosine01, cosine23), b_cosine = high(cosine01, cosine23);
  const Lanes distance = (z - a_z - part * (b_z - a_z)) * (a_cosine + part * (b_cosine - a_cosine));
  select(is_above, distance, Lanes(nowhere)).store(out);
}

void GapScan::distances(const Axle<double>& axle, std::vector<double>& out) const {
  out.resize(y_.size());
  for (std::size_t k = 0; k < y_.size(); k += Lanes::count) four(axle, static_cast<int>(k), &out[k]);
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
// at its corner. What the grids miss is as much again. Nodes beside the ends of the rail may come above it.
void GapScan::choose_nodes(const Axle<double>& axle, double most, Kept& to) const {
  const double nearest = 1.1 * (most + 1.2 * margin), ends = 3 * margin;
  distances(axle, to.distance);
  to.nodes.clear();
  const auto may_come = [&](std::size_t at) {
    if (std::isnan(tau_[at])) return false;
    if (std::abs(tau_[at]) > steepest || to.distance[at] <= nearest) return true;
    if (to.distance[at] < nowhere) return false;
    const double y = axle.centre.y + y_[at] * axle.axis.y + rho_[at] * axle.down.y;
    const double last = rail_first_ + static_cast<double>(rail_.size() - 1) / per_step_;
    return y > rail_first_ - ends - steepest * 1e-3 && y < last + ends + steepest * 1e-3;
  };
  const auto mark = [&](int k) {  // in order
    const int four = k - k % Lanes::count;
    if (k >= 0 && k < count_ && (to.nodes.empty() || to.nodes.back() < four)) to.nodes.push_back(four);
  };
  for (int k = 0; k < count_; ++k) {
    if (may_come(static_cast<std::size_t>(k))) mark(k - 1), mark(k), mark(k + 1);
  }
  auto next = to.nodes.begin();
  for (int k = 0; k < count_; k += Lanes::count) {
    if (next != to.nodes.end() && *next == k)
      ++next;
    else
      std::fill_n(to.distance.begin() + k, std::min(Lanes::count, count_ - k), nowhere);
  }
}

GapScan::Near GapScan::near(const Axle<double>& axle, double most) const {
  static thread_local std::array<Kept, 128> all;
  Kept& kept = all[number_ % all.size()];
  if (kept.number != number_ || most != kept.most || !(moved(kept.axle, axle) <= margin)) {
    kept.number = number_, kept.most = most, kept.axle = axle;
    choose_nodes(axle, most, kept);
    return {kept.distance, kept.nodes};
  }
  std::array<double, Lanes::count> found{};
  for (const int k : kept.nodes) {
    four(axle, k, found.data());
    std::copy_n(found.begin(), std::min(Lanes::count, count_ - k), kept.distance.begin() + k);
  }
  return {kept.distance, kept.nodes};
}

}  // namespace skyhook::element::rail
