#include "skyhook/element/joint/gear.h"

#include "skyhook/element/coordinate.h"
#include "skyhook/element/finding.h"
#include "skyhook/element/pair_fields.h"

namespace skyhook::element {

void Gear::add_to(model::FieldSource& source, model::Model& model) const {
  const bool is_angle = dof_of(joint_1, model, source, "joint_1").is_angle();
  if (is_angle != dof_of(joint_2, model, source, "joint_2").is_angle()) {
    fail(source, "joint_2", "one coordinate is an angle, the other a length: their ratio is not a plain number.",
         "Use a coupler.");
  }
  if (ratio == 0.0) fail(source, "ratio", "ratio is 0.", "Lock joint_1 by a drive, or give another ratio.");
  model::Contribution gear = begin_contribution(Pair{}, source);
  gear.row = {.kind = model::Row::Kind::sum,
              .terms = {{joint_1.joint, joint_1.dof, 1.0}, {joint_2.joint, joint_2.dof, -ratio}}};
  model.contributions.push_back(std::move(gear));
}

}  // namespace skyhook::element
