// Heights on a grid along a line, as OpenCRG files have them: u along the reference line, v to its left.
#pragma once
#include <string>
#include <vector>

namespace skyhook::model {

struct RoadGrid {
  // Beyond the grid: nothing is said (the last height holds, and a run that gets there warns), height 0, the last height holds, the other
  // end follows one step behind the last row, the way back.
  enum class Border { none, zero, keep, repeat, reflect };

  std::string file;
  double u_first = 0, u_step = 1;
  std::vector<double> v;  // rising, at least two
  std::vector<double> z;  // by u, then v; slope, banking and offset of the reference line included
  // Reference line: where it begins, and the heading of each piece between two u. No headings: straight on.
  double x = 0, y = 0, heading = 0;
  std::vector<double> headings;
  Border border_u = Border::none, border_v = Border::none;

  std::size_t rows() const { return z.size() / v.size(); }
  double at(std::size_t row, std::size_t column) const { return z[row * v.size() + column]; }
};

}  // namespace skyhook::model
