#include "skyhook/analysis/road_survey.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "skyhook/analysis/spectra.h"
#include "skyhook/math/fft.h"

namespace skyhook::analysis {
namespace {

constexpr double n0 = 0.1, lowest_n = 0.011, highest_n = 2.83;  // 1/m

// log10 of the densities over log10 of n/n0: the line of least squares, and that of slope -2.
void fit(RoadTrack& track) {
  double count = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t i = 0; i < track.n.size(); ++i) {
    if (track.n[i] < lowest_n || track.n[i] > highest_n || !(track.density[i] > 0)) continue;
    const double x = std::log10(track.n[i] / n0), y = std::log10(track.density[i]);
    count += 1, sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  if (count < 5) return;
  track.roughness = std::pow(10, (sy + 2 * sx) / count);
  track.waviness = -(count * sxy - sx * sy) / (count * sxx - sx * sx);
  track.degree = degree_of(*track.roughness);
}

RoadTrack track_at(const model::Surface& surface, const SurveyRange& range, double y) {
  RoadTrack track{.y = y};
  const auto count = static_cast<std::size_t>((range.last - range.first) / range.step) + 1;
  track.lowest = std::numeric_limits<double>::infinity(), track.highest = -track.lowest;
  for (std::size_t i = 0; i < count; ++i) {
    const double x = range.first + range.step * static_cast<double>(i);
    const auto h = surface.height(x, y, 0, surface.segment_at(x));
    track.x.push_back(x), track.z.push_back(h.value);
    track.lowest = std::min(track.lowest, h.value), track.highest = std::max(track.highest, h.value);
    track.steepest = std::max(track.steepest, std::abs(h.x));
  }
  double squares = 0;
  for (const double z : levelled(track.z)) squares += z * z;
  track.rms = std::sqrt(squares / static_cast<double>(count));
  const Density d = density_of(track.z, range.step);
  track.n = d.n, track.density = d.value;
  if (track.rms > 1e-9) fit(track);
  return track;
}

}  // namespace

Density density_of(const std::vector<double>& z, double step) {
  Density out;
  if (z.size() < 64) return out;
  const std::vector<double> level = levelled(z);
  const std::size_t length = power_of_two_from(z.size() / 2 + 1) / 2;  // a quarter to half of all
  const std::vector<double> fine = welch(level, length, step);
  const double dn = 1 / (step * static_cast<double>(length));
  // Lines below the third are spread over by the window.
  for (double low = 3 * dn; low < 0.4 / step;) {
    const double high = std::max(low * std::cbrt(2.0), low + 0.999 * dn);
    double sum = 0, count = 0, logs = 0;
    for (auto k = static_cast<std::size_t>(std::ceil(low / dn)); static_cast<double>(k) * dn < high && k < fine.size();
         ++k)
      sum += fine[k], count += 1, logs += std::log(static_cast<double>(k) * dn);
    if (count > 0) out.n.push_back(std::exp(logs / count)), out.value.push_back(sum / count);
    low = high;
  }
  return out;
}

char degree_of(double roughness) {
  const double steps = std::log(roughness / 32e-6) / std::log(4.0);  // classes meet at 32, 128, ... 1e-6 m^3
  return static_cast<char>('A' + static_cast<int>(std::clamp(std::ceil(steps), 0.0, 7.0)));
}

RoadSurvey survey(const model::Surface& surface, const SurveyRange& range) {
  RoadSurvey out;
  out.least_friction = std::numeric_limits<double>::infinity(), out.largest_friction = 0;
  for (const double y : range.y) {
    out.tracks.push_back(track_at(surface, range, y));
    for (const double x : out.tracks.back().x) {
      const double f = surface.friction(x, y);
      out.least_friction = std::min(out.least_friction, f), out.largest_friction = std::max(out.largest_friction, f);
    }
  }
  return out;
}

}  // namespace skyhook::analysis
