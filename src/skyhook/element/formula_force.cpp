#include "skyhook/element/formula_force.h"

#include "skyhook/element/controller_fields.h"
#include "skyhook/element/finding.h"

namespace skyhook::element {

void add_formula(const model::Formula& value, const model::SignalRef& signal, const Place& place,
                 const model::FieldSource& source, model::Model& model) {
  constexpr int of_signal = 3;  // among the variables
  const bool asks = std::ranges::count(value.used_variables(), of_signal) > 0;
  if (asks != (signal.index >= 0))
    fail(source, asks ? "value" : "signal",
         asks ? "the formula uses `signal`, but it listens to none." : "the formula does not use `signal`.",
         "Name the controller as `signal`, and use `signal` in the formula `value`; or neither.");
  if (asks) check_unit(signal, "-", source, model);
  add_force(CoordinateFormula{value}, place, source, model);
  model.contributions.back().signal = signal;
}

Place place_formulas(const LineOrJointFields& fields, const FormulaVector& components, bool has_value, bool for_angle,
                     const model::FieldSource& source, const model::Model& model) {
  const Place place = place_of(fields, source, model);
  const char* given = place.on_joint ? "joint" : place.is_angle ? "about" : "along";
  if (place.has_coordinate() && (!has_value || !components.empty())) {
    fail(source, "value", std::string("with `") + given + "` it needs `value` and no components.",
         "Give `value` alone.");
  }
  if (!place.has_coordinate() && (has_value || components.empty())) {
    fail(source, "x", "between two frames it needs components.",
         std::string("Give `x`, `y` or `z`; `value` belongs to `joint`") +
             (for_angle ? " or `about`." : " or `along`."));
  }
  if (place.has_coordinate() && place.is_angle != for_angle) {
    fail(source, given, for_angle ? "the coordinate is a length." : "the coordinate is an angle.",
         for_angle ? "Use type: force." : "Use type: torque.");
  }
  return place;
}

}  // namespace skyhook::element
