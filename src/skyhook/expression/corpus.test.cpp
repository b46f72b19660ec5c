// Randomly generated expressions against an independent parser (muParser), differences and lanes.
#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "skyhook/expression/expression.h"

#if __has_include(<muParser.h>)
#include <muParser.h>
#define SKYHOOK_HAS_MUPARSER
#endif

using namespace skyhook;
using namespace skyhook::expression;

namespace {

// The same formula in both languages.
struct Formula {
  std::string ours, theirs;
};

// Few parentheses, so that precedence matters. `smooth`: differentiable everywhere.
class Generator {
 public:
  Generator(unsigned seed, bool smooth) : random_(seed), smooth_(smooth) {}

  Formula sum(int depth) {
    Formula f = product(depth);
    for (int n = pick(3); n > 0; --n) f = joined(f, pick(2) ? " + " : " - ", product(depth));
    return f;
  }

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  static Formula joined(const Formula& a, const std::string& op, const Formula& b) {
    return {a.ours + op + b.ours, a.theirs + op + b.theirs};
  }
  static Formula wrapped(const std::string& ours, const std::string& theirs, const Formula& f,
                         const std::string& end = ")") {
    return {ours + f.ours + end, theirs + f.theirs + end};
  }

  Formula product(int depth) {
    Formula f = factor(depth);
    for (int n = pick(3); n > 0; --n) {
      // a divisor that stays away from 0
      f = pick(3) || depth <= 0 ? joined(f, "*", factor(depth))
                                : joined(f, "/", wrapped("(2.5 + sin(", "(2.5 + sin(", sum(depth - 1), "))"));
    }
    return f;
  }
  Formula factor(int depth) {
    Formula f = depth <= 0 ? leaf() : atom(depth);
    static const std::string powers[] = {"^2", "^-1", "^1", "^3", "^2^2"};
    if (pick(6) == 0)
      f = {"(1.5 + cos(" + f.ours + "))", "(1.5 + cos(" + f.theirs + "))"},
      f = joined(f, powers[pick(smooth_ ? 3 : 5)], {});
    if (pick(6) == 0) f = wrapped("-", "-", f, "");
    return f;
  }
  Formula leaf() {
    static const std::string leaves[] = {"x", "y", "z", "2", "0.75", "1.5e-1", "3"};
    const std::string& text = leaves[pick(7)];
    return {text, text};
  }
  Formula atom(int depth) {
    switch (pick(smooth_ ? 5 : 9)) {
      case 0: return wrapped("(", "(", sum(depth - 1));
      case 1: return unary(depth);
      case 2:
        return joined(wrapped("atan2(", "atan2(", sum(depth - 1), ", "), "3 + ",
                      wrapped("cos(", "cos(", sum(depth - 1), "))"));
      case 3: return wrapped("sqrt(1.5 + sin(", "sqrt(1.5 + sin(", sum(depth - 1), "))");
      case 4: return wrapped("log(3 + cos(", "ln(3 + cos(", sum(depth - 1), "))");
      case 5: return choice(depth);
      case 6: return wrapped("abs(", "abs(", sum(depth - 1));
      case 7:  // no ties: muParser rounds -2.5 up
        return wrapped("round(0.013 + ", "rint(0.013 + ", sum(depth - 1));
      default:
        return joined(wrapped("min(", "min(", sum(depth - 1), ", "), "", wrapped("", "", sum(depth - 1), ", 2)"));
    }
  }
  Formula unary(int depth) {
    static const std::string names[] = {"sin", "cos", "atan", "tanh"};
    const std::string& name = names[pick(4)];
    return wrapped(name + "(", name + "(", sum(depth - 1));
  }
  Formula comparison(int depth) {
    static const std::string operators[] = {" < ", " <= ", " > ", " >= ", " == ", " != "};
    return joined(sum(depth - 1), operators[pick(6)], sum(depth - 1));
  }
  Formula choice(int depth) {
    Formula c = comparison(depth);
    for (int n = pick(3); n > 0; --n) {
      const Formula next = comparison(depth);
      c = pick(2) ? Formula{c.ours + " and " + next.ours, c.theirs + " && " + next.theirs}
                  : Formula{c.ours + " or " + next.ours, c.theirs + " || " + next.theirs};
    }
    const Formula a = sum(depth - 1), b = sum(depth - 1);
    return {"(" + c.ours + " ? " + a.ours + " : " + b.ours + ")",
            "(" + c.theirs + " ? " + a.theirs + " : " + b.theirs + ")"};
  }

