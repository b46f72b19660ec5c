#include "skyhook/element/joint/cylindrical.h"

#include "skyhook/element/joint_rows.h"

namespace skyhook::element {

void Cylindrical::add_to(model::FieldSource& source, model::Model& model) const {
  model::Joint joint = begin_joint(*this, source, model);
  const Triad t = triad(unit_axis(source, "axis", axis));
  joint.axis = t.e;
  joint.shape.rows = no_motion_along({t.u, t.v}) + parallel_axis(t);
  add_coordinate(joint, source,
                 {.dof = {model::Dof::Kind::prismatic, t.e, "displacement"},
                  .reference = reference_displacement,
                  .position = displacement,
                  .velocity = displacement_rate,
                  .drive = drive_displacement,
                  .drive_field = "drive_displacement"});
  add_coordinate(joint, source,
                 {.dof = {model::Dof::Kind::revolute, t.e, "angle", Mirror::xyz},
                  .reference = reference_angle,
                  .position = angle,
                  .velocity = angle_rate,
                  .drive = drive_angle,
                  .drive_field = "drive_angle"});
  model.joints.push_back(std::move(joint));
}

}  // namespace skyhook::element
