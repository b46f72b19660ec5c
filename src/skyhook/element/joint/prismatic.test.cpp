// References: the conditions of a lower pair (joint_check.testing.h), and what the fields say.
#include "skyhook/element/joint/prismatic.h"

#include "skyhook/element/joint_check.testing.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

namespace {

Prismatic slider(Vec3d axis) {
  Prismatic p;
  p.from.index = model::ground;
  p.to.index = 1;
  p.axis = axis;
  return p;
}

}  // namespace

TEST_CASE("A prismatic joint is a lower pair along any axis") {
  for (const Vec3d axis : {Vec3d{1, 0, 0}, Vec3d{0, -1, 0}, Vec3d{0, 0, 1}, skew_axis}) {
    const model::Joint joint = joint_of(slider(axis));
    check_lower_pair(joint);
    CHECK(joint.shape.dofs.at(0).kind == model::Dof::Kind::prismatic);
    CHECK(norm(joint.shape.dofs[0].axis - normalized(axis)) < 1e-15);
  }
}

TEST_CASE("Initial values, reference and name of the displacement arrive") {
  Prismatic p = slider({0, 0, 1});
  p.displacement = 0.02;
  p.rate = 1.5;
  p.reference = 0.3;
  const model::Joint joint = joint_of(p);
  CHECK(joint.shape.dofs[0].name == "displacement");
  CHECK(joint.position[0] == 0.02);
  CHECK(joint.velocity[0] == 1.5);
  CHECK(joint.reference[0] == 0.3);
}

TEST_CASE("A sliding axis without length is refused") { CHECK(refused_field(slider({})) == "axis"); }
