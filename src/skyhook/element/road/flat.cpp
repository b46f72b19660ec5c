#include "skyhook/element/road/flat.h"

namespace skyhook::element {

void Flat::add_to(model::FieldSource& source, model::Model& model) const {
  put(model::Surface::Parts{}, source, model);
}

}  // namespace skyhook::element
