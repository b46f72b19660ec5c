// References: exact solutions of linear oscillators, the order of BDF, and the known growth of its errors on them.
#include "skyhook/integrator/bdf_control.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <vector>

#include "skyhook/integrator/bdf.h"
#include "skyhook/integrator/problems.testing.h"

using namespace skyhook;
using namespace skyhook::integrator;
using namespace skyhook::test_problems;

namespace {

// Oscillators x'' + 2 d w x' + w² x = w² s sin(slow t), started with the amplitude `velocity` / w around their slow motion.
struct Vibrations {
  static constexpr std::array w{1.0, 2.3, 4.0, 7.0, 12.0, 18.0, 25.0};
  static constexpr int m = w.size(), n = 2 * m;
  static constexpr double s = 1e-4, slow = 0.05;
  double velocity = 0, damping = 0;

  Structure structure() const { return named(n, "vibration"); }
  template <class T>
  void residual(double t, const T* y, const T* yp, T* F) const {
    for (int i = 0; i < m; ++i) {
      F[i] = yp[i] - y[m + i];
      F[m + i] = yp[m + i] + T(2 * damping * w[i]) * y[m + i] + T(w[i] * w[i]) * (y[i] - T(s * std::sin(slow * t)));
    }
  }
  static double slow_part(int i) { return s * w[i] * w[i] / (w[i] * w[i] - slow * slow); }
  double exact(int i, double t) const {  // undamped
    return slow_part(i) * std::sin(slow * t) + velocity / w[i] * std::cos(w[i] * t);
  }
  Start start() const {
    Start at{std::vector<double>(n), std::vector<double>(n)};
    for (int i = 0; i < m; ++i) {
      at.y[i] = exact(i, 0), at.y[m + i] = at.yp[i] = slow * slow_part(i);
      at.yp[m + i] = -w[i] * velocity - 2 * damping * w[i] * at.y[m + i];
    }
    return at;
  }
};

struct Seen {
  std::array<long, 6> steps_of_order{};
  long steps = 0;
  double worst = 0, at_end = 0;  // errors of the undamped motion
};

Seen run(const Vibrations& law, int max_order = 0, double t_end = 200) {
  const DualProblem<Vibrations> problem(law);
  const Start start = law.start();
  Options options;
  options.absolute_tolerance = 1e-6, options.relative_tolerance = 1e-4;
  options.largest_step = t_end / 50, options.max_order = max_order;
  Bdf bdf(problem, options, 0, start.y, start.yp);
  Seen seen;
  for (StepResult r; r.status == StepStatus::ok;) {
    r = bdf.step(t_end);
    REQUIRE(r.status != StepStatus::failed);
    ++seen.steps_of_order[static_cast<std::size_t>(r.order)];
    seen.at_end = 0;
    for (int i = 0; i < Vibrations::m; ++i)
      seen.at_end = std::max(seen.at_end, std::abs(bdf.y()[static_cast<std::size_t>(i)] - law.exact(i, bdf.t())));
    seen.worst = std::max(seen.worst, seen.at_end);
  }
  seen.steps = bdf.cost().steps;
  return seen;
}

// x'' + w² x = 0 as z' = i w z in real and imaginary part, from exact values by steps of 1 at order k; |z| after 2000.
double size_after_2000_steps(int k, double theta) {
  const auto exact = [&](int step) { return std::polar(1.0, theta * step); };
  std::vector<std::vector<double>> values;
  for (int j = 0; j <= k; ++j) values.push_back({exact(-j).real(), exact(-j).imag()});
  BdfHistory history(2);
  history.begin(values, 1);
  std::array<double, 2> y, yp;
  for (int step = 1; step <= 2000; ++step) {
    const BdfHistory::Step now = history.coefficients(1, k);
    history.predict(now, y, yp);
    const std::complex<double> z(y[0], y[1]), zp(yp[0], yp[1]), rate(0, theta);
    const std::complex<double> E = (rate * z - zp) / (now.alpha - rate);
    history.advance(now, std::array{E.real(), E.imag()});
  }
  return std::hypot(history.newest()[0], history.newest()[1]);
}

// Error of y' = -2 (y - sin t) + cos t, y = sin t, after t = 3 in equal steps at order k.
double error_with_equal_steps(int k, int steps) {
  const double h = 3.0 / steps;
  std::vector<std::vector<double>> values;
  for (int j = 0; j <= k; ++j) values.push_back({std::sin(-j * h)});
  BdfHistory history(1);
  history.begin(values, h);
  std::array<double, 1> y, yp;
  for (int step = 1; step <= steps; ++step) {
    const double t = step * h;
    const BdfHistory::Step now = history.coefficients(h, k);
    history.predict(now, y, yp);
    const double E = (-2 * (y[0] - std::sin(t)) + std::cos(t) - yp[0]) / (now.alpha + 2);
    history.advance(now, std::array{E});
  }
  return std::abs(history.newest()[0] - std::sin(3.0));
}

}  // namespace

