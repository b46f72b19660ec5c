#include "skyhook/element/joint/spherical.h"

#include "skyhook/element/joint_rows.h"

namespace skyhook::element {

void Spherical::add_to(model::FieldSource& source, model::Model& model) const {
  model::Joint joint = begin_joint(*this, source, model);
  joint.shape.rows = no_motion_along({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
  add_rotation(joint, *this, source);
  model.joints.push_back(std::move(joint));
}

}  // namespace skyhook::element
