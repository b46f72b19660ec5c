#include "skyhook/analysis/rail_instability.h"

#include <algorithm>
#include <cmath>

#include "skyhook/analysis/filters.h"
#include "skyhook/analysis/signal_over.h"
#include "skyhook/analysis/spectra.h"

namespace skyhook::analysis {
namespace {

constexpr double lowest = 0.5, highest = 15, half_band = 2;  // Hz

std::optional<double> loudest(const Signal& s) {
  const Signal density = power_density(s);
  double most = 0, at = 0;
  for (std::size_t k = 0; k < density.size(); ++k) {
    if (density.x[k] < lowest || density.x[k] > highest || !(density.y[k] > most)) continue;
    most = density.y[k], at = density.x[k];
  }
  return most > 0 ? std::optional(at) : std::nullopt;
}

}  // namespace

std::optional<Instability> instability_of(const Signal& s, const Signal& distance, std::optional<double> frequency,
                                          double window, double step) {
  if (!frequency) frequency = loudest(s);
  if (!frequency) return std::nullopt;
  Signal square =
      filtered(butterworth(4, Pass::band, std::max(*frequency - half_band, *frequency / 4), *frequency + half_band), s);
  for (std::size_t k = 0; k < square.y.size(); ++k) {
    if (k < square.rate.size()) square.rate[k] *= 2 * square.y[k];
    square.y[k] *= square.y[k];
  }
  const auto along = over(square, distance);
  if (!along) return std::nullopt;
  Instability out{*frequency, sliding_mean(*along, window, step)};
  for (double& y : out.rms.y) y = std::sqrt(std::max(0.0, y));
  out.rms.rate.clear(), out.rms.unit = s.unit;
  return out.rms.x.empty() ? std::nullopt : std::optional(std::move(out));
}

}  // namespace skyhook::analysis
