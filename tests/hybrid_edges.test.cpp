// Starts, jumps and coincidences at which a run with events may go wrong without a word. Each has gone wrong once.
#include <cmath>

#include "run_model.testing.h"

using namespace skyhook;
using namespace skyhook::testing;
using doctest::Approx;

namespace {

const char* const integrators[] = {"bdf", "ida", "radau5", "dopri5", "adams", "hem5"};
constexpr double g = 9.81;

// A ball of 1 kg that slides along z, at `height` above the ground; the rest of the model follows.
std::string ball(const std::string& height, const std::string& rest, const std::string& joint = "") {
  return "skyhook: 1\nname: ball\nparameters: {pull: 0 N}\nbodies: {ball: {mass: 1 kg, at: [0, 0, " + height +
         "]}}\njoints: {fall: {type: prismatic, from: ground, to: ball, axis: z" + joint +
         "}}\noutputs: [ball.z, ball.vz]\n" + rest;
}

Run run_with(const std::string& solver, const std::string& text, const Wish& wish = {}) {
  Loaded loaded = load_text(text, wish);
  loaded.experiment.solver = solver;
  return run(loaded);
}

int count(const Run& r, const std::string& name) {
  return static_cast<int>(std::ranges::count(r.sink.events, name, &simulation::EventRecord::name));
}
double first(const Run& r, const std::string& name) {
  const auto found = std::ranges::find(r.sink.events, name, &simulation::EventRecord::name);
  REQUIRE(found != r.sink.events.end());
  return found->t;
}

const std::string half_second = "experiments: {e: {until: 0.5 s, output_step: 10 ms}}\n";

}  // namespace

// At rest it sinks to m g/k and swings about it, by as much again.
TEST_CASE("What starts exactly where it touches does not fall through") {
  for (const std::string solver : integrators) {
    CAPTURE(solver);
    for (const char* law : {"contact, radius: 100 mm, stiffness: 1 MN/m, depth: 1 m, exponent: 1",
                            "contact, radius: 100 mm, stiffness: 1 MN/m, depth: 1 m, exponent: 1, events: on",
                            "tyre_vertical, radius: 100 mm, stiffness: 1 MN/m"}) {
      const Run r = run_with(
          solver, ball("0.1", std::string("forces: {c: {from: ground, to: ball, type: ") + law + "}}\n" + half_second));
      for (std::size_t i = 0; i < r.sink.time.size(); ++i) {
        CHECK(r.at(i, "ball.z") < 0.1 + 1e-6);
        CHECK(r.at(i, "ball.z") > 0.1 - 2.1 * g / 1e6);
      }
    }
  }
}

TEST_CASE("A contact at rest lets go where a parameter that an event sets pulls it") {
  const std::string text =
      ball("0",
           "forces:\n  floor: {type: rigid_contact, from: ground, to: ball}\n  pull: {type: actuator, "
           "joint: fall, force: =pull}\nevents: {go: {at: 0.5 s, do: {set: {pull: 20 N}}}}\n"
           "experiments: {e: {until: 1 s, output_step: 0.1 s}}\n");
  for (const std::string solver : integrators) {
    CAPTURE(solver);
    const Run r = run_with(solver, text);
    CHECK(first(r, "opens") == Approx(0.5));
    CHECK(r.last("ball.z") == Approx(0.5 * (20 - g) * 0.25).epsilon(1e-6));
  }
}

// From 1 m with 2 m/s against 1 N: at the wall after 2 - sqrt(2) s with sqrt(2) m/s, back again, at rest at 1 m after 2 s.
TEST_CASE("Friction takes a speed that jumps through zero for what it is, and does not stick") {
  const std::string text =
      ball("1",
           "gravity: off\nforces:\n  wall: {type: rigid_contact, from: ground, to: ball, restitution: "
           "1}\n  fr: {type: stick_slip, joint: fall, hold: 1 N}\nexperiments: {e: {until: 3 s, tolerance: 1e-9, "
           "output_step: 0.1 s}}\n",
           ", rate: -2 m/s");
  for (const std::string solver : integrators) {
    CAPTURE(solver);
    const Run r = run_with(solver, text);
    CHECK(first(r, "reverses") == Approx(2 - std::sqrt(2.0)).epsilon(1e-6));
    CHECK(first(r, "sticks") == Approx(2).epsilon(1e-6));
    CHECK(r.last("ball.z") == Approx(1).epsilon(1e-6));
  }
}

