#include "skyhook/element/controller/groundhook.h"

namespace skyhook::element {

void Groundhook::add_to(model::FieldSource& source, model::Model& model) const {
  add_skyhook(*this, wheel_velocity, -1.0, source, model);
}

}  // namespace skyhook::element
