// Modes over a parameter: which belong together from point to point, and where one begins to grow.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "skyhook/analysis/modes.h"

namespace skyhook::analysis {

// One mode along the points; -1 where it is not there.
struct Branch {
  std::string name;  // of its first point
  std::vector<int> mode;
};

// Neighbours are joined by their shapes and eigenvalues, the most alike first. Free motions are left out.
std::vector<Branch> follow(const std::vector<Modes>& points);

struct Crossing {
  double value = 0;     // of the parameter, between the last ones without and with it
  double width = 0;     // distance of these
  bool grows = true;    // as the parameter rises
  Mode mode;            // on the side where it grows
  std::string problem;  // why it was not found to the digits asked for
};
// Between two values with different numbers of growing modes, by halving, to `digits` of the value. Pairs of eigenvalues that meet and part
// (flutter without damping) have no sign to follow, so that nothing more clever is done.
Crossing find_crossing(const std::function<Modes(double)>& at, double low, double high, int digits = 9);

}  // namespace skyhook::analysis
