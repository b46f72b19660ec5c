// GGL keeps positions and velocities on their constraints for as long as one likes.
#include "run_model.testing.h"

using namespace skyhook;

TEST_CASE("A four-bar of 1000 s: neither |g| nor |G v| drifts") {
  constexpr double tolerance = 1e-5;
  // Slow (gravity off, one turn of the crank in about 3 s), so that 1000 s are some 300 turns.
  auto loaded = testing::load("mechanisms/four_bar", {.tolerance = tolerance,
                                                      .until = 1000,
                                                      .output_step = 5,
                                                      .outputs = {"constraints.position", "constraints.velocity"}});
  loaded.model->gravity = {};
  loaded.experiment.solver = "ida";
  for (auto& joint : loaded.model->joints) {
    if (joint.name == "A") joint.velocity = {2.0};
  }
  const auto r = testing::run(loaded);
  double early[2] = {}, late[2] = {};
  const std::size_t n = r.sink.time.size();
  CHECK(n == 201);
  // The last sample is the end of a step as the integrator left it; those between steps are moved onto the constraints.
  CHECK(r.at(n - 1, "constraints.position") < 10 * tolerance);
  CHECK(r.at(n - 1, "constraints.velocity") < 10 * tolerance * 10);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    double* largest = i < n / 2 ? early : late;
    largest[0] = std::max(largest[0], r.at(i, "constraints.position"));
    largest[1] = std::max(largest[1], r.at(i, "constraints.velocity"));
  }
  // Both conditions are equations of each step, solved to a third of the tolerance (IDA's Newton test), and interpolated
  // between steps with an error below it. Drift would make the second half worse than the first by half, at least.
  CHECK(late[0] < 10 * tolerance);
  CHECK(late[1] < 10 * tolerance * 10);  // rates are of order 5 rad/s, some 3 m/s
  CHECK(late[0] < 5 * early[0] + 1e-12);
  CHECK(late[1] < 5 * early[1] + 1e-12);
  CHECK(r.sink.summary.cost.steps > 10000);
  // The choice of rows never had to change, and rank detection is not run again and again: mere integration.
  CHECK(r.sink.events.empty());
}
