// References: exact solutions, invariants, published digits, and one Jacobian strategy against another.
#include "skyhook/integrator/ida.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "skyhook/corrector/differences.h"
#include "skyhook/integrator/problems.testing.h"

using namespace skyhook;
using namespace skyhook::integrator;
using namespace skyhook::test_problems;
using doctest::Approx;

namespace {

using Numbers = std::vector<double>;

struct Run {
  Numbers y, yp;
  Cost cost;
  StepResult last;
};

Run run(const DaeProblem& problem, const Start& start, double t_end, Options options = {}) {
  Ida ida(problem, options, 0, start.y, start.yp);
  StepResult r;
  while (r.status == StepStatus::ok) r = ida.step(t_end);
  return {Numbers(ida.y().begin(), ida.y().end()), Numbers(ida.yp().begin(), ida.yp().end()), ida.cost(), r};
}

using Source = JacobianStrategy::Source;

Options tolerance(double tol, Source source = Source::exact) {
  Options o;
  o.relative_tolerance = o.absolute_tolerance = tol;
  o.jacobian.source = source;
  return o;
}

// Planar pendulum of length 1 and mass 1 in Cartesian coordinates, GGL form, y = (x, y, vx, vy, lambda, eta):
// p' = v - Gᵀ eta, v' = -g e_y - Gᵀ lambda, 0 = G v, 0 = (x² + y² - 1) / 2, G = (x, y). All by hand, pattern too.
class Pendulum : public DaeProblem {
 public:
  static constexpr double gravity = 9.81;
  Pendulum() {
    for (const char* name : {"x", "y", "vx", "vy"}) s_.y.push_back({.name = std::string("bob.") + name});
    for (const char* name : {"rod.force", "rod.shift"})
      s_.y.push_back({.index = 2, .in_error_test = false, .name = name});
    s_.rows = {"kinematics of bob.x", "kinematics of bob.y", "dynamics of bob.x",
               "dynamics of bob.y",   "velocity of rod",     "length of rod"};
    PatternBuilder b(6, 6);
    for (int i = 0; i < 4; ++i) b.add(i, i);
    for (int i = 0; i < 2; ++i) {
      b.add(i, 2 + i);  // p' - v
      b.add(i, 5);      // Gᵀ eta
      b.add(2 + i, i);  // d(Gᵀ lambda)/dp
      b.add(2 + i, 4);
      b.add(4, i);
      b.add(4, 2 + i);
      b.add(5, i);
    }
    s_.pattern = std::make_shared<const Pattern>(b.build());
  }
  const Structure& structure() const override { return s_; }
  std::unique_ptr<Workspace> workspace() const override { return std::make_unique<Workspace>(); }
  Eval residual(const Point& p, Span F, Workspace&) const override {
    const CSpan y = p.y, yp = p.yp;
    for (int i = 0; i < 2; ++i) {
      F[i] = yp[i] - y[2 + i] + y[i] * y[5];
      F[2 + i] = yp[2 + i] + y[i] * y[4] + (i == 1 ? gravity : 0);
    }
    F[4] = y[0] * y[2] + y[1] * y[3];
    F[5] = (y[0] * y[0] + y[1] * y[1] - 1) / 2;
    return Eval::ok;
  }
  Eval derivatives(const Point& p, Csc& dF_dy, Csc& dF_dyp, Workspace&) const override {
    const CSpan y = p.y;
    std::fill(dF_dyp.value.begin(), dF_dyp.value.end(), 0.0);
    const auto set = [&](Csc& m, int i, int j, double value) { m.value[s_.pattern->find(i, j)] = value; };
    std::fill(dF_dy.value.begin(), dF_dy.value.end(), 0.0);
    for (int i = 0; i < 2; ++i) {
      set(dF_dyp, i, i, 1);
      set(dF_dyp, 2 + i, 2 + i, 1);
      set(dF_dy, i, i, y[5]);
      set(dF_dy, i, 2 + i, -1);
      set(dF_dy, i, 5, y[i]);
      set(dF_dy, 2 + i, i, y[4]);
      set(dF_dy, 2 + i, 4, y[i]);
      set(dF_dy, 4, i, y[2 + i]);
      set(dF_dy, 4, 2 + i, y[i]);
      set(dF_dy, 5, i, y[i]);
    }
    return Eval::ok;
  }
  static Start start() { return {{1, 0, 0, 0, 0, 0}, {0, 0, 0, -gravity, 0, 0}}; }  // horizontal, at rest
  static double energy(const Numbers& y) { return (y[2] * y[2] + y[3] * y[3]) / 2 + gravity * y[1]; }

