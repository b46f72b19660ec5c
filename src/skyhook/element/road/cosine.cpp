#include "skyhook/element/road/cosine.h"

#include "skyhook/element/cosine_row.h"

namespace skyhook::element {

void Cosine::add_to(model::FieldSource& source, model::Model& model) const {
  put(std::make_shared<CosineRow>(height, length, at, count), source, model);
}

}  // namespace skyhook::element
