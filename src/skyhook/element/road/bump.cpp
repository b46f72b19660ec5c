#include "skyhook/element/road/bump.h"

#include "skyhook/element/cosine_row.h"

namespace skyhook::element {

void Bump::add_to(model::FieldSource& source, model::Model& model) const {
  if (height == 0.0) return put(model::Surface::Parts{}, source, model);  // a plane, which costs nothing
  put(std::make_shared<CosineRow>(height, length, at), source, model);
}

}  // namespace skyhook::element