 private:
  Structure s_;
};

// y' = 1, but the second equation has no value beyond y = 0.5.
struct Cliff {
  static constexpr int n = 2;
  Structure structure() const { return named(n, "cliff"); }
  template <class T>
  void residual(double, const T* y, const T* yp, T* F) const {
    using std::sqrt;
    F[0] = yp[0] - T(1);
    F[1] = yp[1] - sqrt(T(0.5) - y[0]);
  }
};

// The second variable stands in no equation, though the pattern says so.
struct Loose {
  static constexpr int n = 2;
  Structure structure() const {
    Structure s = named(n, "loose");
    PatternBuilder b(n, n);
    for (int i : {0, 1})
      for (int j : {0, 1}) b.add(i, j);
    s.pattern = std::make_shared<const Pattern>(b.build());
    return s;
  }
  template <class T>
  void residual(double, const T* y, const T* yp, T* F) const {
    F[0] = yp[0] - y[0];
    F[1] = T(0);
  }
};

struct Throwing {
  static constexpr int n = 1;
  Structure structure() const { return named(n, "throwing"); }
  template <class T>
  void residual(double t, const T*, const T* yp, T* F) const {
    if (t > 0.5) throw std::runtime_error("table ended");
    F[0] = yp[0] - T(1);
  }
};

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

double andrews_error(const Run& r) {
  double worst = 0;
  for (int i = 0; i < 7; ++i) worst = std::max(worst, std::abs(r.y[i] / Andrews::reference[i] - 1));
  return worst;
}

}  // namespace

// GCC 12.2 -O2 -march=native (AVX-512) makes {1e-6, 1e-6, 1e-6, 1e-6, ...} of the default options when they are passed
// by value: a constant {a, a, 0, 0} becomes a broadcast of a. The build switches that off; this shows when it fails to.
[[gnu::noinline]] double first_step_and_limit(Options o) { return o.initial_step + o.largest_step; }

TEST_CASE("default options arrive as written") { CHECK(first_step_and_limit({}) == 0.0); }

TEST_CASE("decay follows the exponential, and better with a finer tolerance") {
  const DualProblem<Decay> problem;
  double last = 1;
  for (double tol : {1e-4, 1e-6, 1e-8}) {
    const Run r = run(problem, {{1}, {-1}}, 2, tolerance(tol));
    REQUIRE(r.last.status == StepStatus::reached_limit);
    CHECK(r.last.t == 2.0);
    const double error = std::abs(r.y[0] - std::exp(-2));
    CHECK(error < 10 * tol);  // global error of BDF: a small multiple of the tolerance
    CHECK(error < last);
    last = error;
  }
}

TEST_CASE("oscillator keeps phase and amplitude for ten periods") {
  const DualProblem<Oscillator> problem({.omega = 2 * M_PI});
  const Run r = run(problem, {{1, 0}, {0, -4 * M_PI * M_PI}}, 10, tolerance(1e-8));
  CHECK(std::abs(r.y[0] - 1) < 1e-4);  // errors add up over some 2000 steps
  CHECK(std::abs(r.y[1]) < 2 * M_PI * 1e-4);
}

TEST_CASE("Robertson's reaction as DAE reaches the published values") {
  const DualProblem<Robertson> problem;
  const Run r = run(problem, Robertson::start(), 40, tolerance(1e-9));
  CHECK(r.y[0] == Approx(0.7158270688).epsilon(1e-7));
  CHECK(r.y[1] == Approx(9.18553e-6).epsilon(1e-6));
  CHECK(r.y[2] == Approx(0.2841637).epsilon(1e-6));
  CHECK(r.cost.steps < 1000);
}

TEST_CASE("pendulum: the exact Jacobian written by hand is right, inside and outside of its pattern") {
  const Pendulum problem;
  const Numbers y{0.6, -0.8, 0.3, 0.7, 5, 0.2}, yp{1, 2, 3, 4, 5, 6};
  const auto workspace = problem.workspace();
  CHECK(largest_mismatch(problem, {0, y, yp}, 3.0, *workspace).relative < 1e-9);
}

TEST_CASE("pendulum in GGL form keeps energy and constraints") {
  const Pendulum problem;
  for (double tol : {1e-5, 1e-7}) {
    Ida ida(problem, tolerance(tol), 0, Pendulum::start().y, Pendulum::start().yp);
    StepResult r;
    double worst_energy = 0, worst_length = 0, worst_velocity = 0;
    while (r.status == StepStatus::ok) {
      r = ida.step(3.0);
      const Numbers y(ida.y().begin(), ida.y().end());
      worst_energy = std::max(worst_energy, std::abs(Pendulum::energy(y)));
      worst_length = std::max(worst_length, std::abs(y[0] * y[0] + y[1] * y[1] - 1) / 2);
      worst_velocity = std::max(worst_velocity, std::abs(y[0] * y[2] + y[1] * y[3]));
    }
    REQUIRE(r.status == StepStatus::reached_limit);
    CHECK(worst_energy < 2000 * tol);  // drifts with the error of v, here |v| up to 4.4 over 100-300 steps
    CHECK(worst_length < 10 * tol);    // solved in each step to Newton's tolerance
    CHECK(worst_velocity < 50 * tol);  // the weight of v allows 5.4 tol at |v| = 4.4
  }
}