TEST_CASE("An event at a given time happens once, whatever follows at the same instant") {
  const Run r =
      run_text(ball("0.3",
                    "forces: {tyre: {type: tyre_vertical, from: ground, to: ball, load: 9.81 N, stiffness: 1 "
                    "kN/m, damping: 10 N.s/m}}\nevents: {up: {at: 0.2 s, inputs: {z: fall.displacement}, do: "
                    "{state: {fall.displacement: \"=z + 0.5\"}}}}\nexperiments: {e: {until: 0.25 s, output_step: "
                    "10 ms}}\n"));
  CHECK(count(r, "up") == 1);
  CHECK(count(r, "lift-off") == 1);
  CHECK(r.last("ball.z") == Approx(0.8 - 0.5 * g * 0.05 * 0.05));
}

// At 1 s a controller begins to pull with 20 N, so that the contact opens right there: the kick of the other body is over by then.
TEST_CASE("A kick at the instant at which a sample opens a contact is given once") {
  const Run r = run_text(
      "skyhook: 1\nname: two\nbodies: {ball: {mass: 1 kg, at: [0, 0, 0]}, other: {mass: 1 kg, at: [1, 0, 0]}}\njoints: "
      "{fall: "
      "{type: prismatic, from: ground, to: ball, axis: z}, o: {type: prismatic, from: ground, to: other, axis: x}}\n"
      "controllers: {c: {type: expression, sample_time: 1 s, inputs: {z: ball.z}, outputs: {F: \"=if(t > 0.5, 20, "
      "0)\"}}}\n"
      "forces: {floor: {type: rigid_contact, from: ground, to: ball}, a: {type: actuator, joint: fall, signal: c}}\n"
      "events: {kick: {at: 1 s, inputs: {v: o.displacement_rate}, do: {state: {o.displacement_rate: \"=v + 1\"}}}}\n"
      "outputs: [ball.z, other.vx]\nexperiments: {e: {until: 1.5 s, output_step: 0.1 s}}\n");
  CHECK(count(r, "kick") == 1);
  CHECK(first(r, "opens") == Approx(1));
  CHECK(r.last("other.vx") == Approx(1));
  CHECK(r.last("ball.z") == Approx(0.5 * (20 - g) * 0.25).epsilon(1e-6));
}

TEST_CASE("A controller that reads an acceleration at the start reads it with the contacts that are closed") {
  const Run r =
      run_text(ball("0",
                    "controllers: {c: {type: expression, sample_time: 10 s, inputs: {a: ball.az}, outputs: {u: =a}}}\n"
                    "forces: {floor: {type: rigid_contact, from: ground, to: ball}}\n" +
                        half_second),
               {.outputs = {"c"}});
  CHECK(std::abs(r.last("c")) < 1e-12);  // it rests; without the floor it would be -g
}

// 9.81 t - 9.81 t^2/2 = 4.8 at 1 - sqrt(1 - 9.6/9.81): long steps pass the apex, 10.5 cm above, in one go.
TEST_CASE("A contact that would open again within the step is met, however long the run") {
  const std::string text =
      ball("0",
           "markers: {top: {body: ground, at: [0, 0, 4.8], orientation: {x: [1, 0, 0], y: [0, -1, "
           "0]}}}\nforces: {ceiling: {type: rigid_contact, from: top, to: ball, restitution: 0.5}}\n"
           "experiments: {e: {until: 100 s, output_step: 1 s}}\n",
           ", rate: 9.81 m/s");
  for (const std::string solver : integrators) {
    CAPTURE(solver);
    CHECK(first(run_with(solver, text), "impact") == Approx(1 - std::sqrt(1 - 9.6 / 9.81)).epsilon(1e-5));
  }
}

TEST_CASE("A velocity that an event sets frees what rests: it flies for 2 v/g") {
  const Run r =
      run_text(ball("0",
                    "forces: {floor: {type: rigid_contact, from: ground, to: ball}}\nevents: {kick: {at: 0.1 s, do: "
                    "{state: {fall.displacement_rate: \"=1\"}}}}\n" +
                        half_second));
  CHECK(first(r, "opens") == Approx(0.1));
  CHECK(first(r, "impact") == Approx(0.1 + 2 / g).epsilon(1e-6));
}

