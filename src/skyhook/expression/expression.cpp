#include "skyhook/expression/expression.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "skyhook/expression/parser.h"

namespace skyhook::expression {

void Scope::offer(const Tables& all) {
  for (const auto& table : all) table_names.push_back(table->name);
  tables = [&all](const std::string& name) { return find_table(all, name); };
}

std::shared_ptr<const Table> find_table(const Tables& all, const std::string& name) {
  const auto found = std::ranges::find_if(all, [&](const auto& table) { return table->name == name; });
  return found == all.end() ? nullptr : *found;
}

Expression Expression::compile(const std::string& text, const Scope& scope, const Location& where) {
  Parser parser(text, &scope, where);
  Expression result;
  result.dimension_ = parser.parse();
  result.text_ = text;
  result.where_ = where;
  result.program_ = parser.code().program();
  result.tables_ = parser.code().tables();
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
