// A damper whose curve stands in a CSV file.
#include <cmath>

#include "run_model.testing.h"

using namespace skyhook;

// References: before the bump nothing moves, since the preloads carry the weights; afterwards the damper is where the rows
// of its file say. The curve is monotone between them: the force lies between those of the rows beside it.
TEST_CASE("Quarter car: the force of the damper is that of its file") {
  const double velocity[] = {-1000, -500, -200, -100, -50, 0, 50, 100, 200, 500, 1000};  // mm/s
  const double force[] = {-1050, -800, -610, -500, -300, 0, 520, 900, 1150, 1500, 2000};
  testing::Wish wish;
  wish.outputs = {"ride.displacement", "ride.displacement_rate", "hop.displacement_rate", "damper.force"};
  testing::Loaded loaded = testing::load("suspension/quarter_car", wish);
  loaded.experiment.solver = "ida";
  const testing::Run run = testing::run(loaded);
  CHECK(run.sink.summary.energy_closure < 1e-4);
  CHECK(std::abs(run.at(90, "ride.displacement")) < 1e-9);  // 0.45 s
  double fastest = 0;
  for (std::size_t i = 0; i < run.sink.time.size(); ++i) {
    const double v = 1e3 * (run.at(i, "ride.displacement_rate") - run.at(i, "hop.displacement_rate"));
    const double f = run.at(i, "damper.force");
    fastest = std::max(fastest, std::abs(v));
    REQUIRE(std::abs(v) < 1000);
    int row = 0;
    while (velocity[row + 1] < v) ++row;
    CAPTURE(v);
    CHECK(f >= force[row] - 1e-6);
    CHECK(f <= force[row + 1] + 1e-6);
  }
  CHECK(fastest > 200);  // behind the knees
}
