// References: waves whose power is known; Parseval; white noise with the scatter of its estimate; a filter whose response is known.
#include "skyhook/analysis/spectra.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <random>

#include "skyhook/analysis/filters.h"
#include "skyhook/base/error.h"

using namespace skyhook;
using namespace skyhook::analysis;
using doctest::Approx;

namespace {

constexpr double pi = std::numbers::pi;

Signal record(double step, double until, const std::function<double(double)>& f,
              const std::function<double(double)>& rate) {
  Signal s;
  s.name = "a", s.unit = "m/s^2";
  for (int k = 0; k * step <= until * (1 + 1e-12); ++k)
    s.x.push_back(k * step), s.y.push_back(f(k * step)), s.rate.push_back(rate(k * step));
  return s;
}

Signal noise(double step, std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<> normal;
  Signal s;
  s.name = "a", s.unit = "m";
  for (std::size_t k = 0; k < n; ++k) s.x.push_back(step * static_cast<double>(k)), s.y.push_back(normal(random));
  return s;
}

}  // namespace

// 1000 samples become 1024: the cubic between them has an error of (2 pi 5 0.01)^4/384 = 2.5e-5.
TEST_CASE("Lines that have whole periods in the record have their amplitudes, and add up to its mean square") {
  const Signal s = record(
      0.01, 10, [](double t) { return 3 + 2 * std::sin(2 * pi * 1.5 * t) + 0.5 * std::cos(2 * pi * 5 * t); },
      [](double t) { return 2 * pi * (3 * std::cos(2 * pi * 1.5 * t) - 2.5 * std::sin(2 * pi * 5 * t)); });
  const Signal a = amplitude_spectrum(s);
  CHECK(a.unit == "m/s^2");
  CHECK(a.abscissa.unit == "Hz");
  CHECK(a.at(0) == Approx(3).epsilon(1e-6));
  CHECK(a.at(1.5) == Approx(2).epsilon(1e-5));
  CHECK(a.at(5) == Approx(0.5).epsilon(1e-4));
  double squares = a.y[0] * a.y[0];
  for (std::size_t k = 1; k < a.y.size(); ++k) squares += a.y[k] * a.y[k] / 2;
  CHECK(squares == Approx(9 + 2 + 0.125).epsilon(1e-5));
  CHECK(squares == Approx(rms(s) * rms(s)).epsilon(1e-5));
}

TEST_CASE(
    "The density of a sine holds its power, half the square of its amplitude, and has the unit of a square by the "
    "hertz") {
  const Signal s = record(
      0.01, 40, [](double t) { return 5 + 3 * std::sin(2 * pi * 4 * t); },
      [](double t) { return 24 * pi * std::cos(2 * pi * 4 * t); });
  const Signal d = power_density(s, 5);  // whole periods: three lines of the window hold all of it
  CHECK(d.unit == "(m/s^2)^2/Hz");
  double power = 0;
  for (const double y : d.y) power += y * (d.x[1] - d.x[0]);
  CHECK(power == Approx(4.5).epsilon(1e-3));
  CHECK(d.x[std::ranges::max_element(d.y) - d.y.begin()] == Approx(4));
}

// One-sided density of independent samples of variance 1 at step h: 2 h. Some 60 overlapping segments and 500 lines: the mean scatters by
// well below 1 %. Without rates the line between samples is not white, so the segments are made of as many samples as were recorded.
TEST_CASE("The density of white noise is twice its step") {
  const double h = 0.01;
  const Signal s = noise(h, 32768 + 1, 5);
  const Signal d = power_density(s, 1024 * h);
  double mean = 0;
  for (const double y : d.y) mean += y / static_cast<double>(d.y.size());
  CHECK(mean == Approx(2 * h).epsilon(0.02));
}

TEST_CASE(
    "The transfer between noise and what a filter makes of it is the filter's response, with a coherence of one") {
  const Signal u = noise(0.01, 16385, 3);
  const Filter filter = butterworth(2, Pass::low, 5);
  Signal y = filtered(filter, u);
  y.name = "y", y.unit = "N";
  const TransferEstimate t = transfer_estimate(y, u, 512 * 0.01);
  CHECK(t.gain.unit == "N/m");
  for (std::size_t k = 0; k < t.gain.x.size(); ++k) {
    const double f = t.gain.x[k];
    if (f < 0.5 || f > 8) continue;
    // Lines of 0.2 Hz; the line between samples weakens by sinc^2, of 2 % at 8 Hz.
    CHECK(t.gain.y[k] == Approx(std::abs(response(filter, f))).epsilon(0.04));
    CHECK(std::abs(t.phase.y[k] - std::arg(response(filter, f))) < 0.06);
    CHECK(t.coherence.y[k] > 0.98);
  }
  const TransferEstimate none = transfer_estimate(noise(0.01, 16385, 4), u, 512 * 0.01);
  double mean = 0;
  for (const double c : none.coherence.y) mean += c / static_cast<double>(none.coherence.y.size());
  CHECK(mean < 0.05);  // about one over the number of segments, 62
}

TEST_CASE("What has no spectrum is refused") {
  CHECK_THROWS_AS(power_density(noise(0.01, 10, 1)), ModelError);
  CHECK_THROWS_AS(power_density(noise(0.01, 1000, 1), 100), ModelError);
  CHECK_THROWS_AS(amplitude_spectrum(Signal::number("n", "m", 1)), ModelError);
}
