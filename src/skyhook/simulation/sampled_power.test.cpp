// References: integrals of polynomials, and the order of the error.
#include "skyhook/simulation/sampled_power.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

using skyhook::simulation::PowerCurve;
using skyhook::simulation::SampledPower;

TEST_CASE("Between samples of a quintic the work is exact, and the estimate is what the quartic misses") {
  const auto power = [](double t) { return std::pow(t, 5) - 2 * t + 1; };
  const auto integral = [](double t) { return std::pow(t, 6) / 6 - t * t + t; };
  SampledPower samples;
  for (const double t : {0.1, 0.3, 0.5, 0.7, 0.9}) samples.add({t, power(t)});
  CHECK_FALSE(samples.is_full());
  CHECK(samples.work_to({1.0, power(1.0)}).work == doctest::Approx(integral(1.0) - integral(0.9)).epsilon(1e-13));
  samples.add({1.15, power(1.15)});
  REQUIRE(samples.is_full());
  const auto since = samples.since_last();
  CHECK(since.work == doctest::Approx(integral(1.15) - integral(0.9)).epsilon(1e-13));
  CHECK(std::abs(since.error) > 1e-6);
}

TEST_CASE("The work between samples errs like the seventh power of their distance, and less than is estimated") {
  double before = 0;
  for (const double h : {0.2, 0.1, 0.05}) {
    SampledPower samples;
    for (int k = -7; k <= 0; ++k) samples.add({1 + h * k, std::sin(1 + h * k)});
    const auto since = samples.since_last();
    const double error = std::abs(since.work - (std::cos(1 - h) - std::cos(1.0)));
    CHECK(error < std::abs(since.error));
    if (before > 0) CHECK(std::log2(before / error) == doctest::Approx(7).epsilon(0.1));
    before = error;
  }
}

TEST_CASE("A gap between samples begins anew") {
  SampledPower samples;
  for (int k = 0; k < 6; ++k) samples.add({0.1 * k, 1});
  REQUIRE(samples.is_full());
  CHECK(samples.work_beyond(0.6) == doctest::Approx(0.1).epsilon(1e-12));
  samples.add({0.8, 1});
  CHECK_FALSE(samples.is_full());
  CHECK(samples.spacing() == 0);
}

// A wave that has only two or three steps a period, of other lengths by turns, as an integrator takes them: its integral is known. The quintic swings.
TEST_CASE("Of rough power the curve of low order is nearer, and estimates add up with their signs") {
  constexpr double omega = 200;
  const auto exact = [](double t) { return -std::cos(omega * t) / omega; };
  constexpr int first = 5;
  SampledPower power;
  std::vector<PowerCurve::Value> values;
  double t = 0, work = 0, by_quintic = 0, estimated = 0, errs = 0, quintic_errs = 0, largest = 0;
  for (int k = 0; k < 400; ++k) {
    t += k % 7 < 3 ? 0.008 : 0.019;
    values.push_back({t, std::sin(omega * t)});
    power.add(values.back());
    if (k < first) continue;
    const auto since = power.since_last();
    const double truth = exact(t) - exact(values[first - 1].t);
    work += since.work, estimated += since.error, by_quintic += power.by_quintic().work;
    errs = std::max(errs, std::abs(work - truth)), quintic_errs = std::max(quintic_errs, std::abs(by_quintic - truth));
    largest = std::max(largest, std::abs(estimated));
  }
  CHECK(errs < 0.5 * quintic_errs);
  CHECK(errs < 3 * largest);  // the estimate is that of one order less: of this size, no bound
}
