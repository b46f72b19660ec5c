// Continuous signals: formulas of the motion inside the equations. References: elements that do the same without signals, differences of the
// residual, channels of the same names, exact solutions.
#include <fmt/format.h>

#include <cmath>

#include "exact_jacobian.testing.h"
#include "refusal.testing.h"
#include "skyhook/analysis/equilibrium.h"
#include "skyhook/analysis/modes.h"
#include "skyhook/analysis/start.h"
#include "skyhook/model/signal_inputs.h"
#include "skyhook/simulation/solvers.h"

using namespace skyhook;

namespace {

// Two arms in series, closed by a rod: one loop, one degree of freedom left beside the slide of the second arm's end mass.
std::string linkage(const std::string& rest, const std::string& head = "") {
  return "skyhook: 1\n" + head +
         "bodies:\n"
         "  a: {mass: 2, inertia: [0.2, 0.3, 0.4], at: [0.3, 0, 0]}\n"
         "  b: {mass: 1, inertia: [0.2, 0.1, 0.2], at: [0.9, 0.1, 0]}\n"
         "  c: {mass: 0.7, inertia: [0.02, 0.03, 0.04], at: [1.2, 0.1, 0.2]}\n"
         "markers: {tip: {body: c, at: [1.4, 0.2, 0.3], orientation: {cardan: [0.2, 0.1, -0.3]}}}\n"
         "sensors: {seen: {from: ground, to: tip}, inside: {from: a, to: c, in: b}}\n"
         "joints:\n"
         "  first: {type: revolute, from: ground, to: a, at: [0, 0, 0], axis: y}\n"
         "  second: {type: universal, from: a, to: b, at: [0.6, 0, 0], axis_1: [0, 1, 0], axis_2: [0, 0, 1]}\n"
         "  slide: {type: prismatic, from: b, to: c, axis: [1, 0, 0.3]}\n"
         "  stay: {type: rod, from: ground, to: b, from_at: [0.9, 0, 0.8], to_at: [1, 0.1, 0]}\n"
         "initial: {first.angle: 0.1, first.angle_rate: 0.4, second.angle_2: 0.1, slide.displacement: 0.02, "
         "slide.displacement_rate: 0.3}\n" +
         rest;
}

const std::string springs =
    "forces:\n"
    "  line: {type: spring_damper, from: ground, to: tip, stiffness: 150, damping: 4, free_length: 1.1}\n"
    "  twist: {type: spring_damper, joint: second.angle_2, angular_stiffness: 30, angular_damping: 1.5}\n"
    "  push: {type: spring_damper, joint: slide, stiffness: 200, damping: 5}\n";

const std::string controllers =
    "signals:\n"
    "  pull: \"=-150[N/m]*(seen.distance - 1.1[m]) - 4[N.s/m]*seen.distance_rate\"\n"
    "  turn: \"=-30[N.m/rad]*second.angle_2 - 1.5[N.m.s/rad]*second.angle_2_rate\"\n"
    "  stiff: \"=-200[N/m]*slide.displacement\"\n"
    "  push_by: \"=stiff - 5[N.s/m]*slide.displacement_rate\"\n"
    "forces:\n"
    "  line: {type: actuator, from: ground, to: tip, signal: pull}\n"
    "  twist: {type: actuator, joint: second.angle_2, signal: turn}\n"
    "  push: {type: actuator, joint: slide, signal: push_by}\n";

const std::string outputs = "outputs: [\"*\"]\n";

std::string experiment(const std::string& solver, double until = 1) {
  return fmt::format("experiments: {{go: {{until: {}, output_step: 50 ms, tolerance: 1e-8, solver: {}}}}}\n", until,
                     solver);
}

// All that a signal may read and all that listens, in one model. Nothing in it means anything.
std::string everything(const std::string& coordinates) {
  return linkage(
      "tables: {bent: {table: [[-1, -2], [0, 0], [1, 3], [2, 3.5]], units: [m, N], beyond: straight}}\n"
      "controllers: {held: {type: expression, sample_time: 10, outputs: {one: =0.7}}}\n"
      "signals:\n"
      "  frames: \"=3[N/m]*tip.x*tip.vy/1[m/s] + 2[N]*sin(b.yaw) + 1[N]*c.pitch*c.roll_rate/1[rad/s] + 1[N.s]*c.wz\"\n"
      "  axes: \"=2[N]*tip.angle_x + 1[N]*tip.angle_z*b.angle_y + 0.3[N.s]*tip.yaw_rate - 0.2[N.s]*b.pitch_rate\"\n"
      "  three: \"=4[N/m]*inside.x + 2[N.s/m]*inside.vz + 1[N.s]*inside.wy + 3[N/m]*seen.distance\"\n"
      "  joints: \"=5[N]*second.angle_1*second.angle_2 + 1[N.s]*first.angle_rate + 2[N.s/m]*slide.displacement_rate\"\n"
      "  table: \"=bent(tip.z) + held*1[N]*cos(t/1[s])\"\n"
      "  chain: \"=0.5*frames + three*joints/1[N] + lagged.push\"\n"
      "  slow: {rate: \"=(0.1*chain - slow)/0.2[s] + table/1[s]\", unit: N, start: 2 N, nominal: 3}\n"
      "  damp: \"=10[N.s/m]*(1 + slide.displacement/1[m]) + 1[s/m]*slow\"\n"
      "  moment: \"=0.2[m]*(axes + slow)\"\n"
      "  plain: \"=axes/1[N]\"\n"
      "forces:\n"
      "  line: {type: actuator, from: a, to: tip, signal: chain, limit: 500 N}\n"
      "  along: {type: actuator, from: ground, to: c, along: [0, 1, 2], signal: three}\n"
      "  about: {type: actuator, from: ground, to: b, about: [0, 1, 1], signal: moment}\n"
      "  twist: {type: torque, joint: second.angle_1, value: \"=signal^2*0.3[N.m] - q*1[N.m]\", signal: plain}\n"
      "  damper: {type: semi_active_damper, joint: slide, signal: damp, maximum_damping: 1000}\n"
      "  lagged: {type: lag_actuator, from: ground, to: b, time_constant: 0.1 s, signal: joints}\n"
      "  lag_joint: {type: lag_actuator, joint: second.angle_2, time_constant: 0.3 s, signal: moment}\n" +
          experiment("auto"),
      "coordinates: " + coordinates + "\n");
}

}  // namespace

