#include "skyhook/element/formula_force.h"

#include "skyhook/element/finding.h"

namespace skyhook::element {

Place place_formulas(const LineOrJointFields& fields, const FormulaVector& components, bool has_value, bool for_angle,
                     const model::FieldSource& source, const model::Model& model) {
  const Place place = place_of(fields, source, model);
  if (place.on_joint && (!has_value || !components.empty())) {
    fail(source, "value", "on a joint coordinate it needs `value` and no components.", "Give `value` alone.");
  }
  if (!place.on_joint && (has_value || components.empty())) {
    fail(source, "x", "between two frames it needs components.", "Give `x`, `y` or `z`; `value` belongs to `joint`.");
  }
  if (place.on_joint && place.is_angle != for_angle) {
    fail(source, "joint", for_angle ? "the coordinate is a length." : "the coordinate is an angle.",
         for_angle ? "Use type: force." : "Use type: torque.");
  }
  return place;
}

}  // namespace skyhook::element
