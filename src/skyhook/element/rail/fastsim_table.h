// FASTSIM read from a table: its reduced force over the four numbers that it depends on. docs/theory/17_creep_forces.md (17.22).
//
// The largest of |u_x|, |u_y| and |turn_y| is rho; what is tabulated is F (rho + rho0)/rho, which has a limit at no creep and one at full
// sliding, over the two ratios to the largest one (a cube seen from its middle, so that there is no pole), over rho/(rho + rho0) and over
// ln(b/a). Cubic convolution between the nodes: continuous everywhere, with continuous slopes but at the edges of the cube. Beyond its range of b/a, and where
// there is no creep, the law itself answers.
//
// A node is evaluated when a cell beside it is first looked at: a vehicle visits some of them, and all of them take 24 000 evaluations.
#pragma once
#include <array>
#include <atomic>
#include <mutex>
#include <vector>

#include "skyhook/element/rail/fastsim.h"

namespace skyhook::element::rail {

class FastsimTable {
 public:
  // What it is exact to, over f N (arms: over f N a and f N b): the largest difference from FASTSIM of the same slices and its root mean square, over
  // creepages and spins of all sizes and directions. Largest where spin is large and about to change what the other creepages do. A test holds it to them.
  static constexpr double largest_error = 0.05, usual_error = 0.003;
  static constexpr double widest = 5;  // b/a from 1/5 to 5

  explicit FastsimTable(FastsimGrid grid = {});

  ReducedForce<double> force(const ReducedCreep<double>& u) const;
  ReducedForce<Dual<4>> slopes(const ReducedCreep<double>& u) const;

  std::size_t bytes() const { return values_.size() * sizeof(Lanes); }
  const Fastsim& law() const { return law_; }

 private:
  template <class T>
  ReducedForce<T> interpolated(const ReducedCreep<T>& u) const;
  // Of the cell that begins at these nodes, all nodes are known then, whichever thread asks.
  void need(int face, int i, int j, int k, int l) const;
  const Lanes& node(int face, int i, int j, int k, int l) const;
  Lanes evaluated(int face, int i, int j, int k, int l) const;

  Fastsim law_;
  mutable std::mutex filling_;                        // held while the next two change
  mutable std::vector<Lanes> values_;                 // x, y, arm_x, arm_y
  mutable std::vector<char> is_known_;                // of nodes
  mutable std::vector<std::atomic<bool>> is_filled_;  // of cells
};

// Of the usual slices, one for a program.
std::shared_ptr<const FastsimTable> usual_fastsim_table();

}  // namespace skyhook::element::rail
