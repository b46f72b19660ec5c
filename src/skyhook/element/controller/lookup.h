// A table of one input, or of two: the second chooses between columns.
#pragma once
#include "skyhook/element/controller_fields.h"

namespace skyhook::element {

struct Lookup : ControllerFields, OutputUnitField {
  model::Output input, schedule;
  model::Rows table;
  std::vector<double> schedule_at;
  std::string interpolation = "linear", beyond;

  static constexpr auto fields = std::tuple_cat(
      ControllerFields::fields,
      describe(
          field(&Lookup::input, "input", "-", any(), "channel or controller, the x of the table").required(),
          field(&Lookup::table, "table", model::any_unit, any(),
                "rows [x, y], x rising; [x, y1, y2, ...] with a schedule")
              .required(),
          field(&Lookup::interpolation, "interpolation", "-", any(), "between the rows; beyond them the last holds")
              .one_of("linear monotone"),
          field(&Lookup::beyond, "beyond", "-", any(),
                "what happens beyond the rows; a run that gets there without it being said warns")
              .one_of("hold refuse"),
          field(&Lookup::schedule, "schedule", "-", any(), "channel or controller that chooses between the columns"),
          field(&Lookup::schedule_at, "schedule_at", model::any_unit, any(),
                "values of the schedule at which the columns hold, rising; linear in between")),
      OutputUnitField::fields);
  static constexpr const char* summary = "table of one channel, perhaps scheduled by another";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
