#include "skyhook/element/joint/revolute.h"

#include "skyhook/element/joint_rows.h"

namespace skyhook::element {

void Revolute::add_to(model::FieldSource& source, model::Model& model) const {
  model::Joint joint = begin_joint(*this, source, model);
  const Triad t = triad(unit_axis(source, "axis", axis));
  joint.axis = t.e;
  joint.shape.rows = no_motion_along({t.e, t.u, t.v}) + parallel_axis(t);
  add_coordinate(joint, source,
                 {.dof = {.kind = model::Dof::Kind::revolute, .axis = t.e, .name = "angle", .nominal = 1 / lever},
                  .reference = reference,
                  .position = angle,
                  .velocity = rate,
                  .drive = drive,
                  .velocity_field = "rate"});
  model.joints.push_back(std::move(joint));
}

}  // namespace skyhook::element
