// A controller by formulas, with a memory of its own.
#pragma once
#include "skyhook/element/controller_fields.h"

namespace skyhook::element {

struct ExpressionController : ControllerFields, OutputUnitField {
  std::vector<model::Output> inputs;
  model::OpenValues memory;
  model::NamedFormulas next, outputs;

  static constexpr auto fields = std::tuple_cat(
      ControllerFields::fields,
      describe(
          field(&ExpressionController::inputs, "inputs", "-", any(), "name in the formulas: channel or controller"),
          field(&ExpressionController::memory, "memory", "-", any(), "name in the formulas: value at the start"),
          field(&ExpressionController::next, "next", model::any_unit, any(),
                "name in the memory: formula of its next value; without one it stays")
              .over("t:s"),
          field(&ExpressionController::outputs, "outputs", model::any_unit, any(), "name: formula")
              .over("t:s")
              .required()),
      OutputUnitField::fields);
  static constexpr const char* summary = "outputs and memory by formulas of t, inputs and memory";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
