// References: the characteristic through its points (slope, largest and sliding force), a second implementation over the angle of slip.
#include "skyhook/element/force/tyre_tmeasy.h"

#include "skyhook/element/law_check.testing.h"
#include "skyhook/element/tyre/slip_check.testing.h"
#include "skyhook/element/tyre/tmeasy.h"
#include "skyhook/model/contribution.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

namespace {

// A passenger car's tyre, rounded.
const tyre::TMeasy law{.x = {{90e3, 160e3}, {0.11, 0.12}, {3.3e3, 6.5e3}, {0.5, 0.8}, {3.2e3, 6.0e3}},
                       .y = {{70e3, 100e3}, {0.18, 0.20}, {3.1e3, 5.4e3}, {0.6, 0.8}, {3.1e3, 5.3e3}},
                       .load = 3500,
                       .camber_factor = 0.2,
                       .trail = 0.03,
                       .trail_end = 0.2,
                       .trail_out = 0.35,
                       .rolling_resistance = 0.004};

struct Curve {
  double d0, sm, fm, ss, fs;
};
double over(double load, double at1, double at2) {  // the parabola through (0, 0), (1, at1), (2, at2), by Lagrange
  const double x = load / 3500;
  return at1 * x * (2 - x) + at2 * x * (x - 1) / 2;
}
double line(double load, double at1, double at2) { return at1 + (at2 - at1) * (load / 3500 - 1); }
double force(const Curve& c, double s) {
  if (s < c.sm) {
    const double r = s / c.sm;
    return c.d0 * c.sm * r / (1 + r * (r + c.d0 * c.sm / c.fm - 2));
  }
  if (s > c.ss) return c.fs;
  const double r = (s - c.sm) / (c.ss - c.sm);
  return c.fm + (c.fs - c.fm) * (3 * r * r - 2 * r * r * r);
}

}  // namespace

TEST_CASE("TMeasy: 500 random slips against a second implementation, derivatives") {
  check_against(law, [](const Slip<double>& s) -> std::array<double, 5> {
    const double Fz = std::min(s.load, 7000.0), more = s.load / Fz;
    const Curve x{over(Fz, 90e3, 160e3), line(Fz, 0.11, 0.12), over(Fz, 3.3e3, 6.5e3), line(Fz, 0.5, 0.8),
                  over(Fz, 3.2e3, 6e3)};
    const Curve y{over(Fz, 70e3, 100e3), line(Fz, 0.18, 0.2), over(Fz, 3.1e3, 5.4e3), line(Fz, 0.6, 0.8),
                  over(Fz, 3.1e3, 5.3e3)};
    const double per = std::hypot(1 + s.kappa, 0.01);
    const double sx = s.kappa / per, sy = -(s.tan_alpha + 0.2 * s.camber) / per;
    const double gx = x.sm / (x.sm + y.sm) + (x.fm / x.d0) / (x.fm / x.d0 + y.fm / y.d0);
    const double gy = 2 - gx;
    const double phi = std::atan2(sy / gy, sx / gx), c = std::cos(phi), d = std::sin(phi), mu = s.friction;
    const Curve one{std::hypot(x.d0 * gx * c, y.d0 * gy * d), mu * std::hypot(x.sm / gx * c, y.sm / gy * d),
                    mu * std::hypot(x.fm * c, y.fm * d), mu * std::hypot(x.ss / gx * c, y.ss / gy * d),
                    mu * std::hypot(x.fs * c, y.fs * d)};
    const double F = more * force(one, std::hypot(sx / gx, sy / gy));
    const double a = std::abs(sy) / mu, w = 1 - 0.2 / 0.35, r = a / 0.2;
    const double n = 0.03 * (a < 0.2    ? w * (1 - r) + (1 - w) * (1 - 3 * r * r + 2 * r * r * r)
                             : a < 0.35 ? -w * (r - 1) * std::pow((0.35 - a) / 0.15, 2)
                                        : 0);
    return {F * c, F * d, 0, -0.004 * s.load, -n * std::sqrt(Fz / 3500) * F * d};
  });
  // the second derivative jumps at the ends of its pieces: away from them
  check_slopes(law, [](const Slip<double>& s) { return std::abs(s.load - 7000) > 10; });
}

TEST_CASE("TMeasy goes through its points, in each direction and at both loads") {
  for (const int k : {0, 1}) {
    const double load = 3500.0 * (k + 1);
    // slips refer to the speed of rolling: kappa = s / (1 - s)
    const auto fx = [&](double s) { return law(Slip<double>{s / (1 - s), 0, 0, load, 20}).fx; };
    const auto fy = [&](double s) { return law(Slip<double>{0, -s, 0, load, 20}).fy; };
    CHECK(fx(1e-6) / 1e-6 == doctest::Approx(law.x.slope[k]).epsilon(1e-3));
    CHECK(fx(law.x.peak_slip[k]) == doctest::Approx(law.x.peak[k]).epsilon(1e-6));
    CHECK(fx(law.x.peak_slip[k] * 0.99) < law.x.peak[k]);
    CHECK(fy(law.y.peak_slip[k]) == doctest::Approx(law.y.peak[k]).epsilon(1e-4));
    CHECK(fy(1.5) == doctest::Approx(law.y.sliding[k]).epsilon(1e-9));
    CHECK(law(Slip<double>{-1, 0, 0, load, 20}).fx == doctest::Approx(-law.x.sliding[k]));  // locked
  }
  CHECK(law(Slip<double>{0, 0, 0, 3500}).fx == 0);
  CHECK(std::abs(law.arm(0.2, 1.0)) < 1e-15);
  CHECK(law.arm(0.25, 1.0) < 0);
  CHECK(law.arm(0.4, 1.0) == 0);
}

TEST_CASE("TMeasy refuses what is no such characteristic") {
  TyreTmeasy t;
  t.from = marker(model::ground, {0, 0, 0}), t.to = marker(1, {0, 0, 0.28});
  t.radius = 0.3, t.stiffness = 2e5, t.nominal_load = 3500;
  t.slope_x = {90e3, 160e3}, t.peak_slip_x = {0.11, 0.12}, t.peak_x = {3.3e3, 6.5e3}, t.sliding_slip_x = {0.5, 0.8},
  t.sliding_x = {3.2e3, 6e3};
  t.slope_y = {70e3, 100e3}, t.peak_slip_y = {0.18, 0.2}, t.peak_y = {3.1e3, 5.4e3}, t.sliding_slip_y = {0.6, 0.8},
  t.sliding_y = {3.1e3, 5.3e3};
  CHECK(refused_field(t).empty());
  const auto refused = [&](auto change) {
    TyreTmeasy other = t;
    change(other);
    return refused_field(other);
  };
  CHECK(refused([](TyreTmeasy& o) { o.slope_x = {1e5}; }) == "slope_x");
  CHECK(refused([](TyreTmeasy& o) { o.slope_y = {1e4, 1e5}; }) == "slope_y");
  CHECK(refused([](TyreTmeasy& o) { o.sliding_slip_x = {0.1, 0.8}; }) == "sliding_slip_x");
  CHECK(refused([](TyreTmeasy& o) { o.sliding_y = {3.2e3, 5e3}; }) == "sliding_y");
  CHECK(refused([](TyreTmeasy& o) { o.peak_slip_x = {0.11, 0.3}; }) == "peak_slip_x");
  CHECK(refused([](TyreTmeasy& o) { o.trail_out = 0.1; }) == "trail_out");
}
