#include "skyhook/element/joint/free.h"

namespace skyhook::element {

void Free::add_to(model::FieldSource& source, model::Model& model) const {
  model::Joint joint = begin_joint(*this, source, model);
  add_translation(joint, *this, source);
  add_rotation(joint, *this, source);
  model.joints.push_back(std::move(joint));
}

}  // namespace skyhook::element
