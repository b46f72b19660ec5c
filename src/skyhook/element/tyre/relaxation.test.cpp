// References: the slip itself in steady rolling; the closed solution of a patch that slides without rolling, and of one that rolls.
#include "skyhook/element/tyre/relaxation.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

using namespace skyhook;
using namespace skyhook::element::tyre;

namespace {

using Pair = Displaced<double>;
const Relaxation sliding{.per_limit_x = 20, .per_limit_y = 12, .damping_time = 0.01, .low_speed = 1};

// Runge and Kutta's method with velocities that stand still.
Pair after(const Relaxation& of, double time, double speed, Pair slide, Pair c, Pair sigma, int steps = 4000) {
  const double h = time / steps;
  const auto rate = [&](const Pair& at) { return rate_of(of, speed, slide, at, sigma); };
  for (int i = 0; i < steps; ++i) {
    const Pair a = rate(c), b = rate({c.u + h / 2 * a.u, c.v + h / 2 * a.v});
    const Pair d = rate({c.u + h / 2 * b.u, c.v + h / 2 * b.v}), e = rate({c.u + h * d.u, c.v + h * d.v});
    c.u += h / 6 * (a.u + 2 * b.u + 2 * d.u + e.u), c.v += h / 6 * (a.v + 2 * b.v + 2 * d.v + e.v);
  }
  return c;
}

}  // namespace

TEST_CASE("In steady rolling the relaxed slip is the slip, ahead and back, whatever the limits are") {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (int k = 0; k < 100; ++k) {
    const Pair slide{3 * unit(random), 3 * unit(random)}, sigma{0.3, 0.5};
    const double speed = 10 * unit(random);
    if (std::abs(slide.u / speed) > 2 || std::abs(slide.v / speed) > 2) continue;  // then the last percent is cut
    const Relaxation of{.per_limit_x = 20 * std::abs(unit(random)), .per_limit_y = 12, .damping_time = 0.01};
    const double rolled = std::abs(speed) + std::hypot(of.per_limit_x * slide.u, of.per_limit_y * slide.v);
    const Pair c{-slide.u * sigma.u / rolled, -slide.v * sigma.v / rolled};  // where it stands still
    const Pair rate = rate_of(of, speed, slide, c, sigma);
    CHECK(std::abs(rate.u) < 1e-8);
    CHECK(std::abs(rate.v) < 1e-8);
    const Pair slip = slip_of(of, speed, c, {0, 0}, sigma);
    CHECK(slip.u == doctest::Approx(-slide.u / std::abs(speed)).epsilon(1e-8));
    CHECK(slip.v == doctest::Approx(slide.v / std::abs(speed)).epsilon(1e-8));
  }
}

TEST_CASE("A patch that does not roll is a spring first and slides off at sigma times its limit") {
  const Pair sigma{0.3, 0.5};
  // u' = -V (1 + u / (sigma l)): u = -sigma l (1 - exp(-V t / (sigma l)))
  const double most = sigma.u / sliding.per_limit_x;
  for (const double time : {1e-4, 0.01, 0.3}) {
    const Pair c = after(sliding, time, 0.0, {0.5, 0}, {0, 0}, sigma);
    CHECK(c.u == doctest::Approx(-most * (1 - std::exp(-0.5 * time / most))).epsilon(1e-8));
    CHECK(c.v == 0.0);
  }
  // however long: it stays within the limit, and comes back from there at once
  CHECK(std::abs(after(sliding, 100, 0.0, {0.5, 0.2}, {0, 0}, sigma, 200000).u) < most);
  // a wheel that stands and does not slide keeps its displacement: a parked car does not creep
  const Pair kept = rate_of(sliding, 0.0, {0, 0}, {0.01, -0.02}, sigma);
  CHECK(std::abs(kept.u) < 1e-9);
  CHECK(std::abs(kept.v) < 1e-9);
}

TEST_CASE("A patch that rolls follows a small slip over its relaxation length") {
  const Pair sigma{0.3, 0.5};
  const Relaxation never{};  // never slides: linear
  for (const double speed : {0.01, 5.0, -5.0}) {
    const double way = 0.7, time = way / std::abs(speed);
    const Pair c = after(never, time, speed, {0.001, 0.002}, {0, 0}, sigma);
    const Pair slip = slip_of(never, 10.0, c, {0, 0}, sigma);
    CHECK(slip.u == doctest::Approx(-0.001 / std::abs(speed) * (1 - std::exp(-way / sigma.u))).epsilon(1e-7));
    CHECK(slip.v == doctest::Approx(0.002 / std::abs(speed) * (1 - std::exp(-way / sigma.v))).epsilon(1e-7));
  }
}

TEST_CASE("Damping acts at standstill only, and no displacement is too large") {
  const Pair c{0.001, 0}, rate{0.2, 0}, sigma{0.3, 0.5};
  CHECK(slip_of(sliding, 0.0, c, rate, sigma).u > slip_of(sliding, 0.0, c, {0, 0}, sigma).u);
  CHECK(slip_of(sliding, 1.0, c, rate, sigma).u == slip_of(sliding, 1.0, c, {0, 0}, sigma).u);
  CHECK(std::isfinite(slip_of(sliding, 0.0, {5, -5}, {0, 0}, sigma).u));
  double before = 0;
  for (double u = 0; u < 0.03; u += 1e-5) {  // it rises all the way
    const double now = slip_of(sliding, 9.0, {u, 0}, {0, 0}, sigma).u;
    CHECK(now >= before);
    before = now;
  }
}

TEST_CASE("Slip at once: exact from low_speed on, finite and smooth at standstill") {
  CHECK(slip_at_once(1.0, Pair{0.2, 0.3}, 1.0).u == doctest::Approx(-0.2));
  CHECK(slip_at_once(-4.0, Pair{0.2, 0.3}, 1.0).v == doctest::Approx(0.075));
  CHECK(slip_at_once(0.0, Pair{0.2, 0.3}, 1.0).u == doctest::Approx(-0.4));
  CHECK(slip_at_once(1.0 - 1e-9, Pair{0.2, 0.3}, 1.0).u == doctest::Approx(-0.2).epsilon(1e-8));
}
