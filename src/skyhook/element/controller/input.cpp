#include "skyhook/element/controller/input.h"

#include "skyhook/element/finding.h"

namespace skyhook::element {

void Input::add_to(model::FieldSource& source, model::Model& model) const {
  if (unit != "-" && parse_unit(unit, source.where("unit")).factor != 1.0)
    fail(source, "unit", "unit \"" + unit + "\" is no SI unit, and an input is set in SI units.",
         "Write N rather than kN.");
  model.signals.push_back({source.name(), signal_unit(unit, source), value});
}

}  // namespace skyhook::element
