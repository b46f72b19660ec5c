#include "skyhook/expression/point.h"

#include <algorithm>

#include "skyhook/expression/parser.h"

namespace skyhook::expression {

Value coordinate_of(const std::string& text, char axis, const Scope& scope, const Location& where) {
  assert(scope.variables.empty());
  Parser parser(text, &scope, where, axis);
  const Dimension dimension = parser.parse();
  return {parser.code().program()[0].value, dimension};
}

bool uses_point(const std::string& text, const std::function<bool(const std::string& name)>& is_point) {
  try {
    return std::ranges::any_of(names_in(text, {}), is_point);
  } catch (const ModelError&) {
    return false;  // told by who reads it
  }
}

}  // namespace skyhook::expression