TEST_CASE("Signals: a controller by signals is the spring and damper of its gains, with every solver") {
  for (const std::string coordinates : {"joint", "absolute"}) {
    for (const simulation::GradedSolver& graded : simulation::all_solvers()) {
      if (graded.grade != simulation::Grade::recommended) continue;
      const std::string head = "coordinates: " + coordinates + "\n", solver = graded.solver.name();
      CAPTURE(coordinates);
      CAPTURE(solver);
      const auto passive = testing::run_text(linkage(springs + outputs + experiment(solver), head));
      const auto active = testing::run_text(linkage(controllers + outputs + experiment(solver), head));
      // Both take the same steps but for rounding, which may tip the end of an iteration: then they are two runs at 1e-8, each off by some tolerances: ten of them are allowed. ida's rule for it makes more of that.
      const double most = solver.starts_with("ida")                                     ? 1e-6
                          : solver.starts_with("bdf") || solver.starts_with("two_loop") ? 1e-7
                                                                                        : 1e-10;
      for (const std::string channel :
           {"tip.x", "tip.z", "tip.vx", "tip.vy", "slide.displacement", "first.angle_rate"}) {
        CAPTURE(channel);
        CHECK(std::abs(active.last(channel) - passive.last(channel)) < most);
      }
      CHECK(active.sink.summary.energy_closure < 1e-4);  // the actuators' work is booked
    }
  }
}

TEST_CASE("Signals: exact derivatives are those of differences, for all that they read and all that listens") {
  for (const std::string coordinates : {"joint", "absolute"}) {
    CAPTURE(coordinates);
    const auto loaded = testing::load_text(everything(coordinates));
    const auto prepared = simulation::prepare(loaded.model, loaded.experiment);
    REQUIRE_MESSAGE(prepared.ok(), prepared.problem());
    CHECK(testing::jacobian_error(prepared, 0.2) < 1e-8);
  }
}

