// References: the curve itself, differences, dimensions by hand.
#include "skyhook/expression/table.h"

#include <doctest/doctest.h>

#include <cmath>

#include "skyhook/expression/expression.h"

using namespace skyhook;
using namespace skyhook::expression;

namespace {

const std::vector<double> speeds{0, 100, 300, 600}, torques{80, 150, 160, 60};
const Dimension per_second = Dimension::of(0, 0, -1), torque = Dimension::of(2, 1, -2);

Tables tables() {
  return {std::make_shared<const Table>(
      Table{"engine", per_second, torque, MonotoneCubic(speeds, torques, Continued::level)})};
}

Expression compiled(const std::string& text) {
  static const Tables all = tables();
  Scope scope{.variables = {{"w", per_second}, {"t", Dimension::of(0, 0, 1)}}};
  scope.offer(all);
  return Expression::compile(text, scope, {"m.yaml", 3, 10});
}

std::string refusal(const std::string& text) {
  try {
    compiled(text);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("A table is called as a function and has the unit of its values") {
  const Expression e = compiled("2*engine(w + 10[rad/s]) - 1[N.m]");
  CHECK(e.dimension() == torque);
  const MonotoneCubic curve(speeds, torques, Continued::level);
  for (const double w : {-50.0, 0.0, 42.0, 137.0, 290.0, 1000.0})
    CHECK(e.evaluate<double>(std::vector{w, 0.0}) == doctest::Approx(2 * curve(w + 10) - 1).epsilon(1e-14));
  CHECK(e.used_variables() == std::vector<int>{0});
  CHECK(compiled("engine(100[rad/s])").constant() == doctest::Approx(150));  // folded
}

TEST_CASE("Derivatives go through a table, of second order too, and lanes agree with numbers") {
  const Expression e = compiled("engine(w)*engine(2*w)");
  using Second = Dual<1, Dual<1>>;
  const auto at = [&](double w) { return e.evaluate<double>(std::vector{w, 0.0}); };
  for (const double w : {20.0, 130.0, 250.0}) {
    Second x(Dual<1>::variable(w, 0));
    x.d[0] = Dual<1>(1.0);
    const Second y = e.evaluate<Second>(std::vector{x, Second(0.0)});
    const double h = 1e-3;
    CHECK(y.v.d[0] == doctest::Approx((at(w + h) - at(w - h)) / (2 * h)).epsilon(1e-7));
    CHECK(y.d[0].d[0] == doctest::Approx((at(w + h) - 2 * at(w) + at(w - h)) / (h * h)).epsilon(1e-4));
  }
  const Lanes four = e.evaluate<Lanes>(std::vector<Lanes>{{5.0, 120.0, 310.0, 700.0}, {0.0, 0.0, 0.0, 0.0}});
  CHECK(four[0] == at(5.0));
  CHECK(four[3] == at(700.0));
}

TEST_CASE("A table asks for its unit and for one argument; a misspelt name gets a suggestion") {
  CHECK(has(refusal("engine(t)"), "the table engine is over a value in 1/s, but \"t\" is in s"));
  CHECK(has(refusal("engine(3)"), "a plain number"));
  CHECK(has(refusal("engine(w, w)"), "takes one argument"));
  CHECK(has(refusal("engine()"), "unexpected"));
  CHECK(has(refusal("motor(w)"), "unknown function \"motor\""));
  CHECK(has(refusal("engin(w)"), "engine"));
  CHECK(refusal("engine(0)").empty());  // a literal zero fits all
  CHECK(names_in("engine(w) + other(a, 2)*b", {}) == std::vector<std::string>{"w", "a", "b"});
}
