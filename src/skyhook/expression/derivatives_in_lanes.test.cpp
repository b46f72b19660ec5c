#include "skyhook/expression/derivatives_in_lanes.h"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "skyhook/math/jet2.h"

using namespace skyhook;
using namespace skyhook::expression;

// The same by nested dual numbers: another route to each derivative. Both round a few times, to 1e-16 of terms up to a hundred times the result.
TEST_CASE("Four places at once have the derivatives of one, for every function of formulas and at its kinks") {
  const Tables tables{std::make_shared<const Table>(
      Table{"curve", {}, {}, MonotoneCubic(std::vector<double>{0, 0.5, 1, 2}, std::vector<double>{0, 2, 3, 3.5})})};
  Scope scope{.variables = {{"x", {}}}};
  scope.offer(tables);
  for (const std::string text :
       {"x*curve(x^2)", "3*x^2 - x/(2 + x) + x^2.5", "sin(7*x)*cos(x^3) + tan(x/3)",
        "exp(-x)*tanh(3*x - 1) + sqrt(x + 0.5)", "asin(x/3) + acos(x/4) - atan(x)",
        "sinh(x) - cosh(x/2) + log(x + 2) + log10(x + 3)", "atan2(x, 1 + x) + hypot(x, 3)", "x^x + 2^x + (x + 1)^-1.5",
        "abs(x - 0.5) + abs(x - 1)", "min(x, 1) + max(x^2, 0.3) + clamp(x, 0.2, 0.8)", "ramp(x, 0.1, 1.2)*sin(9*x)",
        "floor(3*x) + ceil(x) + round(2*x) + mod(x, 0.4)", "sign(x - 1) + step(x - 0.5)*x",
        "if(x > 0.7 and not (x > 1.1) or x == 0.25, x^3, -x)", "x < 1 ? sin(1e6*x) : 1/x", "5", "sqrt(x - 1)"}) {
    CAPTURE(text);
    const Expression formula = Expression::compile(text, scope, {});
    for (const double first : {0.25, 1.0}) {
      const Lanes x(first, first + 0.1, first + 0.25, first + 0.7);
      const LaneDerivatives four = derivatives_in_lanes(formula, x);
      for (int i = 0; i < Lanes::count; ++i) {
        const Jet2 at = at_time(x[i]), one = formula.evaluate<Jet2>(std::span<const Jet2>(&at, 1));
        const double size = 1 + std::abs(one.v.d[0]) * 1e-3 + std::abs(acceleration(one)) * 1e-6;
        const auto same = [](double a, double b, double scale) {
          return std::isnan(b) ? std::isnan(a) : a == b || std::abs(a - b) <= 1e-13 * scale;
        };
        CHECK(same(four.value[i], value(one), size));
        CHECK(same(four.first[i], rate(one), size + std::abs(rate(one))));
        CHECK(same(four.second[i], acceleration(one), size + std::abs(rate(one)) + std::abs(acceleration(one))));
      }
    }
  }
}
