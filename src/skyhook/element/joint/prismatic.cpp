#include "skyhook/element/joint/prismatic.h"

#include "skyhook/element/joint_rows.h"

namespace skyhook::element {

void Prismatic::add_to(model::FieldSource& source, model::Model& model) const {
  model::Joint joint = begin_joint(*this, source, model);
  const Triad t = triad(unit_axis(source, "axis", axis));
  joint.axis = t.e;
  joint.shape.rows = no_motion_along({t.u, t.v}) + fixed_orientation(t);
  add_coordinate(joint, source,
                 {.dof = {model::Dof::Kind::prismatic, t.e, "displacement"},
                  .reference = reference,
                  .position = displacement,
                  .velocity = rate,
                  .drive = drive,
                  .velocity_field = "rate"});
  model.joints.push_back(std::move(joint));
}

}  // namespace skyhook::element
