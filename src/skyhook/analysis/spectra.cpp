#include "skyhook/analysis/spectra.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "skyhook/base/error.h"
#include "skyhook/math/fft.h"

namespace skyhook::analysis {
namespace {

constexpr std::size_t least_samples = 16;

void require_record(const Signal& s) {
  if (s.is_number() || s.abscissa.unit != "s")
    throw ModelError({}, "\"" + s.name + "\" is no record over time: it has no spectrum.", "Name a channel of a run.");
  if (s.size() < least_samples || !(s.span() > 0))
    throw ModelError({}, fmt::format("\"{}\" has {} samples, too few for a spectrum.", s.name, s.size()),
                     "Record more: a longer run, or a smaller output_step.");
  if (std::ranges::any_of(s.y, [](double y) { return !std::isfinite(y); }))
    throw ModelError({}, "\"" + s.name + "\" has values that are no numbers: it has no spectrum.",
                     "Name another channel.");
}

double mean_step(const Signal& s) {
  std::size_t intervals = 0;  // both sides of a jump are one time
  for (std::size_t k = 1; k < s.x.size(); ++k) intervals += s.x[k] > s.x[k - 1] ? 1 : 0;
  return s.span() / static_cast<double>(intervals);
}

// Even samples in segments of `length`.
struct Even {
  std::size_t length = 0;
  double step = 0;
  std::size_t lines = 0;  // up to half the rate of the record
  std::vector<double> values;
};

Even even_samples(const Signal& s, double segment) {
  require_record(s);
  const double h = mean_step(s), duration = segment > 0 ? segment : s.span() / 4;
  if (duration > s.span() * (1 + 1e-9) || duration < static_cast<double>(least_samples) * h)
    throw ModelError({},
                     fmt::format("segments of {:g} s do not fit \"{}\", a record of {:g} s with samples every {:g} s.",
                                 duration, s.name, s.span(), h),
                     fmt::format("Give {:g} s to {:g} s.", static_cast<double>(least_samples) * h, s.span()));
  Even out;
  out.length = power_of_two_from(static_cast<std::size_t>(std::ceil(duration / h * (1 - 1e-9))));
  out.step = duration / static_cast<double>(out.length);
  out.lines = std::min(out.length / 2, static_cast<std::size_t>(std::floor(duration / (2 * h) * (1 + 1e-9))));
  const auto count = static_cast<std::size_t>(std::floor(s.span() / out.step * (1 + 1e-12)));
  for (std::size_t k = 0; k < count; ++k) out.values.push_back(s.at(s.x.front() + out.step * static_cast<double>(k)));
  return out;
}

Signal over_frequency(std::string name, std::string unit, const Even& even) {
  Signal out;
  out.name = std::move(name), out.unit = std::move(unit), out.abscissa = {"frequency", "Hz"};
  for (std::size_t k = 1; k < even.lines; ++k)  // the mean line is left out, and line 0 with it
    out.x.push_back(static_cast<double>(k) / (static_cast<double>(even.length) * even.step));
  return out;
}

}  // namespace

std::vector<double> levelled(std::span<const double> z) {
  const auto n = static_cast<double>(z.size());
  double sum = 0, moment = 0;
  for (std::size_t i = 0; i < z.size(); ++i) sum += z[i], moment += (static_cast<double>(i) - 0.5 * (n - 1)) * z[i];
  const double slope = z.size() < 2 ? 0.0 : 12 * moment / (n * (n * n - 1));
  std::vector<double> out;
  for (std::size_t i = 0; i < z.size(); ++i)
    out.push_back(z[i] - sum / n - slope * (static_cast<double>(i) - 0.5 * (n - 1)));
  return out;
}

std::vector<Spectrum> segment_spectra(std::span<const double> values, std::size_t length, double step) {
  std::vector<double> window;
  double power = 0;
  for (std::size_t i = 0; i < length; ++i) {
    const double turn = 2 * std::numbers::pi * (static_cast<double>(i) + 0.5) / static_cast<double>(length);
    window.push_back(0.5 * (1 - std::cos(turn))), power += window[i] * window[i];
  }
  const double scale = std::sqrt(2 * step / power);
  std::vector<Spectrum> out;
  for (std::size_t begin = 0; begin + length <= values.size(); begin += length / 2) {
    Spectrum x(length);
    for (std::size_t i = 0; i < length; ++i) x[i] = scale * window[i] * values[begin + i];
    transform(x);
    x.resize(length / 2);
    out.push_back(std::move(x));
  }
  return out;
}

std::vector<double> welch(std::span<const double> values, std::size_t length, double step) {
  const std::vector<Spectrum> segments = segment_spectra(values, length, step);
  std::vector<double> mean(length / 2, 0.0);
  for (const Spectrum& x : segments) {
    for (std::size_t k = 0; k < mean.size(); ++k) mean[k] += std::norm(x[k]) / static_cast<double>(segments.size());
  }
  return mean;
}

Signal amplitude_spectrum(const Signal& s) {
  require_record(s);
  const double h = mean_step(s);
  const std::size_t n = power_of_two_from(static_cast<std::size_t>(std::ceil(s.span() / h * (1 - 1e-9))));
  const std::vector<double> values = evenly(s, n);
  Spectrum x(values.begin(), values.end());
  transform(x);
  Signal out;
  out.name = "fft(" + s.name + ")", out.unit = s.unit, out.abscissa = {"frequency", "Hz"};
  for (std::size_t k = 0; k <= n / 2 && static_cast<double>(k) / s.span() <= 0.5 / h * (1 + 1e-9); ++k) {
    const double sides = k == 0 || k == n / 2 ? 1 : 2;
    out.x.push_back(static_cast<double>(k) / s.span()),
        out.y.push_back(sides * std::abs(x[k]) / static_cast<double>(n));
  }
  return out;
}

Signal power_density(const Signal& s, double segment) {
  const Even even = even_samples(s, segment);
  Signal out = over_frequency("psd(" + s.name + ")", (s.unit == "-" ? "1" : power_unit(s.unit, "2")) + "/Hz", even);
  const std::vector<double> density = welch(levelled(even.values), even.length, even.step);
  for (std::size_t k = 1; k < even.lines; ++k) out.y.push_back(density[k]);
  return out;
}

TransferEstimate transfer_estimate(const Signal& output, const Signal& input, double segment) {
  const Even u = even_samples(input, segment), y = even_samples(output, segment);
  if (u.length != y.length || u.values.size() != y.values.size())
    throw ModelError({}, "\"" + output.name + "\" and \"" + input.name + "\" are not recorded at the same times.",
                     "Take both from one result.");
  const auto us = segment_spectra(levelled(u.values), u.length, u.step),
             ys = segment_spectra(levelled(y.values), y.length, y.step);
  const std::string of = "(" + output.name + ", " + input.name + ")";
  TransferEstimate out{over_frequency("transfer" + of, quotient_unit(output.unit, input.unit), u),
                       over_frequency("phase" + of, "rad", u), over_frequency("coherence" + of, "-", u)};
  constexpr double turn = 2 * std::numbers::pi;
  for (std::size_t k = 1; k < u.lines; ++k) {
    double uu = 0, yy = 0;
    std::complex<double> yu = 0;
    for (std::size_t i = 0; i < us.size(); ++i) {
      uu += std::norm(us[i][k]), yy += std::norm(ys[i][k]), yu += ys[i][k] * std::conj(us[i][k]);
    }
    const double phase = std::arg(yu), last = out.phase.y.empty() ? phase : out.phase.y.back();
    out.gain.y.push_back(std::abs(yu) / uu);
    out.phase.y.push_back(phase + turn * std::round((last - phase) / turn));
    out.coherence.y.push_back(uu > 0 && yy > 0 ? std::min(1.0, std::norm(yu) / (uu * yy)) : 0.0);
  }
  return out;
}

}  // namespace skyhook::analysis
