#include "skyhook/expression/function_table.h"

#include <algorithm>
#include <limits>

namespace skyhook::expression {
namespace {

using enum DimensionRule;
constexpr int any_number = std::numeric_limits<int>::max();

constexpr Function table[] = {
    {"sin", "sin(x)", "sine", Op::sin, of_angle, 1, 1},
    {"cos", "cos(x)", "cosine", Op::cos, of_angle, 1, 1},
    {"tan", "tan(x)", "tangent", Op::tan, of_angle, 1, 1},
    {"asin", "asin(x)", "arc sine", Op::asin, arc, 1, 1},
    {"acos", "acos(x)", "arc cosine", Op::acos, arc, 1, 1},
    {"atan", "atan(x)", "arc tangent", Op::atan, arc, 1, 1},
    {"atan2", "atan2(y, x)", "angle of the point x, y", Op::atan2, arc_of_ratio, 2, 2},
    {"sinh", "sinh(x)", "hyperbolic sine", Op::sinh, none, 1, 1},
    {"cosh", "cosh(x)", "hyperbolic cosine", Op::cosh, none, 1, 1},
    {"tanh", "tanh(x)", "hyperbolic tangent", Op::tanh, none, 1, 1},
    {"sqrt", "sqrt(x)", "square root", Op::sqrt, square_root, 1, 1},
    {"exp", "exp(x)", "exponential", Op::exp, none, 1, 1},
    {"log", "log(x)", "natural logarithm", Op::log, none, 1, 1},
    {"log10", "log10(x)", "decimal logarithm", Op::log10, none, 1, 1},
    {"pow", "pow(x, p)", "x^p", Op::power, DimensionRule::power, 2, 2},
    {"abs", "abs(x)", "magnitude", Op::abs, keep, 1, 1},
    {"sign", "sign(x)", "-1, 0 or 1", Op::sign, forget, 1, 1},
    {"min", "min(a, b, ...)", "smallest", Op::minimum, keep, 2, any_number},
    {"max", "max(a, b, ...)", "largest", Op::maximum, keep, 2, any_number},
    {"clamp", "clamp(x, low, high)", "x kept between low and high", Op::clamp, keep, 3, 3},
    {"hypot", "hypot(x, y)", "sqrt(x^2 + y^2)", Op::hypot, keep, 2, 2},
    {"floor", "floor(x)", "next whole number below", Op::floor, none, 1, 1},
    {"ceil", "ceil(x)", "next whole number above", Op::ceil, none, 1, 1},
    {"round", "round(x)", "nearest whole number, halves away from 0", Op::round, none, 1, 1},
    {"mod", "mod(a, b)", "a - b*floor(a/b), which has the sign of b", Op::modulo, keep, 2, 2},
    {"step", "step(x)", "0 for x < 0, else 1", Op::step, forget, 1, 1},
    {"ramp", "ramp(x, x0, x1)", "0 up to x0, 1 from x1 on, twice continuously differentiable", Op::ramp, ratio, 3, 3},
    {"if", "if(c, a, b)", "a where c is not 0, else b", Op::select, choice, 3, 3},
};

}  // namespace

std::span<const Function> functions() { return table; }

const Function* find_function(std::string_view name) {
  const auto found = std::ranges::find(table, name, &Function::name);
  return found == std::end(table) ? nullptr : found;
}

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const Function& f : table) names.emplace_back(f.name);
  return names;
}

}  // namespace skyhook::expression
