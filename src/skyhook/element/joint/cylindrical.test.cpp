// References: the conditions of a lower pair (joint_check.testing.h), and what the fields say.
#include "skyhook/element/joint/cylindrical.h"

#include "skyhook/element/joint_check.testing.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

namespace {

Cylindrical sleeve(Vec3d axis) {
  Cylindrical c;
  c.from.index = 0;
  c.to.index = 1;
  c.axis = axis;
  return c;
}

}  // namespace

TEST_CASE("A cylindrical joint is a lower pair on any axis") {
  for (const Vec3d axis : {Vec3d{1, 0, 0}, Vec3d{0, 0, 1}, skew_axis}) check_lower_pair(joint_of(sleeve(axis)));
}

TEST_CASE("Displacement comes first, then the angle, each with its own values") {
  Cylindrical c = sleeve({0, 1, 0});
  c.displacement = 0.1;
  c.displacement_rate = 0.2;
  c.reference_displacement = 0.3;
  c.reference_angle = 0.6;
  c.drive_angle = motion("t/1[s]");
  const model::Joint joint = joint_of(c);
  CHECK(joint.shape.dofs[0].name == "displacement");
  CHECK(joint.shape.dofs[1].name == "angle");
  CHECK(joint.position == std::vector<std::optional<double>>{0.1, std::nullopt});
  CHECK(joint.velocity == std::vector<std::optional<double>>{0.2, std::nullopt});
  CHECK(joint.reference == std::vector<double>{0.3, 0.6});
  CHECK_FALSE(joint.drive[0].has_value());
  CHECK(joint.drive[1].has_value());
}

TEST_CASE("A sleeve's driven coordinate takes no initial value") {
  Cylindrical c = sleeve({0, 1, 0});
  c.drive_displacement = motion("1");
  c.displacement_rate = 1;
  CHECK(refused_field(c) == "drive_displacement");
}
