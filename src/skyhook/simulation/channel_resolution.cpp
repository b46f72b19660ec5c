#include "skyhook/simulation/channel_resolution.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace skyhook::simulation {
namespace {

constexpr double pi = std::numbers::pi;
// A short piece of a slow curve is not taken for an oscillation: of a straight line or an arc none of six samples or more has
// h |rate| > pi s.
constexpr std::size_t most_kept = 512, fewest = 6;

template <class T>
void thin(std::vector<T>& list) {
  for (std::size_t i = 0; 2 * i < list.size(); ++i) std::swap(list[i], list[2 * i]);
  list.resize((list.size() + 1) / 2);
}

double median(std::vector<double> list) {
  if (list.empty()) return 0;
  const auto middle = list.begin() + static_cast<long>(list.size() / 2);
  std::ranges::nth_element(list, middle);
  return *middle;
}

}  // namespace

void ChannelResolution::add(const std::vector<double>& values, const std::vector<double>& rates,
                            const std::vector<double>& curvatures) {
  if (seen_++ % stride_ != 0) return;
  values_.push_back(values), rates_.push_back(rates), curvatures_.push_back(curvatures);
  if (values_.size() < most_kept) return;
  thin(values_), thin(rates_), thin(curvatures_);
  stride_ *= 2;
}

// Sample by sample, as they lie in memory.
std::vector<ChannelResolution::Statistics> ChannelResolution::statistics(std::size_t channels,
                                                                         double output_step) const {
  const double n = static_cast<double>(values_.size());
  std::vector<Statistics> all(channels);
  std::vector<double> mean(channels), squares(channels);
  for (const auto& v : values_) {
    for (std::size_t k = 0; k < channels; ++k)
      mean[k] += v[k] / n, all[k].largest = std::max(all[k].largest, std::abs(v[k]));
  }
  for (const auto& v : values_) {
    for (std::size_t k = 0; k < channels; ++k) squares[k] += (v[k] - mean[k]) * (v[k] - mean[k]);
  }
  for (std::size_t k = 0; k < channels; ++k) all[k].deviation = std::sqrt(squares[k] / n);
  for (const auto& r : rates_) {
    for (std::size_t k = 0; k < channels; ++k) {
      if (!std::isfinite(r[k])) continue;
      all[k].rates += 1, all[k].rate_squares += r[k] * r[k];
      all[k].fast_share += output_step * std::abs(r[k]) > pi * all[k].deviation ? 1 : 0;
    }
  }
  for (Statistics& s : all) s.fast_share /= std::max(s.rates, 1.0);
  return all;
}

void ChannelResolution::look_at_rates(std::size_t k, double output_step, Statistics& s) const {
  constexpr double most = 5;  // times the frequency of the samples: beyond, they do not show enough of the deviation
  const double rms = std::sqrt(s.rate_squares / std::max(s.rates, 1.0));
  constexpr double most_median = 1.5;  // of the rms: half of the squares are at least that of the median
  if (output_step / pi * most_median * rms > s.deviation) {
    std::vector<double> rates;
    for (const auto& r : rates_) {
      if (std::isfinite(r[k])) rates.push_back(std::abs(r[k]));
    }
    const double way = output_step / pi * median(std::move(rates));
    if (way > s.deviation) s.hidden = way / 2;
  }
  const double frequency = s.deviation > 0 ? rms / s.deviation / (2 * pi) : 0;
  if (output_step * frequency < most) s.frequency = frequency;
}

void ChannelResolution::look_at_curvatures(std::size_t k, double output_step, Statistics& s) const {
  constexpr double as_rates = 0.87;  // 40 % have so much where 40 % have such rates
  std::vector<double> values, curvatures;
  values.reserve(values_.size()), curvatures.reserve(values_.size());
  for (std::size_t i = 0; i < values_.size(); ++i) {
    if (std::isfinite(curvatures_[i][k])) values.push_back(values_[i][k]), curvatures.push_back(curvatures_[i][k]);
  }
  const double n = static_cast<double>(values.size());
  double mean = 0, squares = 0, products = 0, share = 0;
  const double as_way = std::pow(output_step / pi, 2);
  for (const double v : values) mean += v / n;
  for (std::size_t i = 0; i < values.size(); ++i) {
    squares += (values[i] - mean) * (values[i] - mean), products -= (values[i] - mean) * curvatures[i];
    share += as_way * std::abs(curvatures[i]) > as_rates * s.deviation ? 1 / n : 0;
  }
  s.fast_share = std::max(s.fast_share, share);
  const double way = as_way * std::abs(median(std::move(curvatures)));
  if (way > s.deviation) s.hidden = std::max(s.hidden, way / 4);
  const double frequency = products > 0 && squares > 0 ? std::sqrt(products / squares) / (2 * pi) : 0;
  if (output_step * frequency > as_rates / 2) s.frequency = frequency;
}

std::vector<Warning> ChannelResolution::warnings(const std::vector<Channel>& channels, double output_step,
                                                 double tolerance, double energy) const {
  constexpr double share_of_unit = 1e-3, too_many = 0.4, surely = 100;
  const double noise = 100 * tolerance;
  if (values_.size() < fewest) return {};
  std::vector<Statistics> all = statistics(channels.size(), output_step);
  std::map<std::string, double> largest;  // deviation, by unit
  for (std::size_t k = 0; k < channels.size(); ++k) {
    look_at_rates(k, output_step, all[k]);
    if (is_position(channels[k])) look_at_curvatures(k, output_step, all[k]);
    largest[channels[k].unit] = std::max(largest[channels[k].unit], all[k].deviation);
  }
  const Statistics* worst = nullptr;
  std::string name;
  const auto frequency = [&](const Statistics& s) { return s.frequency > 0 ? s.frequency : 1 / output_step; };
  for (std::size_t k = 0; k < channels.size(); ++k) {
    Statistics& s = all[k];
    if (channels[k].name.starts_with("constraints.")) continue;  // residuals: what they do is rounding
    const double smallest = channels[k].unit == "J" ? noise * energy : 10 * tolerance;
    const double least = std::max({share_of_unit * largest[channels[k].unit], noise * s.largest, smallest});
    const bool is_fast = s.deviation > least && s.fast_share > too_many;
    const bool is_hidden = s.hidden > surely * least;
    if (!is_fast && !is_hidden) continue;
    if (s.deviation <= least) s.frequency = 0;  // of what is left of it by rounding
    if (!worst || frequency(s) > frequency(*worst)) worst = &s, name = channels[k].name;
  }
  if (!worst) return {};
  const std::string told = worst->frequency > 0 ? fmt::format("about {:.3g} Hz", worst->frequency)
                                                : fmt::format("a multiple of about {:.3g} Hz", 0.5 / output_step);
  return {{"coarse_output",
           {},
           fmt::format("Channel \"{}\" oscillates with {}, but samples every {:.3g} s show no more than {:.3g} Hz: "
                       "what is recorded is right at its times and misleading in between.",
                       name, told, output_step, 0.5 / output_step),
           fmt::format("Choose an output_step of {:.1g} s or less.", 0.1 / frequency(*worst))}};
}

}  // namespace skyhook::simulation