TEST_CASE("dense, grouped and exact Jacobians give the same steps, grouped with fewer residuals") {
  const Pendulum problem;
  const Run exact = run(problem, Pendulum::start(), 3, tolerance(1e-6));
  const Run dense = run(problem, Pendulum::start(), 3, tolerance(1e-6, Source::dense));
  const Run grouped = run(problem, Pendulum::start(), 3, tolerance(1e-6, Source::grouped));
  for (const Run* r : {&dense, &grouped}) {
    CHECK(std::abs(r->cost.steps - exact.cost.steps) <= 0.05 * exact.cost.steps);
    CHECK(std::abs(r->y[0] - exact.y[0]) < 5e-5);  // of a length of 1: each is off by tens of tolerances
  }
  CHECK(exact.cost.residuals_for_jacobian == 0);
  CHECK(dense.cost.residuals_for_jacobian == 6 * dense.cost.jacobians);
  CHECK(grouped.cost.residuals_for_jacobian < dense.cost.residuals_for_jacobian);
  CHECK(dense.cost.residuals > dense.cost.residuals_for_jacobian);
}

TEST_CASE("a value that is not finite becomes a failure that names the row") {
  const DualProblem<Cliff> problem;
  const Run r = run(problem, {{0, 0}, {1, std::sqrt(0.5)}}, 1);
  REQUIRE(r.last.status == StepStatus::failed);
  CHECK(r.last.t == Approx(0.5).epsilon(1e-6));
  INFO(r.last.reason);
  CHECK(contains(r.last.reason, "equation of cliff.1"));
  CHECK(contains(r.last.reason, "not a finite number"));
  CHECK(contains(r.last.reason, "t = 0.5"));
}

// y' = 1 until y = 0.5, then a residual that no y can satisfy: Newton cannot converge.
struct Wall {
  static constexpr int n = 1;
  Structure structure() const { return named(n, "wall"); }
  template <class T>
  void residual(double, const T* y, const T* yp, T* F) const {
    F[0] = yp[0] - T(1) + (value_of(y[0]) > 0.5 ? T(1e9) : T(0));
  }
};

TEST_CASE("a corrector that does not converge says where, how often and in which equation") {
  const Run r = run(DualProblem<Wall>(), {{0}, {1}}, 1);
  REQUIRE(r.last.status == StepStatus::failed);
  INFO(r.last.reason);
  CHECK(contains(r.last.reason, "t = 0.5"));
  CHECK(contains(r.last.reason, " times)"));
  CHECK(contains(r.last.reason, "Largest residual: equation of wall.0"));
}

TEST_CASE("a variable that no equation determines is named") {
  const Run r = run(DualProblem<Loose>(), {{1, 0}, {1, 0}}, 1);
  REQUIRE(r.last.status == StepStatus::failed);
  INFO(r.last.reason);
  CHECK(contains(r.last.reason, "do not determine loose.1"));
}

TEST_CASE("an exception of the problem passes through IDA unharmed") {
  CHECK_THROWS_WITH(run(DualProblem<Throwing>(), {{0}, {1}}, 1), "table ended");
}

TEST_CASE("impossible tolerances are explained") {
  Options o = tolerance(1e-17);
  const Run fine = run(DualProblem<Decay>(), {{1}, {-1}}, 1, o);
  CHECK(fine.last.status == StepStatus::failed);
  CHECK(contains(fine.last.reason, "rounding"));
  o.relative_tolerance = o.absolute_tolerance = 0;
  const Run none = run(DualProblem<Decay>(), {{1}, {-1}}, 1, o);
  CHECK(none.last.status == StepStatus::failed);
  CHECK(contains(none.last.reason, "absolute_tolerance"));
}

TEST_CASE("limits are hit exactly, one after the other") {
  const DualProblem<Decay> problem;
  Ida ida(problem, tolerance(1e-6), 0, Numbers{1}, Numbers{-1});
  for (double limit : {0.1, 1.0 / 3, 0.7, 0.7, 0.7 + 1e-16, 5.0}) {
    StepResult r;
    while (r.status == StepStatus::ok) r = ida.step(limit);
    REQUIRE(r.status == StepStatus::reached_limit);
    CHECK(r.t == limit);
    CHECK(ida.y()[0] == Approx(std::exp(-limit)).epsilon(1e-4));
  }
}

