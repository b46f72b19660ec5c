#include "skyhook/simulation/sampled_rates.h"

#include <algorithm>
#include <cmath>

namespace skyhook::simulation {
namespace {

constexpr double curve_by_rate = 4.0 / 27.0;  // the largest value of x (1 - x)^2, by which a rate bends the cubic

}  // namespace

void SampledRates::begin(const std::vector<std::string>& units, const std::vector<std::size_t>& which) {
  followed_.clear();
  std::vector<std::string> seen;
  for (const std::size_t channel : which) {
    const auto at = std::ranges::find(seen, units[channel]);
    followed_.push_back({channel, static_cast<std::size_t>(at - seen.begin())});
    followed_.back().is_energy = units[channel] == "J";
    if (at == seen.end()) seen.push_back(units[channel]);
  }
  largest_.assign(seen.size(), {});
  known_ = 0, doubts_ = 0, found_ = 0;
}

bool SampledRates::find(double t, const std::vector<double>& values, double energy, std::vector<double>& rates) {
  constexpr double even = 1e-6;  // of a step
  if (known_ == 1) h_ = t - t_;
  if (known_ > 1 && !(std::abs(t - t_ - h_) <= even * h_)) known_ = 0;
  known_ = std::min(known_ + 1, order + 2);
  t_ = t, energy_ = energy;
  for (Followed& c : followed_) {
    take(values[c.channel], c);
    Largest& of_unit = largest_[c.unit];
    of_unit.range = std::max(of_unit.range, c.high - c.low);
    of_unit.value = std::max({of_unit.value, std::abs(c.low), std::abs(c.high)});
  }
  if (doubts_ > 0 || !is_full()) return false;
  if (!std::ranges::all_of(followed_, [this](const Followed& c) { return is_good(c); })) return false;
  for (const Followed& c : followed_) rates[c.channel] = rate(c);
  ++found_;
  return true;
}

void SampledRates::take(double value, Followed& c) const {
  double difference = value;
  for (std::size_t k = 0; k < known_; ++k) {
    const double next = difference - c.differences[k];
    c.differences[k] = difference;
    difference = next;
  }
  c.low = c.is_new ? value : std::min(c.low, value), c.high = c.is_new ? value : std::max(c.high, value);
  c.is_new = false;
}

// Of a channel that hardly moves beside others of its unit, or beside its own size, the last digits are noise.
double SampledRates::allowed(const Followed& c) const {
  constexpr double share = 1e-5, of_unit = 1e-3, noise = 1e-9;
  const Largest& largest = largest_[c.unit];
  const double range = std::max({c.high - c.low, of_unit * largest.range, c.is_energy ? energy_ : 0.0});
  return std::max({std::abs(c.differences[4]) / 384, share * range, noise * largest.value});
}

bool SampledRates::is_good(const Followed& c) const {
  const double now = c.differences[order], before = now - c.differences[order + 1];
  const double most = allowed(c) / curve_by_rate * (order + 1);
  return std::abs(now) <= most && std::abs(before) <= most;
}

double SampledRates::rate(const Followed& c) const {
  double sum = 0;
  for (std::size_t k = order; k > 0; --k) sum += c.differences[k] / static_cast<double>(k);
  return sum / h_;
}

// With room for what the exact ones, which are differences over a short time, have of noise.
void SampledRates::compare(const std::vector<double>& rates) {
  constexpr double room = 10;
  constexpr int times = 8;
  if (!is_full()) return;
  const auto agrees = [&](const Followed& c) {
    return !is_good(c) || curve_by_rate * h_ * std::abs(rates[c.channel] - rate(c)) <= room * allowed(c);
  };
  doubts_ = std::ranges::all_of(followed_, agrees) ? std::max(0, doubts_ - 1) : times;
}

}  // namespace skyhook::simulation
