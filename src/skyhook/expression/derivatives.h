// A formula of one variable with its derivatives: those of evaluate() on nested dual numbers but for rounding, at a fraction of the price.
#pragma once
#include <array>

#include "skyhook/expression/expression.h"

namespace skyhook::expression {

// The value and the first N derivatives at x, for N = 2, 3 and 4.
template <int N>
std::array<double, N + 1> derivatives(const Expression& of, double x);

extern template std::array<double, 3> derivatives<2>(const Expression&, double);
extern template std::array<double, 4> derivatives<3>(const Expression&, double);
extern template std::array<double, 5> derivatives<4>(const Expression&, double);

}  // namespace skyhook::expression
