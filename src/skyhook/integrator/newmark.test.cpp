// References: the characteristic polynomial of the method as Chung and Hulbert state it, exact solutions of linear oscillators, and a pendulum by its
// angle (the classical Runge-Kutta method in steps of 1e-4 s, whose error is 1e-14).
#include "skyhook/integrator/newmark.h"

#include <doctest/doctest.h>

#include <complex>
#include <random>

#include "skyhook/integrator/local_problems.testing.h"

using namespace skyhook;
using namespace skyhook::integrator;
using namespace skyhook::test_problems;

namespace {

// Steps end where limits are: nothing is tested, and Newton's method is exact.
Options forced() {
  Options o{.relative_tolerance = 1e12, .absolute_tolerance = 1e12, .initial_step = 10};
  o.kappa = 1e-23;
  return o;
}
Options tolerance(double tol) { return {.relative_tolerance = tol, .absolute_tolerance = tol}; }

StepStatus run_to(Newmark& run, double t) {
  StepStatus status;
  while ((status = run.step(t).status) == StepStatus::ok) {}
  return status;
}

// ---- the pendulum

struct Angle {
  double phi = 1, rate = 0.5;
};
// At times that do not fall.
class Exact {
 public:
  Angle at(double t) {
    const int steps = static_cast<int>(std::ceil((t - t_) / 1e-4));
    const double h = steps > 0 ? (t - t_) / steps : 0;
    const auto slope = [](Angle a) { return Angle{a.rate, -LocalPendulum::g * std::sin(a.phi)}; };
    const auto moved = [](Angle a, double s, Angle d) { return Angle{a.phi + s * d.phi, a.rate + s * d.rate}; };
    for (int k = 0; k < steps; ++k) {
      const Angle k1 = slope(x_), k2 = slope(moved(x_, h / 2, k1)), k3 = slope(moved(x_, h / 2, k2)),
                  k4 = slope(moved(x_, h, k3));
      x_ = moved(moved(moved(moved(x_, h / 6, k1), h / 3, k2), h / 3, k3), h / 6, k4);
    }
    t_ = t;
    return x_;
  }

