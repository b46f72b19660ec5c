#include "skyhook/expression/quantity_formula.h"

#include <algorithm>
#include <optional>

#include "skyhook/expression/lexer.h"

namespace skyhook::expression {
namespace {

bool is_of_angle(const NamedQuantity& q) { return q.unit.starts_with("rad"); }

// Angles have no dimension. To see whether they make a formula an angle they take one that nothing else here has.
constexpr Dimension as_angle = Dimension::of(0, 0, 0, 0, 1);
enum class Angles { plain, marked, marked_where_made };  // the last: what atan2 and its like give, quantities not

struct Compiler {
  const std::string& text;
  const std::vector<NamedQuantity>& quantities;
  const Tables& tables;
  const Location& where;
  const std::string& unit_of_t;

  bool uses_pi() const {  // and not only in a name, as pitch
    const auto tokens = tokens_of(text, where);
    return std::ranges::any_of(tokens, [](const Token& token) { return token.text == "pi"; });
  }
  Expression compiled(Angles angles) const {
    Scope scope;
    scope.offer(tables);
    if (angles != Angles::plain) scope.angle = as_angle;
    for (const NamedQuantity& q : quantities) {
      const Dimension own = parse_unit(q.unit).dimension;
      scope.variables.push_back({q.name, angles == Angles::marked && is_of_angle(q) ? own * as_angle : own});
    }
    scope.variables.push_back({"t", parse_unit(unit_of_t).dimension});
    return Expression::compile(text, scope, where);
  }

  // Nothing where marked angles do not fit: a hyperbolic sine of one, a sum of a number and an angle; also a length times an angular
  // velocity, which is a velocity as others are.
  std::optional<bool> is_angle(const Dimension& own, Angles angles) const {
    try {
      return compiled(angles).dimension() == own * as_angle;
    } catch (const ModelError&) {
      return {};
    }
  }

  std::string unit_of(const Dimension& own) const {
    const bool alike = !quantities.empty() && std::ranges::all_of(quantities, [&](const NamedQuantity& q) {
      return q.unit == quantities[0].unit && parse_unit(q.unit).dimension == own;
    });
    if (alike && !is_of_angle(quantities[0])) return quantities[0].unit;
    const std::string plain = own.is_dimensionless() ? "-" : to_string(own);
    // Where it converts by itself, as angle*180/pi does, nobody knows into what.
    if (text.find("[deg") != std::string::npos || uses_pi()) return plain;
    std::optional<bool> found = is_angle(own, Angles::marked);
    if (!found) found = is_angle(own, Angles::marked_where_made);
    if (!found.value_or(false)) return plain;
    return own.is_dimensionless() ? "rad" : plain.starts_with("1/") ? "rad" + plain.substr(1) : plain;
  }
};

}  // namespace

QuantityFormula compile_quantities(const std::string& text, const std::vector<NamedQuantity>& quantities,
                                   const Tables& tables, const Location& where, const std::string& unit_of_t) {
  const Compiler compiler{text, quantities, tables, where, unit_of_t};
  QuantityFormula out{compiler.compiled(Angles::plain), {}};
  out.unit = compiler.unit_of(out.expression.dimension());
  return out;
}

}  // namespace skyhook::expression
