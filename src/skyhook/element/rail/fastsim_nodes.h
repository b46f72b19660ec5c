// The nodes of the table of FASTSIM (fastsim_table.h): where they lie, and what FASTSIM gives there.
//
// Those of the usual slices are evaluated when the program is built (tools/fastsim_nodes.cpp), 1.2 MB of them: evaluating them takes longer than a second of a run.
#pragma once
#include <span>
#include <vector>

#include "skyhook/element/rail/fastsim.h"

namespace skyhook::element::rail::fastsim_nodes {

constexpr double rho0 = 1.5;
constexpr double widest = 5;  // b/a from 1/5 to 5

// Intervals: of a ratio from 0 to 1 (twice as many from -1 to 1), of rho/(rho + rho0), of ln(b/a). A node more at both ends of each axis.
struct Axis {
  double first, per;  // coordinate of node 1; nodes per unit
  int intervals;
  int nodes() const { return intervals + 3; }
  double at(int node) const { return first + (node - 1) / per; }
};
inline constexpr double ln_widest = 1.6094379124341003;
inline constexpr Axis half{0, 5, 5}, full{-1, 5, 10}, radial{0, 10, 10}, wide{-ln_widest, 3 / ln_widest, 6};

constexpr int faces = 3,
              per_face = (half.intervals + 3) * (full.intervals + 3) * (radial.intervals + 3) * (wide.intervals + 3);
// How far neighbours along the first three axes lie apart; along the last one they lie side by side.
constexpr int apart_c = wide.intervals + 3, apart_b = (radial.intervals + 3) * apart_c,
              apart_a = (full.intervals + 3) * apart_b;
inline std::size_t place(int face, int i, int j, int k, int l) {
  return static_cast<std::size_t>(face * per_face + i * apart_a + j * apart_b + k * apart_c + l);
}

// Of each node x, y, arm_x and arm_y.
std::vector<Lanes> evaluated(const Fastsim& law);
std::span<const Lanes> usual();

}  // namespace skyhook::element::rail::fastsim_nodes
