#include "skyhook/model/channel_formula.h"

#include <algorithm>

#include "skyhook/expression/lexer.h"

namespace skyhook::model {
namespace {

bool is_of_angle(const std::string& unit) { return unit.starts_with("rad"); }

// Angles have no dimension. To see whether they make a formula an angle they take one that nothing else here has.
constexpr Dimension as_angle = Dimension::of(0, 0, 0, 0, 1);

expression::Expression compiled(const ChannelText& formula, const std::vector<NamedUnit>& inputs, bool with_angles) {
  expression::Scope scope;
  scope.offer(formula.tables);
  for (const NamedUnit& input : inputs) {
    const Dimension own = parse_unit(input.unit).dimension;
    scope.variables.push_back({input.name, with_angles && is_of_angle(input.unit) ? own * as_angle : own});
  }
  scope.variables.push_back({"t", Dimension::of(0, 0, 1)});
  return expression::Expression::compile(formula.text, scope, formula.where);
}

bool uses_pi(const ChannelText& formula) {
  const auto tokens = expression::tokens_of(formula.text, formula.where);
  return std::ranges::any_of(tokens, [](const expression::Token& token) { return token.text == "pi"; });
}

}  // namespace

expression::Expression compile_formula(const ChannelText& formula, const std::vector<NamedUnit>& inputs) {
  return compiled(formula, inputs, false);
}

std::string unit_of_formula(const ChannelText& formula, const std::vector<NamedUnit>& inputs, const Dimension& own) {
  const bool alike = !inputs.empty() && std::ranges::all_of(inputs, [&](const NamedUnit& c) {
    return c.unit == inputs[0].unit && parse_unit(c.unit).dimension == own;
  });
  if (alike && !is_of_angle(inputs[0].unit)) return inputs[0].unit;
  const std::string plain = own.is_dimensionless() ? "-" : to_string(own);
  if (std::ranges::none_of(inputs, [](const NamedUnit& c) { return is_of_angle(c.unit); })) return plain;
  // Where it converts by itself, as angle*180/pi does, nobody knows into what.
  if (formula.text.find("[deg") != std::string::npos || uses_pi(formula)) return plain;
  try {
    if (compiled(formula, inputs, true).dimension() != own * as_angle) return plain;
  } catch (const ModelError&) {
    return plain;  // a sine of it, a sum of a number and an angle
  }
  return own.is_dimensionless() ? "rad" : plain.starts_with("1/") ? "rad" + plain.substr(1) : plain;
}

}  // namespace skyhook::model
