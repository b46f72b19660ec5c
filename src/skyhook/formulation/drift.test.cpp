// The drift-off effect, [Arnold 2004] §4 and figure 4: with the velocity constraint alone |g| grows linearly, with the
// acceleration constraint alone quadratically; Baumgarte's combination holds it at a bound and GGL at the corrector's
// own error. The same of the accelerations as an ordinary differential equation, with and without projection:
// projected.test.cpp.
#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "skyhook/formulation/descriptor.h"
#include "skyhook/formulation/projected.h"
#include "skyhook/formulation/swing.testing.h"
#include "skyhook/integrator/ida.h"
#include "skyhook/integrator/radau5.h"

using namespace skyhook;
using formulation::Descriptor;
using formulation::Ggl;
using formulation::Level;
using formulation::testing::Swing;
using integrator::StepStatus;

namespace {

struct Growth {
  double exponent;  // e of |g| ~ t^e
  double last;      // mean |g| around t = 40 s
};

// Means over windows of 40 % around 5, 10, 20, 40 s, which hold several swings, and the line through their logarithms.
template <class Method>
Growth growth(const Swing& swing, Method method) {
  const formulation::Projected levels(swing.equations, {});
  auto workspace = levels.workspace();
  std::array<double, 4> mean{};
  for (int k = 0; k < 4; ++k) {
    const double middle = 5.0 * (1 << k);
    integrator::StepResult r;
    while (r.status == StepStatus::ok) r = method.step(0.8 * middle);
    REQUIRE(r.status == StepStatus::reached_limit);
    int n = 0;
    for (; method.t() < 1.2 * middle; ++n) {
      r = method.step(1.2 * middle);
      if (r.status == StepStatus::failed) break;
      mean[k] += levels.drift(method.t(), method.y().first(swing.y.size()), *workspace).position;
    }
    REQUIRE(r.status == StepStatus::reached_limit);
    mean[k] /= n;
  }
  const auto log = [&](int k) { return std::log2(mean[k]); };
  return {(1.5 * (log(3) - log(0)) + 0.5 * (log(2) - log(1))) / 5, mean[3]};
}

Growth with_radau5(const Swing& swing, const DaeProblem& problem) {
  const Swing::Start s = swing.start(problem.structure().size());
  return growth(swing, integrator::Radau5(problem, {}, 0, s.y, s.yp));
}
Growth with_ida(const Swing& swing, const DaeProblem& problem) {
  const Swing::Start s = swing.start(problem.structure().size());
  return growth(swing, integrator::Ida(problem, {.max_order = 3}, 0, s.y, s.yp));
}

}  // namespace

// Steps and orders that hardly change add nearly the same each period: exponents to 0.2. So BDF stays at order three here;
// with four and five, which come and go, what a period adds varies and index 2 shows 0.8.
TEST_CASE("the position drift grows linearly in index 2, quadratically in index 1, not under Baumgarte or GGL") {
  const Swing swing;
  const Descriptor index2(swing.equations, {.level = Level::index2}), index1(swing.equations, {.level = Level::index1}),
      baumgarte(swing.equations, {.level = Level::baumgarte});
  const Ggl ggl(swing.equations);
  struct Expected {
    const DaeProblem& problem;
    double exponent;
  };
  std::array<std::array<Growth, 4>, 2> found;
  int k = 0;
  for (const auto& [problem, exponent] :
       {Expected{index2, 1}, Expected{index1, 2}, Expected{baumgarte, 0}, Expected{ggl, 0}}) {
    const Growth radau5 = with_radau5(swing, problem), ida = with_ida(swing, problem);
    INFO(problem.structure().rows.back(), ": radau5 ", radau5.exponent, " ", radau5.last, ", ida ", ida.exponent, " ",
         ida.last);
    CHECK(std::abs(radau5.exponent - exponent) < 0.2);
    CHECK(std::abs(ida.exponent - exponent) < 0.2);
    found[0][k] = radau5, found[1][k] = ida;
    ++k;
  }
  // After forty seconds: GGL before Baumgarte before index 2 before index 1.
  for (const auto& of_method : found) {
    CHECK(of_method[3].last < of_method[2].last);
    CHECK(of_method[2].last < 0.1 * of_method[0].last);
    CHECK(of_method[0].last < 0.1 * of_method[1].last);
  }
}
