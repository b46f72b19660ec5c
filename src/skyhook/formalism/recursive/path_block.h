// The coordinates of the path between two frames, four at a time: how B moves with each, how the relative velocity
// changes, how a wrench between the frames responds, and the block of the Jacobian that follows (docs/theory/02, (2.12) to
// (2.15)). Everything is in global axes at B's point and carries the side of its coordinate, so that signs are gone.
#pragma once
#include <vector>

#include "skyhook/formalism/recursive/pair.h"
#include "skyhook/math/csc.h"
#include "skyhook/math/lanes.h"

namespace skyhook::formalism::recursive {

// Of the entries of all pairs of `dofs`, column by column: where they stand in their column of the pattern.
std::vector<int> block_slots(const Pattern& pattern, const std::vector<int>& dofs);

class PathBlock {
 public:
  // Rows of coordinates: x, y, z of a vector. A wrench is its moment, then its force.
  enum Row {
    turn = 0,
    shift = 3,     // twist of B
    spin = 6,      // change of angular velocity
    slip = 9,      // and velocity of B relative to A at fixed v
    change = 12,   // response of the wrench: to the coordinate
    carried = 18,  // by being carried along with it
    rate = 24,     // to its velocity
    rows = 30
  };

  void resize(int most) {
    width_ = (most + 3) / 4 * 4 + 4;  // the last four may begin at any coordinate
    values_.assign(static_cast<std::size_t>(rows) * width_, 0.0);
  }
  Vec3<Lanes> load(int row, int k) const {
    const double* const at = values_.data() + row * width_ + k;
    return {Lanes::load(at), Lanes::load(at + width_), Lanes::load(at + 2 * width_)};
  }
  void store(int row, int k, const Vec3<Lanes>& x) {
    double* const at = values_.data() + row * width_ + k;
    x.x.store(at), x.y.store(at + width_), x.z.store(at + 2 * width_);
  }
  Vec3<Lanes> all_of(int row, int k) const {  // coordinate k in all four lanes
    const double* const at = values_.data() + row * width_ + k;
    return {Lanes(at[0]), Lanes(at[width_]), Lanes(at[2 * width_])};
  }

  // Fills turn, shift, spin, slip. `axes`: rows of S and Sd of all coordinates, as TreeDerivatives has them.
  void move(const Pair& pair, const PairMotion& m, const std::vector<NodeState>& x, const double* axes, int width);
  // columns += block of `change` and `carried`, or of `rate`. Without a moment the moments of `change` and `carried` are the
  // same and only the former need be filled in, and `rate` has none.
  void add_position_block(const Pair& pair, const std::vector<int>& slots, bool with_moment,
                          double* const* columns) const;
  void add_velocity_block(const Pair& pair, const std::vector<int>& slots, bool with_moment,
                          double* const* columns) const;

 private:
  int width_ = 0;
  std::vector<double> values_;
};

}  // namespace skyhook::formalism::recursive
