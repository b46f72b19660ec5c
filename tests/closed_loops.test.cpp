// What a user may ask of the joints of one loop: drives, springs and initial values on any of them.
#include <cmath>

#include "run_model.testing.h"
#include "skyhook/analysis/equilibrium.h"
#include "skyhook/simulation/snapshot.h"

using namespace skyhook;

namespace {

// A parallelogram of cranks 1 m and coupler 2 m in the x-y plane; the joints' further fields as given.
std::string parallelogram(const std::string& a, const std::string& b, const std::string& c, const std::string& d,
                          const std::string& more = "") {
  return "skyhook: 1\ngravity: off\nbodies:\n"
         "  c1: {mass: 1, inertia: [1, 1, 1], at: [0, 0, 0], com: [0, 0.5, 0]}\n"
         "  k: {mass: 1, inertia: [1, 1, 1], at: [0, 1, 0], com: [1, 1, 0]}\n"
         "  c2: {mass: 1, inertia: [1, 1, 1], at: [2, 0, 0], com: [2, 0.5, 0]}\n"
         "joints:\n"
         "  a: {type: revolute, from: ground, to: c1, axis: z" +
         a +
         "}\n"
         "  b: {type: revolute, from: c1, to: k, axis: z" +
         b +
         "}\n"
         "  d: {type: revolute, from: ground, to: c2, axis: z" +
         d +
         "}\n"
         "  c: {type: revolute, from: k, to: c2, at: [2, 1, 0], axis: z" +
         c + "}\n" + more +
         "experiments: {e: {until: 1 s, output_step: 0.25 s, tolerance: 1e-9, outputs: ['*.angle', '*.moment_z', " +
         (a.find("drive") == std::string::npos ? "" : "'*.drive', ") + "energy.balance]}}\n";
}

simulation::Prepared prepare_text(const std::string& text) {
  const auto loaded = testing::load_text(text);
  return simulation::prepare(loaded.model, loaded.experiment);
}

}  // namespace

TEST_CASE("Drives of one motion that agree now but part later are refused at the start, by name") {
  const auto p = prepare_text(parallelogram(", drive: \"=1[rad/s^2]*t^2\"", "", "", ", drive: \"=2[rad/s^2]*t^2\""));
  CHECK_FALSE(p.ok());
  CHECK_MESSAGE(p.problem().find("a.angle (test.yaml:8), d.angle (test.yaml:10)") != std::string::npos, p.problem());
}

// Third derivatives differ only: nothing shows at the start, the dropped drive opens during the run.
TEST_CASE("Drives that part during the run end it and are named") {
  const auto loaded =
      testing::load_text(parallelogram(", drive: \"=1[rad/s^3]*t^3\"", "", "", ", drive: \"=2[rad/s^3]*t^3\""));
  const auto p = simulation::prepare(loaded.model, loaded.experiment);
  REQUIRE(p.ok());
  simulation::MemorySink sink;
  const auto summary = simulation::simulate(p, loaded.experiment, sink);
  CHECK(summary.status == simulation::RunStatus::failed);
  CHECK_MESSAGE(summary.reason.find("a.angle (test.yaml:8), d.angle (test.yaml:10)") != std::string::npos,
                summary.reason);
}

// Both cranks driven alike: the work is shared, and no hinge carries a moment about its own axis.
TEST_CASE("Redundant drives share the load and leave the hinges free") {
  const auto r =
      testing::run_text(parallelogram(", drive: \"=1[rad/s^2]*t^2\"", "", "", ", drive: \"=1[rad/s^2]*t^2\""));
  for (std::size_t i = 0; i < r.sink.time.size(); ++i) {
    for (const char* joint : {"a", "b", "c", "d"}) CHECK(std::abs(r.at(i, std::string(joint) + ".moment_z")) < 1e-9);
    // Power: (J) phi'' = sum of the drives. J: cranks 1 + 0.25 each about their pivots, the coupler translates with 1 m: 3.5.
    CHECK(r.at(i, "a.drive") + r.at(i, "d.drive") == doctest::Approx(3.5 * 2).epsilon(1e-6));
  }
}

// Springs in all four hinges: one hinge is cut and its spring acts on the measured angle. A parallelogram turns all angles
// by the same amount: J phi'' = -4 k phi with J = 3.5 (above), a harmonic oscillation.
TEST_CASE("Every joint of a loop may carry a spring, also the one that is cut") {
  std::string springs = "forces:\n";
  for (const char* j : {"a", "b", "c", "d"})
    springs += std::string("  s") + j + ": {type: spring_damper, joint: " + j +
               ".angle, angular_stiffness: 10, free_angle: 0}\n";
  const auto r = testing::run_text(parallelogram(", angle: 0.3", ", angle: -0.3", "", ", angle: 0.3", springs));
  REQUIRE(r.prepared.topology.cuts.size() == 1);
  const double omega = std::sqrt(40 / 3.5);
  for (std::size_t i = 0; i < r.sink.time.size(); ++i) {
    CHECK(r.at(i, "a.angle") == doctest::Approx(0.3 * std::cos(omega * r.sink.time[i])).epsilon(1e-6));
    CHECK(std::abs(r.at(i, "energy.balance")) < 1e-6);
  }
}