// 3 times 0.1 is not 0.3: the two times differ by a unit of the last place.
TEST_CASE("Samples and events at times that differ by rounding are at one instant") {
  const std::string text =
      ball("0",
           "gravity: off\ncontrollers: {c: {type: pid, sample_time: 0.1 s, input: fall.displacement, "
           "setpoint: 0, kp: 10, kd: 1}}\nforces: {a: {type: actuator, joint: fall, signal: c}}\nevents: "
           "{e: {at: 0.3 s, inputs: {v: fall.displacement_rate}, do: {state: {fall.displacement_rate: "
           "=v}}}}\nexperiments: {e: {until: 1 s, output_step: 0.1 s, tolerance: 1e-9}}\n",
           ", displacement: 1 m");
  std::string without = text;
  const std::size_t from = without.find("events:"), to = without.find("experiments:");
  without.erase(from, to - from);
  for (const std::string solver : integrators) {
    CAPTURE(solver);
    const Run r = run_with(solver, text);
    CHECK(count(r, "e") == 1);
    CHECK(r.last("ball.z") == Approx(run_with(solver, without).last("ball.z")).epsilon(1e-6));  // it sets what is there
  }
}

TEST_CASE("Steps of the road closer together than the steps of the integrator are all met") {
  const std::string text =
      ball("0.3",
           "forces: {tyre: {type: tyre_vertical, from: ground, to: ball, load: 9.81 N, stiffness: 1 kN/m, "
           "damping: 10 N.s/m, speed: 10 m/s, step_at: [1 m, 1.01 m, 1.02 m], step_height: [5 mm, -10 mm, "
           "5 mm]}}\n" +
               half_second);
  for (const std::string solver : integrators) {
    CAPTURE(solver);
    const Run r = run_with(solver, text);
    int steps = 0;
    for (const auto& e : r.sink.events) steps += e.name.starts_with("step");
    CHECK(steps == 3);
  }
}

// From 5 cm the impacts accumulate at t1 (1 + e)/(1 - e) = 6.6 s; hundreds of them are no chattering. Rebounds below the tolerance
// are not told from rest, which ends them 3 ms earlier.
TEST_CASE("A ball of restitution 0.97 comes to rest") {
  const Run r = run_text(ball("0.05",
                              "forces: {floor: {type: rigid_contact, from: ground, to: ball, restitution: 0.97}}\n"
                              "experiments: {e: {until: 10 s, output_step: 0.1 s, solver: bdf}}\n"));
  CHECK(first(r, "comes to rest") == Approx(std::sqrt(0.1 / g) * 1.97 / 0.03).epsilon(1e-3));
  CHECK(count(r, "impact") > 200);
}

TEST_CASE("A ball that bounces by an event of the user ends where its bounces accumulate, with the reason") {
  const Loaded loaded =
      load_text(ball("1",
                     "events: {floor: {inputs: {z: ball.z, v: fall.displacement_rate}, when: =z, direction: "
                     "falling, do: {state: {fall.displacement_rate: \"=-0.5*v\"}}}}\nexperiments: {e: "
                     "{until: 2 s, output_step: 0.1 s}}\n"));
  for (const std::string solver : integrators) {
    CAPTURE(solver);
    model::Experiment e = loaded.experiment;
    e.solver = solver, e.tolerance = 1e-9;  // hops below the tolerance are lost, and ida's first steps are of order 1
    simulation::MemorySink sink;
    simulation::simulate(simulation::prepare(loaded.model, e), e, sink);
    CHECK(sink.summary.status == simulation::RunStatus::failed);
    CHECK(sink.summary.reason.find("\"floor\" happens faster and faster") != std::string::npos);
    CHECK(sink.summary.t_reached == Approx(3 * std::sqrt(2 / g)).epsilon(1e-3));
  }
}

namespace {

// A pendulum of 1 kg and 0.1 kg.m^2 hangs at rest 0.5 m below a base that follows the drive.
std::string pendulum_on_base(const std::string& drive, const std::string& events) {
  return "skyhook: 1\nparameters: {v: 0 m/s}\nbodies:\n  base: {mass: 1}\n"
         "  arm: {mass: 1, com: [0, 0, -0.5], inertia: [0.1, 0.1, 0.1]}\njoints:\n"
         "  slide: {type: prismatic, from: ground, to: base, axis: x, drive: \"=" +
         drive + "\"}\n  hinge: {type: revolute, from: base, to: arm, axis: y}\n" + events +
         "outputs: [slide.displacement, hinge.angle, hinge.angle_rate]\n"
         "experiments: {e: {until: 1 s, output_step: 0.1 s, tolerance: 1e-9}}\n";
}

double last_angle(const Run& r) { return r.last("hinge.angle"); }

const Warning* find_warning(const Run& r, const std::string& name) {
  const auto& all = r.sink.summary.warnings;
  const auto found = std::ranges::find(all, name, &Warning::name);
  return found == all.end() ? nullptr : &*found;
}

const std::string set_v = "events: {go: {at: 0.5 s, do: {set: {v: 2 m/s}}}}\n";

}  // namespace

