// References: integrals of polynomials and sines, which the trapezoidal rule meets to its known error.
#include "skyhook/io/report/statistics.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

using namespace skyhook::io::report;

namespace {
constexpr double missing = std::numeric_limits<double>::quiet_NaN();
}

TEST_CASE("Mean and rms are over time, not over samples") {
  // 3 for 9 s, sampled twice; 13 for 1 s, sampled often: the mean of the samples would be near 13.
  std::vector<double> time{0, 9}, values{3, 3};
  for (int i = 0; i <= 1000; ++i) time.push_back(9 + i / 1000.0), values.push_back(13);
  const Statistics s = statistics_of(time, values);
  CHECK(s.mean == doctest::Approx(4).epsilon(1e-12));
  CHECK(s.rms == doctest::Approx(std::sqrt((9 * 9 + 169) / 10.0)).epsilon(1e-12));
  CHECK(s.min == 3);
  CHECK(s.t_min == 0);
  CHECK(s.max == 13);
  CHECK(s.t_max == 9);
  CHECK(s.first == 3);
  CHECK(s.last == 13);
}

TEST_CASE("A sine over whole periods has mean 0 and rms 1/sqrt 2") {
  std::vector<double> time, values;  // even steps over a period: the trapezoidal rule is then exact for sin and sin^2
  for (int i = 0; i <= 360; ++i)
    time.push_back(i / 360.0), values.push_back(std::sin(2 * std::numbers::pi * time.back()));
  const Statistics s = statistics_of(time, values);
  CHECK(std::abs(s.mean) < 1e-14);
  CHECK(s.rms == doctest::Approx(1 / std::numbers::sqrt2).epsilon(1e-12));
  CHECK(s.t_max == doctest::Approx(0.25));
  CHECK(s.t_min == doctest::Approx(0.75));
}

TEST_CASE("Gaps count neither as value nor as time") {
  const std::vector<double> time{0, 1, 2, 3, 4, 5},
      values{2, 2, missing, std::numeric_limits<double>::infinity(), 4, 4};
  const Statistics s = statistics_of(time, values);
  CHECK(s.mean == doctest::Approx(3));
  CHECK(s.rms == doctest::Approx(std::sqrt(10.0)));
  CHECK(s.max == 4);
  CHECK(s.t_max == 4);
}

TEST_CASE("One sample, none, none that is finite, and values whose square overflows") {
  CHECK(statistics_of(std::vector<double>{7}, std::vector<double>{-3}).mean == -3);
  CHECK(statistics_of(std::vector<double>{7}, std::vector<double>{-3}).rms == 3);
  CHECK(std::isnan(statistics_of({}, {}).mean));
  const Statistics none = statistics_of(std::vector<double>{0, 1}, std::vector<double>{missing, missing});
  CHECK(std::isnan(none.mean));
  CHECK(std::isnan(none.min));
  CHECK(std::isnan(none.t_max));
  CHECK(statistics_of(std::vector<double>{0, 1}, std::vector<double>{1e200, 1e200}).rms == doctest::Approx(1e200));
}
