#include "skyhook/math/spline.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "skyhook/base/error.h"

using namespace skyhook;
using doctest::Approx;

namespace {

using Numbers = std::vector<double>;

double cubic(double x) { return 2 - x + 0.5 * x * x - 0.3 * x * x * x; }

Numbers sample(const Numbers& x, double (*f)(double)) {
  Numbers y(x.size());
  std::transform(x.begin(), x.end(), y.begin(), f);
  return y;
}

Numbers equal_steps(double from, double to, int n) {
  Numbers x;
  for (int i = 0; i <= n; ++i) x.push_back(from + (to - from) * i / n);
  return x;
}

double largest_error_on_sine(int n) {
  const Numbers x = equal_steps(0, 6, n);
  const CubicSpline s(x, sample(x, std::sin));
  double worst = 0;
  for (double at : equal_steps(0, 6, 1000)) worst = std::max(worst, std::abs(s(at) - std::sin(at)));
  return worst;
}

// Composite Gauss rule with three nodes: exact for the pieces (degree 3) when it never crosses a point.
double quadrature(const PiecewiseCubic& f, const Numbers& edges) {
  double sum = 0;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    const double mid = (edges[i] + edges[i + 1]) / 2, half = (edges[i + 1] - edges[i]) / 2, d = half * std::sqrt(0.6);
    sum += half * (5 * f(mid - d) + 8 * f(mid) + 5 * f(mid + d)) / 9;
  }
  return sum;
}

struct Table {
  Numbers x, y;
};

Table random_table(std::mt19937& random, bool monotone) {
  std::uniform_real_distribution<double> step(0.01, 1.0), height(-2, 2);
  Table t{{0.0}, {height(random)}};
  for (int i = 0; i < 8; ++i) {
    t.x.push_back(t.x.back() + step(random));
    const double rise = i % 3 == 0 ? 0.0 : std::exp(4 * height(random));  // plateaus and steep parts
    t.y.push_back(monotone ? t.y.back() + rise : height(random));
  }
  return t;
}

std::string message_of(const Numbers& x, const Numbers& y) {
  try {
    CubicSpline(x, y);
  } catch (const ModelError& e) {
    return e.what();
  }
  return {};
}

}  // namespace

TEST_CASE("not-a-knot spline is exact for cubics, natural end for lines") {
  const Numbers x{-1, -0.4, 0.3, 1.5, 2};
  const CubicSpline s(x, sample(x, cubic));
  const CubicSpline line(x, x, SplineEnd::natural);
  for (double at : {-1.0, -0.7, 0.0, 1.1, 2.0}) {
    CHECK(s(at) == Approx(cubic(at)).epsilon(1e-13));
    CHECK(s.derivative(at) == Approx(-1 + at - 0.9 * at * at).epsilon(1e-12));
    CHECK(s.second_derivative(at) == Approx(1 - 1.8 * at).epsilon(1e-11));
    CHECK(line(at) == Approx(at).epsilon(1e-14));
  }
}

TEST_CASE("two points give a line, three a parabola") {
  const CubicSpline line(Numbers{1, 3}, Numbers{5, 9});
  CHECK(line(2.0) == Approx(7));
  CHECK(line(-1.0) == Approx(1));
  const CubicSpline parabola(Numbers{0, 1, 3}, Numbers{0, 1, 9});
  CHECK(parabola(2.0) == Approx(4));
  CHECK(parabola.second_derivative(0.2) == Approx(2));
  const MonotoneCubic chord(Numbers{1, 3}, Numbers{5, 9});
  CHECK(chord(2.0) == Approx(7));
}

TEST_CASE("spline has order 4 on a smooth function") {
  const double coarse = largest_error_on_sine(40), fine = largest_error_on_sine(80);
  CHECK(std::log2(coarse / fine) == Approx(4.0).epsilon(0.08));  // theory: 4, not-a-knot ends included
}

