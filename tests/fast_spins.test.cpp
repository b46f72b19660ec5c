// Round bodies that spin fast in absolute coordinates are told before the run. References: turns by hand; the steps of the same run in the coordinates of joints, where a shaft that turns evenly asks for none.
#include <fmt/format.h>

#include <algorithm>

#include "run_model.testing.h"
#include "skyhook/analysis/start.h"

using namespace skyhook;

namespace {

struct Told {
  std::string what, advice;  // empty: nothing
  double steps;
};
Told told(const std::string& text, double until) {
  const testing::Loaded loaded = testing::load_text(text, {.until = until, .output_step = until});
  const auto prepared = analysis::prepare(loaded.model, loaded.experiment);
  REQUIRE_MESSAGE(prepared.ok(), prepared.problem());
  Told out;
  for (const Warning& w : prepared.warnings) {
    if (w.name == "fast_spin") out.what = w.what, out.advice = w.advice;
  }
  out.steps = static_cast<double>(testing::run(loaded).sink.summary.cost.steps);
  return out;
}

// A shaft in a car that drifts and yaws; both coordinates may be chosen.
std::string car_with_shaft(const std::string& of_car, const std::string& of_shaft, double off = 0) {
  return fmt::format(R"(skyhook: 1
coordinates: absolute
gravity: off
bodies:
  car: {{mass: 1000, inertia: [400, 1500, 1600], at: [0, 0, 0.5]{}}}
  shaft: {{mass: 5, inertia: [0.02, 0.01, 0.02], at: [0, 0.3, 0.5], com: [{}, 0.3, 0.5]{}}}
  box: {{mass: 20, inertia: [1, 1, 1], at: [1, 0, 0.5]}}
joints:
  way: {{type: free, from: ground, to: car, velocity: [10, 0, 0], angular_velocity: [0, 0, 0.1]}}
  bearing: {{type: revolute, from: car, to: shaft, axis: y, rate: 200 rad/s}}
  lid: {{type: revolute, from: car, to: box, axis: z}}
forces:
  hinge: {{type: spring_damper, joint: lid, angular_stiffness: 100, angular_damping: 1}}
experiments: {{run: {{until: 2 s, solver: bdf}}}}
)",
                     of_car, off, of_shaft);
}

}  // namespace

TEST_CASE(
    "Fast spins: a shaft in absolute coordinates is told with its turns, and takes the steps that it is told for") {
  const Told absolute = told(car_with_shaft("", ""), 2);
  CHECK_MESSAGE(absolute.what.find("body \"shaft\" has absolute coordinates and begins with 200 rad/s about the axis "
                                   "of \"bearing\", which makes 63.7 turns in this run.") != std::string::npos,
                absolute.what);
  CHECK_MESSAGE(
      absolute.advice.find("Give it and \"car\", which carries it, `coordinates: joint`") != std::string::npos,
      absolute.advice);
  const Told advised = told(car_with_shaft(", coordinates: joint", ", coordinates: joint"), 2);
  CHECK_MESSAGE(advised.what.empty(), advised.what);
  CHECK(absolute.steps > 10 * 63.7);
  CHECK(advised.steps < absolute.steps / 10);
  // The shaft alone is not enough: its joint to a body with absolute coordinates is a constraint.
  CHECK(!told(car_with_shaft("", ", coordinates: joint"), 2).what.empty());
}

TEST_CASE("Fast spins: few turns, bodies that are not round and coordinates of joints are not told") {
  CHECK(told(car_with_shaft("", ""), 0.6).what.empty());      // 19.1 turns
  CHECK(!told(car_with_shaft("", ""), 0.65).what.empty());    // 20.7
  CHECK(told(car_with_shaft("", "", 0.02), 2).what.empty());  // it shakes its car at each turn, in any coordinates
  std::string joint = car_with_shaft("", "");
  joint.replace(joint.find("coordinates: absolute"), 21, "coordinates: joint");
  CHECK(told(joint, 2).what.empty());
}
