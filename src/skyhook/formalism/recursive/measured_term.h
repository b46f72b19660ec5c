// A coordinate of a cut joint as a term of a row that is a sum of coordinates: a drive, a coupler, or what sticks.
#pragma once
#include <vector>

#include "skyhook/formalism/recursive/measured_coordinate.h"
#include "skyhook/formalism/recursive/pair.h"

namespace skyhook::formalism::recursive {

struct MeasuredTerm {
  Pair pair;
  MeasuredCoordinate coordinate;
  int joint;
  double ratio;
  int row_all, row = -1;               // among all rows, and among the active ones or -1
  std::vector<int> slots, loop_slots;  // n x n, in the tangent and the loop pattern
  std::vector<int> row_slots;          // n: entry of (row, column j) in the constraint pattern
};

}  // namespace skyhook::formalism::recursive
