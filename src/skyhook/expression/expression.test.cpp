#include "skyhook/expression/expression.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <type_traits>

using namespace skyhook;
using namespace skyhook::expression;

namespace {

constexpr double pi = std::numbers::pi;
const Location here{"m.yaml", 3, 10};

// x = 3, y = -2 without dimension; s in m, v in m/s, k in N/m; constants n = 3, i = 2, mass = 5 kg
Scope scope() {
  const std::map<std::string, Value> constants = {
      {"n", {3.0, {}}}, {"i", {2.0, {}}}, {"zero", {0.0, {}}}, {"mass", {5.0, Dimension::of(0, 1)}}};
  return {.variables = {{"x", {}},
                        {"y", {}},
                        {"s", Dimension::of(1)},
                        {"v", Dimension::of(1, 0, -1)},
                        {"k", Dimension::of(0, 1, -2)},
                        {"crank[2].angle", {}},
                        {"crank[1].angle", {}}},
          .constants = [constants](const std::string& name) -> std::optional<Value> {
            const auto found = constants.find(name);
            return found == constants.end() ? std::nullopt : std::optional(found->second);
          },
          .constant_names = {"n", "i", "zero", "mass"}};
}

Expression compiled(const std::string& text) { return Expression::compile(text, scope(), here); }
double value_at(const std::string& text, double x = 3.0, double y = -2.0) {
  const std::vector<double> variables = {x, y, 0.5, 4.0, 100.0, 20.0, 10.0};
  return compiled(text).evaluate<double>(variables);
}
Dimension dimension_of(const std::string& text) { return compiled(text).dimension(); }

TEST_CASE("precedence and associativity") {
  CHECK(value_at("1 + 2*3") == 7);
  CHECK(value_at("1 - 2 - 3") == -4);
  CHECK(value_at("8/4/2") == 1);
  CHECK(value_at("2*3^2") == 18);
  CHECK(value_at("2^3^2") == 512);
  CHECK(value_at("-2^2") == -4);
  CHECK(value_at("-x^2") == -9);
  CHECK(value_at("(-2)^2") == 4);
  CHECK(value_at("2^-1") == 0.5);
  CHECK(value_at("2^-2^2") == 1.0 / 16);
  CHECK(value_at("2*-3") == -6);
  CHECK(value_at("2--3") == 5);
  CHECK(value_at("--3") == 3);
  CHECK(value_at("+x") == 3);
  CHECK(value_at("1 + 2 < 4") == 1);
  CHECK(value_at("not 1 == 2") == 1);  // not (1 == 2)
  CHECK(value_at("not x and y") == 0);
  CHECK(value_at("0 and 0 or 1") == 1);
  CHECK(value_at("1 or 0 and 0") == 1);
  CHECK(value_at("x > 0 and y > 0") == 0);
  CHECK(value_at("x > 0 or y > 0") == 1);
  CHECK(value_at("not not x") == 1);
  CHECK(value_at("x < 0 ? 1 : x < 5 ? 2 : 3") == 2);
  CHECK(value_at("(x < 5 ? x : y) + 1") == 4);
  CHECK(value_at("1 ? 2 : 3 + 10") == 2);  // the choice binds weakest
  CHECK(value_at("(1 < 2) < 2") == 1);
}

TEST_CASE("numbers and constants") {
  CHECK(value_at("1e3 + .5 + 2. + 1.5E-1") == 1002.65);
  CHECK(value_at("pi") == pi);
  CHECK(value_at("true + true - false") == 2);
  CHECK(value_at("30[deg]") == pi / 6);
  CHECK(value_at("5 [kN/m]") == 5000);
  CHECK(value_at("9[mm]") == 0.009);
  CHECK(value_at("50[%]") == 0.5);
  CHECK(value_at(" 2\t*\n3 ") == 6);
}

TEST_CASE("functions") {
  CHECK(value_at("atan2(1, -1)") == std::atan2(1, -1));
  CHECK(value_at("log(2) + log10(1000)") == std::log(2) + 3);
  CHECK(value_at("abs(y) + sign(y) + sign(x) + sign(0)") == 2);
  CHECK(value_at("min(x, y, 7)") == -2);
  CHECK(value_at("max(1, x, y, 2)") == 3);
  CHECK(value_at("hypot(3, 4)") == 5);
  CHECK(value_at("floor(-1.5) + ceil(1.2) + round(2.5) + round(-2.5)") == 0);
  CHECK(value_at("mod(7, 3)") == 1);
  CHECK(value_at("mod(-7, 3)") == 2);
  CHECK(value_at("mod(7, -3)") == -2);
  CHECK(value_at("pow(2, 10)") == 1024);
  CHECK(value_at("step(-1e-9) + 10*step(0) + 100*step(2)") == 110);
  CHECK(value_at("if(x > 0, 1, 2)") == 1);
  CHECK(value_at("clamp(x, -1, 1) + 10*clamp(y, -1, 1)") == -9);
  CHECK(value_at("sinh(1)") == std::sinh(1.0));
}

TEST_CASE("ramp blends from 0 to 1, in either direction") {
  CHECK(value_at("ramp(x, 0, 2)", -1) == 0);
  CHECK(value_at("ramp(x, 0, 2)", 0) == 0);
  CHECK(value_at("ramp(x, 0, 2)", 1) == 0.5);
  CHECK(value_at("ramp(x, 0, 2)", 0.5) == 10 / 64. - 15 / 256. + 6 / 1024.);
  CHECK(value_at("ramp(x, 0, 2)", 2) == 1);
  CHECK(value_at("ramp(x, 0, 2)", 5) == 1);
  CHECK(value_at("ramp(x, 2, 0)", 0.5) == 1 - value_at("ramp(x, 0, 2)", 0.5));
}

TEST_CASE("names with dots and indices") {
  CHECK(value_at("crank[2].angle") == 20);
  CHECK(value_at("crank[i].angle - crank[i-1].angle") == 10);
  CHECK(value_at("crank[ n - 2*(i - 1) ].angle") == 10);
  CHECK(value_at("crank[i > 5 ? 0 : 1].angle") == 10);
  CHECK(compiled("crank[i-1].angle").used_variables() == std::vector<int>{6});
}

TEST_CASE("constants fold, variables do not") {
  CHECK(compiled("2*mass + 3[kg]").is_constant());
  CHECK(compiled("2*mass + 3[kg]").constant() == 13);
  CHECK(compiled("sin(pi/2)^n").constant() == 1);
  CHECK(!compiled("x - x").is_constant());
  CHECK(compiled("x*2 + x*y").used_variables() == std::vector<int>{0, 1});
  CHECK(compiled("n > 2 ? x : y").used_variables() == std::vector<int>{0});  // decided at compile time
  CHECK(compiled("if(zero, x, 4)").constant() == 4);
  CHECK(compiled("if(zero, 1/zero, 4)").constant() == 4);  // guarded: no complaint about 1/0
  CHECK(Expression().constant() == 0);
  CHECK(compiled("x^1").evaluate<double>(std::vector<double>(7, 2.5)) == 2.5);
  CHECK(compiled(" x + 1 ").text() == " x + 1 ");
}

TEST_CASE("an expression is a value") {
  Expression copy;
  {
    const Expression original = compiled("2*x");
    copy = original;
  }
  CHECK(copy.evaluate<double>(std::vector<double>{21.0}) == 42);
}

TEST_CASE("dimensions follow the formula") {
  CHECK(dimension_of("k*s") == Dimension::of(1, 1, -2));
  CHECK(dimension_of("k*s + 3[kN]") == Dimension::of(1, 1, -2));
  CHECK(dimension_of("v/s") == Dimension::of(0, 0, -1));
  CHECK(dimension_of("v^2/s") == Dimension::of(1, 0, -2));
  CHECK(dimension_of("sqrt(k/mass)") == Dimension::of(0, 0, -1));
  CHECK(dimension_of("sqrt(s)") == Dimension{{1, 0, 0, 0, 0}});
  CHECK(dimension_of("s^1.5") == Dimension{{3, 0, 0, 0, 0}});
  CHECK(dimension_of("(s^3)^(1/3)") == Dimension::of(1));
  CHECK(dimension_of("pow(s, n)") == Dimension::of(3));
  CHECK(dimension_of("2^x").is_dimensionless());
  CHECK(dimension_of("x^y").is_dimensionless());
  CHECK(dimension_of("atan2(s, 1[m])").is_dimensionless());
  CHECK(dimension_of("sign(v)").is_dimensionless());
  CHECK(dimension_of("step(v)*s") == Dimension::of(1));
  CHECK(dimension_of("abs(-v)") == Dimension::of(1, 0, -1));
  CHECK(dimension_of("ramp(s, 0[m], 1[m])").is_dimensionless());
  CHECK(dimension_of("s > 0 ? s : 1[mm]") == Dimension::of(1));
  CHECK(dimension_of("s > 1[m]").is_dimensionless());
  CHECK(dimension_of("sin(30[deg])").is_dimensionless());
}

TEST_CASE("a literal zero fits every dimension, any other plain number does not") {
  CHECK(dimension_of("max(0, s)") == Dimension::of(1));
  CHECK(dimension_of("clamp(s, -0, (0.0))") == Dimension::of(1));
  CHECK(dimension_of("s < 0 ? 0 : s") == Dimension::of(1));
  CHECK(dimension_of("0 + s") == Dimension::of(1));
  CHECK(dimension_of("ramp(s, 0, 2[m])").is_dimensionless());
  CHECK_THROWS_AS(compiled("s + 1"), ModelError);
  CHECK_THROWS_AS(compiled("s + zero"), ModelError);  // a parameter has a dimension, even if it is 0
  CHECK_THROWS_AS(compiled("s + 0*v"), ModelError);
}

TEST_CASE("dimension checks can be left out") {
  Scope lax = scope();
  lax.check_dimensions = false;
  const std::vector<double> variables = {3.0, -2.0, 0.5, 4.0, 100.0, 20.0, 10.0};
  const Expression e = Expression::compile("s + v + 1 + exp(s)^s + 1[km]", lax, here);
  CHECK(e.dimension().is_dimensionless());
  CHECK(e.evaluate<double>(variables) == doctest::Approx(0.5 + 4 + 1 + std::exp(0.25) + 1000).epsilon(1e-14));
}

TEST_CASE("names_in lists what must be known first") {
  using Names = std::vector<std::string>;
  CHECK(names_in("2*pi*ride + sin(x)^ride", here) == Names{"ride", "x"});
  CHECK(names_in("a.b.c and not d or true", here) == Names{"a.b.c", "d"});
  CHECK(names_in("crank[i - 1].x + crank[1+1].x", here) == Names{"i", "crank[i-1].x", "crank[2].x"});
  CHECK(names_in("true ? a : b", here) == Names{"a", "b"});
  CHECK(names_in("5[kN/m]*3", here).empty());
  CHECK_THROWS_AS(names_in("a +", here), ModelError);
}

TEST_CASE("kinks have the documented derivative") {
  const auto slope = [](const std::string& text, double x) {
    const std::vector<Dual<1>> variables = {Dual<1>::variable(x, 0), 2.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    return compiled(text).evaluate<Dual<1>>(variables).d[0];
  };
  CHECK(slope("abs(x)", 0.0) == 0);
  CHECK(slope("abs(x)", -1.0) == -1);
  CHECK(slope("sqrt(x)", 0.0) == 0);
  CHECK(slope("x^0.5", 0.0) == 0);
  CHECK(slope("x^1.5", 0.0) == 0);
  CHECK(slope("hypot(x, 0)", 0.0) == 0);
  CHECK(slope("atan2(x, 0)", 0.0) == 0);
  CHECK(slope("asin(x)", 1.0) == 0);
  CHECK(slope("acos(x)", -1.0) == 0);
  CHECK(slope("min(x, 2*x)", 0.0) == 1);  // a tie takes the first
  CHECK(slope("max(2*x, x)", 0.0) == 2);
  CHECK(slope("step(x) + sign(x) + floor(x)", 0.0) == 0);
  CHECK(slope("mod(x, 1)", 0.3) == 1);
  CHECK(slope("(0 - x)^2", 3.0) == 6);
  CHECK(slope("(0 - 2)^(x*0 + 2)", 1.0) == 0);  // negative base
  CHECK(slope("2^x", 3.0) == doctest::Approx(8 * std::log(2.0)).epsilon(1e-14));
}

// The unchosen branch is computed too; neither its value nor its derivative may leak.
TEST_CASE("an unchosen branch may be infinite") {
  const Expression e = compiled("x > 0 ? sqrt(x) : 0");
  const std::vector<Dual<1>> at = {Dual<1>::variable(-1.0, 0), 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
  CHECK(e.evaluate<Dual<1>>(at).v == 0);
  CHECK(e.evaluate<Dual<1>>(at).d[0] == 0);
  CHECK(value_at("x != 0 ? 1/x : 7", 0.0) == 7);
}

TEST_CASE("NaN is not hidden by min, max or clamp") {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  for (const std::string text : {"min(x, 1)", "min(1, x)", "max(x, 1)", "max(1, x)", "clamp(x, 0, 1)"}) {
    CAPTURE(text);
    CHECK(std::isnan(value_at(text, nan)));
  }
}

// Exact derivatives by hand; a handful of rounded terms each: 1e-13.
TEST_CASE("Jet2 gives the rate and acceleration of a prescribed motion") {
  const Scope time{.variables = {{"t", Dimension::of(0, 0, 1)}}};
  const auto check = [&](const std::string& text, double t, double f, double df, double ddf) {
    CAPTURE(text);
    const std::vector<Jet2> at = {at_time(t)};
    const Jet2 r = Expression::compile(text, time, here).evaluate<Jet2>(at);
    CHECK(value(r) == doctest::Approx(f).epsilon(1e-13).scale(1.0));
    CHECK(rate(r) == doctest::Approx(df).epsilon(1e-13).scale(1.0));
    CHECK(acceleration(r) == doctest::Approx(ddf).epsilon(1e-13).scale(1.0));
  };
  for (const double t : {0.3, 0.7, 1.1}) {
    const double w = 2 * pi * 1.5;
    check("0.1[m]*sin(2*pi*1.5[Hz]*t)", t, 0.1 * std::sin(w * t), 0.1 * w * std::cos(w * t),
          -0.1 * w * w * std::sin(w * t));
    check("(t/1[s])^3.5", t, std::pow(t, 3.5), 3.5 * std::pow(t, 2.5), 8.75 * std::pow(t, 1.5));
    check("sqrt(t/1[s])", t, std::sqrt(t), 0.5 / std::sqrt(t), -0.25 * std::pow(t, -1.5));
    check("2^(t/1[s])", t, std::pow(2, t), std::log(2) * std::pow(2, t), std::log(2) * std::log(2) * std::pow(2, t));
    check("cosh(t/1[s])", t, std::cosh(t), std::sinh(t), std::cosh(t));
    check("log10(t/1[s])", t, std::log10(t), 1 / (t * std::log(10)), -1 / (t * t * std::log(10)));
    check("abs(-t^2)", t, t * t, 2 * t, 2);
    check("mod(t^2, 0.1[s^2])", t, t * t - 0.1 * std::floor(t * t / 0.1), 2 * t, 2);
    const double u = t / 2;
    check("ramp(t, 0, 2[s])", t, u * u * u * (10 - 15 * u + 6 * u * u),
          (30 * u * u - 60 * u * u * u + 30 * u * u * u * u) / 2, (60 * u - 180 * u * u + 120 * u * u * u) / 4);
    check("(t/1[s])^(t/1[s])", t, std::pow(t, t), std::pow(t, t) * (std::log(t) + 1),
          std::pow(t, t) * ((std::log(t) + 1) * (std::log(t) + 1) + 1 / t));
  }
  check("ramp(t, 0, 2[s])", 0.0, 0, 0, 0);
  check("ramp(t, 0, 2[s])", 2.0, 1, 0, 0);
  check("sqrt(t/1[s])", 0.0, 0, 0, 0);  // no trap
}

}  // namespace
