// The wrenches of force elements that a result holds: force and moment on `to` at its point, in global axes.
// References: by hand, at the start of the run.
#include <cmath>

#include "run_model.testing.h"

using namespace skyhook;

namespace {

struct ForceSink : simulation::MemorySink {
  std::vector<std::vector<double>> forces;
  std::vector<std::vector<double>> poses;
  void sample(const simulation::Sample& s) override {
    simulation::MemorySink::sample(s);
    forces.emplace_back(s.forces.begin(), s.forces.end());
    poses.emplace_back(s.poses.begin(), s.poses.end());
  }
};

ForceSink run(const std::string& text) {
  const testing::Loaded loaded = testing::load_text(text);
  const simulation::Prepared prepared = simulation::prepare(loaded.model, loaded.experiment);
  REQUIRE_MESSAGE(prepared.ok(), prepared.problem());
  ForceSink sink;
  simulation::simulate(prepared, loaded.experiment, sink);
  REQUIRE(sink.summary.status == simulation::RunStatus::finished);
  return sink;
}

void check_wrench(const ForceSink& sink, std::size_t element, const std::vector<double>& expected) {
  REQUIRE(sink.forces.at(0).size() >= 6 * element + 6);
  for (std::size_t i = 0; i < 6; ++i) {
    CAPTURE(element);
    CAPTURE(i);
    CHECK(sink.forces[0][6 * element + i] == doctest::Approx(expected[i]).scale(1).epsilon(1e-12));
  }
}

const char* experiment = "experiments: {go: {until: 0.01 s, output_step: 0.01 s}}\n";

}  // namespace

// A spring of 100 N/m and 1 m free length, stretched to 5 m along (0, 3, 4)/5: 400 N pull `to` back, 240 N and 320 N.
TEST_CASE("Recorded forces: a spring between two turned bodies pulls `to` in global axes") {
  const std::string model =
      std::string(
          "skyhook: 1\ngravity: off\nbodies:\n"
          "  a: {mass: 1, inertia: [1, 1, 1], orientation: {cardan: [0.3, 0.2, 0.1]}}\n"
          "  b: {mass: 1, inertia: [1, 1, 1], at: [0, 3, 4], orientation: {cardan: [-1, 0.5, 2]}}\n"
          "joints:\n  ja: {type: free, from: ground, to: a}\n  jb: {type: free, from: ground, to: b}\n"
          "forces:\n  s: {type: spring_damper, from: a, to: b, stiffness: 100 N/m, free_length: 1 m}\n"
          "  back: {type: spring_damper, from: b, to: a, stiffness: 100 N/m, free_length: 1 m}\n") +
      experiment;
  const ForceSink sink = run(model);
  CHECK(sink.info.forces == std::vector<std::string>{"s", "back"});
  check_wrench(sink, 0, {0, -240, -320, 0, 0, 0});
  check_wrench(sink, 1, {0, 240, 320, 0, 0, 0});
}

// k = 2 N.m/rad, turned by 0.5 rad against its rest: 1 N.m back, about the axis; that of the second joint is carried by
// a body that the first joint has turned by 90 deg about z, so that its x axis points along y.
TEST_CASE("Recorded forces: a torsional spring gives a moment about the axis as it stands") {
  const std::string model =
      std::string(
          "skyhook: 1\ngravity: off\nbodies:\n  a: {mass: 1, inertia: [1, 1, 1]}\n  b: {mass: 1, inertia: [1, 1, 1]}\n"
          "joints:\n  first: {type: revolute, from: ground, to: a, axis: z, angle: 90 deg}\n"
          "  second: {type: revolute, from: a, to: b, axis: x, angle: 0.5}\n"
          "forces:\n  s: {type: torque, joint: second, value: \"=-2[N.m]*q\"}\n"
          "  push: {type: torque, joint: first, value: 3 N.m}\n") +
      experiment;
  const ForceSink sink = run(model);
  check_wrench(sink, 0, {0, 0, 0, 0, -1, 0});
  check_wrench(sink, 1, {0, 0, 0, 0, 0, 3});
}

TEST_CASE("Recorded forces: along a slide it is a force; of a joint with more coordinates none is told") {
  const std::string model =
      std::string(
          "skyhook: 1\ngravity: off\nbodies:\n  a: {mass: 1, inertia: [1, 1, 1]}\n  b: {mass: 1, inertia: [1, 1, 1]}\n"
          "joints:\n  slide: {type: prismatic, from: ground, to: a, axis: [0, 3, 4]}\n"
          "  both: {type: cylindrical, from: ground, to: b, axis: z}\n"
          "forces:\n  pull: {type: force, joint: slide, value: 10 N}\n"
          "  turn: {type: torque, joint: both.angle, value: 1 N.m}\n") +
      experiment;
  const ForceSink sink = run(model);
  check_wrench(sink, 0, {0, 6, 8, 0, 0, 0});
  for (std::size_t i = 6; i < 12; ++i) CHECK(std::isnan(sink.forces[0][i]));
}

// A bushing resists both: 100 N/m over 0.1 m, 5 N.m/rad over 0.2 rad.
TEST_CASE("Recorded forces: a bushing gives force and moment") {
  const std::string model = std::string(
                                "skyhook: 1\ngravity: off\nbodies:\n  a: {mass: 1, inertia: [1, 1, 1]}\n"
                                "joints:\n  j: {type: free, from: ground, to: a}\n"
                                "forces:\n  s: {type: bushing, from: ground, to: a, stiffness: [100, 100, 100], "
                                "angular_stiffness: [5, 5, 5]}\ninitial: {j.x: 0.1, j.angle_z: 0.2}\n") +
                            experiment;
  check_wrench(run(model), 0, {-10, 0, 0, 0, 0, -1});
}
