// Which columns of a large sparse matrix are independent: QR by Givens rotations, row by row (George and Heath, Linear Algebra Appl.
// 34, 1980, 69-83), columns in an order that fills little in (COLAMD). A column whose pivot is small counts as dependent on those
// before it, and what is left of its row goes on (Heath, SIAM J. Sci. Stat. Comput. 3, 1982, 223-237).
//
// |r_jj| is the distance of column j from the span of those kept before it, so that each decision is sound by itself. Columns are not
// exchanged for better ones: of the choices that carry the rank this is not the best conditioned, as with pivot_columns().
#pragma once
#include <vector>

#include "skyhook/math/csc.h"

namespace skyhook {

struct IndependentColumns {
  int rank = 0;
  std::vector<char> independent;  // by column
  double condition = 1;           // largest over smallest pivot of those
};
// `threshold`: of the longest column.
IndependentColumns independent_columns(const Csc& a, double threshold);

}  // namespace skyhook