TEST_CASE("the formulas of order 1 to 5 have these orders with equal steps") {
  for (int k = 1; k <= 5; ++k) {
    const double order = std::log2(error_with_equal_steps(k, 60) / error_with_equal_steps(k, 120));
    CAPTURE(k);
    CHECK(order == doctest::Approx(k).epsilon(0.1));
  }
}

// The reason for the guard. For w h = theta -> 0 the main root of order 3 has the size 1 + theta^4 / 4, that of order 4
// 1 + theta^6 / 3; the others lie inside the unit circle, order 5 up to theta = 0.7.
TEST_CASE("orders 3 and 4 amplify a vibration at any step size, 2 damps it, 5 damps it in short steps") {
  CHECK(std::log(size_after_2000_steps(3, 0.1)) == doctest::Approx(2000 * std::pow(0.1, 4) / 4).epsilon(0.1));
  CHECK(std::log(size_after_2000_steps(4, 0.2)) == doctest::Approx(2000 * std::pow(0.2, 6) / 3).epsilon(0.2));
  CHECK(size_after_2000_steps(2, 0.2) < 0.9);
  CHECK(size_after_2000_steps(5, 0.6) < 1);
  CHECK(size_after_2000_steps(5, 0.8) > 10);
}

TEST_CASE("vibrations of the size of the tolerance are damped, and the step grows to that of the slow motion") {
  for (const double velocity : {1e-6, 3e-6}) {
    CAPTURE(velocity);
    const Seen seen = run({.velocity = velocity});
    CHECK(seen.steps <= 150);  // the fastest one alone has 800 periods
    CHECK(seen.worst <= 5e-6);
  }
}

TEST_CASE("vibrations of ten tolerances are damped too, those of fifty are followed by the higher orders") {
  const Seen small = run({.velocity = 1e-5}), large = run({.velocity = 5e-5}), second = run({.velocity = 5e-5}, 2);
  CHECK(small.steps <= 500);     // followed, they would take thousands
  CHECK(small.worst <= 2.0e-5);  // what is damped is missing; higher orders may have amplified it before
  CHECK(large.worst <= 0.5 * 5e-5);
  CHECK(large.worst < 0.5 * second.worst);
  CHECK(large.steps_of_order[5] > large.steps / 2);
  CHECK(large.steps <= 200 * 25 / 0.4);  // the fastest one is stable up to 0.7 radians a step
}

TEST_CASE("vibrations that are damped themselves are left to the higher orders") {
  const Vibrations damped{.velocity = 1e-3, .damping = 0.5};
  const Seen seen = run(damped), second = run(damped, 2);
  CHECK(seen.steps < second.steps);
  CHECK(seen.steps_of_order[3] + seen.steps_of_order[4] + seen.steps_of_order[5] > seen.steps / 4);
}

// Not a vibration but fast changes of a mechanism: a guard that takes them for one shortens the step without end.
TEST_CASE("the guard leaves a mechanism with fast changes its steps") {
  const DualProblem<Andrews> problem;
  const Start start = Andrews::start();
  for (int i = 8; i <= 16; ++i) {
    CAPTURE(i);
    Options options;
    options.relative_tolerance = options.absolute_tolerance = std::pow(10, -i / 2.0);
    options.largest_step = Andrews::t_end / 50;
    Bdf bdf(problem, options, 0, start.y, start.yp);
    StepResult r;
    while (r.status == StepStatus::ok && bdf.cost().steps < 4000) r = bdf.step(Andrews::t_end);
    CHECK(r.status == StepStatus::reached_limit);
  }
}
