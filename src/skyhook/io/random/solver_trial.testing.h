// Grades are claims (simulation/solvers.h): a pair that is recommended or works finds the motion, or the run says that it may not
// have. A trial runs one model with every such pair.
//
// The reference is radau5/ggl at a tolerance that is much tighter, and dopri5/projecting there as well: a model on which these two
// do not agree has no answer to compare with and is skipped. How far an error of one tolerance leads depends on the model: the
// reference runs again from starts that are off by one tolerance, and the largest ratio of the differences that follow
// to it is the growth. A pair is wrong where it errs by more than `allowed` tolerances times the growth and its run has
// finished without a warning.
#pragma once
#include <string>
#include <vector>

namespace skyhook::io::testing {

struct PairResult {
  std::string solver;
  std::string status;  // of the run, or "refused"
  std::string told;    // warnings, reason of a failure
  double error = 0;    // of positions and velocities as analysis::state_error has them
  double ratio = 0;    // error over tolerance and growth
  bool is_wrong = false;
};

struct Trial {
  std::string skipped;  // why there is no reference; empty: there is one
  double growth = 1;
  std::vector<PairResult> pairs;
};

constexpr double allowed = 1000;

// `text` is a model file with an experiment "run". Throws ModelError where it is none.
Trial try_solvers(const std::string& text, double tolerance, const std::vector<std::string>& solvers);

}  // namespace skyhook::io::testing
