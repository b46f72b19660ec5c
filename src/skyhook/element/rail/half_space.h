// The normal contact of two bodies as elastic half-spaces, of any gap: pressures on a grid of equal cells by conjugate gradients under p >= 0
// [Polonsky and Keer 1999], with Love's influence of a cell [Love 1929]. What Hertz's ellipse is exact for, and what conforming profiles need. It is a
// reference for single positions, not a model for runs: its cost grows with the square of the number of cells.
#pragma once
#include <vector>

#include "skyhook/element/rail/hertz.h"

namespace skyhook::element::rail {

// Cells of dx by dy whose middles are at x0 + i dx, y0 + k dy. The gap of the bodies where they just touch, at [i + k nx], m.
struct GapGrid {
  double x0 = 0, y0 = 0, dx = 0, dy = 0;
  int nx = 0, ny = 0;
  std::vector<double> gap;
  // What pressures on strips below number `divide` and on those from it on do to each other counts by this share: 1, as half-spaces have it, unless the rule of CONTACT for places far apart is asked for.
  int divide = 0;
  double share = 1;
  double between(int k, int m) const { return (k < divide) != (m < divide) ? share : 1.0; }
  double x(int i) const { return x0 + i * dx; }
  double y(int k) const { return y0 + k * dy; }
};

struct HalfSpaceContact {
  std::vector<double> pressure;  // Pa, of the cells
  double approach = 0;           // m
  double largest = 0;            // Pa
  double area = 0;               // m^2
  double x = 0, y = 0;           // centre of the pressures
  double length = 0, width = 0;  // m: of the patch along x and y
  bool touches_edge = false;     // the grid is too small
  bool has_pieces = false;       // there are strips across that do not touch, between some that do
  int iterations = 0;
  bool is_found = false;  // the pressures have settled
};

HalfSpaceContact solve_half_space(const GapGrid& grid, double load, const Elastic& material);

}  // namespace skyhook::element::rail
