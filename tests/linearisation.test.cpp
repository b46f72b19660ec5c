// Linearisation of random mechanisms against differences of their motion.
#include "skyhook/analysis/linearisation.h"

#include <doctest/doctest.h>

#include <cmath>
#include <optional>

#include "run_model.testing.h"
#include "skyhook/analysis/linear_motion.testing.h"
#include "skyhook/io/random/random_mechanism.testing.h"
#include "skyhook/simulation/simulation.h"

using namespace skyhook;

namespace {

// What a mechanism has in motion: closed contacts, modes of laws, and all that controllers hold.
struct Instant {
  simulation::Prepared prepared;
  analysis::OperatingPoint at;
};
std::optional<Instant> instant_of(unsigned seed) {
  const auto loaded = testing::load_text(io::testing::text_of(io::testing::random_mechanism(seed)));
  const auto prepared = simulation::prepare(loaded.model, loaded.experiment);
  if (!prepared.ok()) return {};
  simulation::Simulation run(prepared, loaded.experiment, loaded.options);
  if (!run.advance(0.3 * loaded.experiment.until)) return {};
  const formalism::State state = run.state();
  Instant out{run.prepared(), {}};
  std::string problem;
  const auto at = analysis::in_motion(*out.prepared.active, state, problem);
  if (!at) return {};
  out.at = *at;
  return out;
}

double difference(const DenseMatrix& a, const DenseMatrix& b) {
  double most = 1, worst = 0;
  for (std::size_t k = 0; k < a.value.size(); ++k)
    most = std::max(most, std::abs(a.value[k])), worst = std::max(worst, std::abs(a.value[k] - b.value[k]));
  return worst / most;
}

}  // namespace

TEST_CASE("Linearisation: random models in motion, against differences of that motion and by two routes") {
  int compared = 0, with_rows = 0;
  for (unsigned seed = 0; compared < 200; ++seed) {
    CAPTURE(seed);
    const auto instant = instant_of(seed);
    if (!instant) continue;
    const auto& [prepared, at] = *instant;
    const auto exact = analysis::linearise(prepared, at);
    REQUIRE_MESSAGE(exact.problem.empty(), exact.problem);
    // Dry friction made smooth bends within 1e-3 m/s: there the shorter differences are right, elsewhere the longer ones.
    double error = 1;
    for (const double size : {2e-5, 1e-6})
      error = std::min(error, analysis::testing::compare_with_motion(*prepared.active, at, exact, size).error);
    CHECK(error < 1e-7);
    CHECK(difference(exact.A, analysis::linearise(prepared, at, {.differences = true}).A) < 1e-6);
    ++compared, with_rows += prepared.active->ng() > 0;
  }
  CHECK(with_rows > 100);
}
