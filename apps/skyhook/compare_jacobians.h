// A comparison of Jacobian strategies as in the tables of [Arnold 2006] §4: what each costs, and in percent of dense
// differences.
#pragma once
#include "compare_output.h"

namespace skyhook::app {

Table jacobian_table(const analysis::Comparison& comparison, Columns columns);
// Strategies that do not fit, and why; without rows if all do.
Table left_out_table(const analysis::Comparison& comparison);

std::string jacobians_to_text(const Compared& what);
std::string jacobians_to_json(const Compared& what);

}  // namespace skyhook::app