TEST_CASE("Signals: what they read is the channel of the same name, along a run") {
  const std::string rest =
      springs + "  lagged: {type: lag_actuator, from: ground, to: b, time_constant: 0.1 s, force: \"=5[N]\"}\n" +
      outputs + experiment("bdf", 0.3);
  const std::string ball =
      "skyhook: 1\ncoordinates: absolute\nbodies: {p: {mass: 1, inertia: [0.1, 0.2, 0.3], at: [0.3, 0.2, 0.1]}}\n"
      "joints: {ball: {type: spherical, from: ground, to: p, at: [0, 0, 0], angular_velocity: [1, 2, -1]}}\n"
      "outputs: [\"*\"]\nexperiments: {go: {until: 0.3, output_step: 50 ms, solver: bdf}}\n";
  for (const std::string& text : {linkage(rest), linkage(rest, "coordinates: absolute\n"), ball}) {
    std::string signals = "signals:\n";
    const auto all = model::readables(*testing::load_text(text).model);
    for (std::size_t k = 0; k < all.size(); ++k) signals += fmt::format("  s{}: ={}\n", k, all[k].name);
    const auto run = testing::run_text(text + signals);
    CHECK(all.size() > 20);
    for (std::size_t sample = 0; sample < run.sink.time.size(); ++sample) {
      for (std::size_t k = 0; k < all.size(); ++k) {
        const double channel = run.at(sample, all[k].name);
        CHECK_MESSAGE(std::abs(run.at(sample, fmt::format("s{}", k)) - channel) <= 1e-12 * (1 + std::abs(channel)),
                      all[k].name);
      }
    }
    for (std::size_t k = 0; k < all.size(); ++k) {
      const auto at = static_cast<std::size_t>(run.sink.find(fmt::format("s{}", k)));
      CHECK_MESSAGE(run.sink.info.channels[at].unit == all[k].unit, all[k].name);
    }
  }
}

TEST_CASE("Signals: given by their rate they are states, which know themselves") {
  // x' = -x/T from 3: exact. y'' = -w^2 y by two of them.
  const std::string text =
      "skyhook: 1\nbodies: {m: {mass: 1}}\njoints: {slide: {type: prismatic, from: ground, to: m, axis: x}}\n"
      "signals:\n"
      "  x: {rate: \"=-x/0.5[s]\", unit: m, start: 3 m}\n"
      "  y: {rate: =z, start: 1}\n"
      "  z: {rate: \"=-4[1/s^2]*y\", unit: 1/s}\n"
      "outputs: [\"*\"]\nexperiments: {go: {until: 2, tolerance: 1e-9, solver: ";
  for (const std::string& solver : simulation::usable_solvers()) {
    CAPTURE(solver);
    const auto run = testing::run_text(text + solver + "}}\n");
    CHECK(std::abs(run.last("x") - 3 * std::exp(-4.0)) < 1e-6);
    CHECK(std::abs(run.last("y") - std::cos(4.0)) < 1e-6);
    CHECK(std::abs(run.last("z") + 2 * std::sin(4.0)) < 1e-6);
    CHECK(run.last("x") == run.last("x.value"));
    CHECK(std::abs(run.last("x.rate") + 2 * run.last("x")) < 1e-15);
  }
  // An initial value by the name of the state wins over `start`.
  CHECK(testing::run_text(text + "bdf}}\ninitial: {x.value: 1 m}\n").at(0, "x") == 1);
}

TEST_CASE("Signals: equilibrium and natural frequencies are those of the springs") {
  for (const std::string coordinates : {"joint", "absolute"}) {
    CAPTURE(coordinates);
    std::vector<analysis::Modes> modes;
    std::vector<analysis::Equilibrium> rests;
    for (const std::string& what : {springs, controllers}) {
      const auto loaded = testing::load_text(linkage(what + experiment("auto"), "coordinates: " + coordinates + "\n"));
      auto prepared = simulation::prepare(loaded.model, loaded.experiment);
      REQUIRE_MESSAGE(prepared.ok(), prepared.problem());
      rests.push_back(analysis::find_equilibrium(prepared));
      REQUIRE_MESSAGE(rests.back().found, rests.back().problem);
      prepared = analysis::prepared_at(std::move(prepared), rests.back());
      const auto at = analysis::at_equilibrium(rests.back());
      const auto linear = analysis::linearise(prepared, at);
      REQUIRE_MESSAGE(linear.problem.empty(), linear.problem);
      modes.push_back(analysis::find_modes(prepared, at, linear));
    }
    for (std::size_t i = 0; i < rests[0].state.q.size(); ++i)
      CHECK(std::abs(rests[0].state.q[i] - rests[1].state.q[i]) < 1e-9);
    REQUIRE(modes[0].modes.size() == modes[1].modes.size());
    for (std::size_t k = 0; k < modes[0].modes.size(); ++k)
      CHECK(std::abs(modes[0].modes[k].value - modes[1].modes[k].value) <
            1e-7 * (1 + std::abs(modes[0].modes[k].value)));
  }
}

