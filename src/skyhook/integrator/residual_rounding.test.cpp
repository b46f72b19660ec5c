// References: residuals in long double; the published digits of Andrews' mechanism, whose speeds reach 1400 rad/s beside others
// of 1 rad/s, in three forms and with arithmetic that is worse than this machine's.
#include "skyhook/integrator/residual_rounding.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "skyhook/integrator/bdf.h"
#include "skyhook/integrator/problems.testing.h"
#include "skyhook/integrator/radau5.h"

using namespace skyhook;
using namespace skyhook::integrator;
using namespace skyhook::test_problems;
using doctest::Approx;

namespace {

// In [-1, 1], without any pattern, but the same for the same x.
double scatter(double x, int salt) {
  std::uint64_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  bits ^= 0x9e3779b97f4a7c15u * static_cast<std::uint64_t>(salt + 1);
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
  return static_cast<double>((bits ^ (bits >> 31)) >> 11) / 4503599627370496.0 - 1;
}

// Andrews' mechanism in stabilised form (index 0), with velocity constraints (2) or position constraints (3). Its residual is
// that of y and y' which differ from those given by up to `noise`, relative: what any order of operations may come to.
template <int index>
struct NoisyAndrews {
  static constexpr int n = index == 0 ? 26 : 20;
  double noise = 0;

  Structure structure() const {
    Structure s = Andrews().structure();
    if (index == 0) return s;
    s.y.resize(n), s.rows.resize(n);
    for (int i = 7; index == 3 && i < 14; ++i) s.y[i].index = 2;
    for (int i = 14; i < n; ++i) s.y[i].index = index;
    return s;
  }
  template <class T>
  void residual(double t, const T* y, const T* yp, T* F) const {
    T values[26]{}, slopes[26]{}, all[26]{};
    for (int i = 0; i < n; ++i) {
      values[i] = y[i], slopes[i] = yp[i];
      if constexpr (std::is_same_v<T, double>) {
        values[i] *= 1 + noise * scatter(y[i] + t, i);
        slopes[i] *= 1 + noise * scatter(yp[i], i + n);
      }
    }
    Andrews().residual(t, values, slopes, all);
    for (int i = 0; i < n; ++i) F[i] = all[index == 3 && i >= 14 ? i + 6 : i];
  }
};

struct End {
  StepResult last;
  Cost cost;
  double error;  // of the angles, relative
};

template <int index, class Integrator = Radau5>
End run(double tol, double noise) {
  const DualProblem<NoisyAndrews<index>> problem({.noise = noise});
  Start start = Andrews::start();
  start.y.resize(problem.structure().y.size()), start.yp.resize(start.y.size());
  Integrator integrator(problem, {.relative_tolerance = tol, .absolute_tolerance = tol}, 0, start.y, start.yp);
  End end{};
  while (end.last.status == StepStatus::ok) end.last = integrator.step(Andrews::t_end);
  for (int i = 0; i < 7; ++i) end.error = std::max(end.error, std::abs(integrator.y()[i] / Andrews::reference[i] - 1));
  end.cost = integrator.cost();
  return end;
}

}  // namespace

TEST_CASE("residuals differ by rounding from those in long double, by no more than is said") {
  const DualProblem<Andrews> problem;
  const Structure& structure = problem.structure();
  Radau5 radau(problem, {.relative_tolerance = 1e-6, .absolute_tolerance = 1e-6}, 0, Andrews::start().y,
               Andrews::start().yp);
  while (radau.t() < 0.021) REQUIRE(radau.step(Andrews::t_end).status == StepStatus::ok);
  const Point point{radau.t(), radau.y(), radau.yp()};
  Csc dF_dy(structure.pattern), dF_dyp(structure.pattern);
  const auto workspace = problem.workspace();
  REQUIRE(problem.derivatives(point, dF_dy, dF_dyp, *workspace) == Eval::ok);
  std::vector<double> said(Andrews::n), F(Andrews::n);
  std::minstd_rand sign;
  residual_of_rounding(structure, dF_dy, dF_dyp, point, said, sign);
  REQUIRE(problem.residual(point, F, *workspace) == Eval::ok);
  long double y[Andrews::n], yp[Andrews::n], exact[Andrews::n];
  std::copy(point.y.begin(), point.y.end(), y), std::copy(point.yp.begin(), point.yp.end(), yp);
  Andrews().residual(point.t, y, yp, exact);
  for (int i = 0; i < Andrews::n; ++i) {
    CAPTURE(i);
    CHECK(std::abs(static_cast<double>(F[i] - exact[i])) <= most_roundings * std::abs(said[i]));
    CHECK(std::abs(said[i]) > 0);
  }
}

// The error of 3e-10 is that of the published digits: it is the same at all tolerances below; without velocity constraints (3) the
// motion errs more. Where rounding decides, corrections of Newton's method and estimates of the error are as large in any step:
// before they were told from the rest, steps halved until they were nothing.
TEST_CASE_TEMPLATE("radau5 reaches Andrews' digits at tolerances near rounding, in each form", Index,
                   std::integral_constant<int, 0>, std::integral_constant<int, 2>, std::integral_constant<int, 3>) {
  for (const double noise : {0.0, 1e-16, 1e-15}) {
    for (const double tol : {1e-10, 1e-11, 1e-12}) {
      if (noise > 1e-16 && tol < 1e-11) continue;  // see below
      CAPTURE(noise);
      CAPTURE(tol);
      const End end = run<Index::value>(tol, noise);
      INFO(end.last.reason);
      REQUIRE(end.last.status == StepStatus::reached_limit);
      CHECK(end.error < (Index::value == 3 ? 1e2 * tol + 1e-9 : 5e-10));
      CHECK(end.cost.newton_failures + end.cost.error_test_failures < 20);
    }
  }
}

// Steps follow the fourth root of the tolerance down to 1e-12: rounding does not shorten them.
TEST_CASE("rounding does not shorten the steps of radau5") {
  const double coarse = static_cast<double>(run<0>(1e-8, 0).cost.steps),
               fine = static_cast<double>(run<0>(1e-12, 0).cost.steps);
  CHECK(fine / coarse == Approx(10.0).epsilon(0.1));
}

TEST_CASE("radau5 names rounding where it moves the solution by more than the tolerance, and ends soon") {
  for (const double noise : {0.0, 1e-15, 1e-14}) {
    const End end = run<0>(1e-14, noise);
    CAPTURE(noise);
    REQUIRE(end.last.status == StepStatus::failed);
    CHECK(end.last.reason.find("rounding alone moves the solution") != std::string::npos);
  }
}

// Noise that no derivative tells of: 45 units in the last place. Newton's corrections stay as large in half the step.
TEST_CASE("radau5 takes noise of the equations for what it is") {
  const End end = run<0>(1e-9, 1e-14);
  INFO(end.last.reason);
  REQUIRE(end.last.status == StepStatus::reached_limit);
  CHECK(end.error < 1e-9);
}

// Its corrector stops at a twentieth of a tolerance and looks at no multiplier: rounding is far below.
TEST_CASE("bdf reaches Andrews' digits at tight tolerances with worse rounding, too") {
  for (const double noise : {0.0, 1e-15}) {
    const End end = run<0, Bdf>(1e-11, noise);
    INFO(end.last.reason);
    REQUIRE(end.last.status == StepStatus::reached_limit);
    CHECK(end.error < 1e-8);
    CHECK(end.cost.newton_failures < end.cost.steps / 10);
  }
}