// The base's rate jumps from 0 to v = 2 m/s: about the hinge (J + m l^2) w = m l v, w = 1/0.35 = 2.857 rad/s. From there the pendulum
// swings as one that starts with that rate on a base in steady motion. The other route is one formula for the whole time.
TEST_CASE("An event that sets a parameter of a drive gives the impulse of its jump, and tells") {
  const std::string free =
      "skyhook: 1\nbodies: {arm: {mass: 1, com: [0, 0, -0.5], inertia: [0.1, 0.1, 0.1]}}\n"
      "joints: {hinge: {type: revolute, from: ground, to: arm, axis: y}}\n"
      "initial: {hinge.angle_rate: " +
      std::to_string(1 / 0.35) + "}\noutputs: [hinge.angle]\nexperiments: {e: {until: 0.5 s, tolerance: 1e-9}}\n";
  const double angle = last_angle(run_text(free));
  for (const std::string solver : integrators) {
    CAPTURE(solver);
    const Run one = run_with(solver, pendulum_on_base("2[m/s]*max(t-0.5[s], 0[s])", ""));
    CHECK(last_angle(one) == Approx(angle).epsilon(1e-6));
    for (const char* drive : {"v*(t-0.5[s])", "v*max(0[s], t-0.5[s])", "v*t"}) {
      CAPTURE(drive);
      const Run r = run_with(solver, pendulum_on_base(drive, set_v));
      CHECK(last_angle(r) == Approx(angle).epsilon(1e-6));
      CHECK(count(r, "drive jumps") == 1);
      const Warning* told = find_warning(r, "drive_jumps");
      REQUIRE(told);
      CHECK(told->what.find("slide") != std::string::npos);
      CHECK(told->where.line == 7);
      CHECK(r.sink.summary.energy_closure < 1e-6);
    }
  }
  const Run leaps = run_text(pendulum_on_base("v*t", set_v));
  const Warning* leap = find_warning(leaps, "drive_jumps");
  REQUIRE(leap);
  CHECK(leap->what.find("its value was 0 and is 1, its rate was 0 and is 2") != std::string::npos);
  const Run smooth = run_text(pendulum_on_base("v/1[s]*(t-0.5[s])^2", set_v));  // no jump, no word
  CHECK(!find_warning(smooth, "drive_jumps"));
  CHECK(count(smooth, "drive jumps") == 0);
}

// The plate gets a rate of 2 m/s under a ball at rest on it, which leaves it with (1 + e) times as much: 1 m/s more than the plate.
// Where the plate falls away the ball is free at once.
TEST_CASE("Contacts are decided anew where an event lets a drive jump") {
  const auto plate = [](const std::string& v) {
    return "skyhook: 1\nparameters: {v: 0 m/s}\nbodies: {plate: {mass: 1}, ball: {mass: 1}}\njoints:\n"
           "  stamp: {type: prismatic, from: ground, to: plate, axis: z, drive: \"=v*(t-0.1[s])\"}\n"
           "  fall: {type: prismatic, from: ground, to: ball, axis: z}\n"
           "forces: {floor: {type: rigid_contact, from: plate, to: ball, restitution: 0.5}}\n"
           "events: {go: {at: 0.1 s, do: {set: {v: " +
           v + "}}}}\noutputs: [ball.z]\nexperiments: {e: {until: 0.2 s, output_step: 10 ms, tolerance: 1e-8}}\n";
  };
  for (const std::string solver : integrators) {
    CAPTURE(solver);
    CHECK(run_with(solver, plate("2 m/s")).last("ball.z") == Approx(3 * 0.1 - g / 2 * 0.01).epsilon(1e-6));
    CHECK(run_with(solver, plate("-2 m/s")).last("ball.z") == Approx(-g / 2 * 0.01).epsilon(1e-6));
  }
}

