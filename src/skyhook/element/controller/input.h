// A signal from outside: a program that leads the run sets it.
#pragma once
#include "skyhook/element/controller_fields.h"

namespace skyhook::element {

struct Input : OutputUnitField {
  double value = 0;

  static constexpr auto fields =
      std::tuple_cat(OutputUnitField::fields, describe(field(&Input::value, "value", model::any_unit, any(),
                                                             "what it holds until it is set; SI or with a unit")));
  static constexpr const char* summary = "a signal from outside: holds its value until a program sets it";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
