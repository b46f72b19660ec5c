#include "skyhook/expression/derivatives.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

using namespace skyhook;
using namespace skyhook::expression;

namespace {

Expression compiled(const std::string& text) {
  Scope scope{.variables = {{"x", {}}}, .check_dimensions = false};
  return Expression::compile(text, scope, {});
}

// The independent way: dual numbers of dual numbers.
std::array<double, 5> by_nested_duals(const Expression& f, double x) {
  using One = Dual<1>;
  using Two = Dual<1, One>;
  using Three = Dual<1, Two>;
  using Four = Dual<1, Three>;
  const Four at = Four::variable(Three::variable(Two::variable(One::variable(x, 0), 0), 0), 0);
  const Four y = f.evaluate<Four>(std::span<const Four>(&at, 1));
  return {y.v.v.v.v, y.v.v.v.d[0], y.v.v.d[0].d[0], y.v.d[0].d[0].d[0], y.d[0].d[0].d[0].d[0]};
}

// Both round in every operation, and the higher the derivative the more there are.
void check_alike(const std::string& text, double x) {
  CAPTURE(text);
  CAPTURE(x);
  const Expression f = compiled(text);
  const auto expected = by_nested_duals(f, x);
  const auto found = derivatives<4>(f, x);
  double size = 1;
  for (std::size_t k = 0; k < expected.size(); ++k) {
    CAPTURE(k);
    size = std::max(size, std::abs(expected[k]));
    CHECK(std::abs(found[k] - expected[k]) <= 1e-12 * size);
  }
}

}  // namespace

TEST_CASE("Derivatives of a formula are those of nested dual numbers") {
  for (const std::string text : {"x",
                                 "3",
                                 "-x",
                                 "x + 2*x - 4",
                                 "x*x*(1 - x)",
                                 "1/(2 + x)",
                                 "(1 - x)/(3 + x*x)",
                                 "sin(x)",
                                 "cos(2*x)",
                                 "tan(0.4*x)",
                                 "asin(0.3*x)",
                                 "acos(0.3*x)",
                                 "atan(x)",
                                 "atan2(1 + x, 2 - x)",
                                 "atan2(x, -3)",
                                 "sinh(x)",
                                 "cosh(x)",
                                 "tanh(2*x)",
                                 "exp(-x)",
                                 "log(4 + x)",
                                 "log10(4 + x)",
                                 "sqrt(4 + x)",
                                 "hypot(x, 2)",
                                 "abs(x - 5)",
                                 "abs(x + 5)",
                                 "x^2",
                                 "x^3",
                                 "x^4",
                                 "x^7",
                                 "(3 + x)^-2",
                                 "(3 + x)^0.5",
                                 "(3 + x)^2.5",
                                 "(3 + x)^x",
                                 "2^x",
                                 "(x - 4)^3",
                                 "(x - 4)^-3",
                                 "x < 1 ? sin(x) : cos(x)",
                                 "min(x, x*x)",
                                 "max(sin(x), 0.3)",
                                 "clamp(x, -1, 1)",
                                 "ramp(x, -1, 2)",
                                 "step(x)*x^2",
                                 "floor(x) + x^2",
                                 "mod(x, 0.7)^2",
                                 "sign(x)*x^2",
                                 "sin(cos(exp(-x^2)))*tanh(x)/(1 + x^2)"}) {
    for (const double x : {-1.7, -0.3, 0.2, 0.9, 1.6}) check_alike(text, x);
  }
}

TEST_CASE("Derivatives stay finite where those of dual numbers do: at kinks, and at zeros of roots and powers") {
  for (const std::string text :
       {"abs(x)", "sqrt(x)", "x^0.5", "x^1.5", "x^2.5", "x^3.5", "x^2", "x^3", "x^4", "x^5", "x^9", "hypot(x, x)",
        "atan2(x, x)", "asin(x + 1)", "acos(1 - x)", "min(x, 0)", "max(0, x)", "0^x"})
    check_alike(text, 0.0);
}

TEST_CASE("Derivatives of fewer orders are the same numbers") {
  const Expression f = compiled("sin(x)*exp(-x)/(1 + x^2)");
  const auto four = derivatives<4>(f, 0.7);
  const auto two = derivatives<2>(f, 0.7);
  const auto three = derivatives<3>(f, 0.7);
  for (std::size_t k = 0; k < 3; ++k) CHECK(two[k] == four[k]);
  for (std::size_t k = 0; k < 4; ++k) CHECK(three[k] == four[k]);
}

TEST_CASE("Derivatives of a formula with a table are those of its pieces") {
  const std::array x{0.0, 1.0, 2.0, 4.0}, y{0.0, 2.0, 3.0, 3.5};
  Tables tables{std::make_shared<Table>(Table{"curve", {}, {}, MonotoneCubic(x, y)})};
  Scope scope{.variables = {{"x", {}}}, .check_dimensions = false};
  scope.offer(tables);
  const Expression f = Expression::compile("x*curve(1 + x^2)", scope, {});
  for (const double at : {0.3, 0.9, 1.4}) {
    const auto expected = by_nested_duals(f, at);
    const auto found = derivatives<4>(f, at);
    for (std::size_t k = 0; k < expected.size(); ++k) CHECK(found[k] == doctest::Approx(expected[k]).epsilon(1e-12));
  }
}