TEST_CASE("A joint with initial values stays in the tree, and its values count") {
  const auto p = prepare_text(parallelogram("", "", ", angle: 0.2, rate: 2", ""));
  REQUIRE(p.ok());
  REQUIRE(p.topology.cuts.size() == 1);
  CHECK(p.model->joints[static_cast<std::size_t>(p.topology.cuts[0])].name != "c");
  const auto at = p.all->coordinate(3, 0);
  CHECK(p.state.q[static_cast<std::size_t>(at.iq)] == doctest::Approx(0.2));
  CHECK(p.state.v[static_cast<std::size_t>(at.iv)] == doctest::Approx(2.0));
}

// 10 kg on four vertical rods around its centre, held sideways by three more: least size gives each a quarter of 98.1 N.
TEST_CASE("Rods share a load like joints do") {
  const auto loaded = testing::load_text(
      "skyhook: 1\nbodies:\n  b: {mass: 10 kg, inertia: [1, 1, 1], at: [0, 0, 0]}\njoints:\n"
      "  r[i=0..3]: {type: rod, from: ground, to: b, from_at: [\"=cos(i*pi/2)\", \"=sin(i*pi/2)\", 2], to_at: "
      "[\"=cos(i*pi/2)\", \"=sin(i*pi/2)\", 0]}\n"
      "  h1: {type: rod, from: ground, to: b, from_at: [3, 1, 0], to_at: [0, 1, 0]}\n"
      "  h2: {type: rod, from: ground, to: b, from_at: [3, -1, 0], to_at: [0, -1, 0]}\n"
      "  h3: {type: rod, from: ground, to: b, from_at: [0, 3, 0], to_at: [0, 1, 0]}\n");
  const auto p = simulation::prepare(loaded.model, loaded.experiment);
  REQUIRE(p.ok());
  simulation::Evaluator evaluator(p.active, p.all);
  const simulation::Snapshot& s = evaluator.now();
  REQUIRE(evaluator.evaluate(0, p.state.q, p.state.v) == Eval::ok);
  for (int k = 0; k < 4; ++k)
    CHECK(s.all_multipliers[static_cast<std::size_t>(k)] == doctest::Approx(10 * 9.81 / 4).epsilon(1e-9));
}

// An arm of 2 kg with its centre 1 m from the hinge: the drive holds 19.62 N.m at rest, whatever its acceleration will be.
TEST_CASE("Equilibrium reports static forces although a drive accelerates") {
  const auto loaded = testing::load_text(
      "skyhook: 1\nbodies:\n  arm: {mass: 2, inertia: [0, 0.5, 0.5], at: [0, 0, 0], com: [1, 0, 0]}\n"
      "joints:\n  h: {type: revolute, from: ground, to: arm, axis: y, drive: \"=3[rad/s^2]*t^2\"}\n");
  const auto p = simulation::prepare(loaded.model, loaded.experiment);
  const auto e = analysis::find_equilibrium(p);
  REQUIRE(e.found);
  simulation::Evaluator evaluator(p.active, p.all);
  const simulation::Snapshot& s = evaluator.now();
  REQUIRE(evaluator.evaluate_at_rest(0, e.state.q, e.state.v, e.lambda) == Eval::ok);
  CHECK(s.drives[0] == doctest::Approx(-2 * 9.81));
  CHECK(s.reactions[2] == doctest::Approx(2 * 9.81));
}

TEST_CASE("A drive of a rod that ends in no number is named where the run stops") {
  const auto loaded = testing::load_text(
      "skyhook: 1\nbodies: {bob: {mass: 1, at: [0.5, 0, 0]}}\njoints:\n"
      "  rail: {type: prismatic, from: ground, to: bob, axis: x}\n"
      "  pull: {type: rod, from: ground, to: bob, drive: \"=0.5[m] + 0.1[m]*sqrt(0.1 - t/1[s])\"}\n"
      "experiments: {go: {until: 0.3 s, solver: bdf/ggl}}\n");
  const auto prepared = simulation::prepare(loaded.model, loaded.experiment);
  REQUIRE_MESSAGE(prepared.ok(), prepared.problem());
  simulation::MemorySink sink;
  const auto summary = simulation::simulate(prepared, loaded.experiment, sink);
  CHECK(summary.status == simulation::RunStatus::failed);
  CHECK_MESSAGE(summary.reason.find("The drive of rod \"pull\" gives no finite number at t = 0.1") == 0,
                summary.reason);
}