TEST_CASE("Signals: a brake that listens to one brakes, sticks and lets go as by its table") {
  const std::string wheel =
      "skyhook: 1\nbodies: {w: {mass: 10, inertia: [1, 1, 1], at: [0, 0, 0]}}\n"
      "joints: {axle: {type: revolute, from: ground, to: w, axis: y, rate: 20 rad/s}}\noutputs: [\"*\"]\n"
      "experiments: {go: {until: 3, tolerance: 1e-8}}\n";
  const std::string push = "  drive: {type: torque, joint: axle, value: \"=5[N.m]\"}\n";
  const auto table =
      testing::run_text(wheel +
                        "forces:\n  brake: {type: brake, joint: axle, torque_per_pressure: 1e-5 m^3, pressure: "
                        "\"=4[MPa]*max(0, 1 - abs(t - 1[s])/1[s])\"}\n" +
                        push);
  const auto signal =
      testing::run_text(wheel +
                        "signals: {p: \"=4[MPa]*max(0, 1 - abs(t - 1[s])/1[s])\"}\n"
                        "forces:\n  brake: {type: brake, joint: axle, torque_per_pressure: 1e-5 m^3, signal: p}\n" +
                        push);
  CHECK(table.sink.events.size() == signal.sink.events.size());
  CHECK(std::abs(table.last("axle.angle") - signal.last("axle.angle")) < 1e-6);
  CHECK(std::abs(table.last("axle.angle_rate") - signal.last("axle.angle_rate")) < 1e-6);
  CHECK(signal.last("axle.angle_rate") > 1);  // it has let go
}

TEST_CASE("Signals: what they cannot read, circles and units are told with place and advice") {
  const auto told = [](const std::string& signals, const std::string& forces = "") {
    return testing::refusal(
        linkage("signals: {" + signals + "}\n" + (forces.empty() ? springs : forces) + experiment("auto")));
  };
  CHECK(told("s: \"=1[N]*tip.x/1[m]\"").empty());
  const std::string acceleration = told("s: =tip.ax");
  CHECK(testing::has(acceleration, "test.yaml:14:15"));
  CHECK(testing::has(acceleration,
                     "signal \"s\": its formula reads \"tip.ax\", which is no position, velocity or inner state."));
  CHECK(testing::has(acceleration, "Accelerations, forces and reactions follow from what the signal does"));
  CHECK(testing::has(told("s: =first.force_x"), "which is no position, velocity or inner state."));
  CHECK(testing::has(told("s: =line.force"), "signal \"s\": its formula reads \"line.force\""));
  CHECK(testing::has(told("s: =tap.x"), "Did you mean \"tip.x\"?"));
  CHECK(testing::has(told("s: =u, u: =w + tip.x, w: =s"),
                     "signal \"s\" depends on itself: \"s\" -> \"u\" -> \"w\" -> \"s\"."));
  CHECK(testing::has(told("s: =tip.x + tip.vx"), "signal \"s\": "));
  CHECK(testing::has(told("s: =tip.x", "forces: {f: {type: actuator, joint: slide, signal: s}}\n"),
                     "\"f\" listens to the signal \"s\", which is in m, but N is needed."));
  CHECK(testing::has(told("s: 5 N"), "signal \"s\" is \"5 N\", which is no formula."));
  CHECK(testing::has(told("s: {formula: =tip.x, rate: =tip.vx}"), "has both a formula and a rate."));
  CHECK(testing::has(told("s: {formula: =tip.x, start: 3}"), "has `start`, but no `rate`."));
  CHECK(testing::has(told("s: {rate: =tip.x, unit: m}"), "which is in m, but"));
  CHECK(testing::has(told("a: =tip.x"), "signal \"a\": there is a body of this name already"));
}

TEST_CASE("Signals: controllers and events read them, and they read controllers") {
  const auto run = testing::run_text(
      "skyhook: 1\nbodies: {m: {mass: 1}}\njoints: {slide: {type: prismatic, from: ground, to: m, axis: x, rate: 1}}\n"
      "signals: {twice: =2*slide.displacement, pushing: \"=-loop*1[N]\"}\n"
      "controllers: {loop: {type: expression, sample_time: 0.1, inputs: {a: twice}, outputs: {u: =a}}}\n"
      "events: {there: {inputs: {d: twice}, when: =d - 0.5, do: stop}}\n"
      "forces: {push: {type: actuator, joint: slide, signal: pushing}}\n"
      "outputs: [\"*\"]\nexperiments: {go: {until: 3, tolerance: 1e-9}}\n");
  // By hand: u = 0.2 from 0.1 s, then 0.398 from x = 0.199 m and v = 0.98 m/s at 0.2 s, until x = 0.25 m.
  const double tau = (0.98 - std::sqrt(0.98 * 0.98 - 4 * 0.199 * 0.051)) / (2 * 0.199);
  REQUIRE(run.sink.events.size() == 1);
  CHECK(std::abs(run.sink.events.back().t - (0.2 + tau)) < 1e-9);
}
