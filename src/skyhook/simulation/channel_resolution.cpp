#include "skyhook/simulation/channel_resolution.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace skyhook::simulation {
namespace {

// A short piece of a slow curve is not taken for an oscillation: of a straight line or an arc none of six samples or more has
// h |rate| > pi s.
constexpr std::size_t most_kept = 512, fewest = 6;

template <class T>
void thin(std::vector<T>& list) {
  for (std::size_t i = 0; 2 * i < list.size(); ++i) std::swap(list[i], list[2 * i]);
  list.resize((list.size() + 1) / 2);
}

}  // namespace

void ChannelResolution::add(const std::vector<double>& values, const std::vector<double>& rates) {
  if (seen_++ % stride_ != 0) return;
  values_.push_back(values), rates_.push_back(rates);
  if (values_.size() < most_kept) return;
  thin(values_), thin(rates_);
  stride_ *= 2;
}

ChannelResolution::Statistics ChannelResolution::statistics(std::size_t k, double output_step) const {
  Statistics s;
  const double n = static_cast<double>(values_.size());
  double mean = 0, squares = 0, rate_squares = 0;
  for (const auto& v : values_) mean += v[k] / n, s.largest = std::max(s.largest, std::abs(v[k]));
  for (const auto& v : values_) squares += (v[k] - mean) * (v[k] - mean);
  s.deviation = std::sqrt(squares / n);
  for (const auto& r : rates_) {
    rate_squares += r[k] * r[k];
    s.fast_share += output_step * std::abs(r[k]) > std::numbers::pi * s.deviation ? 1 / n : 0;
  }
  s.frequency = s.deviation > 0 ? std::sqrt(rate_squares / n) / s.deviation / (2 * std::numbers::pi) : 0;
  return s;
}

std::vector<Warning> ChannelResolution::warnings(const std::vector<Channel>& channels, double output_step,
                                                 double tolerance, double energy) const {
  constexpr double share_of_unit = 1e-3, too_many = 0.4;
  const double noise = 100 * tolerance;
  if (values_.size() < fewest) return {};
  std::vector<Statistics> all;
  std::map<std::string, double> largest;  // deviation, by unit
  for (std::size_t k = 0; k < channels.size(); ++k) {
    all.push_back(statistics(k, output_step));
    largest[channels[k].unit] = std::max(largest[channels[k].unit], all[k].deviation);
  }
  const Statistics* worst = nullptr;
  std::string name;
  for (std::size_t k = 0; k < channels.size(); ++k) {
    const Statistics& s = all[k];
    const double smallest = channels[k].unit == "J" ? noise * energy : 10 * tolerance;
    const bool is_seen =
        s.deviation > std::max({share_of_unit * largest[channels[k].unit], noise * s.largest, smallest});
    if (!is_seen || !(s.fast_share > too_many)) continue;
    if (!worst || s.frequency > worst->frequency) worst = &s, name = channels[k].name;
  }
  if (!worst) return {};
  return {{"coarse_output",
           {},
           fmt::format("Channel \"{}\" oscillates with about {:.3g} Hz, but samples every {:.3g} s show no more than "
                       "{:.3g} Hz: what is recorded is right at its times and misleading in between.",
                       name, worst->frequency, output_step, 0.5 / output_step),
           fmt::format("Choose an output_step of {:.1g} s or less.", 0.1 / worst->frequency)}};
}

}  // namespace skyhook::simulation
