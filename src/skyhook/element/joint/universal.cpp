#include "skyhook/element/joint/universal.h"

#include <cmath>

#include "skyhook/element/finding.h"
#include "skyhook/element/joint_rows.h"

namespace skyhook::element {

namespace {

// The row a·b = 0 holds for all motions only if the axes start perpendicular: their angle never changes.
constexpr double largest_cosine = 1e-6;

void require_perpendicular(const Vec3d& e1, const Vec3d& e2, const model::FieldSource& source) {
  const double cosine = std::abs(dot(e1, e2));
  if (cosine > 1.0 - largest_cosine) {
    fail(source, "axis_2", "axis_1 and axis_2 are parallel: they allow one rotation, not two.",
         "Use a revolute joint, or give another axis_2.");
  }
  if (cosine > largest_cosine) {
    fail(source, "axis_2", "axis_1 and axis_2 are not perpendicular.",
         "Make them so; for skew axes put two revolute joints in a row with a small body between.");
  }
}

}  // namespace

void Universal::add_to(model::FieldSource& source, model::Model& model) const {
  model::Joint joint = begin_joint(*this, source, model);
  const Vec3d e1 = unit_axis(source, "axis_1", axis_1), given = unit_axis(source, "axis_2", axis_2);
  require_perpendicular(e1, given, source);
  const Vec3d e2 = normalized(given - dot(e1, given) * e1);  // removes what the tolerance left
  joint.axis = e1;
  joint.shape.rows = no_motion_along({e1, e2, cross(e1, e2)}) + Rows{perpendicular_row(e1, e2)};
  add_coordinate(joint, source,
                 {.dof = {model::Dof::Kind::revolute, e1, "angle_1"},
                  .reference = reference_1,
                  .position = angle_1,
                  .velocity = angle_1_rate,
                  .drive = drive_1,
                  .drive_field = "drive_1"});
  add_coordinate(joint, source,
                 {.dof = {model::Dof::Kind::revolute, e2, "angle_2"},
                  .reference = reference_2,
                  .position = angle_2,
                  .velocity = angle_2_rate,
                  .drive = drive_2,
                  .drive_field = "drive_2"});
  model.joints.push_back(std::move(joint));
}

}  // namespace skyhook::element
