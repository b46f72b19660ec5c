#include "skyhook/element/profile/circular.h"

namespace skyhook::element {

void CircularProfile::add_to(model::FieldSource& source, model::Model& model) const {
  put(rail::circular(radius, slope, width), source, model);
}

}  // namespace skyhook::element
