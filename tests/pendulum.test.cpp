// The simple pendulum against its exact solution.
#include <cmath>
#include <numbers>

#include "run_model.testing.h"

using namespace skyhook;

// Jacobi's sn(u, k) by the descending Landen transformation with arithmetic-geometric means (Abramowitz, Stegun 16.4).
static double jacobi_sn(double u, double k) {
  double a[20], c[20];
  double b = std::sqrt(1 - k * k);
  a[0] = 1, c[0] = k;
  int n = 0;
  while (std::abs(c[n]) > 1e-17 && n < 18) {
    a[n + 1] = (a[n] + b) / 2, c[n + 1] = (a[n] - b) / 2;
    b = std::sqrt(a[n] * b);
    ++n;
  }
  double phi = std::ldexp(a[n] * u, n);
  for (; n > 0; --n) phi = (phi + std::asin(c[n] / a[n] * std::sin(phi))) / 2;
  return std::sin(phi);
}
static double quarter_period(double k) {  // K(k) = pi / (2 agm(1, k'))
  double a = 1, b = std::sqrt(1 - k * k);
  for (int i = 0; i < 10; ++i) {
    const double mean = (a + b) / 2;
    b = std::sqrt(a * b), a = mean;
  }
  return std::numbers::pi / (2 * a);
}

TEST_CASE("Pendulum: follows Jacobi's elliptic functions for ten seconds") {
  // From the horizontal: sin(theta / 2) = k sn(K - w t), k = sin(45 deg), theta from straight down, towards -x at first.
  const double k = std::sqrt(0.5), w = std::sqrt(9.81), K = quarter_period(k);
  CHECK(std::abs(4 * K / w - 2.3678419475762) < 1e-12);  // period, with K = 1.85407467730137
  CHECK(std::abs(jacobi_sn(K, k) - 1) < 1e-14);
  const auto r = testing::run("mechanisms/pendulum", {.tolerance = 1e-11, .output_step = 0.1});
  REQUIRE(r.sink.time.size() == 101);
  double worst = 0;
  for (std::size_t i = 0; i < r.sink.time.size(); ++i) {
    const double s = k * jacobi_sn(K - w * r.sink.time[i], k);  // sin(theta / 2)
    const double x = -2 * s * std::sqrt(1 - s * s), y = -(1 - 2 * s * s);
    worst = std::max({worst, std::abs(r.at(i, "x") - x), std::abs(r.at(i, "y") - y)});
  }
  CHECK(worst < 1e-7);  // local errors of 1e-11 over some 3000 steps
  CHECK(r.sink.summary.energy_closure < 1e-7);
}

TEST_CASE("Pendulum: a tenth of the tolerance gives about a tenth of the error") {
  double error[3];
  for (int i = 0; i < 3; ++i) {
    const auto r = testing::run("mechanisms/pendulum", {.tolerance = std::pow(10.0, -6 - i), .output_step = 10});
    const double s = std::sqrt(0.5) * jacobi_sn(quarter_period(std::sqrt(0.5)) - std::sqrt(9.81) * 10, std::sqrt(0.5));
    error[i] = std::abs(r.last("x") + 2 * s * std::sqrt(1 - s * s));
  }
  CHECK(error[1] < 0.6 * error[0]);  // tolerance proportionality of a variable-order code is rough
  CHECK(error[2] < 0.6 * error[1]);
}

// BDF damps a little in each of 80 000 steps: over 2000 s at 1e-6 two percent of the energy go, of which nothing was said below 5 %.
TEST_CASE("Pendulum: a run that has lost two percent of its energy says so, a short one need not") {
  const std::string text = R"(skyhook: 1
bodies: {rod: {mass: 2 kg, inertia: [0.16667, 0.16667, 0], at: [0, 0, 0], com: [0, 0, -0.5]}}
joints: {hinge: {type: revolute, from: ground, to: rod, axis: y, angle: 30 deg}}
outputs: [hinge.angle]
experiments: {swing: {until: 2000 s, output_step: 0.3 s, tolerance: 1e-6, solver: ida}}
)";
  const auto lost = testing::run_text(text).sink.summary;
  CHECK(lost.energy_closure > 0.01);
  CHECK(lost.energy_closure < 0.05);
  REQUIRE(lost.warnings.size() == 1);
  CHECK(lost.warnings[0].name == "energy_lost");
  CHECK(testing::run_text(text, {.until = 10}).sink.summary.warnings.empty());
}

// An arm of 20 mm with a weight at its end. With `lever` the tolerance holds for the way of the end in metres, as if the angle were a length: fewer steps, and the end is
// where the tolerance allows. Reference: the same at 1e-10.
TEST_CASE("The lever of a hinge weighs errors of its angle by the way of its end") {
  const auto swing = [](const std::string& lever, double tolerance) {
    return testing::run_text(
        "skyhook: 1\nbodies: {arm: {mass: 1 kg, at: [0.02, 0, 0]}}\njoints: {pivot: {type: revolute, from: ground, to: "
        "arm, at: [0, 0, 0], axis: y" +
            lever + "}}\noutputs: [arm.x, arm.z]\nexperiments: {swing: {until: 1 s, solver: bdf}}\n",
        {.tolerance = tolerance});
  };
  const auto exact = swing("", 1e-10), plain = swing("", 1e-5), weighed = swing(", lever: 20 mm", 1e-5);
  const auto& eq = *weighed.prepared.active;
  CHECK(eq.nominal(0) == 50.0);
  CHECK(eq.position_nominal(0) == 50.0);
  const auto way_off = [&](const testing::Run& run) {
    return std::hypot(run.last("arm.x") - exact.last("arm.x"), run.last("arm.z") - exact.last("arm.z"));
  };
  MESSAGE("steps ", plain.sink.summary.cost.steps, " and ", weighed.sink.summary.cost.steps, ", off by ",
          way_off(plain), " and ", way_off(weighed), " m");
  CHECK(weighed.sink.summary.cost.steps < 0.8 * static_cast<double>(plain.sink.summary.cost.steps));
  CHECK(way_off(weighed) < 100 * 1e-5);  // what any solver is held to, in metres
}
