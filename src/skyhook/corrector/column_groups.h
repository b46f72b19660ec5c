// Groups of columns that can share one residual evaluation in a difference Jacobian.
#pragma once
#include <vector>

#include "skyhook/math/csc.h"

namespace skyhook {

// Each inner vector lists the columns of one group.
using ColumnGroups = std::vector<std::vector<int>>;

// Every column alone: the dense Jacobian strategy.
ColumnGroups single_columns(int columns);

// No two columns of a group have an entry in the same row. Greedy, in the order of falling column length
// (Curtis, Powell, Reid 1974, J. Inst. Maths Applics 13; the order is by Coleman, Moré 1983).
ColumnGroups group_columns(const Pattern& pattern);

}  // namespace skyhook