 private:
  double t_ = 0;
  Angle x_;
};
Angle pendulum_at(double t) { return Exact().at(t); }

Newmark pendulum(const LocalPendulum& problem, NewmarkParameters with, const Options& options) {
  const auto s = LocalPendulum::state(1.0, 0.5);
  std::vector<double> y(problem.structure().y.size()), yp(y);
  std::ranges::copy(s, y.begin());
  y[4] = LocalPendulum::force(CSpan(s).first(2), CSpan(s).subspan(2));
  yp[0] = s[2], yp[1] = s[3];
  auto ws = problem.workspace();
  problem.accelerations(0, CSpan(s).first(2), CSpan(s).subspan(2), Span(yp).subspan(2, 2), *ws);
  return Newmark(problem, with, options, 0, y, yp);
}

struct Errors {
  double position = 0, velocity = 0, force = 0, off_position = 0, off_velocity = 0;
};

// The largest over all steps of (1 - spread) h to (1 + spread) h, at random, to 2 s. The force counts from 0.5 s on: what the start leaves in it has gone.
Errors random_steps(bool stabilised, NewmarkParameters with, double h, double spread, unsigned seed) {
  const LocalPendulum problem(stabilised);
  Newmark run = pendulum(problem, with, forced());
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> part(1 - spread, 1 + spread);
  Errors e;
  Exact reference;
  while (run.t() < 2 - 1e-9) {
    REQUIRE(run_to(run, std::min(2.0, run.t() + h * part(engine))) == StepStatus::reached_limit);
    const Angle exact = reference.at(run.t());
    const auto s = LocalPendulum::state(exact.phi, exact.rate);
    const CSpan y = run.y();
    for (std::size_t i = 0; i < 2; ++i) {
      e.position = std::max(e.position, std::abs(y[i] - s[i]));
      e.velocity = std::max(e.velocity, std::abs(y[2 + i] - s[2 + i]));
    }
    const double force = LocalPendulum::force(CSpan(s).first(2), CSpan(s).subspan(2));
    if (run.t() > 0.5) e.force = std::max(e.force, std::abs(y[4] - force));
    e.off_position = std::max(e.off_position, std::abs(0.5 * (y[0] * y[0] + y[1] * y[1] - 1)));
    e.off_velocity = std::max(e.off_velocity, std::abs(y[0] * y[2] + y[1] * y[3]));
  }
  return e;
}

struct Named {
  const char* name;
  NewmarkParameters with;
};
const Named methods[] = {{"hht -0.05", NewmarkParameters::hht(-0.05)},
                         {"hht -1/3", NewmarkParameters::hht(-1.0 / 3)},
                         {"generalised_alpha 0", NewmarkParameters::generalised_alpha(0)},
                         {"generalised_alpha 0.5", NewmarkParameters::generalised_alpha(0.5)},
                         {"generalised_alpha 0.8", NewmarkParameters::generalised_alpha(0.8)}};

// ---- the linear oscillator q'' = -omega^2 q

// The step of [Chung 1993], with the balance of forces between the ends, as a matrix over (q, h v, h^2 a).
using Matrix = std::array<std::array<double, 3>, 3>;
Matrix amplification(const NewmarkParameters& p, double w2) {  // w2 = (omega h)^2
  const double denominator = (1 - p.alpha_m) + w2 * (1 - p.alpha_f) * p.beta;
  const std::array<double, 3> a = {-w2 / denominator, -w2 * (1 - p.alpha_f) / denominator,
                                   -(p.alpha_m + w2 * (1 - p.alpha_f) * (0.5 - p.beta)) / denominator};
  Matrix m{};
  m[2] = a;
  m[1] = {p.gamma * a[0], 1 + p.gamma * a[1], 1 - p.gamma + p.gamma * a[2]};
  m[0] = {1 + p.beta * a[0], 1 + p.beta * a[1], 0.5 - p.beta + p.beta * a[2]};
  return m;
}
// x^3 - c[2] x^2 + c[1] x - c[0]
std::array<double, 3> characteristic(const Matrix& m) {
  const auto minor = [&](int i, int j) { return m[i][i] * m[j][j] - m[i][j] * m[j][i]; };
  const double det = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                     m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                     m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
  return {det, minor(0, 1) + minor(0, 2) + minor(1, 2), m[0][0] + m[1][1] + m[2][2]};
}
// By Durand and Kerner.
double spectral_radius(const std::array<double, 3>& c) {
  using C = std::complex<double>;
  std::array<C, 3> x = {C(0.4, 0.9), C(-0.65, 0.72), C(-0.9, -0.3)};
  for (int k = 0; k < 500; ++k) {
    for (std::size_t i = 0; i < 3; ++i) {
      const C value = ((x[i] - c[2]) * x[i] + c[1]) * x[i] - c[0];
      x[i] -= value / ((x[i] - x[(i + 1) % 3]) * (x[i] - x[(i + 2) % 3]));
    }
  }
  return std::max({std::abs(x[0]), std::abs(x[1]), std::abs(x[2])});
}

QuarterCar oscillator(double omega) {
  return {.body = 1, .wheel = 1, .spring = 0, .tyre = omega * omega, .damper = 0, .amplitude = 0};
}

template <class Run>
void restart_at(Run& run, const LocalCar& problem, Jump jump, double t, const HeldForce::Vector& y) {
  HeldForce::Vector yp;
  problem.car.rate(y, problem.car.held, yp);
  run.restart(jump, t, y, yp);
}
template <class I>
I begin_at(const LocalCar& problem, double tol, double t, const HeldForce::Vector& y) {
  HeldForce::Vector yp;
  problem.car.rate(y, problem.car.held, yp);
  NewmarkOptions o;
  o.relative_tolerance = o.absolute_tolerance = tol;
  return I(problem, o, t, y, yp);
}
HeldForce::Vector vector_of(CSpan y) {
  HeldForce::Vector out;
  std::copy(y.begin(), y.end(), out.begin());
  return out;
}

}  // namespace

// Roots are found to the cube root of rounding, for all three meet at rho = 0.
TEST_CASE("Newmark: the damping of vibrations far above 1 / h is what the parameter says") {
  for (const double rho : {0.0, 0.3, 0.8, 1.0})
    CHECK(std::abs(spectral_radius(characteristic(amplification(NewmarkParameters::generalised_alpha(rho), 1e16))) -
                   rho) < 1e-4);
  for (const double alpha : {-1.0 / 3, -0.2, -0.05, 0.0})
    CHECK(spectral_radius(characteristic(amplification(NewmarkParameters::hht(alpha), 1e16))) ==
          doctest::Approx((1 + alpha) / (1 - alpha)).epsilon(1e-4));
}

// Three steps of the integrator obey the recurrence of the theory, from resolved vibrations to those a thousand times too fast, at
// constant steps. It weighs accelerations where Chung and Hulbert weigh forces: for constant mass that is the same.
TEST_CASE("Newmark: an oscillator follows the characteristic polynomial of theory") {
  for (const Named& method : methods) {
    for (const double omega_h : {0.1, 1.0, 10.0, 1000.0}) {
      const LocalCar problem(oscillator(omega_h));
      HeldForce::Vector y{0, 1, 0, 0}, yp;
      problem.car.rate(y, 0, yp);
      Newmark run(problem, method.with, forced(), 0, y, yp);
      std::vector<double> q;
      for (int k = 1; k <= 40; ++k) REQUIRE(run_to(run, k) == StepStatus::reached_limit), q.push_back(run.y()[1]);
      const auto c = characteristic(amplification(method.with, omega_h * omega_h));
      double largest = 0;
      for (std::size_t k = 0; k + 3 < q.size(); ++k) {
        const double left = q[k + 3] - c[2] * q[k + 2] + c[1] * q[k + 1] - c[0] * q[k];
        largest = std::max(largest, std::abs(left) / (std::abs(q[k]) + std::abs(q[k + 1]) + std::abs(q[k + 2]) + 1e-6));
      }
      INFO(std::string(method.name), ", omega h ", omega_h);
      CHECK(largest < 1e-6);
    }
  }
}

