// References: what was given, and what must be refused. Its mechanics: formalism/recursive/load_feedback.test.cpp and
// tests/load_friction.test.cpp.
#include "skyhook/element/force/joint_friction.h"

#include <doctest/doctest.h>

#include "skyhook/element/test_joints.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

TEST_CASE("Friction under load is added to the model with what was given") {
  model::Model model = three_joints();
  TestSource source;
  JointFriction friction;
  friction.joint = hinge, friction.coefficient = 0.2, friction.radius = 0.01, friction.preload = 3, friction.thrust = 0;
  friction.add_to(source, model);
  REQUIRE(model.joint_frictions.size() == 1);
  const model::JointFriction& added = model.joint_frictions[0];
  CHECK(added.name == "part");
  CHECK(added.joint == hinge.joint);
  CHECK(added.coefficient == 0.2);
  CHECK(added.radius == 0.01);
  CHECK(added.stick_speed == 1e-3);
  CHECK(added.preload == 3);
  CHECK(added.moment_arm == 0);
  CHECK(added.thrust == 0);
  CHECK(model.forces.empty());
  CHECK(refused_field(friction, model) == "joint");  // it has one already
}

TEST_CASE("Friction under load refuses joints without one free motion, and radii where there is no bearing") {
  JointFriction friction;
  friction.joint = ball;
  CHECK(refused_field(friction, three_joints()) == "joint");
  friction.joint = hinge;
  CHECK(refused_field(friction, three_joints()) == "radius");
  friction.radius = 0.01;
  CHECK(refused_field(friction, three_joints()) == "");
  friction.joint = slider;
  CHECK(refused_field(friction, three_joints()) == "radius");
  friction.radius.reset();
  CHECK(refused_field(friction, three_joints()) == "");
  friction.thrust = 0;
  CHECK(refused_field(friction, three_joints()) == "thrust");
}
