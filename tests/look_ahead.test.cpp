// What vehicles meet on their way after a quiet stretch, where steps have grown long: none is leapt over. Reference: the same run with steps that are too short for that.
// What is leapt over is missed wholly, so that bounds of some per cent of what it does tell.
#include <algorithm>
#include <cmath>

#include "program.testing.h"
#include "run_model.testing.h"

using namespace skyhook;

namespace {

struct Extremes {
  double least = 1e300, most = -1e300;
  long steps = 0;
};

Extremes extremes(testing::Loaded loaded, const std::string& solver, double largest_step) {
  loaded.experiment.solver = solver, loaded.experiment.largest_step = largest_step;
  const auto r = testing::run(loaded);
  Extremes out;
  out.steps = r.sink.summary.cost.steps;
  for (const auto& row : r.sink.channels) {
    const auto [least, most] = std::ranges::minmax(row);
    out.least = std::min(out.least, least), out.most = std::max(out.most, most);
  }
  return out;
}

void check_same(const testing::Loaded& loaded, double largest_step, double tolerance, const std::string& solver) {
  CAPTURE(solver);
  const Extremes free = extremes(loaded, solver, 0), bound = extremes(loaded, "bdf", largest_step);
  CHECK(std::abs(free.least - bound.least) < tolerance);
  CHECK(std::abs(free.most - bound.most) < tolerance);
}

// A quarter of a car at 25 m/s, which stands on its tyre.
std::string quarter_car(const std::string& tyre, const std::string& roads, const std::string& speed = "25 m/s") {
  return "skyhook: 1\nroads: {" + roads +
         "}\nbodies: {slide: {mass: 100, at: [0, 0, 0.3]}, body: {mass: 300, at: [0, 0, 0.8]}, hub: {mass: 30, "
         "inertia: [1, 1, 1], at: [0, 0, 0.3]}}\n"
         "joints: {ahead: {type: prismatic, from: ground, to: slide, axis: x, rate: " +
         speed +
         "}, heave: {type: prismatic, from: slide, to: body, axis: z},\n"
         "  guide: {type: prismatic, from: slide, to: hub, axis: z}}\n"
         "forces: {spring: {type: spring_damper, from: hub, to: body, stiffness: 20 kN/m, damping: 1.5 kN.s/m, "
         "preload: -2941.995 N},\n"
         "  tyre: {road: main, to: hub, stiffness: 200 kN/m, damping: 100 N.s/m, " +
         tyre +
         "}}\noutputs: [tyre.deflection]\n"
         "experiments: {e: {until: 6 s, output_step: 2 ms, tolerance: 1e-6}}\n";
}
const std::string vertical = "type: tyre_vertical, radius: 0.31618",
                  fiala =
                      "type: tyre_fiala, spin: free, radius: 0.31618, slip_stiffness: 80 kN, cornering_stiffness: 55 "
                      "kN/rad, friction: 0.95, relaxation_y: 0.4 m",
                  linear =
                      "type: tyre_linear, spin: free, radius: 0.31618, cornering_stiffness: 55 kN/rad, friction: 1";

testing::Loaded with_all_loads(const std::string& model, testing::Wish wish) {
  testing::Loaded loaded = testing::load(model, wish);
  loaded.experiment.outputs.clear();
  loaded.experiment.outputs.push_back({"*.Q", "*.Q", {}});
  return loaded;
}

}  // namespace

// 40 mm, of which the tyre gives way by some 30: a tenth of a millimetre is a third of a per cent.
TEST_CASE("Look ahead: a tyre meets a short bump behind 100 m of even road") {
  const std::string bump = "b: {type: bump, height: 40 mm, length: 0.6 m, at: 100 m}, main: {type: flat, add: [b]}";
  for (const std::string& tyre : {vertical, fiala, linear}) {
    CAPTURE(tyre);
    const testing::Loaded loaded = testing::load_text(quarter_car(tyre, bump));
    for (const char* solver : {"bdf", "ida", "radau5"}) check_same(loaded, 1e-3, 1e-4, solver);
    CHECK(extremes(loaded, "bdf", 1e-3).least < -1e-3);  // it lifts off
  }
}

TEST_CASE("Look ahead: every kind of road is met") {
  for (const char* road : {"main: {type: stair, at: [100 m, 100.4 m], height: [30 mm, -30 mm], rounding: 0.1 m}",
                           "main: {type: surface, height: \"=30[mm]*exp(-((x - 100[m])/0.2[m])^2)\"}",
                           "main: {type: profile, interpolation: linear, height: [[0 m, 0 m], [100 m, 0 m], [100.2 m, "
                           "30 mm], [100.4 m, 0 m], [200 m, 0 m]]}",
                           "main: {type: sine, amplitude: 10 mm, wavelength: 0.6 m, at: 100 m, length: 2.4 m}"}) {
    CAPTURE(road);
    check_same(testing::load_text(quarter_car(fiala, road)), 1e-3, 2e-4, "bdf");
  }
}

