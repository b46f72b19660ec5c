#include "skyhook/model/function.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace skyhook;
using doctest::Approx;

namespace {

model::Curve curve(const std::string& text) {
  return model::Curve(expression::Expression::compile(text, {.variables = {{"x", {}}}}, {"test"}));
}

}  // namespace

// Reference: the integrals by hand.
TEST_CASE("Curve: integrals of formulas") {
  const model::Curve polynomial = curve("1 + 2*x - 3*x^2 + 5*x^9"), wave = curve("sin(7*x)"), steep = curve("exp(5*x)"),
                     corner = curve("abs(x - 0.3)");
  for (const double x : {-1.3, -0.1, 0.0, 1e-7, 0.4, 1.7, 3.0}) {
    CHECK(polynomial.integral(x) == Approx(x + x * x - x * x * x + 0.5 * std::pow(x, 10)).epsilon(1e-13));
    // Of a panel of length h Gauss' rule misses h^11 (5!)^4 / (11 (10!)^3) of the tenth derivative: 2.6 rad of a wave, 1.9 of an exponential.
    CHECK(wave.integral(x) == Approx(2 * std::pow(std::sin(3.5 * x), 2) / 7).epsilon(1e-7));
    CHECK(steep.integral(x) == Approx(std::expm1(5 * x) / 5).epsilon(1e-9));
    // A corner inside of one of eight panels: at most a tenth of its square is missed.
    const double exact = x <= 0.3 ? 0.045 - 0.5 * (0.3 - x) * (0.3 - x) : 0.045 + 0.5 * (x - 0.3) * (x - 0.3);
    CHECK(std::abs(corner.integral(x) - exact) < 0.1 * (x / 8) * (x / 8) + 1e-15);
  }
}

// Springs tell their power by differences of energies: where few panels are enough the integral must not jump.
TEST_CASE("Curve: the slope of the integral is the curve") {
  const model::Curve spring = curve("-4.0092e6 + 2.8397e7*x - 6.7061e7*x^2 + 5.2796e7*x^3 + 300*sin(20*x)");
  constexpr double h = 1e-5;
  for (int k = 1; k < 200; ++k) {
    const double x = 0.003 * k, slope = (spring.integral(x + h) - spring.integral(x - h)) / (2 * h);
    CHECK(std::abs(slope - spring.at(x)) < 3e-3);  // h^2/6 of a curvature of 1.4e8, and rounding of 1e6 J over h
  }
}

// One by one is the other route: formulas by Taylor series in place of lanes, tables by the same spline.
TEST_CASE("Motion: many times at once are as many times by themselves") {
  const std::vector<double> times{0, 0.3, 0.5, 0.8, 1.0, 1.7, 2.2};  // a four, and three that are left
  const expression::Scope scope{.variables = {{"t", {}}}};
  for (const model::Motion& motion :
       {model::Motion(expression::Expression::compile("ramp(t, 0, 1)*sin(9*t) + abs(t - 0.5)", scope, {"test"})),
        model::Motion(expression::Expression::compile("3", scope, {"test"})),
        model::Motion(CubicSpline(std::vector<double>{0, 0.4, 1, 2}, std::vector<double>{0, 1, -1, 3}))}) {
    const std::vector<model::Motion2> all = motion.at(times);
    REQUIRE(all.size() == times.size());
    for (std::size_t k = 0; k < times.size(); ++k) {
      const model::Motion2 one = motion.at(times[k]);
      CHECK(std::abs(all[k].value - one.value) <= 1e-14);
      CHECK(std::abs(all[k].rate - one.rate) <= 1e-13);
      CHECK(std::abs(all[k].acceleration - one.acceleration) <= 1e-12);
    }
  }
}

TEST_CASE("Motion: constant is a formula without the time") {
  const auto formula = [](const char* text) {
    return model::Motion(expression::Expression::compile(text, {.variables = {{"t", {}}}}, {"test"}));
  };
  CHECK(formula("0.2").is_constant());
  CHECK(formula("2*sin(3)").is_constant());
  CHECK(!formula("0*t").is_constant());
  CHECK(!formula("if(t > 1, 1, 0)").is_constant());
  CHECK(!model::Motion(CubicSpline(std::vector<double>{0, 1}, std::vector<double>{2, 2})).is_constant());
}
