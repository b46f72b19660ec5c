#include "skyhook/expression/expression.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "skyhook/expression/parser.h"

namespace skyhook::expression {

Expression Expression::compile(const std::string& text, const Scope& scope, const Location& where) {
  Parser parser(text, &scope, where);
  Expression result;
  result.dimension_ = parser.parse();
  result.text_ = text;
  result.where_ = where;
  result.program_ = parser.code().program();
  for (const int v : result.used_variables()) {
    result.variable_count_ = v + 1;
    result.used_names_.push_back(scope.variables[static_cast<std::size_t>(v)].name);
  }
  return result;
}

double Expression::constant() const {
  if (is_constant()) return program_[0].value;
  throw ModelError(where_,
                   fmt::format("\"{}\" must be constant, but depends on {}.", text_, fmt::join(used_names_, ", ")),
                   "Only parameters can be used here.");
}

std::vector<int> Expression::used_variables() const {
  std::set<int> used;
  for (const Instruction& i : program_) {
    if (i.op == Op::variable) used.insert(i.variable);
  }
  return {used.begin(), used.end()};
}

std::vector<std::string> names_in(const std::string& text, const Location& where) {
  Parser parser(text, nullptr, where);
  parser.parse();
  return parser.names();
}

}  // namespace skyhook::expression
