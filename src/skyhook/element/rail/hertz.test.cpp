#include "skyhook/element/rail/hertz.h"

#include <doctest/doctest.h>

#include <array>
#include <numbers>
#include <random>

using namespace skyhook;
using namespace skyhook::element::rail;

namespace {

// A hundred points of Gauss and Chebyshev's rule, whose error is below rounding here: another way to the integrals than the mean of the code.
std::array<double, 2> by_quadrature(double m) {
  const int n = 400;
  double K = 0, D = 0;
  for (int i = 0; i < n; ++i) {
    const double s = std::sin(std::numbers::pi / 2 * (i + 0.5) / n),
                 w = std::numbers::pi / 2 / n / std::sqrt(1 - m * s * s);
    K += w, D += w * s * s;
  }
  return {K, D};
}

}  // namespace

TEST_CASE("Elliptic integrals: the mean of the code agrees with a quadrature, and all limits are there") {
  for (double m : {0.0, 1e-12, 1e-4, 0.3, 0.9, 0.999}) {
    const Elliptic e = elliptic(m);
    const auto [K, D] = by_quadrature(m);
    CAPTURE(m);
    CHECK(e.K == doctest::Approx(K).epsilon(1e-13));
    CHECK(e.D == doctest::Approx(D).epsilon(1e-13));
    CHECK(e.B == doctest::Approx(K - D).epsilon(1e-12));
  }
}

TEST_CASE("Hertz: the ellipse of CONTACT's example, and the circle of two spheres in closed form") {
  const Elastic steel{82e9, 0.28};
  // examples/fastsim.ref_out of CONTACT: A 0.8464e-3, B 0.2406e-2 per mm under 82 kN give 8 mm, 4 mm, approach 0.09266 mm, 1223 MPa. Its curvatures have four digits.
  const HertzPatch<double> patch = patch_of_load(hertz_shape(0.8464, 2.406, steel), 82000.0);
  CHECK(patch.a == doctest::Approx(8e-3).epsilon(1e-4));
  CHECK(patch.b == doctest::Approx(4e-3).epsilon(1e-4));
  CHECK(patch.approach == doctest::Approx(0.09266e-3).epsilon(2e-4));
  CHECK(patch.pressure == doctest::Approx(1223e6).epsilon(5e-4));

  // sphere of radius R on a plane: A = B = 1/(2 R), a^3 = 3 N R/(4 E*), approach = a^2/R
  const double R = 0.4, N = 5e4, a = std::cbrt(3 * N * R / (4 * steel.effective()));
  const HertzPatch<double> circle = patch_of_load(hertz_shape(0.5 / R, 0.5 / R, steel), N);
  CHECK(circle.a == doctest::Approx(a).epsilon(1e-13));
  CHECK(circle.b == doctest::Approx(a).epsilon(1e-13));
  CHECK(circle.approach == doctest::Approx(a * a / R).epsilon(1e-13));
}

TEST_CASE(
    "Hertz: turned by a right angle it is the same, load and approach invert each other, no load touches nowhere") {
  const Elastic steel;
  for (double A : {0.01, 0.5, 1.0, 1.0 + 1e-9, 7.0, 300.0}) {
    CAPTURE(A);
    const HertzShape<double> one = hertz_shape(A, 1.0, steel), other = hertz_shape(1.0, A, steel);
    CHECK(one.a == doctest::Approx(other.b).epsilon(1e-13));
    CHECK(one.stiffness == doctest::Approx(other.stiffness).epsilon(1e-13));
    const HertzPatch<double> p = patch_of_load(one, 7e4), q = patch_of_approach(one, p.approach);
    CHECK(q.load == doctest::Approx(7e4).epsilon(1e-12));
    CHECK(q.a == doctest::Approx(p.a).epsilon(1e-12));
  }
  CHECK(patch_of_load(hertz_shape(1.0, 2.0, steel), 0.0).a == 0.0);
  CHECK(patch_of_approach(hertz_shape(1.0, 2.0, steel), -1e-6).load == 0.0);
}

// Two routes: polynomials over cells of ln(B/A), and Newton's method with the mean, which slopes need. The second one forms 1 - m, the square of the ratio of the axes, from an m near 1: of
// what that loses K takes up to a tenth. Over the borders of cells and beyond the last one (B/A of 403) it stays one function.
TEST_CASE("Hertz: shapes from stored polynomials are those of Newton's method, from circles to slender ellipses") {
  const Elastic steel;
  double off = 0;  // over what rounding explains
  for (int k = 0; k <= 3500; ++k) {
    const double r = k < 3497 ? 0.002 * k : 6.0 + (k - 3498) * 1e-12, A = 0.7, B = A * std::exp(r);
    for (const auto& [x, y] : {std::pair(A, B), std::pair(B, A)}) {
      const HertzShape<double> shape = hertz_shape(x, y, steel);
      const HertzShape<Dual<2>> exact = hertz_slopes(x, y, steel);
      const double ratio = std::max(shape.a / shape.b, shape.b / shape.a), within = 3e-15 + 2.2e-17 * ratio * ratio;
      off = std::max({off, std::abs(shape.a / exact.a.v - 1) / within, std::abs(shape.b / exact.b.v - 1) / within,
                      std::abs(shape.stiffness / exact.stiffness.v - 1) / within});
    }
  }
  CAPTURE(off);
  CHECK(off < 1);
}

TEST_CASE("Hertz: exact slopes to both curvatures against differences") {
  const Elastic steel;
  std::mt19937 random(5);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (int k = 0; k < 60; ++k) {
    // every third close to a circle, where the series takes over
    const double A = std::pow(10, unit(random)),
                 B = k % 3 == 0 ? A * (1 + 2e-4 * unit(random)) : std::pow(10, unit(random));
    const HertzShape<Dual<2>> f = hertz_slopes(A, B, steel);
    const double h = 1e-5;  // leaves h^2 and eps/h: 1e-9
    const auto slope = [&](auto member, int i) {
      const auto at = [&](double d) {
        return hertz_shape(i == 0 ? A * (1 + d) : A, i == 1 ? B * (1 + d) : B, steel).*member;
      };
      return (at(h) - at(-h)) / (2 * h * (i == 0 ? A : B));
    };
    for (int i = 0; i < 2; ++i) {
      CAPTURE(A);
      CAPTURE(B);
      CHECK(f.a.d[i] == doctest::Approx(slope(&HertzShape<double>::a, i)).epsilon(2e-8));
      CHECK(f.b.d[i] == doctest::Approx(slope(&HertzShape<double>::b, i)).epsilon(2e-8));
      CHECK(f.stiffness.d[i] == doctest::Approx(slope(&HertzShape<double>::stiffness, i)).epsilon(2e-8));
    }
  }
}