TEST_CASE("spline is C2 at its points, natural ends also into the continuation") {
  std::mt19937 random(3);
  const Table t = random_table(random, false);
  const double e = 1e-9;  // the third derivative is below 1e5 here, so one-sided values differ by less than 1e-3
  for (SplineEnd end : {SplineEnd::not_a_knot, SplineEnd::natural}) {
    const CubicSpline s(t.x, t.y, end);
    for (std::size_t i = 0; i < t.x.size(); ++i) {
      const double x = t.x[i];
      CHECK(s(x) == Approx(t.y[i]).epsilon(1e-12));
      CHECK(s(x - e) == Approx(s(x + e)).epsilon(1e-5));
      CHECK(std::abs(s.derivative(x - e) - s.derivative(x + e)) < 1e-5);
      const bool inner = i > 0 && i + 1 < t.x.size();
      if (inner || end == SplineEnd::natural)
        CHECK(std::abs(s.second_derivative(x - e) - s.second_derivative(x + e)) < 1e-3);
    }
  }
}

TEST_CASE("curves continue as straight lines with the end slope") {
  const Numbers x{0, 1, 2, 4}, y{0, 1, 4, 16};
  const CubicSpline s(x, y);  // x²
  CHECK(s(-2.0) == Approx(0.0).epsilon(1e-12));
  CHECK(s(5.0) == Approx(16 + 8));
  CHECK(s.derivative(100.0) == Approx(8));
  CHECK(s.second_derivative(100.0) == 0);
  CHECK(s.second_derivative(4.0) == Approx(2));  // at the end point itself: the inner piece
}

TEST_CASE("MonotoneCubic keeps monotone data monotone and passes through the points") {
  std::mt19937 random(4);
  for (int trial = 0; trial < 200; ++trial) {
    const Table t = random_table(random, true);
    const MonotoneCubic f(t.x, t.y);
    for (std::size_t i = 0; i < t.x.size(); ++i) CHECK(f(t.x[i]) == Approx(t.y[i]).epsilon(1e-12));
    double lowest = 0;
    for (double at : equal_steps(t.x.front() - 1, t.x.back() + 1, 997)) lowest = std::min(lowest, f.derivative(at));
    CHECK(lowest > -1e-9 * t.y.back());  // rounding in the coefficients of steep pieces
  }
}

TEST_CASE("MonotoneCubic never leaves the range of an interval's end values") {
  std::mt19937 random(5);
  for (int trial = 0; trial < 100; ++trial) {
    const Table t = random_table(random, false);
    const MonotoneCubic f(t.x, t.y);
    for (std::size_t i = 0; i + 1 < t.x.size(); ++i)
      for (double at : equal_steps(t.x[i], t.x[i + 1], 20)) {
        CHECK(f(at) >= std::min(t.y[i], t.y[i + 1]) - 1e-12);
        CHECK(f(at) <= std::max(t.y[i], t.y[i + 1]) + 1e-12);
      }
  }
}

TEST_CASE("duals give the analytic first and second derivative") {
  std::mt19937 random(6);
  const Table t = random_table(random, false);
  const CubicSpline s(t.x, t.y);
  using D = Dual<1>;
  using DD = Dual<1, D>;
  for (double at : equal_steps(t.x.front() - 0.5, t.x.back() + 0.5, 37)) {
    CHECK(s.evaluate(D::variable(at, 0)).d[0] == Approx(s.derivative(at)).scale(1).epsilon(1e-13));
    const DD y = s.evaluate(DD::variable(D::variable(at, 0), 0));
    CHECK(value_of(y) == Approx(s(at)).epsilon(1e-13));
    CHECK(y.d[0].d[0] == Approx(s.second_derivative(at)).epsilon(1e-12));
  }
}

