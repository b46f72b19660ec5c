// Prescribed motion, its drive forces, and the energy balance where energy is not conserved.
#include <cmath>
#include <numbers>

#include "run_model.testing.h"
#include "skyhook/analysis/start.h"

using namespace skyhook;

namespace {

// Point mass m = 2 kg at l = 0.5 m on a hinge about y (z up): angle 0 points along x, positive turns towards -z.
std::string arm(const std::string& drive) {
  return "skyhook: 1\ngravity: 10\nbodies:\n  arm: {mass: 2, at: [0.5, 0, 0]}\njoints:\n"
         "  motor: {type: revolute, from: ground, to: arm, at: [0, 0, 0], axis: y, drive: " +
         drive +
         "}\n"
         "experiments: {turn: {until: 2 s, output_step: 0.1 s, tolerance: 1e-8, outputs: [motor.angle, "
         "motor.angle_rate, motor.drive, motor.force_x, motor.force_z, 'energy.*']}}\n";
}

}  // namespace

TEST_CASE("A motor of constant speed: drive torque by hand") {
  const auto r = testing::run_text(arm("\"=3[rad/s]*t\""));
  CHECK(r.prepared.degrees_of_freedom() == 0);
  for (std::size_t i = 0; i < r.sink.time.size(); ++i) {
    const double angle = 3 * r.sink.time[i];
    CHECK(std::abs(r.at(i, "motor.angle") - angle) < 1e-7);  // a constraint: met to the tolerance
    CHECK(std::abs(r.at(i, "motor.angle_rate") - 3) < 1e-6);
    // About y gravity gives the moment +m g l cos(angle) (it turns x towards -z); the motor holds against it. No inertia force at
    // constant speed. Errors follow the angle's: m g l 1e-7.
    CHECK(std::abs(r.at(i, "motor.drive") + 2 * 10 * 0.5 * std::cos(angle)) < 1e-5);
    // Reaction: weight plus centripetal force m l w^2 = 9 N towards the hinge.
    CHECK(std::abs(r.at(i, "motor.force_x") + 9 * std::cos(angle)) < 1e-5);
    CHECK(std::abs(r.at(i, "motor.force_z") - (20 + 9 * std::sin(angle))) < 1e-5);
  }
  CHECK(r.sink.summary.energy_closure < 1e-6);
}

TEST_CASE("A motor that accelerates: torque m l^2 angle'' more, and the balance of energy closes") {
  const auto r = testing::run_text(arm("\"=0.5*sin(4[1/s]*t)\""));
  double largest = 0;
  for (std::size_t i = 0; i < r.sink.time.size(); ++i) {
    const double t = r.sink.time[i], angle = 0.5 * std::sin(4 * t);
    CHECK(std::abs(r.at(i, "motor.angle") - angle) < 1e-7);
    CHECK(std::abs(r.at(i, "motor.drive") - (0.5 * -16 * angle - 10 * std::cos(angle))) < 1e-5);
    largest = std::max(largest, std::abs(r.at(i, "energy.balance")));
  }
  // Energies of order 5 J. Work is integrated by Simpson's rule over the integrator's steps, error like the step's own.
  CHECK(largest < 1e-6 * 5);
  CHECK(r.sink.summary.energy_closure < 1e-6);
}

TEST_CASE("A motor that follows a table") {
  // C2 spline, not-a-knot: exact for a cubic, here angle = t^3 - t at four points, so for all t between them.
  const auto r =
      testing::run_text(arm("{table: [[0, 0], [0.5, -0.375], [1, 0], [1.5, 1.875], [2, 6]], units: [s, rad]}"));
  for (std::size_t i = 0; i < r.sink.time.size(); ++i) {
    const double t = r.sink.time[i], angle = t * t * t - t;
    CHECK(std::abs(r.at(i, "motor.angle") - angle) < 1e-7);
    CHECK(std::abs(r.at(i, "motor.angle_rate") - (3 * t * t - 1)) < 1e-6);
    CHECK(std::abs(r.at(i, "motor.drive") - (0.5 * 6 * t - 10 * std::cos(angle))) < 1e-5);
  }
}