namespace {

// The ratio of the largest errors of an eightfold refinement is 64 at order 2.
struct Orders {
  double position, velocity, force;
  Errors fine;
};
Orders orders(bool stabilised, NewmarkParameters with, double spread) {
  Errors coarse, fine;
  const auto join = [](Errors& all, const Errors& e) {
    all = {std::max(all.position, e.position), std::max(all.velocity, e.velocity), std::max(all.force, e.force),
           std::max(all.off_position, e.off_position), std::max(all.off_velocity, e.off_velocity)};
  };
  for (unsigned seed = 1; seed <= 4; ++seed) {
    join(coarse, random_steps(stabilised, with, 0.02, spread, seed));
    join(fine, random_steps(stabilised, with, 0.0025, spread, 10 + seed));
  }
  const auto order = [](double a, double b) { return std::log2(a / b) / 3; };
  return {order(coarse.position, fine.position), order(coarse.velocity, fine.velocity), order(coarse.force, fine.force),
          fine};
}

}  // namespace

TEST_CASE("Newmark: the stabilised form has order 2 with random steps, in positions, velocities and multipliers") {
  for (const Named& method : methods) {
    const Orders o = orders(true, method.with, 0.7);
    INFO(std::string(method.name), ": orders ", o.position, ", ", o.velocity, ", ", o.force, "; beside constraints by ",
         o.fine.off_position, ", ", o.fine.off_velocity);
    CHECK(o.position > 1.85);
    CHECK(o.velocity > 1.85);
    CHECK(o.force > 1.85);
    CHECK(o.fine.off_position < 1e-10);
    CHECK(o.fine.off_velocity < 1e-9);
  }
}

// [Arnold 2015]: each change of the step disturbs the multipliers of index 3, as a start does; with that their velocities, the more the stronger the damping.
TEST_CASE("Newmark: index 3 has order 2 with constant steps, and in positions with random ones") {
  for (const Named& method : methods) {
    const Orders even = orders(false, method.with, 0), random = orders(false, method.with, 0.7);
    INFO(std::string(method.name), ": orders ", even.position, ", ", even.velocity, ", ", even.force,
         "; with random steps ", random.position, ", ", random.velocity, ", ", random.force);
    CHECK(even.position > 1.85);
    CHECK(even.velocity > 1.85);
    CHECK(even.force > 1.8);
    CHECK(random.position > 1.75);
    CHECK(random.fine.off_position < 1e-10);
  }
}

// The pendulum swings through 2 s, about three times its own time scale.
TEST_CASE("Newmark: errors follow the tolerance, on the constraints that the form has") {
  for (const Named& method : methods) {
    for (const bool stabilised : {true, false}) {
      double before = 1;
      for (const double tol : {1e-3, 1e-5, 1e-7}) {
        const LocalPendulum problem(stabilised);
        Newmark run = pendulum(problem, method.with, tolerance(tol));
        REQUIRE(run_to(run, 2) == StepStatus::reached_limit);
        const Angle exact = pendulum_at(2);
        const double error = std::hypot(run.y()[0] - std::sin(exact.phi), run.y()[1] + std::cos(exact.phi));
        INFO(std::string(method.name), std::string(stabilised ? ", stabilised" : ", index 3"), " at ", tol, " errs ",
             error, " in ", run.cost().steps, " steps, ", run.cost().newton_iterations, " iterations, ",
             run.cost().jacobians, " Jacobians");
        CHECK(error < (stabilised ? 10 : 100) * tol);
        CHECK(error < before);
        if (stabilised) CHECK(run.cost().newton_iterations < 3 * run.cost().steps + 20);
        if (stabilised) CHECK(run.cost().error_test_failures < run.cost().steps / 5 + 5);
        before = error;
      }
    }
  }
}

