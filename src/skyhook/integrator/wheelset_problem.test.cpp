// The hunting wheelset. References: the published accelerations at the start, the published digits at t = 10 s, and [Arnold 2004] §4
// on what index 3 does to multipliers.
#include <doctest/doctest.h>

#include <cmath>

#include "skyhook/integrator/ida.h"
#include "skyhook/integrator/radau5.h"
#include "skyhook/integrator/wheelset_problem.testing.h"

using namespace skyhook;
using namespace skyhook::integrator;
using namespace skyhook::test_problems;

namespace {

using Level = Wheelset::Level;

struct Outcome {
  double digits;  // of the worst of positions, velocities, spin and contacts: the multipliers do not count
  Cost cost;
};

template <class Method, class Settings>
Outcome solve(double tolerance) {
  const DualProblem<Wheelset> problem;
  const Start start = Wheelset::start();
  Method method(problem, Settings{.relative_tolerance = tolerance, .absolute_tolerance = tolerance}, 0, start.y,
                start.yp);
  StepResult r;
  while (r.status == StepStatus::ok) r = method.step(Wheelset::t_end);
  REQUIRE(r.status == StepStatus::reached_limit);
  double worst = 0;
  for (std::size_t i = 0; i < Wheelset::reference.size(); ++i)
    worst = std::max(worst, std::abs(method.y()[i] / Wheelset::reference[i] - 1));
  return {-std::log10(worst), method.cost()};
}

// Digits grow with the tolerance. At 1e-8: three and more, the worst being the height of 1.3e-5 m, whose absolute
// tolerance is 1e-3 of it; the reference carries five to six. DASSL is published with 0.15 at 1e-4 and 2.32 at 1e-6.
template <class Method, class Settings>
void reaches_published_digits(long most_steps) {
  double before = -0.5;
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    const Outcome r = solve<Method, Settings>(tolerance);
    INFO("tolerance ", tolerance, ": ", r.digits, " digits, ", r.cost.steps, " steps, ", r.cost.seconds, " s");
    CHECK(r.digits > before + 0.5);
    before = r.digits;
    CHECK(r.cost.steps < most_steps);
  }
  CHECK(before > 3.5);
}

}  // namespace

// The test set prints the accelerations to 16 digits. Forces are of size 1e2: rounding leaves 1e-13.
TEST_CASE("the wheelset's equations hold at the published start, with its published accelerations") {
  const Start start = Wheelset::start();
  std::vector<double> F(Wheelset::n);
  for (const Level level : {Level::velocity, Level::position}) {
    const DualProblem<Wheelset> problem(Wheelset{.level = level});
    auto workspace = problem.workspace();
    REQUIRE(problem.residual({0, start.y, start.yp}, F, *workspace) == Eval::ok);
    for (int i = 0; i < 15; ++i) CHECK(std::abs(F[i]) < 2e-12);
    // Positions have five digits: the wheels stand off the rails by 5e-10 m, which the index-2 form never sees.
    const double gap = std::max(std::abs(F[15]), std::abs(F[16]));
    if (level == Level::position)
      CHECK(gap == doctest::Approx(5e-10).epsilon(0.2));
    else
      CHECK(gap == 0.0);
  }
}

// d/dt g = (dg/dp) v along any motion that keeps the contact conditions: the two levels against each other, the contact
// coordinates moved by their own equations.
TEST_CASE("the wheelset's velocity constraint is the derivative of its position constraint") {
  const Start start = consistent_start_of_wheelset();
  const std::array rate{0.3, 1e-3, 0.2, 0.4, 0.05};
  const DualProblem<Wheelset> position(Wheelset{.level = Level::position}), velocity;
  auto workspace = position.workspace();
  const auto rows = [&](const DualProblem<Wheelset>& problem, double t) {
    std::vector<double> y = start.y, F(Wheelset::n);
    for (int i = 0; i < 5; ++i) y[i] += t * rate[i], y[5 + i] = rate[i];
    Csc dF_dy(problem.structure().pattern), dF_dyp(dF_dy);
    for (int iteration = 0; iteration < 8; ++iteration) {  // contact coordinates at these positions
      problem.residual({0, y, start.yp}, F, *workspace);
      problem.derivatives({0, y, start.yp}, dF_dy, dF_dyp, *workspace);
      DenseMatrix matrix(4, 4);
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) matrix(i, j) = dF_dy.at(11 + i, 11 + j);
      const Vector step = LeastNorm(matrix, 1e-14).solve({F.begin() + 11, F.begin() + 15});
      for (int j = 0; j < 4; ++j) y[11 + j] -= step[j];
    }
    problem.residual({0, y, start.yp}, F, *workspace);
    return std::array{F[15], F[16]};
  };
  const double h = 1e-5;
  const auto after = rows(position, h), before = rows(position, -h), derivative = rows(velocity, 0);
  for (std::size_t k = 0; k < 2; ++k)
    CHECK((after[k] - before[k]) / (2 * h) == doctest::Approx(derivative[k]).epsilon(1e-6));
}