TEST_CASE("Look ahead: a post that lifts a wheel which stands for some milliseconds, or a belt with a bump below it") {
  const std::string lifted =
      "main: {type: flat, lift: \"=t > 3.513[s] and t < 3.523[s] ? 20[mm]*sin(pi*(t - 3.513[s])/10[ms])^2 : 0[m]\"}";
  check_same(testing::load_text(quarter_car(fiala, lifted, "0 m/s")), 1e-3, 2e-4, "bdf");
  const std::string belt = "b: {type: bump, height: 40 mm, length: 0.6 m, at: 100 m}, main: {type: flat, add: [b]}";
  check_same(testing::load_text(quarter_car(fiala + ", speed: 25 m/s", belt, "0 m/s")), 1e-3, 1e-4, "bdf");
}

// The first step may be shorter, as nobody knows yet how long it would be.
TEST_CASE("Look ahead: where there is nothing, steps are as many as on a road that says so") {
  const long none = extremes(testing::load_text(quarter_car(fiala, "main: {type: flat}")), "bdf", 0).steps;
  const long far =
      extremes(testing::load_text(quarter_car(
                   fiala, "b: {type: bump, height: 40 mm, length: 0.6 m, at: 10 km}, main: {type: flat, add: [b]}")),
               "bdf", 0)
          .steps;
  CHECK(far >= none);
  CHECK(far <= none + 10);
}

TEST_CASE("Look ahead: who has met something is in the account of what limited the steps") {
  const auto r = testing::run(testing::load_text(
      quarter_car(fiala, "b: {type: bump, height: 40 mm, length: 0.6 m, at: 100 m}, main: {type: flat, add: [b]}")));
  const auto& limits = r.sink.summary.limits;
  CHECK(std::ranges::any_of(
      limits, [](const auto& l) { return l.state == "what is met ahead" && l.element == "tyre" && l.steps > 0; }));
}

// A tolerance of 1e-4 is 0.1 mm of a position, and a wheel is pressed into its rail by half of that: last digits move single peaks of its load by some 10 kN. Leapt over are 68 kN
// (of the coach 55), and a wheel that lands has more than 230 kN.
constexpr double of_loose_tolerance = 20e3;  // N

TEST_CASE("Look ahead: a metro car comes to uneven track at its shipped tolerance") {
  const testing::Loaded loaded = with_all_loads("rail/gz18", {.experiment = "ride", .until = 2, .output_step = 5e-3});
  check_same(loaded, 5e-3, of_loose_tolerance, "bdf");
}

// With the default tolerance of 1e-6 a load is right to 0.5 kN.
TEST_CASE("Look ahead: a coach comes to a single defect behind 8 s of even track") {
  const testing::Place at("defect");
  at.write("defect.yaml",
           "skyhook: 1\ninclude: " SKYHOOK_SOURCE_DIR
           "/models/rail/manchester/vehicle.yaml\nparameters: {speed: 40 m/s, creep: {text: polach}}\n"
           "tracks: {line: {rail: uic60, inclination: \"1:40\", irregularities: {level: \"=-5[mm]*exp(-((s - "
           "320[m])/1[m])^2)\", begin: -100 m, fade: 1 m}}}\nuse: {coach: {template: manchester, x: 0 m}}\n"
           "outputs: [\"*.Q\"]\nexperiments: {run: {until: 10 s, output_step: 2 ms}}\n");
  const testing::Loaded loaded = testing::load_again({}, [&](const auto& set, const std::string& experiment) {
    return io::read_model((at.path / "defect.yaml").string(), set, experiment);
  });
  for (const char* solver : {"bdf", "ida"}) check_same(loaded, 5e-3, 500, solver);
}

TEST_CASE("Look ahead: a slow coach comes to uneven track, with a loose tolerance") {
  const testing::Loaded loaded =
      with_all_loads("rail/manchester/erri_low", {.experiment = "ride",
                                                  .set = {{"creep", "polach"}, {"speed", "20"}},
                                                  .tolerance = 1e-4,
                                                  .until = 4,
                                                  .output_step = 5e-3});
  for (const char* solver : {"bdf", "ida", "radau5"}) check_same(loaded, 5e-3, of_loose_tolerance, solver);
}