TEST_CASE("Newmark: values between steps are as good as those at their ends") {
  const LocalPendulum problem(true);
  Newmark run = pendulum(problem, NewmarkParameters::generalised_alpha(0.8), tolerance(1e-6));
  double worst = 0, begin = 0;
  Exact reference;
  while (run.step(1).status == StepStatus::ok) {
    std::vector<double> y(6);
    for (const double s : {0.25, 0.5, 0.75}) {
      const double t = begin + s * (run.t() - begin);
      run.interpolate(t, y, {});
      const Angle exact = reference.at(t);
      worst = std::max(worst, std::hypot(y[0] - std::sin(exact.phi), y[1] + std::cos(exact.phi)));
    }
    begin = run.t();
  }
  CHECK(worst < 1e-4);
}

TEST_CASE_TEMPLATE("Newmark: a restart inside the last step goes on as a fresh integrator does", I, Hht,
                   GeneralisedAlpha) {
  for (const Jump jump : {Jump::input, Jump::state, Jump::mode}) {
    constexpr double tol = 1e-6;
    LocalCar problem;
    problem.car.hold(0.05);
    auto run = begin_at<I>(problem, tol, 0, {});
    while (run.t() < 0.1) REQUIRE(run.step(1.0).status == StepStatus::ok);
    const double begin = run.t();
    REQUIRE(run.step(1.0).status == StepStatus::ok);
    const double event = 0.7 * begin + 0.3 * run.t();
    HeldForce::Vector y, again, slope;
    run.interpolate(event, y, {});
    problem.car.hold(0.3);
    restart_at(run, problem, jump, event, y);
    CHECK(run.t() == event);
    run.interpolate(event, again, slope);
    CHECK(distance(again, y) == 0);
    problem.car.rate(y, problem.car.held, again);
    CHECK(distance(again, slope) < 1e-12);
    REQUIRE(run_to(run, event + 0.1) == StepStatus::reached_limit);
    CHECK(distance(problem.car.exact(y, 0.1), run.y()) < 100 * tol);
  }
}

TEST_CASE_TEMPLATE("Newmark: a sampled oscillator follows its exact solution", I, Hht, GeneralisedAlpha) {
  for (const QuarterCar& car : {QuarterCar{}, stiff_quarter_car()}) {
    for (const double tol : {1e-4, 1e-6}) {
      LocalCar problem(car);
      HeldForce::Vector y{}, exact{};
      problem.car.hold(0);
      auto run = begin_at<I>(problem, tol, 0, y);
      double error = 0;
      for (int k = 0; k < 200; ++k) {
        problem.car.hold(k * 0.005);
        if (k > 0) restart_at(run, problem, Jump::input, run.t(), y);
        REQUIRE(run_to(run, (k + 1) * 0.005) == StepStatus::reached_limit);
        y = vector_of(run.y()), exact = problem.car.exact(exact, 0.005);
        error = std::max(error, distance(exact, y));
      }
      INFO("tolerance ", tol, ", ", run.cost().steps, " steps");
      CHECK(error < 100 * tol);
    }
  }
}

TEST_CASE_TEMPLATE("Newmark: a copy goes on as the original does, bit by bit", I, Hht, GeneralisedAlpha) {
  for (const QuarterCar& car : {QuarterCar{}, stiff_quarter_car()}) {
    LocalCar problem(car);
    problem.car.hold(0.1);
    const HeldForce::Vector y{0.01, 0, 0, 0};
    I run = begin_at<I>(problem, 1e-6, 0, y);
    for (int k = 0; k < 15; ++k) REQUIRE(run.step(10).status == StepStatus::ok);
    I copy = run, beyond = run;
    for (int k = 0; k < 20; ++k) beyond.step(10);  // leaves the others alone
    for (int k = 0; k < 20; ++k) {
      const auto a = run.step(10), b = copy.step(10);
      CHECK(a.t == b.t);
      CHECK(vector_of(run.y()) == vector_of(copy.y()));
    }
    CHECK(beyond.t() == run.t());
    restart_at(run, problem, Jump::state, run.t(), y);
    restart_at(copy, problem, Jump::state, copy.t(), y);
    CHECK(run.step(10).t == copy.step(10).t);
    CHECK(run.cost().residuals == copy.cost().residuals);
  }
}

// Accelerations that are no numbers from 1 s on.
TEST_CASE("Newmark: what cannot be evaluated is told with its time and its equation") {
  struct Broken : LocalPendulum {
    Broken() : LocalPendulum(true) {}
    Eval residual(const Point& p, Span F, Workspace& ws) const override {
      const Eval e = LocalPendulum::residual(p, F, ws);
      if (p.t > 1) F[2] = NAN;
      return e;
    }
  } problem;
  Newmark run = pendulum(problem, NewmarkParameters::hht(-0.1), tolerance(1e-4));
  StepResult r;
  while ((r = run.step(2)).status == StepStatus::ok) {}
  CHECK(r.status == StepStatus::failed);
  CHECK(r.reason.find("at t = 1") != std::string::npos);
  CHECK(r.reason.find("row of vx") != std::string::npos);
}
