// How far apart looks along a way may be to show all that is there: an eighth of the shortest wave, half of the way between rows of a table.
#pragma once
#include "skyhook/model/surface.h"

namespace skyhook::model {

// Beside a relief that knows.
struct Grained {
  virtual ~Grained() = default;
  virtual double grain() const = 0;  // m
};

double grain_of(const Relief& relief);
// Of a formula nobody knows: then what is said.
inline constexpr double grain_of_formulas = 0.05;  // m
double grain_of(const Curve& curve, double of_formula = grain_of_formulas);
// Of all that depends on the place; infinite: nothing does, but stairs, where steps end anyway.
double grain_of(const Surface& surface);

}  // namespace skyhook::model
