#include "skyhook/element/force/joint_friction.h"

#include <algorithm>

#include "skyhook/element/finding.h"

namespace skyhook::element {
namespace {

// Elsewhere the friction has no single direction, or the load that belongs to it is not told by the joint's multipliers.
bool can_rub(const model::Joint& joint) {
  return joint.shape.dofs.size() == 1 && joint.shape.rows.size() == 5 &&
         joint.shape.dofs[0].kind != model::Dof::Kind::ball;
}

}  // namespace

void JointFriction::add_to(model::FieldSource& source, model::Model& model) const {
  const model::Joint& at = model.joints.at(static_cast<std::size_t>(joint.joint));
  if (!can_rub(at)) {
    fail(source, "joint",
         "joint \"" + at.name + "\" is " + at.type + ", but friction that depends on the load needs one free motion.",
         "Use a revolute or prismatic joint, or a joint coordinate's friction that does not depend on the load.");
  }
  const auto other = std::ranges::find(model.joint_frictions, joint.joint, &model::JointFriction::joint);
  if (other != model.joint_frictions.end()) {
    fail(source, "joint", "joint \"" + at.name + "\" has friction already, \"" + other->name + "\".",
         "Keep one of the two.");
  }
  const bool turns = at.shape.dofs[0].kind == model::Dof::Kind::revolute;
  if (turns != radius.has_value()) {
    fail(source, "radius",
         turns ? "a revolute joint needs the radius of its bearing." : "a prismatic joint has no bearing radius.",
         turns ? "Give `radius`, from the axis to the sliding surface." : "Remove `radius`.");
  }
  if (!turns && thrust != 1)
    fail(source, "thrust", "a prismatic joint carries no force along its axis.", "Remove `thrust`.");
  model.joint_frictions.push_back({.name = source.name(),
                                   .where = source.where(""),
                                   .joint = joint.joint,
                                   .coefficient = coefficient,
                                   .radius = radius.value_or(0.0),
                                   .stick_speed = stick_speed,
                                   .preload = preload,
                                   .moment_arm = moment_arm.value_or(0.0),
                                   .thrust = thrust,
                                   .smooth_load = smooth_load});
}

}  // namespace skyhook::element