TEST_CASE("A driven crank moves the slider by the known formula") {
  // models/mechanisms/slider_crank with its crank driven: x = r cos a + sqrt(l^2 - r^2 sin^2 a).
  auto loaded = testing::load("mechanisms/slider_crank", {.tolerance = 1e-8,
                                                          .until = 0.2,
                                                          .output_step = 0.01,
                                                          .outputs = {"main.angle", "guide.displacement", "main.drive",
                                                                      "energy.balance", "energy.kinetic"}});
  auto& crank = loaded.model->joints[0];
  REQUIRE(crank.name == "main");
  crank.drive[0].emplace(expression::Expression::compile("pi/3 + 50*t + 0.2*sin(30*t)", {{{"t", {}}}, {}}, {}));
  crank.velocity = {std::nullopt};
  loaded.experiment.independent.clear();
  const auto r = testing::run(loaded);
  CHECK(r.prepared.degrees_of_freedom() == 0);
  double balance = 0, kinetic = 0;
  for (std::size_t i = 0; i < r.sink.time.size(); ++i) {
    const double t = r.sink.time[i], a = std::numbers::pi / 3 + 50 * t + 0.2 * std::sin(30 * t), s = 0.04 * std::sin(a);
    CHECK(std::abs(r.at(i, "main.angle") - a) < 1e-7);
    CHECK(std::abs(r.at(i, "guide.displacement") - (0.04 * std::cos(a) + std::sqrt(0.14 * 0.14 - s * s))) < 1e-8);
    balance = std::max(balance, std::abs(r.at(i, "energy.balance"))),
    kinetic = std::max(kinetic, r.at(i, "energy.kinetic"));
  }
  CHECK(balance < 1e-5 * kinetic);  // the drive's work, by Simpson's rule over the steps
}

TEST_CASE("A damped oscillator: closed form, and the balance of energy") {
  // m = 2, k = 200, c = 4: w0 = 10, D = 0.1. From x0 = 0.1 m at rest: x = x0 e^(-D w0 t) (cos w t + D w0 / w sin w t).
  const auto r = testing::run_text(
      "skyhook: 1\ngravity: off\nbodies:\n  mass: {mass: 2, at: [1, 0, 0]}\njoints:\n"
      "  slide: {type: prismatic, from: ground, to: mass, axis: x, displacement: 0.1}\nforces:\n"
      "  strut: {type: spring_damper, from: ground, to: mass, stiffness: 200, damping: 4}\n"
      "experiments: {ring: {until: 3 s, output_step: 0.1 s, tolerance: 1e-9, outputs: [slide.displacement, 'energy.*', "
      "strut.force]}}\n");
  const double D = 0.1, w0 = 10, w = w0 * std::sqrt(1 - D * D);
  double balance = 0;
  for (std::size_t i = 0; i < r.sink.time.size(); ++i) {
    const double t = r.sink.time[i], e = 0.1 * std::exp(-D * w0 * t);
    const double x = e * (std::cos(w * t) + D * w0 / w * std::sin(w * t)), v = -e * w0 * w0 / w * std::sin(w * t);
    CHECK(std::abs(r.at(i, "slide.displacement") - x) < 1e-7);  // a few hundred steps of absolute error 1e-9
    CHECK(std::abs(r.at(i, "strut.force") - (200 * x + 4 * v)) < 1e-4);
    // Work of the damper is what energy is missing.
    CHECK(std::abs(r.at(i, "energy.work") - (0.5 * 200 * x * x + v * v - 1)) < 1e-6);
    balance = std::max(balance, std::abs(r.at(i, "energy.balance")));
  }
  CHECK(balance < 1e-6);  // of 1 J
  CHECK(r.sink.summary.energy_closure < 1e-6);
}

