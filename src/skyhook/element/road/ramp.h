// A road that goes up, and leans to a side.
#pragma once
#include "skyhook/element/road_kind.h"

namespace skyhook::element {

struct Ramp : RoadKind {
  double slope = 0, at = 0, rounding = 1, bank = 0;
  std::optional<double> length;

  static constexpr auto fields =
      std::tuple_cat(describe(field(&Ramp::slope, "slope", "-", any(), "rise over length: 0.1 is 10 %").required(),
                              field(&Ramp::at, "at", "m", any(), "x where it begins"),
                              field(&Ramp::length, "length", "m", positive(),
                                    "of the ramp; behind it the road is level; default: for ever"),
                              field(&Ramp::rounding, "rounding", "m", positive(),
                                    "length over which each end is rounded, about its middle"),
                              field(&Ramp::bank, "bank", "-", any(), "rise over width towards y, for all x")),
                     RoadKind::fields);
  static constexpr const char* summary = "a ramp with rounded ends, or a slope without end";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
