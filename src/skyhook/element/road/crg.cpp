#include "skyhook/element/road/crg.h"

#include "skyhook/element/grid_relief.h"

namespace skyhook::element {

void Crg::add_to(model::FieldSource& source, model::Model& model) const {
  put(std::make_shared<GridRelief>(file), source, model);
}

}  // namespace skyhook::element
