// Collects the instructions of an expression while it is parsed, folding constants as they come.
#pragma once
#include <cstddef>
#include <vector>

#include "skyhook/expression/program.h"

namespace skyhook::expression {

// Where in the text something stands: [begin, end).
struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
};

class CodeBuilder {
 public:
  std::size_t mark() const { return items_.size(); }
  void push_constant(double value, Range source) { items_.push_back({{Op::constant, 0, value}, source}); }
  void push_variable(int number, Range source) { items_.push_back({{Op::variable, number, 0.0}, source}); }
  // The operands are what was pushed last. `value` is the exponent of power_constant.
  void apply(Op op, Range source, double value = 0.0) { apply(Instruction{op, 0, value}, source); }
  // Calls a table with what was pushed last.
  void apply_table(std::shared_ptr<const Table> table, Range source);
  // Power with the exponent pushed since `mark`.
  void apply_power(std::size_t exponent, Range source);
  // condition ? a : b, each pushed since its mark. Keeps one branch alone if the condition is constant.
  void apply_select(std::size_t condition, std::size_t a, std::size_t b, Range source);

  bool is_constant_since(std::size_t mark) const { return mark + 1 == items_.size() && is_constant(items_.back()); }
  double last_value() const { return items_.back().instruction.value; }
  void drop_since(std::size_t mark) { items_.resize(mark); }

  int stack_needed() const;
  // The part that made a constant infinite or NaN; nullptr if all are finite.
  const Range* not_finite() const;
  std::vector<Instruction> program() const;
  const Tables& tables() const { return tables_; }  // each once

 private:
  struct Item {
    Instruction instruction;
    Range source;
  };
  static bool is_constant(const Item& item) { return item.instruction.op == Op::constant; }
  void apply(const Instruction& instruction, Range source);
  std::vector<Item> items_;
  Tables tables_;
};

}  // namespace skyhook::expression
