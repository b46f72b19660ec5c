// References: polynomials up to the degree that so many values determine, and their integrals by hand.
#include "skyhook/simulation/power_curve.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace skyhook::simulation;

TEST_CASE("A curve through n values is the polynomial of degree n - 1, and its work the integral") {
  const std::vector<double> times = {0.3, 0.1, 0.7, 0.75, 1.2};
  for (std::size_t n = 1; n <= times.size(); ++n) {
    const auto power = [&](double t) {
      double sum = 0;
      for (std::size_t k = 0; k < n; ++k) sum += static_cast<double>(k + 1) * std::pow(t - 0.5, static_cast<double>(k));
      return sum;
    };
    const auto primitive = [&](double t) {
      double sum = 0;
      for (std::size_t k = 0; k < n; ++k) sum += std::pow(t - 0.5, static_cast<double>(k + 1));
      return sum;
    };
    std::vector<PowerCurve::Value> values;
    for (std::size_t i = 0; i < n; ++i) values.push_back({times[i], power(times[i])});
    const PowerCurve curve(values);
    for (const double t : {0.0, 0.3, 0.55, 1.3})
      CHECK(curve.at(t) == doctest::Approx(power(t)).scale(1).epsilon(1e-12));
    CHECK(curve.work(0.2, 1.1) == doctest::Approx(primitive(1.1) - primitive(0.2)).epsilon(1e-12));
    CHECK(curve.work(0.4, 0.4) == 0);
  }
}
