// References: its law by hand, its derivatives by differences, and what must be refused. Its mechanics:
// formalism/recursive/load_feedback.test.cpp and tests/load_friction.test.cpp.
#include "skyhook/element/force/joint_friction.h"

#include <doctest/doctest.h>

#include <cmath>

#include "skyhook/element/joints.testing.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

TEST_CASE("Friction under load is added to the model with what was given") {
  model::Model model = three_joints();
  TestSource source;
  JointFriction friction;
  friction.joint = hinge, friction.coefficient = 0.2, friction.radius = 0.01, friction.preload = 3, friction.thrust = 0;
  friction.add_to(source, model);
  REQUIRE(model.contributions.size() == 1);
  const model::Contribution& added = model.contributions[0];
  CHECK(added.name == "part");
  CHECK(added.joint == hinge.joint);
  CHECK_FALSE(added.on_coordinate());  // its joint will be cut
  CHECK(added.friction->coefficient() == 0.2);
  CHECK(refused_field(friction, model) == "joint");  // it has one already
}

TEST_CASE("Friction under load: its law and derivatives") {
  model::Model model = three_joints();
  TestSource source;
  JointFriction of;
  of.joint = hinge, of.coefficient = 0.2, of.radius = 0.01, of.preload = 3, of.thrust = 0.5, of.moment_arm = 0.4;
  of.add_to(source, model);
  const model::LoadedFriction& law = *model.contributions[0].friction;
  const Vec3d axis = model.joints[static_cast<std::size_t>(hinge.joint)].shape.dofs[0].axis, f{30, -40, 120};
  const double along = dot(f, axis), moments = 25;
  const double expected =
      3 + std::sqrt(dot(f, f) - along * along + 0.25 * along * along + moments / 0.16 + 1e-6);  // smooth_load^2
  const auto load = law.load(f, moments);
  CHECK(load.size == doctest::Approx(expected).epsilon(1e-14));
  CHECK(law.weight_of({}, 0) == 0);
  CHECK(law.factor(1e3) == doctest::Approx(0.2 * 0.01));
  CHECK(law.factor(0.05) == doctest::Approx(0.2 * 0.01 * std::tanh(0.5)));
  const double h = 1e-4;
  for (int i = 0; i < 3; ++i) {
    Vec3d more = f, less = f;
    more[i] += h, less[i] -= h;
    const double slope = (law.load(more, moments).size - law.load(less, moments).size) / (2 * h);
    CHECK(load.by_force[i] == doctest::Approx(slope).epsilon(1e-8));
  }
  CHECK(load.by_moments ==
        doctest::Approx((law.load(f, moments + h).size - law.load(f, moments - h).size) / (2 * h)).epsilon(1e-6));
  CHECK(law.factor_slope(0.05) == doctest::Approx((law.factor(0.05001) - law.factor(0.04999)) / 2e-5).epsilon(1e-6));
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
