// The rank of the constraints, and which coordinates they determine.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "skyhook/formalism/assembly.h"
#include "skyhook/formalism/characteristic_length.h"
#include "skyhook/formalism/fit_velocities.h"
#include "skyhook/formalism/storage.h"

namespace skyhook::formalism {

struct Rank {
  int rank = 0;                  // of G, at a regular position
  int here = 0;                  // at the given one; less than rank: singular position
  std::vector<int> independent;  // rows that carry the rank, in the order of Equations::rows()
  std::vector<int> redundant;
  double condition = 1;  // of the independent rows in the mass metric
};
// Decided at the assembled state and at two neighbouring assembled ones. Of many rows it is that of their components, in a metric of
// the coordinates alone (constrained_steps.h).
Rank find_rank(const recursive::Equations& eq, const State& state, Storage storage = Storage::by_size);

// Which tangent coordinates the constraints determine from the others: the pivot columns of G with column j divided by
// sqrt(M_jj) and rows of lengths by the characteristic length. Light coordinates that the constraints bear on most become
// dependent. `eq` holds independent rows; rank < eq.ng(): singular position, where the choice is arbitrary in part.
struct Partition {
  std::vector<int> dependent, independent;  // ascending
  int rank = 0;
  double condition = 1;  // largest over smallest pivot: large where the rows nearly depend on each other
};
Partition choose_dependent(const recursive::Equations& eq, const State& state);

}  // namespace skyhook::formalism
