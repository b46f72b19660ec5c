// What a comparison says: which solver reaches a given error with the least time.
#pragma once
#include <optional>

#include "skyhook/analysis/compare.h"

namespace skyhook::analysis {

enum class Reach {
  interpolated,  // between two tolerances, straight in logarithms of error, time and evaluations
  at_most,       // its loosest run is better already: what that run cost
  not_for_sure,  // a run is as exact as that, but a tighter one is not: it was luck
  not_reached
};

struct SolverVerdict {
  std::string solver;
  Reach reach = Reach::not_reached;
  double seconds = 0, evaluations = 0;  // to the error; NaN if it is not reached
  double ratio = 0;                     // seconds over those of the fastest
  double best_error = 0;                // of positions, not below what the reference can tell; NaN if no run finished
  double slope = 0;                     // the error falls as tolerance^slope; NaN if fewer than two errors tell
  bool reaches() const { return reach < Reach::not_for_sure; }
};

struct Verdict {
  double error = 0;                    // of positions
  bool beyond_reference = false;       // the reference is not exact enough to tell such an error
  std::vector<SolverVerdict> solvers;  // fastest first, those that do not reach the error last
};

// `error`: default is the power of ten that the runs of most solvers enclose and that the reference can tell; of several
// the nearest to 1e-5.
Verdict judge(const Comparison& comparison, std::optional<double> error = {});

// Who is fastest to the error, and by what ratio.
std::string sentence(const Verdict& verdict);

}  // namespace skyhook::analysis
