// References: the conditions of a lower pair (joint_check.testing.h), and what the fields say.
#include "skyhook/element/joint/revolute.h"

#include "skyhook/element/joint_check.testing.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

namespace {

Revolute hinge(Vec3d axis) {
  Revolute r;
  r.from.index = 0;
  r.to.index = 1;
  r.axis = axis;
  return r;
}

}  // namespace

TEST_CASE("A revolute joint is a lower pair about any axis") {
  for (const Vec3d axis : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, -3}, skew_axis}) {
    const model::Joint joint = joint_of(hinge(axis));
    check_lower_pair(joint);
    CHECK(norm(joint.shape.dofs.at(0).axis - normalized(axis)) < 1e-15);
    CHECK(norm(joint.axis - normalized(axis)) < 1e-15);
  }
}

TEST_CASE("Initial values, reference and name of the angle arrive") {
  Revolute r = hinge({0, 0, 1});
  r.angle = 0.5;
  r.rate = -2;
  r.reference = 0.1;
  const model::Joint joint = joint_of(r);
  CHECK(joint.shape.dofs[0].name == "angle");
  CHECK(joint.position[0] == 0.5);
  CHECK(joint.velocity[0] == -2.0);
  CHECK(joint.reference[0] == 0.1);
  CHECK_FALSE(joint.drive[0].has_value());
}

// An angle of 4 rad moves the end of a lever of 0.25 m by 1 m.
TEST_CASE("The usual size of an angle is the one that moves the end of its lever by a metre") {
  Revolute r = hinge({0, 0, 1});
  CHECK(joint_of(r).shape.dofs[0].nominal == 1.0);
  r.lever = 0.25;
  CHECK(joint_of(r).shape.dofs[0].nominal == 4.0);
}

TEST_CASE("A driven angle has its drive and takes no initial value") {
  Revolute r = hinge({0, 0, 1});
  r.drive = motion("sin(2*t/1[s])");
  CHECK(joint_of(r).drive[0]->at(0).rate == doctest::Approx(2.0));
  CHECK(joint_of(r).drive_where[0].file == "test.yaml#drive");
  r.angle = 0.1;
  CHECK(refused_field(r) == "drive");
}

TEST_CASE("An axis without length is refused") { CHECK(refused_field(hinge({0, 0, 0})) == "axis"); }
