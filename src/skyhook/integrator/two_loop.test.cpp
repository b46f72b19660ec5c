// References: a pendulum by the classical Runge-Kutta method in steps of 1e-4 s (error 1e-14), exact solutions of linear oscillators, and counts of
// evaluations of one method against another.
#include "skyhook/integrator/two_loop.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "skyhook/integrator/krylov.h"

using namespace skyhook;
using namespace skyhook::integrator;
using Formula = TwoLoopOptions::Formula;
using Outer = TwoLoopOptions::Outer;

namespace {

// x'' = -K x - C x' for a chain of n unit masses between walls, with springs k and dampers d in turn stiff and soft; n = 1: a pendulum, x'' = -g sin x.
class Chain : public SecondOrderOde {
 public:
  static constexpr double g = 9.81;
  Chain(int n, double stiff, double damping) : n_(n) {
    for (const char* what : {"x", "v"})
      for (int i = 0; i < n; ++i) structure_.y.push_back({.name = what + std::to_string(i)});
    K_.assign(static_cast<std::size_t>(n * n), 0.0), C_ = K_;
    for (int i = 0; i <= n; ++i) {  // spring i stands before mass i
      const double k = i % 2 == 0 ? stiff : 10, d = i % 2 == 0 ? damping : 0.1;
      const auto add = [&](int r, int c, double sign) {
        if (r < 0 || c < 0 || r >= n || c >= n) return;
        K_[at(r, c)] += sign * k, C_[at(r, c)] += sign * d;
      };
      add(i, i, 1), add(i - 1, i - 1, 1), add(i, i - 1, -1), add(i - 1, i, -1);
    }
  }
  struct Work : WorkspaceOf<Work> {
    double b = 0, c = 0, slope = 0;
    std::vector<double> lu;
  };
  const Structure& structure() const override { return structure_; }
  std::unique_ptr<Workspace> workspace() const override { return std::make_unique<Work>(); }
  Eval rhs(double t, CSpan y, Span yp, Workspace&) const override {
    if (t > broken_after) return Eval::recoverable;
    for (int i = 0; i < n_; ++i) {
      yp[i] = y[n_ + i];
      if (n_ == 1) return yp[1] = -g * std::sin(y[0]), Eval::ok;
      double sum = 0;
      for (int j = 0; j < n_; ++j) sum += K_[at(i, j)] * y[j] + C_[at(i, j)] * y[n_ + j];
      yp[n_ + i] = -sum;
    }
    return Eval::ok;
  }
  Eval prepare(double, CSpan y, double b, double c, Workspace& ws) const override {
    auto& work = static_cast<Work&>(ws);
    work.b = b, work.c = c, work.slope = -g * std::cos(y[0]);
    return Eval::ok;
  }
  void respond(CSpan dx, CSpan dv, Span dF, Workspace& ws) const override {
    const auto& work = static_cast<Work&>(ws);
    if (n_ == 1) return void(dF[0] = work.slope * dx[0] / (1 - work.b * work.slope));
    std::vector<double> m(K_.size());
    for (std::size_t k = 0; k < m.size(); ++k) m[k] = work.b * K_[k] + work.c * C_[k];
    for (int i = 0; i < n_; ++i) {
      m[at(i, i)] += 1, dF[i] = 0;
      for (int j = 0; j < n_; ++j) dF[i] -= K_[at(i, j)] * dx[j] + C_[at(i, j)] * dv[j];
    }
    for (int k = 0; k < n_; ++k)  // symmetric and positive: no pivots
      for (int i = k + 1; i < n_; ++i) {
        const double factor = m[at(i, k)] / m[at(k, k)];
        for (int j = k; j < n_; ++j) m[at(i, j)] -= factor * m[at(k, j)];
        dF[i] -= factor * dF[k];
      }
    for (int k = n_ - 1; k >= 0; --k) {
      for (int j = k + 1; j < n_; ++j) dF[k] -= m[at(k, j)] * dF[j];
      dF[k] /= m[at(k, k)];
    }
  }
  double broken_after = 1e9;

