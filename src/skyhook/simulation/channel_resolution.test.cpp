// Do samples show their channels? Reference: sines whose frequency and phases at the samples are known.
#include "skyhook/simulation/channel_resolution.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numbers>

using namespace skyhook;
using namespace skyhook::simulation;

namespace {

constexpr double h = 0.01, nyquist = 0.5 / h, pi = std::numbers::pi;

struct Sine {
  double amplitude, frequency, phase;  // m, Hz, rad
};

// "": the samples show all.
std::string said(const std::vector<Sine>& sines, int samples = 300) {
  ChannelResolution resolution;
  std::vector<Channel> channels;
  for (std::size_t k = 0; k < sines.size(); ++k) channels.push_back({.name = "c" + std::to_string(k), .unit = "m/s"});
  for (int i = 0; i < samples; ++i) {
    std::vector<double> values, rates;
    for (const Sine& s : sines) {
      const double w = 2 * pi * s.frequency, at = w * h * i + s.phase;
      values.push_back(s.amplitude * std::sin(at)), rates.push_back(s.amplitude * w * std::cos(at));
    }
    resolution.add(values, rates, std::vector<double>(sines.size(), std::numeric_limits<double>::quiet_NaN()));
  }
  const auto warnings = resolution.warnings(channels, h, 1e-6, 1);
  return warnings.empty() ? "" : warnings.front().what;
}

bool names(const std::string& text, const char* channel) {
  return text.starts_with(std::string("Channel \"") + channel + '"');
}

}  // namespace

TEST_CASE("Samples: sines slower than half of their frequency are shown, faster ones are told") {
  for (const double phase : {0.0, 0.4, 1.3}) {
    CAPTURE(phase);
    CHECK(said({{1, 0.013, phase}}).empty());  // a short piece of a slow curve
    CHECK(said({{1, 0.45 * nyquist, phase}}).empty());
    CHECK(names(said({{1, 1.37 * nyquist, phase}}), "c0"));
  }
}

// Samples at multiples of half the period are all the same, up to their sign: the deviation is none, and only the median of the rates tells. It is found without sorting where these are too slow for it to be more
// than the deviation, which must not hide any: half of the squares of the rates are at least that of their median, which is so at most 1.42 times their root mean square.
TEST_CASE(
    "Samples: sines that hide from them are told by the median of their rates, beside slow channels of any size") {
  for (const double multiple : {2.0, 4.0, 6.0}) {
    CAPTURE(multiple);
    CHECK(names(said({{1, multiple * nyquist, 0.3}}), "c0"));
    CHECK(names(said({{0.5, 0.2, 0}, {1, multiple * nyquist, 0.3}}), "c1"));
  }
  // Half of the rates are none: of all rates their median is the farthest above the root mean square. Samples fall on the peaks of a sine and, hidden, between them.
  ChannelResolution resolution;
  for (int i = 0; i < 300; ++i)
    resolution.add({i % 2 == 0 ? 1e-9 : -1e-9}, {i % 2 == 0 ? 0.0 : 2 * pi * nyquist},
                   {std::numeric_limits<double>::quiet_NaN()});
  CHECK(resolution.warnings({{.name = "c", .unit = "m/s"}}, h, 1e-6, 1).size() == 1);
  // A slow channel with a spike in its rate is not told: the root mean square is large, the median is not.
  ChannelResolution spike;
  for (int i = 0; i < 300; ++i)
    spike.add({std::sin(0.01 * i)}, {i == 150 ? 1e4 : std::cos(0.01 * i)}, {std::numeric_limits<double>::quiet_NaN()});
  CHECK(spike.warnings({{.name = "c", .unit = "m/s"}}, h, 1e-6, 1).empty());
}