TEST_CASE("The same oscillator on its coordinate, and under a formula, rings the same") {
  auto text = [](const std::string& force) {
    return "skyhook: 1\ngravity: off\nbodies:\n  mass: {mass: 2, at: [1, 0, 0]}\njoints:\n  slide: {type: prismatic, "
           "from: ground, to: mass, axis: x, displacement: 0.1}\n"
           "forces:\n  strut: " +
           force +
           "\nexperiments: {ring: {until: 1 s, output_step: 1 s, tolerance: 1e-9, outputs: [slide.displacement, "
           "'energy.*']}}\n";
  };
  const double D = 0.1, w0 = 10, w = w0 * std::sqrt(1 - D * D),
               x = 0.1 * std::exp(-1.0) * (std::cos(w) + D * w0 / w * std::sin(w));
  for (const std::string force :
       {"{type: spring_damper, joint: slide, stiffness: 200, damping: 4}",
        "{type: force, joint: slide, value: \"=-200[N/m]*q - 4[N.s/m]*qd\"}",
        "{type: bushing, from: ground, to: mass, stiffness: [200, 0, 0], damping: [4, 0, 0]}"}) {
    CAPTURE(force);
    const auto r = testing::run_text(text(force));
    CHECK(std::abs(r.last("slide.displacement") - x) < 1e-7);
    CHECK(std::abs(r.last("energy.balance")) < 1e-6);
  }
}

TEST_CASE("A rod of prescribed length lifts a mass") {
  // Mass of 3 kg hanging below a winch on a vertical slide; length 1 - 0.2 sin(2 t): tension m (g - length'').
  const auto r = testing::run_text(
      "skyhook: 1\ngravity: 10\nbodies:\n  load: {mass: 3, at: [0, 0, -1]}\njoints:\n  shaft: {type: prismatic, from: "
      "ground, to: load, axis: z}\n"
      "  rope: {type: rod, from: ground, to: load, from_at: [0, 0, 0], to_at: [0, 0, -1], drive: \"=1[m] - "
      "0.2[m]*sin(2[1/s]*t)\"}\n"
      "experiments: {lift: {until: 2 s, output_step: 0.1 s, tolerance: 1e-8, outputs: [load.z, rope.force, "
      "rope.length, energy.balance]}}\n");
  for (std::size_t i = 0; i < r.sink.time.size(); ++i) {
    const double s = 0.2 * std::sin(2 * r.sink.time[i]);
    CHECK(std::abs(r.at(i, "load.z") - (-1 + s)) < 1e-7);
    CHECK(std::abs(r.at(i, "rope.length") - (1 - s)) < 1e-7);
    CHECK(std::abs(r.at(i, "rope.force") - 3 * (10 - 4 * s)) < 1e-5);
    CHECK(std::abs(r.at(i, "energy.balance")) < 1e-5);
  }
}

namespace {

// A driven slide carries a driven arm, on it a pendulum on a ball joint; a link, hinged to the arm, is tied to the ground by a
// rod. `forces` may hold forces on the driven coordinates: then their drives are constraints and the coordinates unknowns.
std::string driven_chain(const std::string& forces) {
  return "skyhook: 1\nbodies:\n"
         "  cart: {mass: 2, inertia: [0.1, 0.1, 0.1], at: [0, 0, 0]}\n"
         "  arm: {mass: 1, inertia: [0.1, 0.2, 0.1], at: [0.5, 0, 0], com: [0.25, 0, 0]}\n"
         "  bob: {mass: 0.7, inertia: [0.02, 0.03, 0.01], at: [0.5, 0, -0.4]}\n"
         "  link: {mass: 0.4, inertia: [0.02, 0.02, 0.02], at: [0.5, 0, 0.3], com: [0.5, 0, 0.15]}\n"
         "joints:\n"
         "  slide: {type: prismatic, from: ground, to: cart, axis: x, drive: \"=0.2[m]*sin(3[1/s]*t)\"}\n"
         "  motor: {type: revolute, from: cart, to: arm, at: [0, 0, 0], axis: y, drive: \"=0.4*sin(2[1/s]*t + 0.3)\"}\n"
         "  ball: {type: spherical, from: arm, to: bob, at: [0.5, 0, 0], angles: [0, 0, 0], angular_velocity: [0, 0, "
         "0]}\n"
         "  hinge: {type: revolute, from: arm, to: link, at: [0.5, 0, 0], axis: x}\n"
         "  tie: {type: rod, from: ground, to: link, from_at: [0.5, 1, 0.3], to_at: [0.5, 0, 0.3]}\n" +
         forces + "experiments: {turn: {until: 2 s, output_step: 0.1 s, tolerance: 1e-9, outputs: ['*']}}\n";
}

}  // namespace

