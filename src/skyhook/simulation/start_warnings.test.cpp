#include "skyhook/simulation/start_warnings.h"

#include <doctest/doctest.h>

#include "skyhook/formalism/plane_linkage.testing.h"
#include "skyhook/simulation/onto_constraints.h"

using namespace skyhook;
using namespace skyhook::simulation;

TEST_CASE("Start: values are told in degrees, and what is nothing as 0") {
  CHECK(in_users_unit(0.5, "m") == "0.5 m");
  CHECK(in_users_unit(-0.0, "rad") == "0 deg");
  CHECK(in_users_unit(4e-33, "rad/s", 1) == "0 deg/s");
  CHECK(in_users_unit(-2e-9, "m/s", 3) == "0 m/s");
  CHECK(in_users_unit(2e-9, "m/s") == "2e-09 m/s");  // as given
}

TEST_CASE("Start: a search that has given up is told") {
  auto l = formalism::testing::four_bar();
  Prepared p = prepare(l.model, {});
  REQUIRE(p.ok());
  const std::size_t before = p.warnings.size();
  p.positions.short_of_least = 2e-3;
  tell_of_start(p);
  REQUIRE(p.warnings.size() == before + 1);
  CHECK(p.warnings.back().name == "not_least");
  CHECK(p.warnings.back().what.find("stopped 0.002 rad or m short") != std::string::npos);
}

// The nearest position of the loop is further away than a sample of this run can be.
TEST_CASE("States between steps: one that has no state on the constraints nearby stays as it is and is counted") {
  auto l = formalism::testing::four_bar();
  const Prepared p = prepare(l.model, {});
  REQUIRE(p.ok());
  OntoConstraints onto(*p.active);
  std::vector<double> q = p.state.q, v = p.state.v;
  q[0] += 1e-4;
  onto.move_if_near(0, q, v);
  CHECK(onto.left() == 0);
  q[1] += 1.5;
  const std::vector<double> far = q;
  onto.move_if_near(0, q, v);
  CHECK(onto.left() == 1);
  CHECK(q == far);
}
