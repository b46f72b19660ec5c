// What goes wrong with controllers, events and contacts: told with its place, and the result so far is kept.
#include "program.testing.h"
#include "run_model.testing.h"

using namespace skyhook;
using namespace skyhook::testing;

namespace {

std::string oscillator(const std::string& rest) {
  return R"(skyhook: 1
name: oscillator
gravity: 0 m/s^2
parameters:
  k: 100 N/m
  extra: false
bodies:
  mass: {mass: 1 kg, at: [0, 0, 0]}
joints:
  ride: {type: prismatic, from: ground, to: mass, axis: x}
initial: {ride.displacement: 0.1 m}
outputs: {x: ride.displacement}
experiments:
  e: {until: 1 s, output_step: 10 ms}
forces:
  spring: {type: force, joint: ride, value: =-k*q}
  more: {if: =extra, type: force, joint: ride, value: =-k*q}
)" + rest;
}

// Of the program.
Done run_file(const std::string& text) {
  const Place place("hybrid_errors");
  place.write("bad.yaml", text);
  return place.run("run bad.yaml --out bad.h5");
}

simulation::MemorySink run_anyway(const std::string& text) {
  const Loaded loaded = load_text(text);
  const auto prepared = simulation::prepare(loaded.model, loaded.experiment);
  simulation::MemorySink sink;
  simulation::simulate(prepared, loaded.experiment, sink);
  return sink;
}

}  // namespace

TEST_CASE("Times and channels that cannot be are refused at their line") {
  const auto controller = [](const std::string& fields) {
    return oscillator("controllers:\n  c: {type: expression, " + fields + ", outputs: {u: =v}}\n");
  };
  struct Case {
    std::string fields, message;
  };
  for (const Case& c : {Case{"sample_time: 1e-300 s, inputs: {v: mass.vx}", "must be at least 1e-09 s"},
                        {"inputs: {v: mass.vx}", "bad.yaml:19:3: controller \"c\" needs \"sample_time\""},
                        {"sample_time: 1 ms, delay: -1 ms, inputs: {v: mass.vx}", "delay is -0.001 s"},
                        {"sample_time: 1 ms, inputs: {v: mass.vq}", "Did you mean \"mass.vx\"?"},
                        {"sample_time: 1 ms, inputs: {v: c}", "read each other in a circle"}}) {
    CAPTURE(c.fields);
    const Done done = run_file(controller(c.fields));
    CHECK(done.code == 2);
    CHECK(has(done.err, "bad.yaml:19:"));
    CHECK(has(done.err, c.message));
  }
}

TEST_CASE("A controller that gives no number ends the run with its name, its time and its input") {
  const auto sink = run_anyway(oscillator(R"(  push: {type: actuator, joint: ride, signal: c}
controllers:
  c: {type: expression, sample_time: 10 ms, inputs: {x: ride.displacement}, outputs: {u: =sqrt(x)}, unit: N}
)"));
  CHECK(sink.summary.status == simulation::RunStatus::failed);
  CHECK(has(sink.summary.reason, "Controller \"c\" gives no finite number"));
  CHECK(has(sink.summary.reason, "ride.displacement = -"));
  REQUIRE(sink.time.size() > 10);
  CHECK(sink.channels.back()[0] > -0.01);  // nothing spoilt is stored
}

TEST_CASE("A formula of an event that has no value ends the run and tells which") {
  const auto sink =
      run_anyway(oscillator("events:\n  z: {when: =sqrt(x), inputs: {x: ride.displacement}, do: {stop: true}}\n"));
  CHECK(sink.summary.status == simulation::RunStatus::failed);
  CHECK(has(sink.summary.reason, "The formula \"sqrt(x)\" of event \"z\" gives no finite number at t = 0.1"));
  CHECK(sink.time.size() > 10);
}

TEST_CASE("A formula that is zero throughout is warned of at the end") {
  const auto sink = run_anyway(oscillator("events:\n  z: {when: =y, inputs: {y: mass.y}, do: {stop: true}}\n"));
  CHECK(sink.summary.status == simulation::RunStatus::finished);
  REQUIRE(sink.summary.warnings.size() == 1);
  CHECK(has(sink.summary.warnings[0].what, "event \"z\" has never happened"));
}

// Set back by 1 um each time it moves 1 um: at 0.9 m/s that is every microsecond.
TEST_CASE("An event that happens again and again ends the run, with its name") {
  const auto sink = run_anyway(
      oscillator("events:\n  z: {when: '=x - 50[mm]', inputs: {x: ride.displacement}, do: {state: {ride.displacement: "
                 "50.001 mm}}}\n"));
  CHECK(sink.summary.status == simulation::RunStatus::failed);
  CHECK(has(sink.summary.reason, "z"));
  CHECK(sink.summary.t_reached > 0.1);
  CHECK(sink.summary.t_reached < 0.11);
  CHECK(sink.time.size() > 10);
}

TEST_CASE("A parameter that changes what the model consists of cannot be set in a run") {
  const Done done = run_file(oscillator("events:\n  z: {at: 0.5 s, do: {set: {extra: true}}}\n"));
  CHECK(done.code == 3);
  CHECK(has(done.err, "An event sets a parameter, but the run cannot go on with it: force \"more\" has come in."));
  CHECK(has(done.out, "failed: result in bad.h5"));
}

TEST_CASE("A contact that begins in penetration is named with its depth") {
  const auto sink = run_anyway(
      oscillator("  wall: {type: rigid_contact, from: mass, to: ground, to_at: [0, 0, -0.02], restitution: 0.5}\n"));
  CHECK(sink.summary.status == simulation::RunStatus::failed);
  CHECK(has(sink.summary.reason, "Contact \"wall\" starts with 0.02 m of penetration."));
}

TEST_CASE("Restitution, hold and actions that cannot be are refused") {
  for (const auto& [rest, message] : std::vector<std::pair<std::string, std::string>>{
           {"  w: {type: rigid_contact, from: ground, to: mass, restitution: 1.1}\n", "restitution is 1.1"},
           {"  s: {type: stick_slip, joint: ride, hold: 10 N, slide: 20 N}\n", "slide"},
           {"events:\n  z: {at: 0.1 s, do: {jump: true}}\n", "\"jump\", which is not known"},
           {"events:\n  z: {at: 0.1 s, do: {set: {kk: 3}}}\n", "Did you mean \"k\"?"},
           {"events:\n  z: {at: 0.1 s, do: {switch_off: cc}}\n", "controller \"cc\", which is not defined"},
           {"events:\n  z: {when: =0*x, inputs: {x: mass.x}, do: {stop: true}}\n", "zero throughout"}}) {
    CAPTURE(rest);
    try {
      load_text(oscillator(rest));
      FAIL("not refused");
    } catch (const ModelError& error) {
      CHECK(has(error.what(), "test.yaml:"));
      CHECK(has(error.what(), message));
    }
  }
}
