// Cooperrider's bogie. References: its weight; the linear critical speed against runs that are disturbed a little below and above it.
#include <cmath>

#include "run_model.testing.h"

using namespace skyhook;

namespace {

// Half the range of the front wheelset's lateral motion within [from, to] s.
double amplitude(const testing::Run& r, double from, double to) {
  double low = 1e9, high = -1e9;
  for (std::size_t k = 0; k < r.sink.time.size(); ++k) {
    if (r.sink.time[k] < from || r.sink.time[k] > to) continue;
    low = std::min(low, r.at(k, "y")), high = std::max(high, r.at(k, "y"));
  }
  return 0.5 * (high - low);
}

testing::Run kicked(const char* speed, const char* contact, const char* by, double until) {
  return testing::run("rail/cooperrider", {.experiment = "kick",
                                           .set = {{"speed", speed}, {"contact", contact}, {"lateral", by}},
                                           .tolerance = 1e-6,
                                           .until = until});
}

}  // namespace

// `skyhook critical-speed models/rail/cooperrider.yaml run --sweep "speed=20..70/11 m/s" --output y --linear --start --set contact=hertz --set rolling="0.424875 m"` says 48.2 m/s, 4.13 Hz.
TEST_CASE("Cooperrider bogie: a small disturbance decays below the linear critical speed and grows above it") {
  const auto below = kicked("43 m/s", "hertz", "0.01 mm", 3), above = kicked("50 m/s", "hertz", "0.01 mm", 3);
  CHECK(amplitude(below, 2.5, 3) < 0.8 * amplitude(below, 1, 1.5));
  CHECK(amplitude(above, 2.5, 3) > 1.15 * amplitude(above, 1, 1.5));
}

TEST_CASE("Cooperrider bogie: at 50 m/s it hunts from flange to flange after a kick of 5 mm") {
  const auto r = kicked("50 m/s", "multi_hertz", "5 mm", 2);
  CHECK(amplitude(r, 1.5, 2) == doctest::Approx(5.65e-3).epsilon(0.03));  // as after 12 s
}
