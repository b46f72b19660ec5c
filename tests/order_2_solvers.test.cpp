// hht, generalised_alpha and two_loop on random models, with all that the language has. Reference: radau5/ggl at a tolerance a thousand times tighter,
// confirmed by dopri5 (io/random/solver_trial). They are not among usable_solvers(), for tests at tight tolerances would take steps without end.
#include <algorithm>
#include <cmath>
#include <map>

#include "run_model.testing.h"
#include "skyhook/io/random/random_mechanism.testing.h"
#include "skyhook/io/random/solver_trial.testing.h"
#include "skyhook/simulation/solvers.h"

using namespace skyhook;

namespace {

const std::vector<std::string> of_order_2 = simulation::usable_solvers_of_order_2();

}  // namespace

// A pair is wrong where it errs by more than 1000 tolerances times the growth of the model and finishes without a word.
TEST_CASE("Order 2: on 30 random models no solver is wrong without a word") {
  int skipped = 0;
  std::map<std::string, int> finished;
  for (unsigned seed = 1; seed <= 30; ++seed) {
    CAPTURE(seed);
    const auto trial =
        io::testing::try_solvers(text_of(io::testing::random_mechanism(seed)), seed % 2 == 0 ? 1e-4 : 1e-5, of_order_2);
    if (!trial.skipped.empty()) {
      ++skipped;
      continue;
    }
    for (const auto& pair : trial.pairs) {
      finished[pair.solver] += pair.status == "finished";
      CHECK_MESSAGE(!pair.is_wrong,
                    pair.solver << " errs by " << pair.error << ", " << pair.ratio << " tolerances times the growth");
    }
  }
  CHECK(skipped <= 6);
  for (const std::string& solver : of_order_2)
    CHECK_MESSAGE(finished[solver] >= 20, solver << ": " << finished[solver]);
}

TEST_CASE("Order 2: a tolerance means what it means to others, on a suspension with closed loops") {
  const auto end_of = [](const std::string& solver, double tolerance) {
    auto loaded =
        testing::load("suspension/five_link", {.experiment = "low_bump", .tolerance = tolerance, .outputs = {"*"}});
    loaded.experiment.solver = solver;
    return testing::run(loaded).sink.states.back();
  };
  const auto exact = end_of("radau5/ggl", 1e-9);
  for (const std::string& solver : of_order_2) {
    for (const double tolerance : {1e-3, 1e-5}) {
      const auto y = end_of(solver, tolerance);
      double error = 0;
      for (std::size_t i = 0; i < y.size(); ++i) error = std::max(error, std::abs(y[i] - exact[i]));
      CHECK_MESSAGE(error < 20 * tolerance, solver << " at " << tolerance << ": " << error);
    }
  }
}
