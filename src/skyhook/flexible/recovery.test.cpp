#include "skyhook/flexible/recovery.h"

#include <doctest/doctest.h>

#include "skyhook/flexible/beams.testing.h"
#include "skyhook/flexible/compliance.h"

using namespace skyhook;
using namespace skyhook::flexible;

TEST_CASE("Section forces of a cantilever under forces at its end are those of statics") {
  const FeModel fe = straight_beam({.length = 2, .elements = 4});
  Dense load = Dense::Zero(fe.dofs, 2);
  load(fe.nodes[1].dof[0], 0) = 100, load(fe.nodes[1].dof[2], 0) = 10;  // pulled and lifted
  load(fe.nodes[1].dof[3], 1) = 7;                                      // twisted
  const Dense u = Compliance::held(fe, {0, 1, 2, 3, 4, 5}).solve(load);
  const SectionForces first = section_forces(fe, fe.beams[0], u), last = section_forces(fe, fe.beams[3], u);
  CHECK(first.at_from(0, 0) == doctest::Approx(100));
  CHECK(first.at_from(2, 0) == doctest::Approx(10));
  CHECK(first.at_from(4, 0) == doctest::Approx(-20));  // what is ahead turns what is before about -y
  CHECK(first.at_to(4, 0) == doctest::Approx(-15));
  CHECK(last.at_to(4, 0) == doctest::Approx(0).scale(20));
  CHECK(last.at_to(2, 0) == doctest::Approx(10));
  CHECK(first.at_from(3, 1) == doctest::Approx(7));
  // The forces that hold the shape are the load, and the reaction at the clamped end.
  const Dense held = shape_forces(fe, u);
  CHECK(held(fe.nodes[1].dof[2], 0) == doctest::Approx(10));
  CHECK(held(fe.nodes[0].dof[2], 0) == doctest::Approx(-10));
}
