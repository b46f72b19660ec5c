// A formula of quantities whose units are known: its value and its unit.
//
// Its dimension follows from those of the quantities; angles have none, but a sum of angles, or their product with a number, is called rad all
// the same, and so is what atan2 and its like give. A unit that all of the quantities have is that of the result, if it has their dimension: a sum of moments is N.m, one of energies J.
#pragma once
#include "skyhook/expression/expression.h"

namespace skyhook::expression {

struct NamedQuantity {
  std::string name, unit;
};

struct QuantityFormula {
  Expression expression;  // of the quantities in their order, then of t
  std::string unit;       // "-" of a plain number
};

// ModelError as Expression::compile. `t` is a variable too, in this unit.
QuantityFormula compile_quantities(const std::string& text, const std::vector<NamedQuantity>& quantities,
                                   const Tables& tables, const Location& where, const std::string& unit_of_t = "s");

}  // namespace skyhook::expression
