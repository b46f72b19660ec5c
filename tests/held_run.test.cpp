// Reference: the run in one piece. A run that is held, looked at, led beyond and taken back is the same run, bit by bit, with every
// integrator that can be copied: its steps do not know of the pieces.
#include <cmath>

#include "run_model.testing.h"
#include "skyhook/simulation/simulation.h"

using namespace skyhook;
using simulation::Simulation;
using skyhook::testing::load_text;
using skyhook::testing::Loaded;

namespace {

// A parallelogram with redundant constraints and a servo with delay; a ball that bounces until it rests; a block that sticks to its belt
// and slips; a stop, an inner state, a hinge that turns; events that set a state, switch a controller and set a parameter.
const std::string everything = R"yaml(skyhook: 1
parameters: {c: 0.2 N.m.s}
bodies:
  crank_1: {mass: 1, inertia: [0.02, 0.02, 0], at: [0, 0, 0], com: [0, 0, -0.25]}
  crank_2: {mass: 1, inertia: [0.02, 0.02, 0], at: [1, 0, 0], com: [1, 0, -0.25]}
  beam: {mass: 2, inertia: [0, 0.2, 0.2], at: [0, 0, -0.5], com: [0.5, 0, -0.5]}
  ball: {mass: 0.2, inertia: [7.2e-5, 7.2e-5, 7.2e-5], at: [3, 0, 0.1]}
  block: {mass: 2, at: [5, 0, 0]}
  buffer: {mass: 1, at: [7, 0, 0]}
  wheel: {mass: 1, inertia: [0.1, 0.1, 0.1], at: [8, 0, 0]}
joints:
  A: {type: revolute, from: ground, to: crank_1, axis: y, angle: 40 deg}
  B: {type: revolute, from: ground, to: crank_2, axis: y}
  C: {type: revolute, from: crank_1, to: beam, axis: y}
  D: {type: revolute, from: crank_2, to: beam, at: [1, 0, -0.5], axis: y}
  flight: {type: planar, from: ground, to: ball, plane: xz, displacement_1_rate: 0.5 m/s}
  slide: {type: prismatic, from: ground, to: block, axis: x, displacement: 0.03, rate: 0.1}
  hub: {type: prismatic, from: ground, to: buffer, axis: x, rate: 1}
  spin: {type: revolute, from: ground, to: wheel, axis: y, rate: 30}
  twin: {type: revolute, from: ground, to: wheel, at: [8, 0, 0], axis: y, cut: true}
forces:
  bearing: {type: spring_damper, joint: A, angular_damping: =c}
  motor: {type: actuator, joint: A, signal: servo}
  wind: {type: actuator, joint: B, signal: gust}
  floor: {type: rigid_contact, from: ground, to: ball, radius: 0.03, restitution: 0.6}
  spring: {type: spring_damper, joint: slide, stiffness: 800}
  friction: {type: stick_slip, joint: slide, hold: 8, slide: 5}
  soft: {type: maxwell, joint: hub, stiffness: 50, damping: 2}
  stop: {type: bump_stop, joint: hub, engage_length: -0.1, engage_length_max: 0.05, stiffness: 2000, events: on}
controllers:
  servo: {type: pid, sample_time: 10 ms, delay: 16 ms, input: A.angle, setpoint: -0.2, kp: 20, ki: 60, kd: 1,
          derivative_filter: 10 ms, lower: -12, upper: 12, unit: N.m}
  gust: {type: expression, sample_time: 30 ms, inputs: {x: beam.z}, memory: {n: 0}, next: {n: "=0.8*n + x"},
         outputs: {F: "=0.5*sin(20*n)"}, unit: N.m}
events:
  calm: {at: 0.45, do: {switch_off: gust}}
  thick: {at: 0.5, do: {set: {c: 0.4 N.m.s}}}
  knock: {inputs: {x: hub.displacement}, when: "=x + 0.06[m]", do: {state: {spin.angle_rate: 20}}}
outputs: ["*"]
experiments: {e: {until: 0.8, output_step: 7 ms, tolerance: 1e-6, independent: [A.angle]}}
)yaml";

// All that a run tells; a value, so that it can be taken back with the run.
struct Transcript : simulation::Sink {
  std::vector<std::vector<double>> samples, steps;
  std::vector<std::string> events;
  void begin(const simulation::RunInfo&) override {}
  void sample(const simulation::Sample& s) override {
    auto& row = samples.emplace_back(std::vector<double>{s.t, static_cast<double>(s.side)});
    for (const CSpan part : {s.y, s.yp, s.poses, s.channels, s.channel_rates, s.reactions, s.residuals})
      row.insert(row.end(), part.begin(), part.end());
    if (s.run_state) row.insert(row.end(), s.run_state->numbers.begin(), s.run_state->numbers.end());
  }
  void step(const simulation::StepRecord& s) override { steps.push_back({s.t, s.h, double(s.order)}); }
  void event(const simulation::EventRecord& e) override {
    events.push_back(std::to_string(e.t) + " " + e.name + " " + e.element + " " + e.detail);
  }
  void end(const simulation::RunSummary&) override {}
};

