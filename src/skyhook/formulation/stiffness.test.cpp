// Explicit integrators tell when a model is stiff. Reference: the model itself. A crank of about 0.3 kg.m2 in a bearing
// of 600 N.m.s has an eigenvalue near -2000 /s while the linkage creeps; in one of 0.5 N.m.s accuracy limits the steps.
#include <doctest/doctest.h>

#include "skyhook/formulation/mechanical.h"
#include "skyhook/formulation/moving_linkages.testing.h"
#include "skyhook/formulation/projected.h"
#include "skyhook/integrator/adams.h"
#include "skyhook/integrator/dopri5.h"
#include "skyhook/integrator/hem5.h"

using namespace skyhook;
using namespace skyhook::formulation;
using namespace skyhook::formulation::testing;
using integrator::StepStatus;

namespace {

template <class Integrator>
bool finds_stiff(const auto& problem, const Moving& m, double tol) {
  Integrator run(problem, {.relative_tolerance = tol, .absolute_tolerance = tol}, 0, m.y);
  while (run.step(0.5).status == StepStatus::ok) {}
  REQUIRE(run.t() == 0.5);
  INFO(run.cost().steps, " steps");
  return run.is_stiff();
}

}  // namespace

TEST_CASE_TEMPLATE("explicit integrators tell a stiff model from one that is not", Integrator, integrator::Dopri5,
                   integrator::Adams, integrator::Hem5) {
  using Problem = std::conditional_t<std::is_same_v<Integrator, integrator::Hem5>, Mechanical, Projected>;
  for (Moving (*linkage)(double) : {&four_bar, &slider_crank}) {
    for (const double damping : {0.0, 0.5, 600.0}) {
      const Moving m = linkage(damping);
      const auto problem = [&] {
        if constexpr (std::is_same_v<Problem, Mechanical>)
          return Mechanical(m.equations);
        else
          return Projected(m.equations, {});
      }();
      for (const double tol : {1e-3, 1e-6, 1e-9}) {
        INFO("damping ", damping, " tolerance ", tol, linkage == &four_bar ? " four-bar" : " slider-crank");
        CHECK(finds_stiff<Integrator>(problem, m, tol) == (damping > 100));
      }
    }
  }
}
