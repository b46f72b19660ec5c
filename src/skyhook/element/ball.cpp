#include "skyhook/element/ball.h"

#include <cmath>

#include "skyhook/element/finding.h"

namespace skyhook::element {

namespace {

constexpr std::array<Vec3d, 3> axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
constexpr std::array mirrors{Mirror::yz, Mirror::xz, Mirror::xy};
constexpr std::array angle_names{"angle_x", "angle_y", "angle_z"};
constexpr std::array drive_fields{"drive_angle_x", "drive_angle_y", "drive_angle_z"};

std::array<std::optional<model::Motion>, 3> drives_of(const BallFields& b) {
  return {b.drive_angle_x, b.drive_angle_y, b.drive_angle_z};
}

bool is_cardan(const BallFields& ball, const model::FieldSource& source) {
  if (ball.coordinates != "quaternion" && ball.coordinates != "cardan") {
    fail(source, "coordinates", "coordinates \"" + ball.coordinates + "\" are not known.",
         "Choose quaternion or cardan.");
  }
  return ball.coordinates == "cardan" || ball.drive_angle_x || ball.drive_angle_y || ball.drive_angle_z;
}

// One Dof, three scalar coordinates.
void add_ball(model::Joint& joint, const BallFields& ball, const model::FieldSource& source) {
  joint.shape.dofs.push_back({model::Dof::Kind::ball, {}, "rotation"});
  for (int k = 0; k < 3; ++k) {
    joint.reference.push_back(0.0);
    joint.position.push_back(component(ball.angles, k));
    joint.velocity.push_back(component(ball.angular_velocity, k));
    joint.position_where.push_back(source.where("angles"));
    joint.velocity_where.push_back(source.where("angular_velocity"));
    joint.drive.emplace_back();
    joint.drive_where.push_back(source.where(drive_fields[static_cast<std::size_t>(k)]));
  }
}

std::optional<Vec3d> initial_rates(const BallFields& ball, bool driven, const model::FieldSource& source) {
  if (!ball.angular_velocity) return {};
  if (driven) {
    fail(source, "angular_velocity", "an angular velocity does not go with driven angles.",
         "Remove angular_velocity: the drives give the rates of their angles.");
  }
  const auto rates = cardan_rates(ball.angles.value_or(Vec3d{}), *ball.angular_velocity);
  if (!rates) fail(source, "angles", "Cardan angles are singular at angle_y = 90 deg.", "Use coordinates: quaternion.");
  return rates;
}

void add_cardan(model::Joint& joint, const BallFields& ball, const model::FieldSource& source) {
  auto drives = drives_of(ball);
  const bool driven = drives[0] || drives[1] || drives[2];
  const std::optional<Vec3d> rates = initial_rates(ball, driven, source);
  for (int k = 0; k < 3; ++k) {
    const auto i = static_cast<std::size_t>(k);
    const std::optional<Vec3d> angles = drives[i] ? std::nullopt : ball.angles;  // a driven one starts on its drive
    add_coordinate(joint, source,
                   {.dof = {model::Dof::Kind::revolute, axes[i], angle_names[i], mirrors[i]},
                    .position = component(angles, k),
                    .velocity = component(rates, k),
                    .drive = std::move(drives[i]),
                    .drive_field = drive_fields[i],
                    .position_field = "angles",
                    .velocity_field = "angular_velocity"});
  }
}

}  // namespace

std::optional<Vec3d> cardan_rates(const Vec3d& angles, const Vec3d& w) {
  const double cy = std::cos(angles.y), sy = std::sin(angles.y), cz = std::cos(angles.z), sz = std::sin(angles.z);
  if (std::abs(cy) < 1e-8) return {};
  // Solves w = a' (cy cz, -cy sz, sy) + b' (sz, cz, 0) + c' (0, 0, 1): the three axes seen from the rotated frame.
  const double a = (w.x * cz - w.y * sz) / cy;
  return Vec3d{a, w.x * sz + w.y * cz, w.z - a * sy};
}

void add_rotation(model::Joint& joint, const BallFields& ball, const model::FieldSource& source) {
  is_cardan(ball, source) ? add_cardan(joint, ball, source) : add_ball(joint, ball, source);
}

}  // namespace skyhook::element
