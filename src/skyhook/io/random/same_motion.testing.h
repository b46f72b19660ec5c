// Changes of a model file that must not change the motion: order of lines, other cuts, other axes, `expand`, a template, a mirror
// image, twice the samples, a start from the middle. Compared are the positions of all bodies' points, on radau5/ggl at 1e-9.
//
// Most changes reach the steps of the integrator, by rounding at least. How much that may matter depends on the model: as
// much as ten times the tolerance does. What does not reach them must give the same numbers, bit for bit.
#pragma once
#include <string>
#include <vector>

#include "skyhook/io/random/random_mechanism.testing.h"

namespace skyhook::io::testing {

struct ChangeResult {
  std::string change;
  std::string problem;  // why the changed model did not run; empty: it did
  double difference = 0, allowed = 0;
  bool is_same() const { return problem.empty() && difference <= allowed; }
};

struct Changes {
  std::string skipped;  // why the model itself is no reference; empty: it is
  std::vector<ChangeResult> results;
};

Changes try_changes(const RandomMechanism& mechanism);

}  // namespace skyhook::io::testing
