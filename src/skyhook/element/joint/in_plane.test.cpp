// References: the conditions of a lower pair (joint_check.testing.h), and what the fields say.
#include "skyhook/element/joint/in_plane.h"

#include "skyhook/element/joint_check.testing.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

namespace {

InPlane pad(const std::string& plane) {
  InPlane p;
  p.from.index = model::ground;
  p.to.index = 0;
  p.plane = plane;
  return p;
}

InPlane across(Vec3d normal) {
  InPlane p = pad("");
  p.axis = normal;
  return p;
}

}  // namespace

TEST_CASE("A point in a plane is a lower pair with one condition, in any plane and either kind of coordinates") {
  for (const char* coordinates : {"quaternion", "cardan"}) {
    for (InPlane p : {pad("xy"), pad("xz"), pad("yz"), across(skew_axis)}) {
      p.coordinates = coordinates;
      const model::Joint joint = joint_of(p);
      check_lower_pair(joint);
      CHECK(joint.shape.rows.size() == 1);
    }
  }
}

TEST_CASE("Displacements in the plane come first, then the rotation") {
  InPlane p = pad("xz");
  p.displacement_1 = 1, p.displacement_2_rate = 2, p.angles = Vec3d{3, 4, 5};
  const model::Joint joint = joint_of(p);
  CHECK(joint.shape.dofs[0].name == "x");
  CHECK(joint.shape.dofs[1].name == "z");
  CHECK(joint.position == std::vector<std::optional<double>>{1, std::nullopt, 3, 4, 5});
  CHECK(joint.velocity[1] == 2);
}

TEST_CASE("The plane of a point must be given once and be known") {
  CHECK(refused_field(pad("")) == "plane");
  CHECK(refused_field(pad("zy")) == "plane");
  CHECK(refused_field(across({})) == "axis");
}
