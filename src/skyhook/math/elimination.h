// What eliminating a sparse matrix fills in.
#pragma once
#include "skyhook/math/csc.h"

namespace skyhook {

// The pattern of a symmetric matrix, and what eliminating it from the last column to the first fills in; the diagonal is there.
Pattern closed_under_elimination(const Pattern& symmetric);

}  // namespace skyhook
