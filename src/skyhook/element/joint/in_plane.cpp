#include "skyhook/element/joint/in_plane.h"

#include "skyhook/element/joint/planar.h"
#include "skyhook/element/joint_rows.h"

namespace skyhook::element {

void InPlane::add_to(model::FieldSource& source, model::Model& model) const {
  model::Joint joint = begin_joint(*this, source, model);
  const PlaneAxes axes = plane_of(plane, axis, source);
  joint.axis = axes.normal;
  joint.shape.rows = no_motion_along({axes.normal});
  add_displacement(joint, axes, 1, {displacement_1, displacement_1_rate, drive_1}, source);
  add_displacement(joint, axes, 2, {displacement_2, displacement_2_rate, drive_2}, source);
  add_rotation(joint, *this, source);
  model.joints.push_back(std::move(joint));
}

}  // namespace skyhook::element
