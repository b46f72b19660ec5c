// References: CONTACT's example `fastsim` (its first case, the half-space: Fy -14.94 kN, Mz -48.21 N.m, on a grid of 40 by 40 cells); Kalker's linear theory at small creep; friction where all slides.
#include "skyhook/element/rail/rolling_half_space.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "skyhook/element/rail/kalker.h"

using namespace skyhook::element::rail;
using doctest::Approx;

namespace {

constexpr double a = 8e-3, b = 4e-3, load = 82e3, mu = 0.3;

// Hertz's pressures on n by n cells.
struct Ellipse {
  GapGrid grid;
  HalfSpaceContact contact;
  explicit Ellipse(int n) : grid{-a + a / n, -b + b / n, 2 * a / n, 2 * b / n, n, n, {}} {
    double sum = 0;
    for (int k = 0; k < n; ++k)
      for (int i = 0; i < n; ++i) {
        const double x = grid.x(i) / a, y = grid.y(k) / b;
        contact.pressure.push_back(std::sqrt(std::max(0.0, 1 - x * x - y * y)));
        sum += contact.pressure.back();
      }
    for (double& p : contact.pressure) p *= load / (sum * grid.dx * grid.dy);
  }
  CreepForce<double> force(double x, double y, double spin, Tractions& t) const {
    return RollingHalfSpace(grid, Elastic{}).force(contact, 1, {x, y, spin, load, a, b, mu}, t);
  }
  CreepForce<double> force(double x, double y, double spin) const {
    Tractions t;
    const CreepForce<double> f = force(x, y, spin, t);
    REQUIRE(t.is_found);
    return f;
  }
};

}  // namespace

TEST_CASE("Rolling half-space: CONTACT's example") {
  // Of first order in the cells: 14.99 and 15.14 kN with 40 and 64 cells here, on the way to 15.35.
  Tractions t;
  const Ellipse of(40);
  const CreepForce<double> f = of.force(0, -6.25e-4, 0.625, t);
  REQUIRE(t.is_found);
  MESSAGE("Fy ", f.y, " N, Mz ", f.moment, " N.m, ", t.sweeps, " sweeps");
  CHECK(f.y == Approx(-14.94e3).epsilon(0.006));
  CHECK(f.moment == Approx(-48.21).epsilon(0.005));
  CHECK(std::abs(f.x) < 1e-4 * load);  // by symmetry
  int sticks = 0, touches = 0;
  for (std::size_t c = 0; c < t.x.size(); ++c) {
    const double bound = mu * of.contact.pressure[c];
    CHECK(std::hypot(t.x[c], t.y[c]) <= bound * (1 + 1e-9));
    touches += bound > 0, sticks += bound > 0 && !t.slides[c];
  }
  CHECK(static_cast<double>(sticks) / touches == Approx(356.0 / 1276).epsilon(0.05));  // its count of cells
  // Found again from what was found.
  of.force(0, -6.25e-4, 0.625, t);
  CHECK(t.sweeps < 5);
}

// His table has three digits; 1 % and more is what the steps of the ellipse's edge leave.
TEST_CASE("Rolling half-space: Kalker's linear theory at small creep") {
  const auto c = KalkerCoefficients(Elastic{}.poisson).at(a, b);
  const double G = Elastic{}.shear, unit = 1e-8, ab = a * b;
  for (const int n : {12, 24}) {
    const Ellipse of(n);
    const double x = of.force(unit, 0, 0).x / (-G * ab * c.C11 * unit),
                 y = of.force(0, unit, 0).y / (-G * ab * c.C22 * unit),
                 spin = of.force(0, 0, 1e3 * unit).y / (-G * std::pow(ab, 1.5) * c.C23 * 1e3 * unit);
    MESSAGE(n, " cells: of Kalker's coefficients ", x, ", ", y, ", ", spin);
    for (const double share : {x, y, spin}) CHECK(std::abs(share - 1) < 0.015);
  }
}

TEST_CASE("Rolling half-space: where all slides the force is that of friction, against the slip") {
  const CreepForce<double> f = Ellipse(16).force(0.03, -0.04, 0);
  CHECK(f.x == Approx(-0.6 * mu * load).epsilon(2e-3));
  CHECK(f.y == Approx(0.8 * mu * load).epsilon(2e-3));
}
