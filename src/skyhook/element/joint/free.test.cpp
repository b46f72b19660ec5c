// References: the conditions of a lower pair (joint_check.testing.h), and what the fields say.
#include "skyhook/element/joint/free.h"

#include "skyhook/element/joint_check.testing.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

namespace {

Free body(const char* coordinates) {
  Free f;
  f.from.index = model::ground;
  f.to.index = 0;
  f.coordinates = coordinates;
  return f;
}

}  // namespace

TEST_CASE("A free joint has six freedoms and no condition") {
  for (const char* coordinates : {"quaternion", "cardan"}) {
    const model::Joint joint = joint_of(body(coordinates));
    CHECK(joint.shape.rows.empty());
    check_lower_pair(joint);
  }
}

TEST_CASE("Initial position, attitude and velocities arrive in order x, y, z, rotation") {
  Free f = body("quaternion");
  f.displacement = Vec3d{1, 2, 3};
  f.angles = Vec3d{4, 5, 6};
  f.velocity = Vec3d{7, 8, 9};
  f.angular_velocity = Vec3d{10, 11, 12};
  const model::Joint joint = joint_of(f);
  CHECK(joint.position == std::vector<std::optional<double>>{1, 2, 3, 4, 5, 6});
  CHECK(joint.velocity == std::vector<std::optional<double>>{7, 8, 9, 10, 11, 12});
  CHECK(joint.shape.dofs[2].name == "z");
}

TEST_CASE("A driven coordinate of a free body starts on its drive") {
  Free f = body("quaternion");
  f.displacement = Vec3d{1, 2, 3};
  f.drive_x = motion("20[m/s]*t");
  f.drive_angle_z = motion("0");
  const model::Joint joint = joint_of(f);
  REQUIRE(joint.shape.dofs.size() == 6);  // a driven angle makes it cardan
  CHECK_FALSE(joint.position[0].has_value());
  CHECK(joint.position[1] == 2.0);
  CHECK(joint.drive[0]->at(1.0).rate == doctest::Approx(20.0));
  CHECK(joint.drive[5].has_value());
  CHECK(joint.drive_where[5].file == "test.yaml#drive_angle_z");
}
