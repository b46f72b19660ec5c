#include "skyhook/expression/code_builder.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace skyhook::expression {

void CodeBuilder::apply(const Instruction& instruction, Range source) {
  const auto n = static_cast<std::size_t>(operand_count(instruction.op));
  const auto operands = items_.end() - static_cast<std::ptrdiff_t>(n);
  if (!std::all_of(operands, items_.end(), is_constant)) {
    items_.push_back({instruction, source});
    return;
  }
  std::array<Instruction, 4> code{};
  // Blame the operand that was not finite first: 2*(1/0) + 1 is about 1/0.
  for (std::size_t i = n; i-- > 0;) {
    code[i] = operands[static_cast<std::ptrdiff_t>(i)].instruction;
    if (!std::isfinite(code[i].value)) source = operands[static_cast<std::ptrdiff_t>(i)].source;
  }
  code[n] = instruction;
  const double folded = run<double>(std::span(code).first(n + 1), {}, tables_);
  items_.erase(operands, items_.end());
  push_constant(folded, source);
}

void CodeBuilder::apply_table(std::shared_ptr<const Table> table, Range source) {
  const auto found = std::ranges::find(tables_, table);
  const auto number = static_cast<int>(found - tables_.begin());
  if (found == tables_.end()) tables_.push_back(std::move(table));
  apply(Instruction{Op::table, number, 0.0}, source);
}

void CodeBuilder::apply_power(std::size_t exponent, Range source) {
  if (!is_constant_since(exponent)) return apply(Op::power, source);
  const double value = last_value();
  drop_since(exponent);
  if (value != 1.0) apply(Op::power_constant, source, value);
}

void CodeBuilder::apply_select(std::size_t condition, std::size_t a, std::size_t b, Range source) {
  const bool decided = a == condition + 1 && is_constant(items_[condition]);
  if (!decided) return apply(Op::select, source);
  const auto at = [&](std::size_t mark) { return items_.begin() + static_cast<std::ptrdiff_t>(mark); };
  const bool take_a = items_[condition].instruction.value != 0.0;
  if (take_a) items_.erase(at(b), items_.end());
  items_.erase(at(condition), take_a ? at(a) : at(b));
}

int CodeBuilder::stack_needed() const {
  int depth = 0, most = 0;
  for (const Item& item : items_) {
    depth += 1 - operand_count(item.instruction.op);
    most = std::max(most, depth);
  }
  return most;
}

const Range* CodeBuilder::not_finite() const {
  for (const Item& item : items_) {
    if (!std::isfinite(item.instruction.value)) return &item.source;
  }
  return nullptr;
}

std::vector<Instruction> CodeBuilder::program() const {
  std::vector<Instruction> code;
  code.reserve(items_.size());
  for (const Item& item : items_) code.push_back(item.instruction);
  return code;
}

}  // namespace skyhook::expression
