// FASTSIM read from a table: its reduced force over the four numbers that it depends on. docs/theory/17_creep_forces.md (17.22).
//
// The largest of |u_x|, |u_y| and |turn_y| is rho; what is tabulated is F (rho + rho0)/rho, which has a limit at no creep and one at full
// sliding, over the two ratios to the largest one (a cube seen from its middle, so that there is no pole), over rho/(rho + rho0) and over
// ln(b/a). Cubic convolution between the nodes: continuous everywhere, with continuous slopes but at the edges of the cube. Beyond its range of b/a, and where
// there is no creep, the law itself answers.
#pragma once
#include <span>
#include <vector>

#include "skyhook/element/rail/fastsim_nodes.h"

namespace skyhook::element::rail {

class FastsimTable {
 public:
  // What it is exact to, over f N (arms: over f N a and f N b): the largest difference from FASTSIM of the same slices and its root mean square, over
  // creepages and spins of all sizes and directions. Largest where spin is large and about to change what the other creepages do. A test holds it to them.
  static constexpr double largest_error = 0.05, usual_error = 0.003;
  static constexpr double widest = fastsim_nodes::widest;

  explicit FastsimTable(FastsimGrid grid) : law_(grid), own_(fastsim_nodes::evaluated(law_)), values_(own_) {}
  // Of the usual slices.
  FastsimTable() : values_(fastsim_nodes::usual()) {}
  FastsimTable(const FastsimTable&) = delete;
  FastsimTable& operator=(const FastsimTable&) = delete;

  ReducedForce<double> force(const ReducedCreep<double>& u) const;
  ReducedForce<Dual<4>> slopes(const ReducedCreep<double>& u) const;

  std::size_t bytes() const { return values_.size_bytes(); }
  const Fastsim& law() const { return law_; }

 private:
  template <class T>
  ReducedForce<T> interpolated(const ReducedCreep<T>& u) const;

  Fastsim law_;
  std::vector<Lanes> own_;
  std::span<const Lanes> values_;  // x, y, arm_x, arm_y
};

// Of these slices, one for all that ask for it.
std::shared_ptr<const FastsimTable> fastsim_table(FastsimGrid grid);

}  // namespace skyhook::element::rail