// Two routes to one motion: coordinates that are functions of time, and unknowns that constraints hold to it. Their own errors
// are of the size of the tolerance times the growth over 2 s; forces follow from accelerations of some 10 m/s^2.
TEST_CASE("A driven coordinate that is no unknown moves as one that a constraint drives") {
  const auto unknown =
      testing::run_text(driven_chain("forces:\n  a: {type: spring_damper, joint: slide, stiffness: 0}\n"
                                     "  b: {type: spring_damper, joint: motor, angular_stiffness: 0}\n"));
  const auto known = testing::run_text(driven_chain(""));
  CHECK(unknown.prepared.all->nv() == 6);
  CHECK(unknown.prepared.all->ng() == 3);
  CHECK(known.prepared.all->nv() == 4);
  CHECK(known.prepared.all->ng() == 1);
  CHECK(known.prepared.degrees_of_freedom() == unknown.prepared.degrees_of_freedom());
  int compared = 0;
  for (const auto& channel : known.sink.info.channels) {
    if (unknown.sink.find(channel.name) < 0 || channel.name.starts_with("constraints")) continue;
    CAPTURE(channel.name);
    double size = 1;
    for (std::size_t i = 0; i < known.sink.time.size(); ++i) size = std::max(size, std::abs(known.at(i, channel.name)));
    for (std::size_t i = 0; i < known.sink.time.size(); ++i)
      CHECK(std::abs(known.at(i, channel.name) - unknown.at(i, channel.name)) < 1e-5 * size);
    ++compared;
  }
  CHECK(compared > 100);
  CHECK(known.sink.find("motor.drive") >= 0);
  CHECK(known.sink.summary.energy_closure < 1e-6);
}

TEST_CASE("In equilibrium drives stand where they are at the start, whatever their speed") {
  // A mass of 2 kg on a spring of 500 N/m with a damper, on a driven table: mg/k below its free length, no damper force.
  const auto loaded = testing::load_text(
      "skyhook: 1\ngravity: 10\nbodies:\n  table: {mass: 1, at: [0, 0, 0]}\n  load: {mass: 2, at: [0, 0, 1]}\njoints:\n"
      "  lift: {type: prismatic, from: ground, to: table, drive: \"=0.3[m]*sin(5[1/s]*t + 1)\"}\n"
      "  guide: {type: prismatic, from: ground, to: load}\nforces:\n"
      "  strut: {type: spring_damper, from: table, to: load, stiffness: 500, damping: 70}\n"
      "experiments:\n  run: {from: rest, until: 1 s}\n  rest: {analysis: equilibrium}\n");
  const auto p = analysis::prepare(loaded.model, loaded.experiment);
  REQUIRE(p.ok());
  CHECK(std::abs(p.state.q[0] - (0.3 * std::sin(1.0) - 2.0 * 10 / 500)) < 1e-10);
  CHECK(p.state.v[0] == 0);
}