TEST_CASE("ida reaches the published digits of the wheelset") { reaches_published_digits<Ida, Options>(40000); }

TEST_CASE("radau5 reaches the published digits of the wheelset") { reaches_published_digits<Radau5, Options>(20000); }

namespace {

struct Followed {
  bool finished;
  double position = 0, multiplier = 0;  // root mean squares over the output times
};

std::vector<std::vector<double>> follow(Level level, Options options, bool& finished) {
  constexpr double t_end = 1;
  const DualProblem<Wheelset> problem(Wheelset{.level = level});
  const Start start = consistent_start_of_wheelset();
  Radau5 radau(problem, options, 0, start.y, start.yp);
  std::vector<std::vector<double>> out;
  StepResult r;
  for (int k = 1; k <= 40 && r.status != StepStatus::failed; ++k) {
    do r = radau.step(t_end * k / 40);
    while (r.status == StepStatus::ok);
    out.emplace_back(radau.y().begin(), radau.y().end());
  }
  finished = r.status == StepStatus::reached_limit;
  return out;
}

Followed errors(Level level, double tolerance, double kappa) {
  static bool is_exact = false;
  static const auto exact =
      follow(Level::velocity, {.relative_tolerance = 1e-11, .absolute_tolerance = 1e-11, .kappa = 1e-4}, is_exact);
  REQUIRE(is_exact);
  Followed f;
  const auto y =
      follow(level, {.relative_tolerance = tolerance, .absolute_tolerance = tolerance, .kappa = kappa}, f.finished);
  for (std::size_t k = 0; k < y.size(); ++k) {
    f.position += std::pow(y[k][0] - exact[k][0], 2) / static_cast<double>(y.size());
    for (const std::size_t i : {15, 16})
      f.multiplier += std::pow(y[k][i] - exact[k][i], 2) / (2 * static_cast<double>(y.size()));
  }
  f.position = std::sqrt(f.position), f.multiplier = std::sqrt(f.multiplier);
  return f;
}

}  // namespace

// [Arnold 2004] §4, figure 3: what Newton leaves over in the constraint, theta, comes back as theta / h^2 in the multipliers of index 3
// and as theta / h in those of index 2. Lateral displacement, of some mm, over the first second. Measured in index 3: 124 um
// and 3 um; in index 2: 0.33 um and 0.44 um.
TEST_CASE(
    "radau5 misses its tolerance on the wheelset in index 3 unless kappa is small; in index 2 kappa does not matter") {
  const double tolerance = 1e-5;
  const auto loose3 = errors(Level::position, tolerance, 0.03), tight3 = errors(Level::position, tolerance, 1e-5);
  const auto loose2 = errors(Level::velocity, tolerance, 0.03), tight2 = errors(Level::velocity, tolerance, 1e-5);
  for (const Followed* f : {&loose3, &tight3, &loose2, &tight2}) REQUIRE(f->finished);
  CHECK(loose3.position > 5 * tolerance);
  CHECK(tight3.position < tolerance);
  CHECK(loose2.position < tolerance);
  CHECK(loose2.position / tight2.position == doctest::Approx(1).epsilon(0.5));
  // Nor does a tolerance that is ten times as tight help much: by less than a factor of five.
  CHECK(loose3.position > 0.2 * errors(Level::position, 10 * tolerance, 0.03).position);
}

TEST_CASE("the wheelset's multipliers follow the tolerance in the index-2 form, and hardly in the index-3 form") {
  const auto loose3 = errors(Level::position, 1e-7, 0.03), tight3 = errors(Level::position, 1e-9, 0.03);
  const auto loose2 = errors(Level::velocity, 1e-7, 0.03), tight2 = errors(Level::velocity, 1e-9, 0.03);
  CHECK(tight2.multiplier < 0.1 * loose2.multiplier);  // measured 0.05
  CHECK(tight3.multiplier > loose3.multiplier);        // measured 4
  CHECK(tight3.multiplier > 1000 * tight2.multiplier);
}