// From 1 m: -sqrt(2 g) = -4.43 m/s become +2.21 m/s, through 1 m/s, at t = sqrt(2/g).
TEST_CASE("A formula that an impact carries through zero has its event behind it") {
  const auto text = [](const std::string& restitution, const std::string& when, const std::string& direction) {
    return ball("1", "forces: {floor: {type: rigid_contact, from: ground, to: ball, restitution: " + restitution +
                         "}}\nevents: {up: {inputs: {v: ball.vz}, when: \"=" + when + "\", direction: " + direction +
                         ", do: [{state: {fall.displacement_rate: 1}}, stop]}}\nexperiments: {e: {until: 0.6 s, "
                         "output_step: 10 ms, tolerance: 1e-8}}\n");
  };
  for (const std::string solver : integrators) {
    CAPTURE(solver);
    const Run r = run_with(solver, text("0.5", "v-1", "rising"));
    CHECK(first(r, "up") == Approx(std::sqrt(2 / g)).epsilon(1e-7));
    CHECK(first(r, "up") == first(r, "impact"));
    CHECK(r.sink.events.back().name == "up");  // contacts come before formulas, which see the state behind
    CHECK(r.sink.events.back().detail.starts_with("fall.displacement_rate from 2.21472 to 1"));
    const Run falls = run_with(solver, text("0.5", "v-2", "falling"));  // not by the impact, but on the way up again
    CHECK(first(falls, "up") == Approx(std::sqrt(2 / g) + (0.5 * std::sqrt(2 * g) - 2) / g).epsilon(1e-6));
    CHECK(count(run_with(solver, text("0.5", "v-3", "both")), "up") == 0);
    CHECK(count(run_with(solver, text("0", "v", "rising")), "up") == 1);  // arrives at zero
  }
}

TEST_CASE("A formula that a drive's jump carries through zero has its event there") {
  const std::string event =
      "events: {swings: {inputs: {w: hinge.angle_rate}, when: =w-2, direction: rising, do: [{state: {hinge.angle_rate: "
      "1}}, stop]}}\n";
  for (const std::string solver : integrators) {
    CAPTURE(solver);
    const Run r = run_with(solver, pendulum_on_base("2[m/s]*max(t-0.5[s], 0[s])", event));
    CHECK(first(r, "swings") == Approx(0.5));
    CHECK(r.sink.events.back().detail.starts_with("hinge.angle_rate from 2.85714 to 1"));  // the state behind it
  }
}

// v = -g t: sin(1000 v) is zero at t = k pi/(1000 g), 249 times in 80 ms, 0.32 ms apart.
TEST_CASE("A run tells where a formula crosses zero several times within a step") {
  const auto text = [](const std::string& more, const std::string& when) {
    return ball("1", "events: {many: {inputs: {v: ball.vz}, when: \"=" + when +
                         "\", do: {state: {fall.displacement_rate: =v}}}}\n"
                         "experiments: {e: {until: 80 ms, output_step: 10 ms" +
                         more + "}}\n");
  };
  for (const std::string solver : integrators) {
    CAPTURE(solver);
    const Run coarse = run_with(solver, text("", "sin(1000*v)"));
    if (count(coarse, "many") != 249) {
      const Warning* told = find_warning(coarse, "events_missed");
      REQUIRE(told);
      CHECK(told->what.find("\"many\"") != std::string::npos);
    }
    const Run fine = run_with(solver, text(", largest_step: 0.1 ms", "sin(1000*v)"));
    CHECK(count(fine, "many") == 249);
    CHECK(!find_warning(fine, "events_missed"));
    CHECK(!find_warning(run_with(solver, text("", "v+0.5")), "events_missed"));
  }
  CHECK(count(run_with("dopri5", text("", "sin(1000*v)")), "many") < 249);  // so the warning is seen
}

// The ball comes to rest at 3 sqrt(2/g) = 1.35 s: from there on v is zero, but it was not before.
TEST_CASE("A formula that has had its events is not said to be zero throughout where these set parameters") {
  const Run r = run_text(ball("1",
                              "forces: {floor: {type: rigid_contact, from: ground, to: ball, restitution: 0.5}}\n"
                              "events: {up: {inputs: {v: ball.vz}, when: =v, do: {set: {pull: 0 N}}}}\n"
                              "experiments: {e: {until: 2 s, output_step: 10 ms}}\n"));
  CHECK(count(r, "up") > 10);
  CHECK(!find_warning(r, "never_happened"));
}
