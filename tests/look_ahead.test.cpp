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

testing::Loaded with_loads_and_places(const std::string& model, testing::Wish wish) {
  testing::Loaded loaded = testing::load(model, wish);
  loaded.experiment.outputs.clear();
  for (const char* all : {"*.Q", "*lateral"}) loaded.experiment.outputs.push_back({all, all, {}});
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

TEST_CASE(
    "Look ahead: who has met something is in the account of what limited the steps, and the time of looking in that of "
    "the run") {
  const auto r = testing::run(testing::load_text(
      quarter_car(fiala, "b: {type: bump, height: 40 mm, length: 0.6 m, at: 100 m}, main: {type: flat, add: [b]}")));
  const auto& limits = r.sink.summary.limits;
  CHECK(std::ranges::any_of(
      limits, [](const auto& l) { return l.state == "what is met ahead" && l.element == "tyre" && l.steps > 0; }));
  CHECK(r.sink.summary.parts[simulation::Part::looking] > 0);
}

// A slider across the way, hung by 1 Hz, on a carriage that is led along a track without wheels. In the arcs it feels v^2/R = 3.1 m/s^2 for 0.4 s, and swings by 0.1 m.
TEST_CASE("Look ahead: a joint along a track comes to a short change of line behind 40 s of straight") {
  const testing::Loaded loaded = testing::load_text(
      "skyhook: 1\ntracks: {line: {layout: [{type: straight, length: 1000}, {type: line_change, radius: 200, angle: "
      "\"1:20\", turn: left, distance: 2}, {type: straight, length: 1000}]}}\n"
      "bodies: {carriage: {mass: 100, inertia: [1, 1, 1], at: [0, 0, 0]}, weight: {mass: 10, inertia: [1, 1, 1], at: "
      "[0, 0, 0]}}\n"
      "joints: {way: {type: track, track: line, to: carriage, drive: \"=25[m/s]*t\", locked: [lateral, vertical, yaw, "
      "roll, pitch]},\n  across: {type: prismatic, from: carriage, to: weight, axis: y}}\n"
      "forces: {spring: {type: spring_damper, joint: across, stiffness: 395 N/m, damping: 25 N.s/m}}\n"
      "outputs: [across.displacement]\nexperiments: {e: {until: 60 s, output_step: 20 ms, tolerance: 1e-6}}\n");
  for (const char* solver : {"bdf", "radau5", "adams"}) check_same(loaded, 1e-2, 1e-4, solver);
  CHECK(extremes(loaded, "bdf", 1e-2).most > 0.05);
  const auto r = testing::run(loaded);
  CHECK(std::ranges::any_of(r.sink.summary.limits, [](const auto& l) {
    return l.state == "what is met ahead" && l.element == "way" && l.steps > 0;
  }));
}

// How far a run is from one of `radau5` at 1e-6, which is off a run at 1e-9 by 6 N in the root mean square of a load and by 0.02 um. A tolerance of 1e-4 is 0.1 mm of a place: springs and rails bring errors of
// steps back, so that places are not off by more. A wheel is pressed into its rail by half of that, so that of single loads the tolerance says nothing. But they come and go about the right ones. An uneven stretch that
// is leapt over takes 30 ms and some 50 kN: over 4 s that alone is 3 kN in the root mean square. A program that does not look is off by 1.6 kN (metro car), 1.7 and 4.5 kN (coach, `bdf` and `ida`).
struct Errors {
  double place = 0, load = 0;  // m, largest; N, largest root mean square of a wheel
};

testing::Run run_by(testing::Loaded loaded, const std::string& solver, double tolerance) {
  loaded.experiment.solver = solver, loaded.experiment.tolerance = tolerance;
  return testing::run(loaded);
}

Errors errors(const testing::Run& given, const testing::Run& right) {
  const auto &rows = given.sink.channels, &exact = right.sink.channels;
  const auto& channels = given.sink.info.channels;
  Errors out;
  for (std::size_t c = 0; c < channels.size(); ++c) {
    double squares = 0;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const double off = rows[k][c] - exact[k][c];
      squares += off * off;
      if (channels[c].unit == "m") out.place = std::max(out.place, std::abs(off));
    }
    if (channels[c].unit == "N") out.load = std::max(out.load, std::sqrt(squares / static_cast<double>(rows.size())));
  }
  return out;
}

void check_errors(const testing::Loaded& loaded, const std::vector<std::string>& solvers) {
  const testing::Run right = run_by(loaded, "radau5", 1e-6);
  for (const std::string& solver : solvers) {
    const Errors e = errors(run_by(loaded, solver, 1e-4), right);
    MESSAGE(solver, ": places ", 1e6 * e.place, " um, loads ", e.load, " N");
    CHECK(e.place < 1e-4);
    CHECK(e.load < 1.5e3);
  }
}

TEST_CASE("Look ahead: a metro car comes to uneven track at its shipped tolerance") {
  check_errors(with_loads_and_places("rail/gz18", {.experiment = "ride", .until = 2, .output_step = 2e-3}), {"bdf"});
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
      with_loads_and_places("rail/manchester/erri_low", {.experiment = "ride",
                                                         .set = {{"creep", "polach"}, {"speed", "20"}},
                                                         .tolerance = 1e-4,
                                                         .until = 4,
                                                         .output_step = 2e-3});
  check_errors(loaded, {"bdf", "ida", "radau5"});
}
