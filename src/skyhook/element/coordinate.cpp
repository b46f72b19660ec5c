#include "skyhook/element/coordinate.h"

#include "skyhook/element/finding.h"

namespace skyhook::element {

namespace {

const model::Joint& joint_of(const model::CoordinateRef& ref, const model::Model& model) {
  return model.joints.at(static_cast<std::size_t>(ref.joint));
}

}  // namespace

const model::Dof& dof_of(const model::CoordinateRef& ref, const model::Model& model, const model::FieldSource& source,
                         const char* field) {
  const model::Joint& joint = joint_of(ref, model);
  int first = 0;
  for (const model::Dof& dof : joint.shape.dofs) {
    const bool is_ball = dof.kind == model::Dof::Kind::ball;
    const int next = first + (is_ball ? 3 : 1);
    if (ref.dof < next) {
      if (!is_ball) return dof;
      fail(source, field, "the ball of joint \"" + joint.name + "\" has no single angle.",
           "Give that joint coordinates: cardan.");
    }
    first = next;
  }
  fail(source, field, "joint \"" + joint.name + "\" has no such coordinate.", "Name one of its coordinates.");
}

double reference_of(const model::CoordinateRef& ref, const model::Model& model) {
  return joint_of(ref, model).reference.at(static_cast<std::size_t>(ref.dof));
}

}  // namespace skyhook::element
