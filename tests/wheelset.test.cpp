// The wheelset of the IVP test set as a model. References: its printed digits, its equations in integrator/wheelset_problem.testing.h, [Arnold 2004] §4.
#include "wheelset.testing.h"

#include "exact_jacobian.testing.h"
#include "skyhook/simulation/solvers.h"

using namespace skyhook;

TEST_CASE("Wheelset: exact derivatives are those of differences, one contact variable and two, quasi-elastic") {
  for (const auto& [variables, nu] : {std::pair{1, 0.0}, {2, 0.0}, {1, 1e-6}}) {
    const auto loaded = testing::wheelset({.variables = variables, .nu = nu});
    const auto prepared = simulation::prepare(loaded.model, loaded.experiment);
    REQUIRE_MESSAGE(prepared.ok(), prepared.problem());
    CHECK(testing::jacobian_error(prepared, -20) < 1e-7);
  }
}

TEST_CASE("Wheelset: first look") {
  const auto r = testing::run(testing::wheelset({.until = 10, .tolerance = 1e-8}));
  for (const char* name : {"place.y", "place.z", "place.x", "turn.angle_1", "turn.angle_2", "place.y_rate", "place.z_rate", "place.x_rate", "turn.angle_1_rate", "turn.angle_2_rate", "spin.angle_rate", "left.s", "right.s", "left.normal", "right.normal"})
    MESSAGE(name, " ", r.last(name));
  MESSAGE("steps ", r.sink.summary.cost.steps, " energy ", r.sink.summary.energy_closure);
}