  std::mt19937 random_;
  bool smooth_;
};

const Scope scope{.variables = {{"x", {}}, {"y", {}}, {"z", {}}}};

Expression compiled(const Formula& f) { return Expression::compile(f.ours, scope, {"corpus", 1, 1}); }

#ifdef SKYHOOK_HAS_MUPARSER
// Both round each operation alike; cubes and reordered products differ in the last bit, which depth amplifies: 1e-10.
TEST_CASE("values equal muParser's on 800 random expressions") {
  Generator generator(7, false);
  std::mt19937 random(8);
  std::uniform_real_distribution<double> number(-2.0, 2.0);
  int compared = 0;
  for (int n = 0; n < 1100; ++n) {
    const Formula f = generator.sum(n % 4);
    if (f.theirs.size() > 4000) continue;  // muParser has a limit of 20 000, and such a giant shows nothing new
    ++compared;
    CAPTURE(f.ours);
    std::vector<double> v = {number(random), number(random), number(random)};
    mu::Parser oracle;
    oracle.DefineVar("x", &v[0]);
    oracle.DefineVar("y", &v[1]);
    oracle.DefineVar("z", &v[2]);
    oracle.SetExpr(f.theirs);
    const double expected = oracle.Eval();
    CHECK(compiled(f).evaluate<double>(v) == doctest::Approx(expected).epsilon(1e-10).scale(1.0));
  }
  CHECK(compared > 800);
}
#endif

// Four-point differences of step 2e-4 err by 5e-17 of the fifth derivative, which reaches 1e8 for these nested
// functions, and by rounding, 1e-12 of the value.
constexpr double h = 2e-4, difference_tolerance = 1e-7;
template <class F>
double derivative(F f) {
  return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
}

TEST_CASE("derivatives equal differences on 400 random smooth expressions") {
  Generator generator(11, true);
  std::mt19937 random(12);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  for (int n = 0; n < 400; ++n) {
    const Expression e = compiled(generator.sum(n % 2));
    CAPTURE(e.text());
    const std::vector<double> v = {number(random), number(random), number(random)};
    std::vector<Dual<3>> seeded;
    for (int i = 0; i < 3; ++i) seeded.push_back(Dual<3>::variable(v[static_cast<std::size_t>(i)], i));
    const Dual<3> r = e.evaluate<Dual<3>>(seeded);
    CHECK(r.v == doctest::Approx(e.evaluate<double>(v)).epsilon(1e-13).scale(1.0));
    for (std::size_t i = 0; i < 3; ++i) {
      const double difference = derivative([&](double shift) {
        std::vector<double> shifted = v;
        shifted[i] += shift;
        return e.evaluate<double>(shifted);
      });
      CHECK(r.d[i] == doctest::Approx(difference).epsilon(difference_tolerance).scale(1.0));
    }
  }
}

// The rate and acceleration along a straight line are the directional derivatives: differences of the exact gradient.
TEST_CASE("Jet2 equals differences of Dual on random smooth expressions") {
  Generator generator(13, true);
  for (int n = 0; n < 200; ++n) {
    const Expression e = compiled(generator.sum(n % 2));
    CAPTURE(e.text());
    const auto along = [&](double t) {
      const Dual<1> s = Dual<1>::variable(t, 0);
      return e.evaluate<Dual<1>>(std::vector<Dual<1>>{0.4 + s, 0.2 - 0.5 * s, 0.7 * s});
    };
    const Jet2 s = at_time(0.1);
    const Jet2 r = e.evaluate<Jet2>(std::vector<Jet2>{0.4 + s, 0.2 - 0.5 * s, 0.7 * s});
    CHECK(value(r) == doctest::Approx(along(0.1).v).epsilon(1e-13).scale(1.0));
    CHECK(rate(r) == doctest::Approx(along(0.1).d[0]).epsilon(1e-12).scale(1.0));
    const double difference = derivative([&](double shift) { return along(0.1 + shift).d[0]; });
    CHECK(acceleration(r) == doctest::Approx(difference).epsilon(difference_tolerance).scale(1.0));
  }
}

// The same operations lane by lane; a compiler may fuse a*b + c in one and not in the other: 1e-12.
TEST_CASE("lanes equal four doubles on random expressions, choices included") {
  Generator generator(17, false);
  std::mt19937 random(18);
  std::uniform_real_distribution<double> number(-2.0, 2.0);
  for (int n = 0; n < 400; ++n) {
    const Expression e = compiled(generator.sum(n % 4));
    CAPTURE(e.text());
    std::vector<Lanes> v(3);
    for (Lanes& lanes : v) lanes = {number(random), number(random), number(random), number(random)};
    const Lanes r = e.evaluate<Lanes>(v);
    for (int i = 0; i < Lanes::count; ++i) {
      const std::vector<double> one = {v[0][i], v[1][i], v[2][i]};
      CHECK(r[i] == doctest::Approx(e.evaluate<double>(one)).epsilon(1e-12).scale(1.0));
    }
  }
}

// Functions the generator leaves out.
TEST_CASE("the remaining functions on lanes") {
  for (const std::string text :
       {"tan(x)",       "asin(x/3)",   "acos(x/3)",       "sinh(x)",         "cosh(y)",         "exp(x)",
        "log10(x + 3)", "sign(x)",     "max(x, y)",       "clamp(x, -1, y)", "hypot(x, y)",     "floor(x)",
        "ceil(x)",      "mod(x, 0.3)", "step(x)",         "ramp(x, -1, 1)",  "if(x > y, x, z)", "(x + 3)^y",
        "(x + 3)^1.5",  "not (x > 0)", "x > 0 and y > 0", "x > 0 or y > 0"}) {
    const Expression e = compiled({text, ""});
    CAPTURE(text);
    const std::vector<Lanes> v = {{-1.5, -0.2, 0.0, 1.2}, {0.5, -0.7, 0.0, 1.0}, {1.0, 2.0, 3.0, 4.0}};
    const Lanes r = e.evaluate<Lanes>(v);
    for (int i = 0; i < Lanes::count; ++i) {
      const std::vector<double> one = {v[0][i], v[1][i], v[2][i]};
      CHECK(r[i] == doctest::Approx(e.evaluate<double>(one)).epsilon(1e-15).scale(1.0));
    }
  }
}

}  // namespace
