// Linear systems against simulated runs that start beside their point, by central differences of where these runs end.
#include <doctest/doctest.h>

#include "run_model.testing.h"
#include "skyhook/analysis/linear_flow.testing.h"
#include "skyhook/io/random/random_mechanism.testing.h"

using namespace skyhook;
using analysis::testing::compare_with_flow;
using analysis::testing::flow_start;

// Runs at 1e-12 that are disturbed by 1e-5 or 1e-6 are told apart to 1e-6 of the disturbance at least; 1e-5 of the change of the state is asked
// for. `skyhook_bench linear` has 200 of them. The time is one at which no controller speaks. Every third has a slab that has come to rest on a floor.
TEST_CASE("Linearisation: random models against runs that start beside the state") {
  int compared = 0, with_rows = 0, with_contacts = 0;
  for (unsigned seed = 0; compared < 40; ++seed) {
    CAPTURE(seed);
    const auto loaded =
        testing::load_text(io::testing::text_of(io::testing::random_mechanism(seed, {.rests = seed % 3 == 0})));
    const auto start = flow_start(loaded.model, loaded.experiment, 0.30173 * loaded.experiment.until, loaded.options);
    if (!start) continue;
    const auto found = compare_with_flow(*start, seed, 1);
    if (!found.skipped.empty()) continue;
    CHECK(found.error < 1e-5);
    ++compared, with_rows += found.rows > 0, with_contacts += found.contacts > 0;
  }
  CHECK(with_rows > 15);
  CHECK(with_contacts > 5);
}
