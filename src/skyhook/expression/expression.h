// Formulas in model files: compiled once, then evaluated on double, Dual, Jet2 or Lanes without allocation.
//
//   2*pi*ride            names of parameters (folded in) and of variables (supplied at evaluation)
//   5[kN/m]*x, 30[deg]   a number with a unit in brackets; everything is SI inside
//   + - * / ^            ^ binds to the right and tighter than a sign: -2^2 is -4
//   < <= > >= == !=      true is 1, false is 0; not chained
//   and or not           everything but 0 is true
//   c ? a : b            both are computed, one is taken
//   crank[i-1].angle     an index is evaluated when the formula is compiled: crank[2].angle
//   pi true false, and the functions of function_table.cpp; their kinks: scalar_functions.h
//   engine(speed)        a table of the caller by its name
//
// Dimensions are checked: + - ?: comparisons, min, max and their like need equal ones (a literal 0 fits all), sin, exp
// and their like need none, sqrt halves, a power of a dimensioned quantity needs a constant exponent.
#pragma once
#include <cassert>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "skyhook/base/error.h"
#include "skyhook/base/units.h"
#include "skyhook/expression/program.h"
#include "skyhook/math/jet2.h"

namespace skyhook::expression {

// A variable that the caller supplies at evaluation.
struct Symbol {
  std::string name;
  Dimension dimension;
};

struct Value {
  double value = 0.0;
  Dimension dimension;
};

// Names that are known when the expression is compiled (parameters, a loop index). nullopt: unknown name.
using Lookup = std::function<std::optional<Value>(const std::string& name)>;
// Tables that are known then. nullptr: unknown name.
using TableLookup = std::function<std::shared_ptr<const Table>(const std::string& name)>;

struct Scope {
  std::vector<Symbol> variables = {};            // win over constants of the same name
  Lookup constants = {};                         // may be empty
  std::vector<std::string> constant_names = {};  // what `constants` knows; only to suggest a name for a misspelt one
  TableLookup tables = {};                       // may be empty
  std::vector<std::string> table_names = {};     // what it knows, likewise
  void offer(const Tables& all);                 // to formulas; they must outlive the scope
  Dimension angle = {};          // of what sin takes and atan2 gives: angles have none, unless somebody marks them
  bool check_dimensions = true;  // false: anything goes and the result is dimensionless
};

class Expression {
 public:
  Expression() = default;  // the constant 0, dimensionless

  // Throws ModelError, its place advanced from `where` (that of the first character) to the offending one: syntax,
  // unknown name, argument count, dimension, and a constant part that is not finite (1/0, sqrt(-1), log(0)).
  static Expression compile(const std::string& text, const Scope& scope, const Location& where);

  // `variables` in the order of Scope::variables.
  template <class T>
  T evaluate(std::span<const T> variables) const {
    assert(static_cast<int>(variables.size()) >= variable_count_);
    return run<T>(program_, variables, tables_);
  }

  const Dimension& dimension() const { return dimension_; }
  const std::string& text() const { return text_; }
  bool is_constant() const { return program_.size() == 1 && program_[0].op == Op::constant; }
  // Always finite. Throws ModelError if the expression depends on a variable.
  double constant() const;
  // Numbers of the variables the value depends on, ascending. Those of a branch never taken do not count.
  std::vector<int> used_variables() const;

 private:
  std::string text_ = "0";
  Location where_;
  Dimension dimension_;
  std::vector<Instruction> program_ = {{Op::constant}};
  Tables tables_;
  int variable_count_ = 0;
  std::vector<std::string> used_names_;  // parallel to used_variables(), for messages
};

// The names an expression uses, each once, in order of appearance, without those of functions, tables and pi; nothing is
// looked up. A name with an index that is not a number appears as written, without spaces, after the names in its index:
// "crank[i - 1].x" gives i and crank[i-1].x. Throws ModelError on syntax errors.
std::vector<std::string> names_in(const std::string& text, const Location& where);

}  // namespace skyhook::expression
