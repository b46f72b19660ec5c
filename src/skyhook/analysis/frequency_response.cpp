#include "skyhook/analysis/frequency_response.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "skyhook/math/fft.h"

namespace skyhook::analysis {
namespace {

using Complex = std::complex<double>;
using Spectrum = std::vector<Complex>;

constexpr double least_power =
    0.02;  // of the strongest band, by the hertz or by the octave: sweeps are even in one of them
constexpr double least_lines = 4;  // independent lines of a record in a band: fewer have no coherence worth the name

// Of the signal less its first value, up to the highest frequency that the samples carry.
Spectrum spectrum(std::span<const double> signal) {
  Spectrum x(power_of_two_from(2 * signal.size()));
  for (std::size_t i = 0; i < signal.size(); ++i) x[i] = signal[i] - signal[0];
  transform(x);
  x.resize(x.size() / 2);
  return x;
}

struct Band {
  std::size_t first, last;  // lines, `last` excluded
};

// Bands of a fraction of an octave each, at low frequencies wider.
std::vector<Band> bands(std::size_t lines, double per_record, int per_octave) {
  const double ratio = std::exp2(1.0 / per_octave);
  const auto least = static_cast<std::size_t>(std::ceil(least_lines * per_record));
  std::vector<Band> out;
  for (std::size_t first = least / 2 + 1; first < lines;) {
    const auto wide = static_cast<std::size_t>(std::lround(static_cast<double>(first) * ratio));
    const std::size_t last = std::min(lines, std::max(wide, first + least));
    out.push_back({first, last});
    first = last;
  }
  return out;
}

struct Sums {
  double frequency = 0, uu = 0, yy = 0;
  Complex yu = 0;
};

Sums sums(const Band& band, const Spectrum& u, const Spectrum& y, double line) {
  Sums s;
  for (std::size_t k = band.first; k < band.last; ++k) {
    const double power = std::norm(u[k]);
    s.uu += power, s.yy += std::norm(y[k]), s.yu += y[k] * std::conj(u[k]);
    s.frequency += power * static_cast<double>(k) * line;
  }
  s.frequency /= s.uu;
  return s;
}

double density(const Band& band, const Spectrum& u) {
  double sum = 0;
  for (std::size_t k = band.first; k < band.last; ++k) sum += std::norm(u[k]);
  return sum / static_cast<double>(band.last - band.first);
}

// The neighbours of the strongest band as far as the input has power, or those that are asked for.
std::vector<Band> wanted(std::vector<Band> all, const Spectrum& u, double line, const ResponseOptions& o) {
  std::vector<double> power, by_octave;
  for (const Band& band : all) {
    power.push_back(density(band, u));
    by_octave.push_back(power.back() * static_cast<double>(band.first + band.last));
  }
  const std::size_t top = std::max_element(power.begin(), power.end()) - power.begin();
  if (power.empty() || !(power[top] > 0)) return {};
  const double strongest = *std::max_element(by_octave.begin(), by_octave.end());
  const auto is_strong = [&](std::size_t b) {
    return power[b] >= least_power * power[top] || by_octave[b] >= least_power * strongest;
  };
  std::size_t low = top, high = top;
  while (low > 0 && is_strong(low - 1)) --low;
  while (high + 1 < all.size() && is_strong(high + 1)) ++high;
  std::vector<Band> out;
  for (std::size_t b = 0; b < all.size(); ++b) {
    const double from = static_cast<double>(all[b].first) * line, to = static_cast<double>(all[b].last) * line;
    const bool above = o.low > 0 ? to > o.low : b >= low, below = o.high > 0 ? from < o.high : b <= high;
    if (above && below && power[b] > 0) out.push_back(all[b]);
  }
  return out;
}

// The last fiftieth of the record moves by less than a fiftieth of the whole, and where the record began.
bool ends_at_rest(std::span<const double> signal) {
  constexpr double part = 0.02;
  double largest = 0, end = 0;
  const auto begin_of_end = static_cast<std::size_t>((1 - part) * static_cast<double>(signal.size()));
  for (std::size_t i = 0; i < signal.size(); ++i) {
    const double size = std::abs(signal[i] - signal[0]);
    largest = std::max(largest, size);
    if (i >= begin_of_end) end = std::max(end, size);
  }
  return end <= part * largest;
}

}  // namespace

FrequencyResponse frequency_response(double step, std::span<const double> input,
                                     const std::vector<std::vector<double>>& outputs, const ResponseOptions& options) {
  FrequencyResponse out;
  if (input.size() < 32) return out.problem = "There are fewer than 32 samples.", out;
  const Spectrum u = spectrum(input);
  const auto padded = static_cast<double>(2 * u.size());
  const double line = 1 / (padded * step), per_record = padded / static_cast<double>(input.size());
  const std::vector<Band> chosen = wanted(bands(u.size(), per_record, options.per_octave), u, line, options);
  if (chosen.empty()) {
    out.problem = "The input does not move in the wanted range of frequencies.";
    return out;
  }
  for (const std::vector<double>& output : outputs) {
    const Spectrum y = spectrum(output);
    std::vector<ResponseBand>& to = out.outputs.emplace_back();
    for (const Band& band : chosen) {
      const Sums s = sums(band, u, y, line);
      const double coherence = s.yy > 0 ? std::norm(s.yu) / (s.uu * s.yy) : 0.0;
      to.push_back({s.frequency, density(band, u) * step * step, s.yu / s.uu, std::min(coherence, 1.0)});
    }
    out.ends_at_rest.push_back(ends_at_rest(output));
  }
  return out;
}

std::vector<double> phases(const std::vector<ResponseBand>& bands) {
  constexpr double turn = 2 * std::numbers::pi;
  std::vector<double> out;
  for (const ResponseBand& band : bands) {
    const double phase = std::arg(band.response);
    out.push_back(out.empty() ? phase : phase + turn * std::round((out.back() - phase) / turn));
  }
  return out;
}

}  // namespace skyhook::analysis
