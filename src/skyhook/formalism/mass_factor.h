// M = L^T D L of a mass matrix on its own pattern (Featherstone, Rigid Body Dynamics Algorithms, 2008, 6.5). Coordinates
// are numbered outward, so elimination from the last to the first fills nothing in; M^-1 is dense within the parts
// that hang on the ground by themselves, and only there. The same holds of nodal meshes, whose coordinates are numbered along their line; there
// the targets of elimination are looked up, while those of a tree are neighbours.
#pragma once
#include <span>
#include <vector>

#include "skyhook/math/csc.h"

namespace skyhook::formalism {

class MassFactor {
 public:
  struct Part {  // coordinates from first to last - 1
    int first, last;
  };
  explicit MassFactor(const Pattern& mass);
  const std::vector<Part>& parts() const { return parts_; }
  int part_of(int coordinate) const { return part_of_[coordinate]; }

  // In place of the values of M. False: not positive definite.
  bool factor(std::span<double> values) const;
  // x = M^-1 x for the coordinates of one part.
  void solve(std::span<const double> factor, const Part& part, double* x) const;

 private:
  Pattern mass_;
  std::vector<int> diagonal_;  // place of (j, j); those above j stand before it in its column
  std::vector<Part> parts_;
  std::vector<int> part_of_;
  std::vector<int>
      targets_;  // of patterns that are none of a tree: of each entry above a diagonal in turn, where it subtracts from
};

}  // namespace skyhook::formalism
