#include "skyhook/element/profile/conical.h"

namespace skyhook::element {

void ConicalProfile::add_to(model::FieldSource& source, model::Model& model) const {
  put(rail::conical(slope, width), source, model);
}

}  // namespace skyhook::element
