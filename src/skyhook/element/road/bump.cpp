#include "skyhook/element/road/bump.h"

#include "skyhook/element/cosine_row.h"

namespace skyhook::element {

void Bump::add_to(model::FieldSource& source, model::Model& model) const {
  put(std::make_shared<CosineRow>(height, length, at), source, model);
}

}  // namespace skyhook::element