// No number equals nothing, not even itself: bits are compared.
bool equal(const std::vector<std::vector<double>>& a, const std::vector<std::vector<double>>& b) {
  return std::ranges::equal(a, b, [](const auto& x, const auto& y) {
    return std::ranges::equal(x, y, [](double p, double q) { return p == q || (std::isnan(p) && std::isnan(q)); });
  });
}

Loaded with_solver(const std::string& text, const std::string& solver) {
  Loaded loaded = load_text(text);
  loaded.experiment.solver = solver;
  return loaded;
}

struct Outcome {
  Transcript told;
  simulation::RunSummary summary;
};

Outcome in_one_piece(const Loaded& loaded, const simulation::Prepared& prepared) {
  Outcome out;
  out.summary = simulation::simulate(prepared, loaded.experiment, out.told, loaded.options);
  return out;
}

// Seven uneven pieces, at no particular times but one: the fourth ends where an event sets a parameter. From each it is led on, once over
// that event and others, and taken back.
Outcome in_pieces(const Loaded& loaded, const simulation::Prepared& prepared) {
  Outcome out;
  Simulation run(prepared, loaded.experiment, out.told, loaded.options);
  for (const double t : {0.0137, 0.11, 0.313131, 0.5, 0.50001, 0.73, 0.8}) {
    const auto saved = run.save();
    const Transcript told = out.told;
    run.advance(std::min(t + 0.2, 0.8));
    run.channel("energy.balance");
    const double there = run.channel("A.angle");
    run.restore(saved);
    run.advance(std::min(t + 0.2, 0.8));
    CHECK(run.channel("A.angle") == there);
    run.restore(saved);
    out.told = told;
    CHECK(run.advance(t));
    CHECK(run.t() == t);
    run.channel("twin.angle");
  }
  CHECK(run.is_over());
  out.summary = run.finish();
  return out;
}

}  // namespace

TEST_CASE("A run in seven pieces, saved and taken back between them, is the run in one piece, bit by bit") {
  for (const std::string solver : {"radau5", "dopri5", "hem5", "bdf", "adams", "dopri5/partitioning", "auto"}) {
    CAPTURE(solver);
    const Loaded loaded = with_solver(everything, solver);
    const simulation::Prepared prepared = simulation::prepare(loaded.model, loaded.experiment);
    const Outcome one = in_one_piece(loaded, prepared), seven = in_pieces(loaded, prepared);
    REQUIRE_MESSAGE(one.summary.status == simulation::RunStatus::finished, one.summary.reason);
    CHECK(one.summary.events >= 30);
    CHECK(one.summary.samples >= 80);
    CHECK(seven.told.events == one.told.events);
    CHECK(equal(seven.told.steps, one.told.steps));
    CHECK(equal(seven.told.samples, one.told.samples));
    CHECK(seven.summary.cost.steps == one.summary.cost.steps);
    CHECK(seven.summary.cost.residuals == one.summary.cost.residuals);  // looking costs nothing either
    CHECK(seven.summary.energy_closure == one.summary.energy_closure);
    CHECK(seven.summary.warnings.size() == one.summary.warnings.size());
  }
}

// A mass under a force that a program says: 2 N for 1 s, then -1 N. By hand, x = F t^2 / (2 m).
TEST_CASE("An input of a model file is set from outside, and holds its value until then") {
  const Loaded loaded = testing::load_text(
      "skyhook: 1\ngravity: off\nbodies: {b: {mass: 4 kg}}\njoints: {slide: {type: prismatic, from: ground, to: b, "
      "axis: "
      "x}}\ncontrollers: {push: {type: input, unit: N, value: 2 N}}\nforces: {motor: {type: actuator, joint: slide, "
      "signal: "
      "push}}\nexperiments: {go: {until: 3 s, solver: dopri5, tolerance: 1e-10}}\n");
  const simulation::Prepared prepared = simulation::prepare(loaded.model, loaded.experiment);
  simulation::Simulation run(prepared, loaded.experiment);
  REQUIRE(run.advance(1));
  CHECK(run.channel("slide.displacement") == doctest::Approx(0.25).epsilon(1e-9));
  run.set("push", -1);
  REQUIRE(run.advance(2));
  CHECK(run.channel("push") == -1);
  CHECK(run.channel("slide.displacement") == doctest::Approx(0.25 + 0.5 - 0.125).epsilon(1e-9));
  CHECK_THROWS_AS(run.set("pull", 1), ModelError);
}