TEST_CASE("integral equals quadrature, also outside of the points") {
  std::mt19937 random(7);
  const Table t = random_table(random, false);
  const MonotoneCubic f(t.x, t.y);
  CHECK(f.integral(t.x.front()) == 0);
  Numbers edges{t.x.front()};
  for (std::size_t i = 1; i < t.x.size(); ++i) {
    edges.push_back(t.x[i]);
    CHECK(f.integral(t.x[i]) == Approx(quadrature(f, edges)).epsilon(1e-12));
  }
  edges.push_back(t.x.back() + 3);
  CHECK(f.integral(edges.back()) == Approx(quadrature(f, edges)).epsilon(1e-12));
  CHECK(f.integral(t.x.front() - 2) == Approx(-quadrature(f, {t.x.front() - 2, t.x.front()})).epsilon(1e-12));
}

TEST_CASE("bad tables name the row") {
  CHECK(message_of({0, 1, 1, 2}, {0, 0, 0, 0}).find("row 3 ") != std::string::npos);
  CHECK(message_of({0, 2, 1}, {0, 0, 0}).find("row 3 ") != std::string::npos);
  CHECK(message_of({0, NAN}, {0, 0}).find("row 2 ") != std::string::npos);
  CHECK(message_of({0}, {0}).find("at least 2 points") != std::string::npos);
  CHECK(message_of({0, 1}, {0}).find("2 x values but 1 y values") != std::string::npos);
}

TEST_CASE("The pieces of a curve are those that it is made of, and go on beyond their ends") {
  const MonotoneCubic curve(std::vector<double>{0, 1, 3}, std::vector<double>{0, 2, 3});
  REQUIRE(curve.pieces() == 4);
  for (const double x : {-0.5, 0.3, 2.0, 4.0}) {
    const int piece = curve.piece_at(x);
    CHECK(curve.begin_of(piece) <= x);
    CHECK(curve.end_of(piece) >= x);
    CHECK(curve.evaluate_piece(piece, x) == curve(x));
  }
  CHECK(std::isinf(curve.begin_of(0)));
  CHECK(std::isinf(curve.end_of(3)));
  CHECK(curve.end_of(1) == 1.0);
  for (int i = 0; i < 3; ++i) {  // value and slope agree where two pieces meet
    const auto x = Dual<1>::variable(curve.end_of(i), 0);
    CHECK(curve.evaluate_piece(i, x).v == doctest::Approx(curve.evaluate_piece(i + 1, x).v));
    CHECK(curve.evaluate_piece(i, x).d[0] == doctest::Approx(curve.evaluate_piece(i + 1, x).d[0]));
  }
}

TEST_CASE("Beyond its ends a curve is level where that is wished, and may come to rest there") {
  const std::vector<double> x{0, 1, 3, 4}, y{0, 2, 3, 5};
  const CubicSpline straight(x, y), level(x, y, SplineEnd::not_a_knot, Continued::level);
  for (const double t : {0.0, 0.4, 2.5, 4.0}) {  // inside nothing changes
    CHECK(level(t) == straight(t));
    CHECK(level.derivative(t) == straight.derivative(t));
  }
  for (const double t : {-1.0, 7.0}) {
    CHECK(level(t) == (t < 0 ? 0.0 : 5.0));
    CHECK(level.derivative(t) == 0.0);
    CHECK(straight(t) == doctest::Approx(t < 0 ? t * straight.derivative(0) : 5 + 3 * straight.derivative(4)));
  }
  CHECK(level.integral(7) == doctest::Approx(straight.integral(4) + 3 * 5));
  const CubicSpline rest(x, y, SplineEnd::at_rest, Continued::level);
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(rest(x[i]) == doctest::Approx(y[i]));
  for (const double end : {0.0, 4.0}) CHECK(std::abs(rest.derivative(end)) < 1e-14);  // rounding of the cubic
  for (const double knot : {1.0, 3.0})                                                // C2 inside
    CHECK(rest.second_derivative(knot - 1e-9) == doctest::Approx(rest.second_derivative(knot + 1e-9)).epsilon(1e-6));
  // Two points: the cubic that rests at both, 3 s^2 - 2 s^3.
  CHECK(CubicSpline(std::vector<double>{0, 2}, std::vector<double>{0, 1}, SplineEnd::at_rest)(0.5) ==
        doctest::Approx(3.0 / 16 - 2.0 / 64));
}