namespace {

const char* const integrators[] = {"bdf", "ida", "radau5", "dopri5", "adams", "hem5"};

testing::Run run_with(const std::string& solver, const std::string& text) {
  testing::Loaded loaded = testing::load_text(text);
  loaded.experiment.solver = solver;
  return testing::run(loaded);
}

// A rod with its mass 0.3 m below a hinge on a slider that is driven; a force on the slider makes it a state, and the drive a
// constraint.
std::string hanging_rod(const std::string& drive, bool is_state) {
  return "skyhook: 1\ngravity: off\n"
         "bodies:\n"
         "  slider: {mass: 2, at: [0, 0, 0]}\n"
         "  rod: {mass: 1, inertia: [0.01, 0.01, 0.01], at: [0, 0, 0], com: [0, 0, -0.3]}\n"
         "joints:\n"
         "  p: {type: prismatic, from: ground, to: slider, axis: x, drive: " +
         drive +
         "}\n"
         "  h: {type: revolute, from: slider, to: rod, axis: y}\n" +
         (is_state ? "forces: {k: {type: force, joint: p, value: \"=0[N/m]*q\"}}\n" : "") +
         "outputs: [p.displacement, p.displacement_rate, h.angle_rate, energy.kinetic, energy.work]\n"
         "experiments: {e: {until: 1 s, output_step: 0.05 s, tolerance: 1e-8}}\n";
}

std::size_t first_behind(const testing::Run& r, double t) {
  std::size_t i = 0;
  while (r.sink.time.at(i) <= t) ++i;
  return i;
}

}  // namespace

// The slider starts at once with 0.5 m/s. About the hinge, whose inertia is 0.01 + 0.3^2 = 0.1 kg m^2, the rod gets 0.3 * 0.5 / 0.1 =
// 1.5 rad/s, and keeps them; its mass is left with 0.05 m/s. So the drive gives 2 * 0.5 + 0.05 = 1.05 N s, and with the mean of 0
// and 0.5 m/s a work of 0.2625 J. From there on all energy is kinetic.
TEST_CASE("The impulse of a drive that starts at once moves what hangs on it, and its work is in the books") {
  for (const std::string solver : integrators) {
    for (const bool is_state : {false, true}) {
      CAPTURE(solver);
      CAPTURE(is_state);
      const auto r = run_with(solver, hanging_rod("\"=0.5[m/s]*max(t - 0.43[s], 0[s])\"", is_state));
      const std::size_t i = first_behind(r, 0.43 + 1e-12);
      const double turned = 1.5 * (r.sink.time[i] - 0.43);
      const double energy =
          0.2625 + 0.5 * 0.45 * (1 - std::cos(turned));  // of the mass that moves with 0.5 - 0.45 e^(i turned)
      CHECK(std::abs(r.at(i, "p.displacement_rate") - 0.5) < 1e-12);
      CHECK(std::abs(r.at(i, "h.angle_rate") - 1.5) < 1e-9);
      CHECK(std::abs(r.at(i, "energy.work") - energy) < 1e-9);
      CHECK(std::abs(r.at(i, "energy.kinetic") - energy) < 1e-9);
      CHECK(std::abs(r.at(i - 1, "energy.kinetic")) < 1e-12);
      CHECK(r.sink.summary.energy_closure < 1e-6);
      REQUIRE(!r.sink.summary.warnings.empty());
      CHECK(r.sink.summary.warnings[0].name == "drive_jumps");
    }
  }
}

