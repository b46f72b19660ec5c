// References: the conditions of a lower pair (joint_check.testing.h), which hold far from design only for perpendicular axes.
#include "skyhook/element/joint/universal.h"

#include "skyhook/element/joint_check.testing.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

namespace {

Universal hooke(Vec3d axis_1, Vec3d axis_2) {
  Universal u;
  u.from.index = 0;
  u.to.index = 1;
  u.axis_1 = axis_1;
  u.axis_2 = axis_2;
  return u;
}

}  // namespace

TEST_CASE("A universal joint is a lower pair for any two perpendicular axes") {
  check_lower_pair(joint_of(hooke({1, 0, 0}, {0, 1, 0})));
  check_lower_pair(joint_of(hooke({0, 0, 2}, {0, -1, 0})));
  check_lower_pair(joint_of(hooke(skew_axis, {2, 1, 0})));
}

TEST_CASE("Axes that are a rounding error off are made perpendicular") {
  const model::Joint joint = joint_of(hooke({1, 0, 0}, {3e-7, 1, 0}));
  CHECK(dot(joint.shape.dofs[0].axis, joint.shape.dofs[1].axis) == 0.0);
  check_lower_pair(joint);
}

TEST_CASE("Parallel and oblique axes are refused, each with its own advice") {
  CHECK(refused_field(hooke({1, 0, 0}, {-2, 0, 0})) == "axis_2");
  CHECK(refused_field(hooke({1, 0, 0}, {1, 1, 0})) == "axis_2");
  CHECK(refused_field(hooke({0, 0, 0}, {1, 1, 0})) == "axis_1");
  TestSource source;
  model::Model model = two_bodies();
  CHECK_THROWS_WITH_AS(hooke({1, 0, 0}, {1, 0, 0}).add_to(source, model), doctest::Contains("parallel"), ModelError);
  CHECK_THROWS_WITH_AS(hooke({1, 0, 0}, {1, 1, 0}).add_to(source, model), doctest::Contains("not perpendicular"),
                       ModelError);
}

TEST_CASE("The first angle turns about the axis in `from`") {
  Universal u = hooke({1, 0, 0}, {0, 1, 0});
  u.angle_1 = 0.1;
  u.angle_2_rate = 0.4;
  u.reference_2 = 0.7;
  const model::Joint joint = joint_of(u);
  CHECK(joint.shape.dofs[0].axis == Vec3d{1, 0, 0});
  CHECK(joint.position == std::vector<std::optional<double>>{0.1, std::nullopt});
  CHECK(joint.velocity == std::vector<std::optional<double>>{std::nullopt, 0.4});
  CHECK(joint.reference == std::vector<double>{0.0, 0.7});
}
