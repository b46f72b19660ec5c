// References: the conditions of a lower pair (joint_check.testing.h), and what the fields say.
#include "skyhook/element/joint/planar.h"

#include "skyhook/element/joint_check.testing.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

namespace {

Planar in(const std::string& plane) {
  Planar p;
  p.from.index = model::ground;
  p.to.index = 0;
  p.plane = plane;
  return p;
}

Planar across(Vec3d normal) {
  Planar p = in("");
  p.axis = normal;
  return p;
}

std::vector<std::string> names_of(const model::Joint& joint) {
  std::vector<std::string> names;
  for (const model::Dof& dof : joint.shape.dofs) names.push_back(dof.name);
  return names;
}

}  // namespace

TEST_CASE("A planar joint is a lower pair in any plane") {
  for (const char* plane : {"xy", "xz", "yz"}) check_lower_pair(joint_of(in(plane)));
  check_lower_pair(joint_of(across(skew_axis)));
}

TEST_CASE("In the plane xz the coordinates are x, z and the angle about +y: pitch, nose down positive") {
  const model::Joint joint = joint_of(in("xz"));
  CHECK(names_of(joint) == std::vector<std::string>{"x", "z", "angle"});
  CHECK(joint.shape.dofs[0].axis == Vec3d{1, 0, 0});
  CHECK(joint.shape.dofs[1].axis == Vec3d{0, 0, 1});
  CHECK(joint.shape.dofs[2].axis == Vec3d{0, 1, 0});
}

TEST_CASE("A normal along a global axis means the plane of that name") {
  CHECK(names_of(joint_of(across({0, 0, 2}))) == std::vector<std::string>{"x", "y", "angle"});
  CHECK(names_of(joint_of(across(skew_axis))) == std::vector<std::string>{"u", "v", "angle"});
}

TEST_CASE("Each planar coordinate has its own values") {
  Planar p = in("xy");
  p.displacement_1 = 1;
  p.displacement_2_rate = 2;
  p.reference_angle = 3;
  p.drive_angle = motion("t/1[s]");
  const model::Joint joint = joint_of(p);
  CHECK(joint.position == std::vector<std::optional<double>>{1.0, std::nullopt, std::nullopt});
  CHECK(joint.velocity == std::vector<std::optional<double>>{std::nullopt, 2.0, std::nullopt});
  CHECK(joint.reference == std::vector<double>{0, 0, 3});
  CHECK(joint.drive[2].has_value());
}

TEST_CASE("A plane must be given once and be known") {
  CHECK(refused_field(in("")) == "plane");
  CHECK(refused_field(in("zx")) == "plane");
  CHECK(refused_field(across({})) == "axis");
  Planar both = in("xy");
  both.axis = Vec3d{0, 0, 1};
  CHECK(refused_field(both) == "axis");
}
