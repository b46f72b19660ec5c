// A linear discrete-time controller: x' = A x + B u, y = C x + D u.
#pragma once
#include "skyhook/element/controller_fields.h"

namespace skyhook::element {

struct StateSpace : ControllerFields, OutputUnitField {
  std::vector<model::Output> inputs;
  std::vector<std::string> outputs;
  model::Rows A, B, C, D;
  std::vector<double> x0;

  static constexpr auto fields = std::tuple_cat(
      ControllerFields::fields,
      describe(field(&StateSpace::inputs, "inputs", "-", any(), "u: channels or controllers; a list, or name: channel")
                   .required(),
               field(&StateSpace::outputs, "outputs", "-", any(), "names of y; default: y1, y2, ..."),
               field(&StateSpace::A, "A", model::any_unit, any(), "rows of the matrix from states to next states"),
               field(&StateSpace::B, "B", model::any_unit, any(), "from inputs to next states"),
               field(&StateSpace::C, "C", model::any_unit, any(), "from states to outputs"),
               field(&StateSpace::D, "D", model::any_unit, any(), "from inputs to outputs; default 0"),
               field(&StateSpace::x0, "x0", model::any_unit, any(), "states at the start; default 0")),
      OutputUnitField::fields);
  static constexpr const char* summary = "linear discrete-time system with states, several inputs and outputs";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
