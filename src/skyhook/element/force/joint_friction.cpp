#include "skyhook/element/force/joint_friction.h"

#include <algorithm>
#include <cmath>

#include "skyhook/element/finding.h"
#include "skyhook/element/pair_fields.h"

namespace skyhook::element {
namespace {

// Elsewhere the friction has no single direction, or the load that belongs to it is not told by the joint's multipliers.
bool can_rub(const model::Joint& joint) {
  return joint.shape.dofs.size() == 1 && joint.shape.rows.size() == 5 &&
         joint.shape.dofs[0].kind != model::Dof::Kind::ball;
}

double squared(double x) { return x * x; }

//   F = s(speed) N,   s = mu r tanh(r speed / stick_speed),   N = preload + w
//   0 = w^2 - |f|^2 + (1 - thrust^2) (f . axis)^2 - |n|^2 / moment_arm^2 - smooth_load^2
// r is the radius of a hinge, 1 for a slider. The auxiliary variable w of [Arnold 2004] (29) has a closed form here and
// is eliminated.
struct LoadFriction final : model::LoadedFriction {
  LoadFriction(const JointFriction& of, const model::Dof& dof)
      : given(of), axis(dof.axis), lever(of.radius.value_or(1.0)), dropped(1 - squared(of.thrust)) {}

  double square(const Vec3d& force, double moments) const {
    const double sum = dot(force, force) - dropped * squared(dot(force, axis));
    return given.moment_arm ? sum + moments / squared(*given.moment_arm) : sum;
  }
  Load load(const Vec3d& force, double moments) const override {
    const double w = std::sqrt(std::max(square(force, moments) + squared(given.smooth_load), 0.0));
    if (w == 0) return {given.preload, {}, 0};
    return {given.preload + w, (1 / w) * (force - dropped * dot(force, axis) * axis),
            given.moment_arm ? 0.5 / (squared(*given.moment_arm) * w) : 0.0};
  }
  double weight_of(const Vec3d& force, double moments) const override {
    return std::sqrt(std::max(square(force, moments), 0.0));
  }
  double factor(double speed) const override { return full_factor() * std::tanh(speed_ratio(speed)); }
  double factor_slope(double speed) const override {
    const double c = std::cosh(speed_ratio(speed));
    return full_factor() * lever / given.stick_speed / (c * c);  // where cosh overflows: zero
  }
  double full_factor() const override { return given.coefficient * lever; }
  double coefficient() const override { return given.coefficient; }
  double speed_ratio(double speed) const override { return lever * speed / given.stick_speed; }
  std::string if_ambiguous() const override {
    return given.radius && given.thrust > 0 ? ", or set `thrust: 0` if only the force along the axis is in doubt" : "";
  }

  JointFriction given;
  Vec3d axis;
  double lever, dropped;
};

}  // namespace

std::shared_ptr<const model::LoadedFriction> JointFriction::law(const model::Dof& free_motion) const {
  return std::make_shared<LoadFriction>(*this, free_motion);
}

void JointFriction::add_to(model::FieldSource& source, model::Model& model) const {
  const model::Joint& at = model.joints.at(static_cast<std::size_t>(joint.joint));
  if (!can_rub(at)) {
    fail(source, "joint",
         "joint \"" + at.name + "\" is " + at.type + ", but friction that depends on the load needs one free motion.",
         "Use a revolute or prismatic joint, or a joint coordinate's friction that does not depend on the load.");
  }
  const auto rubs_there = [&](const model::Contribution& what) { return what.friction && what.joint == joint.joint; };
  const auto other = std::ranges::find_if(model.contributions, rubs_there);
  if (other != model.contributions.end()) {
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
  model::Contribution added = begin_contribution(joint, source);
  added.friction = law(at.shape.dofs[0]);
  model.contributions.push_back(std::move(added));
}

}  // namespace skyhook::element