 private:
  std::size_t at(int i, int j) const { return static_cast<std::size_t>(i * n_ + j); }
  int n_;
  std::vector<double> K_, C_;
  Structure structure_;
};

struct Angle {
  double phi = 1, rate = 0.5;
};
// At times that do not fall.
class Exact {
 public:
  Angle at(double t) {
    const int steps = static_cast<int>(std::ceil((t - t_) / 1e-4));
    const double h = steps > 0 ? (t - t_) / steps : 0;
    const auto slope = [](Angle a) { return Angle{a.rate, -Chain::g * std::sin(a.phi)}; };
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

StepStatus run_to(TwoLoop& run, double t) {
  StepStatus status;
  while ((status = run.step(t).status) == StepStatus::ok) {}
  return status;
}

TwoLoopOptions options(Formula formula, Outer outer, double tol) {
  TwoLoopOptions o;
  o.relative_tolerance = o.absolute_tolerance = tol;
  o.formula = formula, o.outer = outer;
  return o;
}

constexpr Formula formulas[] = {Formula::park, Formula::bdf2, Formula::trapezoidal, Formula::hht};
constexpr Outer outers[] = {Outer::automatic, Outer::simple, Outer::newton_krylov, Outer::preconditioned};
const std::array<double, 2> start = {1, 0.5};

// Steps end where limits are.
Angle random_steps(Formula formula, double h, unsigned seed) {
  const Chain problem(1, 0, 0);
  TwoLoopOptions o = options(formula, Outer::preconditioned, 1e6);
  o.kappa = 1e-18, o.initial_step = 10;
  TwoLoop run(problem, o, 0, start);
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> part(0.3, 1.7);
  Angle worst{0, 0};
  Exact reference;
  while (run.t() < 2 - 1e-9) {
    REQUIRE(run_to(run, std::min(2.0, run.t() + h * part(engine))) == StepStatus::reached_limit);
    const Angle exact = reference.at(run.t());
    worst = {std::max(worst.phi, std::abs(run.y()[0] - exact.phi)),
             std::max(worst.rate, std::abs(run.y()[1] - exact.rate))};
  }
  return worst;
}

}  // namespace

// Arnoldi is exact after as many vectors as there are unknowns, whatever the matrix. For a symmetric one two vectors are enough to be orthogonal to (Lanczos).
TEST_CASE("Krylov: Arnoldi and incomplete orthogonalisation solve linear systems") {
  constexpr std::size_t n = 12;
  std::mt19937 engine(3);
  std::normal_distribution<double> normal;
  for (const int depth : {0, 2}) {
    std::vector<double> A(n * n), x(n), r(n);
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = normal(engine), A[i * n + i] = 1.0 + static_cast<double>(i);
      for (std::size_t j = 0; j < i; ++j) {
        A[i * n + j] = 0.1 * normal(engine);
        A[j * n + i] = depth > 0 ? A[i * n + j] : 0.1 * normal(engine);
      }
    }
    const auto product = [&](CSpan v, Span out) {
      for (std::size_t i = 0; i < n; ++i) {
        out[i] = 0;
        for (std::size_t j = 0; j < n; ++j) out[i] += A[i * n + j] * v[j];
      }
      return true;
    };
    product(x, r);
    Krylov krylov(n, depth);
    CHECK(krylov.solve(r, 1e-8, product));
    for (std::size_t i = 0; i < n; ++i) CHECK(std::abs(r[i] - x[i]) < 1e-7);
    CHECK(krylov.vectors() <= static_cast<long>(n));
    product(x, r);
    CHECK_FALSE(krylov.solve(r, 1e-9, [](CSpan, Span) { return false; }));
  }
}

// The ratio of the largest errors of an eightfold refinement is 64 at order 2.
TEST_CASE("Two loops: order 2 of the four formulas with random steps") {
  for (const Formula formula : formulas) {
    Angle coarse{0, 0}, fine{0, 0};
    for (unsigned seed = 1; seed <= 4; ++seed) {
      const Angle a = random_steps(formula, 0.02, seed), b = random_steps(formula, 0.0025, 10 + seed);
      coarse = {std::max(coarse.phi, a.phi), std::max(coarse.rate, a.rate)};
      fine = {std::max(fine.phi, b.phi), std::max(fine.rate, b.rate)};
    }
    INFO("formula ", int(formula), ": orders ", std::log2(coarse.phi / fine.phi) / 3, ", ",
         std::log2(coarse.rate / fine.rate) / 3, ", errors ", fine.phi, ", ", fine.rate);
    CHECK(std::log2(coarse.phi / fine.phi) / 3 > 1.85);
    CHECK(std::log2(coarse.rate / fine.rate) / 3 > 1.85);
  }
}

TEST_CASE(
    "Two loops: errors follow the tolerance with every formula and outer loop, and so does each exponent of the step "
    "rule") {
  const Chain problem(1, 0, 0);
  const Angle exact = pendulum_at(2);
  for (const Formula formula : formulas) {
    for (const Outer outer : outers) {
      for (const double exponent : {1.0 / 3, 0.5}) {
        double before = 1;
        for (const double tol : {1e-3, 1e-5, 1e-7}) {
          TwoLoopOptions o = options(formula, outer, tol);
          o.step_exponent = exponent;
          TwoLoop run(problem, o, 0, start);
          REQUIRE(run_to(run, 2) == StepStatus::reached_limit);
          const double error = std::max(std::abs(run.y()[0] - exact.phi), std::abs(run.y()[1] - exact.rate));
          INFO("formula ", int(formula), ", outer ", int(outer), ", exponent ", exponent, " at ", tol, " errs ", error,
               " in ", run.cost().steps, " steps, ", run.cost().error_test_failures, " failures, ",
               run.cost().newton_iterations, " iterations, ", run.krylov_vectors(), " vectors, ", run.cost().residuals,
               " evaluations");
          CHECK(error < 100 * tol);
          CHECK(error < before);
          CHECK(run.cost().newton_iterations < 6 * run.cost().steps + 20);
          before = error;
        }
      }
    }
  }
}

// 20 masses, every other spring 100 000 times stiffer and strongly damped: rates of 100 to 20 000 1/s, of which the motion has nothing after 0.1 s.
TEST_CASE("Two loops: what the preconditioner gains, and where simple iteration cannot converge") {
  const Chain problem(20, 1e6, 1e4);
  std::vector<double> y(40, 0.0);
  for (std::size_t i = 0; i < 20; ++i) y[i] = std::sin(0.15 * static_cast<double>(i));
  struct Result {
    long steps, evaluations, vectors;
    bool is_stiff;
    double rate, end;
  };
  const auto run = [&](Outer outer, int depth = 0) {
    TwoLoopOptions o = options(Formula::park, outer, 1e-4);
    o.krylov_depth = depth;
    TwoLoop integrator(problem, o, 0, y);
    REQUIRE(run_to(integrator, 1) == StepStatus::reached_limit);
    return Result{integrator.cost().steps, integrator.cost().residuals, integrator.krylov_vectors(),
                  integrator.is_stiff(),   integrator.stiff_rate(),     integrator.y()[10]};
  };
  const Result simple = run(Outer::simple), krylov = run(Outer::newton_krylov),
               incomplete = run(Outer::newton_krylov, 4), exact = run(Outer::preconditioned),
               automatic = run(Outer::automatic);
  INFO("steps and evaluations: simple ", simple.steps, ", ", simple.evaluations, "; Newton-Krylov ", krylov.steps, ", ",
       krylov.evaluations, "; IOM(4) ", incomplete.steps, ", ", incomplete.evaluations, "; preconditioned ",
       exact.steps, ", ", exact.evaluations, "; automatic ", automatic.steps, ", ", automatic.evaluations, "; vectors ",
       krylov.vectors, ", ", exact.vectors);
  CHECK(simple.is_stiff);
  CHECK(simple.rate > 5000);
  CHECK_FALSE(krylov.is_stiff);
  CHECK_FALSE(exact.is_stiff);
  CHECK(simple.steps > 10 * exact.steps);
  CHECK(simple.evaluations > 10 * exact.evaluations);
  CHECK(krylov.evaluations > exact.evaluations);
  for (const Result& r : {krylov, incomplete, exact, automatic}) CHECK(std::abs(r.end - simple.end) < 100 * 1e-4);
}

TEST_CASE("Two loops: values between steps, restarts, and a copy that goes on bit by bit") {
  const Chain problem(1, 0, 0);
  for (const Formula formula : formulas) {
    TwoLoop run(problem, options(formula, Outer::automatic, 1e-5), 0, start);
    for (int k = 0; k < 30; ++k) REQUIRE(run.step(10).status == StepStatus::ok);
    TwoLoop copy = run, beyond = run;
    for (int k = 0; k < 20; ++k) beyond.step(10);
    for (int k = 0; k < 20; ++k) {
      CHECK(run.step(10).t == copy.step(10).t);
      CHECK(run.y()[0] == copy.y()[0]);
      CHECK(run.y()[1] == copy.y()[1]);
    }
    CHECK(beyond.t() == run.t());
    const double begin = run.t();
    REQUIRE(run.step(10).status == StepStatus::ok);
    std::array<double, 2> between{}, slope{};
    const double event = 0.6 * begin + 0.4 * run.t();
    run.interpolate(event, between, slope);
    const Angle exact = pendulum_at(event);
    CHECK(std::abs(between[0] - exact.phi) < 1e-3);
    CHECK(std::abs(slope[1] + Chain::g * std::sin(between[0])) < 1e-2);
    run.restart(Jump::state, event, std::array<double, 2>{exact.phi, exact.rate});
    CHECK(run.t() == event);
    REQUIRE(run_to(run, event + 0.5) == StepStatus::reached_limit);
    CHECK(std::abs(run.y()[0] - pendulum_at(event + 0.5).phi) < 1e-3);
  }
}

TEST_CASE("Two loops: what cannot be evaluated is told with its time") {
  Chain problem(1, 0, 0);
  problem.broken_after = 0.5;
  TwoLoop run(problem, options(Formula::park, Outer::automatic, 1e-4), 0, start);
  StepResult r;
  while ((r = run.step(2)).status == StepStatus::ok) {}
  CHECK(r.status == StepStatus::failed);
  CHECK(r.reason.find("at t = 0.5") != std::string::npos);
  CHECK(r.reason.find("could not be evaluated") != std::string::npos);
}
