// What an equilibrium is worth: whether it is stable, and what may move without resistance. On the motions x that the rows leave,
// G x = 0: eigenvalues of K, symmetrised, against M. A negative one: unstable. Directions with K x = 0: free. Coordinates that
// a given motion holds are left out.
#pragma once
#include <string>
#include <vector>

#include "skyhook/analysis/statics.h"

namespace skyhook::analysis {

struct FreeDirection {
  std::string name;    // "axle.angle", "cart.x with wheel.angle"
  Vector motion;       // of the coordinates; the one that it is called after has 1
  double force = 0;    // along it
  int coordinate = 0;  // velocity coordinate that it is called after
};

struct Judgement {
  bool stable = true;
  bool is_known = true;  // false: it is too large, and has inner states
  std::vector<FreeDirection> free;
};

// Of up to so many coordinates by dense decompositions, beyond by counting signs of pivots and by inverse iteration.
constexpr int most_dense = 700;
enum class Judge { by_size, dense, sparse };
// After statics.differentiate().
Judgement judge(Statics& statics, Judge how = Judge::by_size);

}  // namespace skyhook::analysis
