// A wheel that is a cone.
#pragma once
#include "skyhook/element/profile_kind.h"

namespace skyhook::element {

struct ConicalProfile : ProfileKind {
  double slope = 0.05, width = 0.15;

  static constexpr auto fields =
      std::tuple_cat(describe(field(&ConicalProfile::slope, "slope", "-", between(-1.0, 1.0),
                                    "by how much the radius falls towards the field side, over y: 1/20 is 0.05")
                                  .required(),
                              field(&ConicalProfile::width, "width", "m", between(5e-3, 1.0),
                                    "of the tread; its middle is the tape circle")),
                     ProfileKind::fields);
  static constexpr const char* summary = "a cone: the radius falls evenly towards the field side";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
