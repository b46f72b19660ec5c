// The functions of the expression language: one row each. The compiler, messages and the manual read this table.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "skyhook/expression/program.h"

namespace skyhook::expression {

// What a function asks of the dimensions of its arguments, and what its result has.
enum class DimensionRule {
  none,          // dimensionless arguments and result
  of_angle,      // an angle or a dimensionless number, result dimensionless
  arc,           // a dimensionless argument, result an angle
  arc_of_ratio,  // all arguments alike, result an angle
  keep,          // all arguments alike, result the same
  ratio,         // all arguments alike, result dimensionless
  forget,        // any, result dimensionless
  square_root,   // result to the power 1/2
  power,         // pow(x, p), as x^p
  choice         // if(c, a, b): c dimensionless, a and b alike
};

struct Function {
  std::string_view name;
  std::string_view signature;
  std::string_view help;
  Op op;
  DimensionRule rule;
  int least_arguments;
  int most_arguments;
  // min(a, b, c): `op` takes two and is applied again and again
  constexpr bool is_pairwise() const { return most_arguments > operand_count(op); }
};

std::span<const Function> functions();
const Function* find_function(std::string_view name);  // nullptr: unknown
std::vector<std::string> function_names();

}  // namespace skyhook::expression
