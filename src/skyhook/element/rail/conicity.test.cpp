// References: closed forms for linear and cubic rolling radius differences (the wave of the latter is Jacobi's, its length an elliptic integral).
#include "skyhook/element/rail/conicity.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "skyhook/element/rail/contact_geometry.h"

using namespace skyhook::element::rail;
using doctest::Approx;

namespace {

template <class F>
RadiusDifference table(const F& f, double step = 1e-5) {
  std::vector<double> values;
  const int half = static_cast<int>(std::round(8e-3 / step));
  for (int k = -half; k <= half; ++k) values.push_back(f(k * step));
  return {-half * step, step, values};
}
double K_of_negative(double m) {  // K(-m) by Landen's form, m >= 0
  return std::comp_ellint_1(std::sqrt(m / (1 + m))) / std::sqrt(1 + m);
}

}  // namespace

TEST_CASE("Cones have their own conicity, at any amplitude and by both ways") {
  const RadiusDifference f = table([](double y) { return 2 * 0.05 * y; });
  for (const double A : {0.5e-3, 3e-3, 7e-3}) {
    CHECK(*harmonic_conicity(f, A) == Approx(0.05).epsilon(1e-12));
    CHECK(*integral_conicity(f, A) == Approx(0.05).epsilon(1e-7));  // the steps in theta
  }
}

TEST_CASE("A cubic difference has two conicities, each with its closed form") {
  const double a = 0.1, b = 4000;  // 0.1 + 0.1 at 5 mm
  const RadiusDifference f = table([&](double y) { return 2 * (a * y + b * y * y * y); });
  for (const double A : {1e-3, 3e-3, 6e-3}) {
    const double p = a + b * A * A / 2, q = b * A * A / 2;
    // straight pieces of 10 um: off by h^2/12 of the second derivative, 1e-6 of the whole
    CHECK(*harmonic_conicity(f, A) == Approx(a + 0.75 * b * A * A).epsilon(2e-6));
    CHECK(*integral_conicity(f, A) ==
          Approx(std::pow(std::numbers::pi * std::sqrt(p) / (2 * K_of_negative(q / p)), 2)).epsilon(2e-6));
  }
  CHECK(*integral_conicity(f, 6e-3) < *harmonic_conicity(f, 6e-3));
}

TEST_CASE("A wheelset that rolls straight beside the middle swings about that place") {
  const RadiusDifference f = table([](double y) { return 2 * 0.05 * (y - 1e-3); });
  CHECK(*f.centre() == Approx(1e-3));
  CHECK(*harmonic_conicity(f, 3e-3) == Approx(0.05).epsilon(1e-9));
  CHECK(*integral_conicity(f, 3e-3) == Approx(0.05).epsilon(1e-7));
  CHECK_FALSE(harmonic_conicity(f, 7.5e-3));  // beyond the table
  CHECK_FALSE(integral_conicity(f, 7.5e-3));
}

TEST_CASE("No wave without a centre, or over a hill") {
  const RadiusDifference none = table([](double) { return 1e-3; });
  CHECK_FALSE(none.centre());
  CHECK_FALSE(harmonic_conicity(none, 1e-3));
  CHECK_FALSE(integral_conicity(none, 1e-3));
  const RadiusDifference hill = table([](double y) { return y * (y * y - 4e-6); });  // centres at +-2 mm
  CHECK(integral_conicity(hill, 0.5e-3));
}

TEST_CASE("Wheels that are cones, level on their rails: the conicity is the slope") {
  const WheelsetOnTrack w(conical(0.05), circular(0.3, 0.05), {});
  std::vector<double> values;
  for (int k = -80; k <= 80; ++k) {
    const double y = 1e-4 * k;  // without roll
    values.push_back(w.left().find({y, 0, 0}).contact().radius - w.right().find({-y, 0, 0}).contact().radius);
  }
  const RadiusDifference f(-8e-3, 1e-4, values);
  CHECK(*harmonic_conicity(f, 5e-3) == Approx(0.05).epsilon(1e-10));
  CHECK(*integral_conicity(f, 5e-3) == Approx(0.05).epsilon(1e-7));
}

// Reference: results of EN 15302:2021 annexes J.2 and K.2 for wheel A on rail A, three digits behind the point (as kept by rohrbecka/EN15302). The standard
// places the rails, not the gauge: their origins are 750 mm from the middle, which is a gauge of 1435.1646 mm; and it leaves the wheelset level.
TEST_CASE("Wheel A on rail A of EN 15302") {
  const WheelsetOnTrack w(built_in("en15302_wheel_a"), built_in("en15302_rail_a"), {.gauge = 1.4351646});
  CHECK(w.left().rail_y() == Approx(0.75).epsilon(1e-7));
  std::vector<double> values;
  for (int k = -420; k <= 420; ++k) values.push_back(w.at({2e-5 * k, 0, 0}).delta_r);
  const RadiusDifference f(-8.4e-3, 2e-5, values);
  struct Row {
    double y, delta_r, conicity;
  };
  for (const Row& r : {Row{1, 0.259, 0.125},
                       {2, 0.667, 0.155},
                       {4, 1.913, 0.216},
                       {5, 2.936, 0.254},
                       {6, 4.327, 0.303},
                       {6.4, 5.688, 0.332},
                       {6.8, 10.940, 0.425}}) {
    CAPTURE(r.y);
    CHECK(1e3 * f(1e-3 * r.y) == Approx(r.delta_r).epsilon(2e-3));
    CHECK(*integral_conicity(f, 1e-3 * r.y) == Approx(r.conicity).scale(1).epsilon(6e-4));
  }
  CHECK(*integral_conicity(f, 7.4e-3) == Approx(0.615).epsilon(2e-3));
}
