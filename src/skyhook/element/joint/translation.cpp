#include "skyhook/element/joint/translation.h"

#include "skyhook/element/joint_rows.h"

namespace skyhook::element {

void Translation::add_to(model::FieldSource& source, model::Model& model) const {
  model::Joint joint = begin_joint(*this, source, model);
  joint.shape.rows = fixed_orientation(triad({0, 0, 1}));
  add_translation(joint, *this, source);
  model.joints.push_back(std::move(joint));
}

}  // namespace skyhook::element
