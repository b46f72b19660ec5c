// References: the conditions of a lower pair (joint_check.testing.h), and the documented defaults.
#include "skyhook/element/joint/fixed.h"

#include "skyhook/element/joint_check.testing.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

namespace {

Fixed between(int from, int to) {
  Fixed f;
  f.from.index = from;
  f.to.index = to;
  return f;
}

}  // namespace

TEST_CASE("A fixed joint has six conditions and no coordinate") {
  const model::Joint joint = joint_of(between(0, 1));
  CHECK(joint.shape.dofs.empty());
  check_lower_pair(joint);
}

TEST_CASE("A joint stands at the reference point of `to`, or of `from` where `to` is the ground") {
  CHECK(joint_of(between(0, 1)).at_from == Vec3d{-1, 0, 2});
  CHECK(joint_of(between(0, 1)).at_to == Vec3d{-1, 0, 2});
  CHECK(joint_of(between(0, model::ground)).at_to == Vec3d{1, 2, 3});
}

TEST_CASE("A joint that is not assembled has two points") {
  Fixed f = between(model::ground, 0);
  f.at = Vec3d{5, 5, 5};
  CHECK(joint_of(f).at_to == Vec3d{5, 5, 5});
  f.at_to = Vec3d{6, 6, 6};
  CHECK(joint_of(f).at_from == Vec3d{5, 5, 5});
  CHECK(joint_of(f).at_to == Vec3d{6, 6, 6});
}

TEST_CASE("The user's wish for the cut is kept") {
  Fixed f = between(0, 1);
  CHECK_FALSE(joint_of(f).cut.has_value());
  f.cut = true;
  CHECK(joint_of(f).cut == true);
}

TEST_CASE("A joint of a body with itself is refused") { CHECK(refused_field(between(1, 1)) == "to"); }
