#include "skyhook/element/controller/input.h"

namespace skyhook::element {

void Input::add_to(model::FieldSource& source, model::Model& model) const {
  model.signals.push_back({source.name(), signal_unit(unit, source), value});
}

}  // namespace skyhook::element
