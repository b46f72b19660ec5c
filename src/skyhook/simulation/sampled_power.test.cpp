// References: integrals of polynomials, and the order of the error.
#include "skyhook/simulation/sampled_power.h"

#include <doctest/doctest.h>

#include <cmath>

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
  CHECK(since.error > 1e-6);
}

TEST_CASE("The work between samples errs like the seventh power of their distance, and less than is estimated") {
  double before = 0;
  for (const double h : {0.2, 0.1, 0.05}) {
    SampledPower samples;
    for (int k = -7; k <= 0; ++k) samples.add({1 + h * k, std::sin(1 + h * k)});
    const auto since = samples.since_last();
    const double error = std::abs(since.work - (std::cos(1 - h) - std::cos(1.0)));
    CHECK(error < since.error);
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