TEST_CASE("interpolation meets both ends of the step and the solution between them") {
  const DualProblem<Oscillator> problem;
  Ida ida(problem, tolerance(1e-8), 0, Numbers{1, 0}, Numbers{0, -1});
  Numbers before(2), y(2), yp(2);
  ida.interpolate(0.0, y, yp);  // before the first step: the start
  CHECK(y == Numbers{1, 0});
  CHECK(yp == Numbers{0, -1});
  for (int k = 0; k < 100; ++k) {
    before.assign(ida.y().begin(), ida.y().end());
    const StepResult r = ida.step(100);
    REQUIRE(r.status == StepStatus::ok);
    ida.interpolate(r.t, y, yp);
    CHECK(std::equal(y.begin(), y.end(), ida.y().begin()));
    CHECK(std::equal(yp.begin(), yp.end(), ida.yp().begin()));
    ida.interpolate(r.t - r.h, y, {});
    CHECK(std::abs(y[0] - before[0]) < 1e-13);
    const double mid = r.t - 0.4 * r.h;
    ida.interpolate(mid, y, yp);
    CHECK(std::abs(y[0] - std::cos(mid)) < 1e-6);
    CHECK(std::abs(yp[0] + std::sin(mid)) < 1e-4);  // one order less: the first step is a line of length 1e-4
    CHECK(r.dominant >= 0);
    CHECK(r.dominant < 2);
  }
}

TEST_CASE("the first step fits a fast problem in a long span, and a slow one is not started too carefully") {
  const DualProblem<Decay> fast({.rate = -1e6}), slow({.rate = -1e-3});
  Ida a(fast, tolerance(1e-6), 0, Numbers{1}, Numbers{-1e6});
  const StepResult first = a.step(1000);
  CHECK(first.status == StepStatus::ok);
  CHECK(a.cost().error_test_failures == 0);
  CHECK(first.h > 1e-10);  // 1e-6 s is the time constant
  CHECK(a.y()[0] == Approx(std::exp(-1e6 * first.t)).epsilon(1e-5));
  const Run whole = run(fast, {{1}, {-1e6}}, 1000, tolerance(1e-6));
  CHECK(whole.last.status == StepStatus::reached_limit);
  CHECK(whole.cost.steps < 300);
  Ida b(slow, tolerance(1e-6), 0, Numbers{1}, Numbers{-1e-3});
  CHECK(b.step(1000).h > 0.1);
  CHECK(b.cost().error_test_failures == 0);
}

TEST_CASE("the largest step is respected") {
  Options o = tolerance(1e-3);
  o.largest_step = 0.01;
  CHECK(run(DualProblem<Decay>(), {{1}, {-1}}, 1, o).cost.steps >= 100);
}

// Order 1 alone needs far more steps; what is beyond the method's own largest order means that one.
TEST_CASE("the largest order is respected, and a finer kappa costs iterations") {
  const auto with = [](auto&& change) {
    Options o = tolerance(1e-6);
    change(o);
    return run(DualProblem<Decay>(), {{1}, {-1}}, 1, o).cost;
  };
  const Cost free = with([](Options&) {});
  CHECK(with([](Options& o) { o.max_order = 1; }).steps > 5 * free.steps);
  CHECK(with([](Options& o) { o.max_order = 12; }).steps == free.steps);
  CHECK(with([](Options& o) { o.kappa = 1e-6; }).newton_iterations > 1.2 * free.newton_iterations);
}

TEST_CASE("Andrews' mechanism reaches the reference of the IVP test set") {
  const DualProblem<Andrews> problem;
  const Start start = Andrews::start();
  const auto workspace = problem.workspace();
  CHECK(largest_mismatch(problem, {0, start.y, start.yp}, 1.0, *workspace).relative < 1e-5);  // terms up to 1e4
  const Run fine = run(problem, start, Andrews::t_end, tolerance(1e-9));
  REQUIRE(fine.last.status == StepStatus::reached_limit);
  CHECK(andrews_error(fine) < 1e-6);
  const Run dense = run(problem, start, Andrews::t_end, tolerance(1e-6, Source::dense));
  const Run exact = run(problem, start, Andrews::t_end, tolerance(1e-6));
  CHECK(andrews_error(exact) < 1e-2);
  CHECK(std::abs(dense.cost.steps - exact.cost.steps) < 0.1 * exact.cost.steps);
  CHECK(exact.cost.steps < 1000);
}
