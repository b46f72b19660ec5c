// References: sines, whose bends and ranges are known at any number of samples; a pulse that passes between samples.
#include "skyhook/math/unresolved_rates.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "skyhook/math/hermite.h"

using namespace skyhook;

namespace {

struct Record {
  std::vector<double> t, x, v;
};

Record sine(double samples_a_period, double phase, std::size_t count = 60) {
  const double w = 2 * std::numbers::pi / samples_a_period;
  Record r;
  for (std::size_t k = 0; k < count; ++k) {
    const double angle = w * static_cast<double>(k) + phase;
    r.t.push_back(static_cast<double>(k)), r.x.push_back(5 + std::sin(angle)), r.v.push_back(w * std::cos(angle));
  }
  return r;
}

}  // namespace

TEST_CASE("Unresolved rates: a sine with three samples a period or more keeps all of them, at any phase") {
  for (const double samples : {3.0, 3.7, 5.0, 20.0, 1000.0}) {
    for (double phase = 0; phase < 6.3; phase += 0.05) {
      Record r = sine(samples, phase, samples > 100 ? 5000 : 60);
      const std::vector<double> before = r.v;
      CHECK(forget_unresolved_rates(r.t, r.x, r.v) == 0);
      CHECK(r.v == before);
    }
  }
}

TEST_CASE("Unresolved rates: what comes and goes between samples leaves a line, and no false peak") {
  Record r = sine(40, 0.3);
  r.v[30] = 200;  // as of a step of 5 % of the time between samples
  const double peak = hermite({r.t[30], r.x[30], r.v[30]}, {r.t[31], r.x[31], r.v[31]}, 30 + 1.0 / 3);
  CHECK(peak > 30);
  CHECK(forget_unresolved_rates(r.t, r.x, r.v) == 1);
  CHECK(std::isnan(r.v[30]));
  const double line = hermite({r.t[30], r.x[30], r.v[30]}, {r.t[31], r.x[31], r.v[31]}, 30.5);
  CHECK(line == doctest::Approx((r.x[30] + r.x[31]) / 2).epsilon(1e-15));
}

TEST_CASE("Unresolved rates: rounding on what stands still, sides of events and records of three samples stay") {
  std::vector<double> t{0, 1, 2, 2, 3, 4}, x{7, 7, 7, 8, 8, 8}, v{1e-9, -1e-9, 0, 0, 1e-9, 0};
  CHECK(forget_unresolved_rates(t, x, v) == 0);
  t = {0, 1, 2}, x = {0, 0, 0}, v = {1, -1, 1};
  CHECK(forget_unresolved_rates(t, x, v) == 0);
}

// Exact for parabolas at any distances.
TEST_CASE("Rates that a record lacks are those of the parabola through three samples, not over an event") {
  const double none = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> t{0, 1, 1.5, 3, 3, 4, 6, 7}, x, v{none, none, 2.25, none, none, none, none, none};
  const auto value = [](double at, bool is_behind) { return is_behind ? 100 - 3 * at * at : 1 + at * at; };
  for (std::size_t k = 0; k < t.size(); ++k) x.push_back(value(t[k], k > 3));
  CHECK(fill_unknown_rates(t, x, v) == 7);
  for (std::size_t k = 0; k < t.size(); ++k)
    CHECK(v[k] == doctest::Approx(k == 2 ? 2.25 : k > 3 ? -6 * t[k] : 2 * t[k]).epsilon(1e-13));
  t = {0, 1, 1, 2}, x = {1, 2, 3, 4}, v = {none, none, none, none};
  CHECK(fill_unknown_rates(t, x, v) == 0);
  CHECK(std::isnan(v[1]));
}
