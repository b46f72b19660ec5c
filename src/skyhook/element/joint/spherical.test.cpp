// References: the conditions of a lower pair (joint_check.testing.h); Cardan rates against differences of the rotation.
#include "skyhook/element/joint/spherical.h"

#include "skyhook/element/joint_check.testing.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

namespace {

Spherical ball(const char* coordinates) {
  Spherical s;
  s.from.index = 0;
  s.to.index = 1;
  s.coordinates = coordinates;
  return s;
}

}  // namespace

TEST_CASE("A spherical joint is a lower pair in either coordinates") {
  check_lower_pair(joint_of(ball("quaternion")));
  check_lower_pair(joint_of(ball("cardan")));
}

TEST_CASE("A ball counts as three scalar coordinates: Cardan angles and angular velocity") {
  Spherical s = ball("quaternion");
  s.angles = Vec3d{0.1, 0.2, 0.3};
  s.angular_velocity = Vec3d{1, 2, 3};
  const model::Joint joint = joint_of(s);
  REQUIRE(joint.shape.dofs.size() == 1);
  CHECK(joint.position == std::vector<std::optional<double>>{0.1, 0.2, 0.3});
  CHECK(joint.velocity == std::vector<std::optional<double>>{1, 2, 3});
}

TEST_CASE("The angular velocity means the same in both coordinates") {
  // R(t + h) = R(t) exp(h [w]) with w in rotated axes: angles after a small step, by the inverse of cardan_rotation.
  const Vec3d angles{0.4, -0.7, 1.1}, w{0.3, -1.2, 0.8};
  Spherical s = ball("cardan");
  s.angles = angles;
  s.angular_velocity = w;
  const model::Joint joint = joint_of(s);
  const double h = 1e-6;
  const auto after = [&](double t) {
    return cardan_angles(cardan_rotation(angles) * axis_rotation(normalized(w), t * norm(w)));
  };
  const Vec3d rates = (0.5 / h) * (after(h) - after(-h));
  for (int k = 0; k < 3; ++k)
    CHECK(*joint.velocity[static_cast<std::size_t>(k)] == doctest::Approx(rates[k]).epsilon(1e-8));
}

TEST_CASE("Cardan rates are refused where angle_y is 90 degrees") {
  Spherical s = ball("cardan");
  s.angles = Vec3d{0, std::acos(0.0), 0};
  s.angular_velocity = Vec3d{1, 0, 0};
  CHECK(refused_field(s) == "angles");
}

TEST_CASE("A drive makes the joint cardan, and its angle starts on the drive") {
  Spherical s = ball("quaternion");
  s.drive_angle_y = motion("0.1*sin(t/1[s])");
  s.angles = Vec3d{0.1, 0.2, 0.3};
  const model::Joint joint = joint_of(s);
  REQUIRE(joint.shape.dofs.size() == 3);
  CHECK(joint.shape.dofs[1].name == "angle_y");
  CHECK(joint.drive[1].has_value());
  CHECK(joint.position == std::vector<std::optional<double>>{0.1, std::nullopt, 0.3});
  s.angular_velocity = Vec3d{};
  CHECK(refused_field(s) == "angular_velocity");
}

TEST_CASE("Unknown coordinates are refused") { CHECK(refused_field(ball("euler")) == "coordinates"); }
