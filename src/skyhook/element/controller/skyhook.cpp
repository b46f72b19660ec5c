#include "skyhook/element/controller/skyhook.h"

namespace skyhook::element {

void Skyhook::add_to(model::FieldSource& source, model::Model& model) const {
  add_skyhook(*this, body_velocity, 1.0, source, model);
}

}  // namespace skyhook::element
