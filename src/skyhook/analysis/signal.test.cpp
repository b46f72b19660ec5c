// References: by hand for lines and jumps, exact integrals for cubics and sines.
#include "skyhook/analysis/signal.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

using namespace skyhook;
using namespace skyhook::analysis;
using doctest::Approx;

namespace {

// t^3 - t on uneven samples of 0..2, which the curve between them is itself.
Signal cubic() {
  Signal s;
  s.name = "x", s.unit = "m";
  for (const double t : {0.0, 0.3, 0.4, 1.1, 1.7, 2.0})
    s.x.push_back(t), s.y.push_back(t * t * t - t), s.rate.push_back(3 * t * t - 1);
  return s;
}

// 0 up to 1 s, 2 after it, up to 3 s.
Signal jump() {
  Signal s;
  s.unit = "m", s.x = {0, 1, 1, 3}, s.y = {0, 0, 2, 2}, s.rate = {0, 0, 0, 0};
  return s;
}

}  // namespace

TEST_CASE("A cubic is its samples and rates: values, integrals, mean square, parts, crossings and peaks are exact") {
  const Signal s = cubic();
  CHECK(s.at(0.77) == Approx(0.77 * 0.77 * 0.77 - 0.77).epsilon(1e-14));
  CHECK(mean(s) == Approx((4.0 - 2.0) / 2).epsilon(1e-14));                                 // t^4/4 - t^2/2
  CHECK(rms(s) == Approx(std::sqrt((128.0 / 7 - 64.0 / 5 + 8.0 / 3) / 2)).epsilon(1e-13));  // (t^3 - t)^2
  CHECK(integral(s).y.back() == Approx(2).epsilon(1e-14));
  CHECK(integral(s).unit == "m.s");
  CHECK(derivative(s).y[3] == Approx(3 * 1.21 - 1));
  CHECK(*first_at(s, 0, 0.1) == Approx(1).epsilon(1e-12));
  CHECK_FALSE(first_at(s, 7, 0).has_value());
  const Peak low = peak(s, -1, 0, 2);
  CHECK(low.t == Approx(1 / std::sqrt(3.0)).epsilon(1e-12));
  CHECK(low.value == Approx(-2 / (3 * std::sqrt(3.0))).epsilon(1e-12));
  CHECK(peak(s, 1, 0, 2).t == 2);
  const Signal middle = part(s, 0.5, 1.5);
  CHECK(middle.x.front() == 0.5);
  CHECK(middle.x.back() == 1.5);
  CHECK(mean(middle) == Approx((1.5 * 1.5 * 1.5 * 1.5 - 0.0625) / 4 - (2.25 - 0.25) / 2).epsilon(1e-13));
}

TEST_CASE("Jumps are jumps") {
  const Signal s = jump();
  CHECK(mean(s) == Approx(4.0 / 3));
  CHECK(rms(s) == Approx(std::sqrt(8.0 / 3)));
  CHECK(deviation(s) == Approx(std::sqrt(8.0 / 3 - 16.0 / 9)));
  CHECK(s.at(1) == 2);
  CHECK(std::abs(percentile(s, 20)) < 1e-15);
  CHECK(percentile(s, 50) == Approx(2));
  CHECK(*first_at(s, 1, 0) == 1);
  const Signal r = running_rms(s, 1);
  CHECK(r.at(1) == 0);
  CHECK(r.y.back() == Approx(2));
  CHECK(running_rms(s, 10).y.back() == Approx(rms(s)));  // less has passed than the window
  CHECK(derivative(s).y[1] == 0);
}

TEST_CASE("Lines, where no rates are known") {
  Signal s;
  s.unit = "m", s.x = {0, 1, 3}, s.y = {0, 2, -2};
  CHECK(mean(s) == Approx(1.0 / 3));
  CHECK(derivative(s).y[1] == Approx((2 * 2 + 1 * -2) / 3.0));  // of the parabola
  CHECK(crossings(s, 1) == Approx(1.0 / 3));
  CHECK(percentile(s, 100) == Approx(2));
  CHECK(vibration_dose(s) == Approx(std::pow(16.0 / 5 + 2 * 16.0 / 5, 0.25)).epsilon(1e-12));
}

TEST_CASE("Units of powers, products and quotients") {
  CHECK(power_unit("m/s^2", "2") == "(m/s^2)^2");
  CHECK(power_unit("m", "2") == "m^2");
  CHECK(quotient_unit("m", "N.m") == "m/(N.m)");
  CHECK(quotient_unit("rad", "rad") == "-");
  CHECK(times_unit("m/s^2", "s") == "m/s");
  CHECK(over_unit("rad/s", "s") == "rad/s^2");
  CHECK(over_unit("rad", "s") == "rad/s");
  CHECK(times_unit("-", "s") == "s");
}
