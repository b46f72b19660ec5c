#include "skyhook/analysis/frequency_response.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

using namespace skyhook;
using namespace skyhook::analysis;

namespace {

constexpr double pi = std::numbers::pi, step = 0.005;

// A swept sine from 1 Hz to 20 Hz in 20 s between smooth ends, then rest: 24 s.
double sweep(double t) {
  if (t <= 0 || t >= 20) return 0;
  const double k = std::log(20.0) / 20, edge = std::min({1.0, t / 2, (20 - t) / 2});
  return 0.5 * (1 - std::cos(pi * edge)) * std::sin(2 * pi * (std::exp(k * t) - 1) / k);
}

template <class Signal>
std::vector<double> sampled(Signal&& signal) {
  std::vector<double> out;
  for (int i = 0; i < 4800; ++i) out.push_back(signal(step * i));
  return out;
}

}  // namespace

// Reference: a delay d has H = g exp(-2 pi i f d). Over a band of width B the mean of a unit vector that turns by 2 pi B d is
// shorter by (2 pi B d)^2/24 and points to the band's centre of power, where the frequency is reported. The widest band is
// 2.9 % of 20 Hz: 4e-4 with d = 0.03 s.
TEST_CASE("A delay: gain, phase and coherence are exact but for the width of a band") {
  const double d = 0.03, gain = 2.5;
  const auto r = frequency_response(step, sampled(sweep), {sampled([&](double t) { return 7 + gain * sweep(t - d); })},
                                    {.low = 1.5, .high = 20});
  REQUIRE(r.problem.empty());
  REQUIRE(r.outputs[0].size() > 60);
  CHECK(r.ends_at_rest[0]);
  const std::vector<double> phase = phases(r.outputs[0]);
  for (std::size_t k = 0; k < phase.size(); ++k) {
    const ResponseBand& band = r.outputs[0][k];
    CAPTURE(band.frequency);
    CHECK(std::abs(std::abs(band.response) - gain) < 5e-4 * gain);
    CHECK(std::abs(phase[k] + 2 * pi * band.frequency * d) < 5e-4);
    CHECK(band.coherence > 1 - 1e-3);
  }
  CHECK(phase.back() < -2 * pi * 0.55);  // continued beyond half a turn
}

TEST_CASE("Bands reach as far as the input has power, or where they are asked to") {
  const auto u = sampled(sweep);
  const auto by_itself = frequency_response(step, u, {u}, {});
  CHECK(by_itself.outputs[0].front().frequency < 1.2);
  CHECK(by_itself.outputs[0].back().frequency > 18);
  CHECK(by_itself.outputs[0].back().frequency < 25);
  const auto part = frequency_response(step, u, {u}, {.low = 5, .high = 10, .per_octave = 6});
  CHECK(part.outputs[0].size() >= 6);
  CHECK(part.outputs[0].size() <= 8);
  const auto nothing = frequency_response(step, std::vector<double>(100, 1.0), {u}, {});
  CHECK(nothing.problem.find("does not move") != std::string::npos);
}

// Reference: noise of the power of the answer, independent of the input, leaves a coherence of 1/2 on average.
TEST_CASE("Coherence tells of what the input did not cause") {
  std::mt19937 random(1);
  std::normal_distribution<> noise;
  const auto u = sampled([&](double) { return noise(random); });
  std::vector<double> y = u;
  for (double& value : y) value += noise(random);
  const auto r = frequency_response(step, u, {y, u}, {.low = 10, .high = 90, .per_octave = 6});
  double mean = 0;
  for (const ResponseBand& band : r.outputs[0]) mean += band.coherence / static_cast<double>(r.outputs[0].size());
  CHECK(std::abs(mean - 0.5) < 0.05);
  CHECK(r.outputs[1][3].coherence == doctest::Approx(1.0));
  CHECK_FALSE(r.ends_at_rest[0]);
}
