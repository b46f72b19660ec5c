// Coordinates that can be chosen freely under many constraints, and the motion that belongs to each: one while the others stand still.
// Which ones is decided by sparse QR of the columns of G (sparse_rank.h): any other choice of as many would do as well.
#pragma once
#include <optional>
#include <vector>

#include "skyhook/formalism/linearised.h"
#include "skyhook/math/klu.h"

namespace skyhook::formalism {

class FreeMotions {
 public:
  // After lin.evaluate(), of independent rows.
  explicit FreeMotions(const Linearised& lin);
  const std::vector<int>& coordinates() const { return free_; }  // ascending, inner states left out
  // Velocities where the k-th of these is 1; empty: the position is singular.
  Vector motion(int k);

 private:
  std::vector<int> free_;
  int rows_ = 0;
  Csc matrix_;  // G, and a unit row for each free coordinate
  std::optional<Klu> lu_;
  bool ok_ = false;
};

}  // namespace skyhook::formalism
