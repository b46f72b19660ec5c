// Formulas of quantities that have names and units, as channels do: "left.load - right.load".
#pragma once
#include <string>
#include <vector>

#include "skyhook/expression/expression.h"

namespace skyhook::model {

struct NamedUnit {
  std::string name, unit;
};

struct ChannelText {
  const std::string& text;
  const Location& where;
  const expression::Tables& tables;
};

// Of the inputs, then t. Throws ModelError where quantities do not go together.
expression::Expression compile_formula(const ChannelText& formula, const std::vector<NamedUnit>& inputs);

// Its dimension follows from those of the inputs; a unit that all of them have is that of the result, if it has their dimension: a sum of
// moments is N.m, one of energies J. Angles have no dimension, but a sum of them, or their product with a number, is called rad all the same.
std::string unit_of_formula(const ChannelText& formula, const std::vector<NamedUnit>& inputs, const Dimension& own);

}  // namespace skyhook::model