// The parabola 0.35 t - 0.15 t^2 through its rows ends with -0.25 m/s; behind it the value 0.1 m holds, at rest, where the output steps lie on the end
// of the table and where they do not.
TEST_CASE("Where a held table ends a driven joint with a spring stops, whatever the integrator") {
  for (const std::string solver : integrators) {
    for (const std::string step : {"50 ms", "30 ms"}) {
      CAPTURE(solver);
      CAPTURE(step);
      const auto r = run_with(solver,
                              "skyhook: 1\ngravity: off\nbodies: {m: {mass: 1, at: [0, 0, 0]}}\n"
                              "joints: {p: {type: prismatic, from: ground, to: m, axis: x, drive: "
                              "{table: [[0, 0], [1, 0.2], [2, 0.1]], beyond: hold}}}\n"
                              "forces: {k: {type: spring_damper, joint: p, stiffness: 1}}\n"
                              "outputs: [p.*]\nexperiments: {e: {until: 3 s, output_step: " +
                                  step + "}}\n");
      const std::size_t i = first_behind(r, 2 + 1e-12);
      CHECK(r.sink.time.size() == (step == "50 ms" ? 61 : 101));
      CHECK(std::abs(r.at(i - 1, "p.displacement_rate") - (0.35 - 0.3 * r.sink.time[i - 1])) < 1e-6);
      for (std::size_t k = i; k < r.sink.time.size(); ++k) {
        CHECK(std::abs(r.at(k, "p.displacement") - 0.1) < 1e-6);
        CHECK(std::abs(r.at(k, "p.displacement_rate")) < 1e-6);
        CHECK(std::abs(r.at(k, "p.drive") - 0.1) < 1e-6);  // it holds the spring
      }
      CHECK(r.sink.summary.energy_closure < 1e-6);
      CHECK(std::abs(r.last("p.displacement") - 0.1) < 1e-6);
    }
  }
}

// All moves by the drive: m v^2 / 2 = 0.03125 J are taken out where it stops.
TEST_CASE("A drive that stops at once is in the books of a model that has nothing free") {
  const auto r = testing::run_text(
      "skyhook: 1\ngravity: off\nbodies: {m: {mass: 1, at: [0, 0, 0]}}\n"
      "joints: {p: {type: prismatic, from: ground, to: m, axis: x, drive: "
      "{table: [[0, 0], [1, 0.2], [2, 0.1]], beyond: hold}}}\n"
      "outputs: [p.displacement_rate, energy.work]\nexperiments: {e: {until: 3 s, output_step: 250 ms}}\n");
  const double start = 0.5 * 0.35 * 0.35;
  CHECK(std::abs(r.last("energy.work") + start) < 1e-9);
  CHECK(r.sink.summary.energy_closure < 1e-9);
}

// Whoever reads a result takes two samples of one time as the sides of an event.
TEST_CASE("Both sides of a jump are stored with one time") {
  struct Sides : simulation::MemorySink {
    std::vector<std::pair<double, int>> of_jump;
    void sample(const simulation::Sample& s) override {
      if (s.side != 0) of_jump.emplace_back(s.t, s.side);
      MemorySink::sample(s);
    }
  } sides;
  const testing::Loaded loaded = testing::load_text(hanging_rod("\"=0.5[m/s]*max(t - 0.43[s], 0[s])\"", false));
  simulation::simulate(simulation::prepare(loaded.model, loaded.experiment), loaded.experiment, sides, {});
  REQUIRE(sides.of_jump.size() == 2);
  CHECK(sides.of_jump[0].second == -1);
  CHECK(sides.of_jump[1].second == 1);
  CHECK(sides.of_jump[0].first == sides.of_jump[1].first);
  CHECK(std::abs(sides.of_jump[0].first - 0.43) < 1e-14);
}

// Each corner is an event of its own, and an event of the user at the same instant happens once, behind it.
TEST_CASE("All corners of a drive are passed, and what happens at the same instant happens once") {
  for (const std::string solver : integrators) {
    CAPTURE(solver);
    const auto r = run_with(
        solver,
        hanging_rod("\"=0.1[m]*abs(mod(t/1[s] - 0.2, 0.4)/0.2 - 1)\"", false) +
            "events: {kick: {at: 0.6 s, inputs: {w: h.angle_rate}, do: {state: {h.angle_rate: \"=w + 1\"}}}}\n");
    int corners = 0, kicks = 0;
    for (const auto& event : r.sink.events) corners += event.name == "drive jumps", kicks += event.name == "kick";
    CHECK(corners == 5);  // at 0, 0.2, 0.4, 0.6 and 0.8 s; that at the end does not happen any more
    CHECK(kicks == 1);
    CHECK(r.sink.summary.energy_closure < 1e-6);
  }
}
