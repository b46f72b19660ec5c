// Controllers in model files: what is read, in templates as well, and what is said where it is wrong.
#include "skyhook/io/model_file/reader.testing.h"
#include "skyhook/model/signals.h"

using namespace skyhook;
using namespace skyhook::io;

namespace {

// Line 7 holds the controller, line 9 the force.
std::string controlled(const std::string& controller, const std::string& force = "joint: hinge, signal: loop") {
  return pendulum("mass: 2 kg",
                  "controllers:\n  loop: {" + controller + "}\nforces:\n  motor: {type: actuator, " + force + "}\n");
}

const std::string pid = "type: pid, sample_time: 5 ms, input: hinge.angle";

}  // namespace

TEST_CASE("A controller is read with its times, input and signal") {
  const model::Model m = read_model_text(
      controlled(pid + ", offset: 1 ms, delay: 2 ms, starts: off, initial: 3 N.m, kp: 20 N.m, unit: N.m"), "m.yaml");
  REQUIRE(m.controllers.size() == 1);
  const model::Controller& c = m.controllers[0];
  CHECK(c.name == "loop");
  CHECK(c.type == "pid");
  CHECK(c.where.line == 7);
  CHECK(c.sample_time == 0.005);
  CHECK(c.offset == 0.001);
  CHECK(c.delay == 0.002);
  CHECK(!c.starts_on);
  CHECK(c.inputs.at(0).channel == "hinge.angle");
  CHECK(c.inputs[0].where.line == 7);
  CHECK(m.signals.at(0).name == "loop");
  CHECK(m.signals[0].start == 3);
  CHECK(m.contributions.at(0).signal.index == 0);
}

TEST_CASE("A controller that nobody listens to is told, with its line") {
  const std::string alone = "controllers:\n  loop: {" + pid + "}\n",
                    nobody = "m.yaml:7:3: controller \"loop\" is used nowhere";
  CHECK(has(warnings_of(pendulum("mass: 2 kg", alone)), nobody));
  CHECK(has(warnings_of(pendulum("mass: 2 kg", alone + "events: {e: {at: 1 s, do: [{switch_on: loop}]}}\n")),
            nobody));  // that is no listening
  CHECK(warnings_of(controlled(pid)).empty());
  for (const char* listener :
       {"outputs: [loop.output]\n", "outputs: [\"loop*\"]\n", "outputs: {u: \"=2*loop.output\"}\n",
        "events: {e: {inputs: {u: loop.output}, when: \"=u/1[N.m] - 3\", do: stop}}\n",
        "experiments: {e: {until: 1, outputs: [loop.output]}}\n"}) {
    CAPTURE(listener);
    CHECK(warnings_of(pendulum("mass: 2 kg", alone + listener)).empty());
  }
  const std::string part = "skyhook: 1\ntemplates:\n  t:\n    controllers: {loop: {" + pid + "}}\n";
  const std::string rest =
      "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\njoints: {hinge: {type: revolute, from: ground, to: b, axis: "
      "y}}\nuse: {p: {template: t}}\n";
  CHECK(has(warnings_of(part + rest), "m.yaml:4:19: controller \"loop\" is used nowhere"));
  CHECK(warnings_of(part + rest + "outputs: [p.loop.output]\n").empty());
}

TEST_CASE("Sample times that are none are refused") {
  const auto with = [](const std::string& time) {
    return errors_of(controlled("type: pid, input: hinge.angle" + time));
  };
  CHECK(has(with(""), "m.yaml:7:3: controller \"loop\" needs \"sample_time\"."));
  CHECK(has(with(", sample_time: 0"), "controller \"loop\": sample_time is 0 s, but must be at least 1e-09 s."));
  CHECK(
      has(with(", sample_time: -1 ms"), "controller \"loop\": sample_time is -0.001 s, but must be at least 1e-09 s."));
  CHECK(has(with(", sample_time: 1 s, delay: -1"), "controller \"loop\": delay is -1 s, but must be at least 0 s."));
}

TEST_CASE("A signal that is none is refused with those there are, and one in another unit") {
  const std::string missing = errors_of(controlled(pid, "joint: hinge, signal: lop"));
  CHECK(has(missing, "m.yaml:9:"));
  CHECK(has(missing, "force \"motor\": signal is \"lop\", which is no signal."));
  CHECK(has(missing, "Did you mean \"loop\"?"));
  CHECK(has(errors_of(controlled("type: expression, sample_time: 1, outputs: {a: =t, b: =2*t}")),
            "Signals here: loop.a, loop.b"));
  CHECK(has(errors_of(pendulum("mass: 1", "forces: {f: {type: actuator, joint: hinge, signal: loop}}")),
            "or a controller under `controllers`."));
  CHECK(has(errors_of(controlled(pid + ", unit: kN")), "signal \"loop\" is in N, but N.m is needed."));
  // It could not be read: what refers to it is not reported again.
  CHECK(errors_of(controlled("type: pid, sample_time: 1")).find("signal") == std::string::npos);
  CHECK(has(errors_of(controlled(pid + ", if: false")), "which is switched off by the `if` of controller \"loop\""));
}

TEST_CASE("Formulas of a controller know t, inputs and memory; names that are none are refused") {
  const auto with = [](const std::string& rest) {
    return errors_of(
        controlled("type: expression, sample_time: 1, inputs: {q: hinge.angle}, memory: {r: 2 mm}, " + rest));
  };
  CHECK(with("next: {r: =r + q*t}, outputs: {u: \"=3[kN]*q - r\"}") == "");
  CHECK(has(with("outputs: {u: =p}"), "p"));
  CHECK(has(with("next: {s: =q}, outputs: {u: =q}"), "next has \"s\", which is not in its memory."));
  CHECK(has(with("next: [1], outputs: {u: =q}"), "next should be a map, but is a list."));
  const model::Model m = read_model_text(
      controlled("type: expression, sample_time: 1, inputs: {q: hinge.angle}, memory: {r: 2 mm}, outputs: {u: =r + q}"),
      "m.yaml");
  const auto& law = *m.controllers[0].law;
  std::vector<double> memory = law.memory(), out(1);
  law.update(0, std::vector<double>{1.0}, memory, out);
  CHECK(out[0] == doctest::Approx(1.002));
}

TEST_CASE("Matrices and lists of channels that are none are refused") {
  const auto with = [](const std::string& rest) {
    return errors_of(controlled("type: state_space, sample_time: 1, " + rest));
  };
  CHECK(with("inputs: [hinge.angle], D: 3") == "");
  CHECK(with("inputs: [hinge.angle, hinge.angle_rate], D: [[3, 4]]") == "");
  CHECK(has(with("inputs: hinge.angle, D: 3"), "inputs should be a list or a map, but is a text."));
  CHECK(has(with("inputs: [hinge.angle], D: [3]"), "D: a row should be a list, but is a text."));
  CHECK(has(with("inputs: [hinge.angle], D: [[1, 2]]"), "D should have 1 x 1 numbers."));
  CHECK(has(with("inputs: [hinge.angle], D: 3, outputs: [a b]"), "\"a b\" cannot be used as a name"));
}

TEST_CASE("Controllers and who listens to them keep together in templates, and in the expanded model") {
  const std::string text =
      "skyhook: 1\nparameters: {T: 2 ms}\ntemplates:\n  strut:\n    parameters: {gain: 1000}\n    bodies: {b: {mass: "
      "1}}\n"
      "    joints: {slide: {type: prismatic, from: ground, to: b}}\n"
      "    controllers:\n      loop: {type: pid, sample_time: =2*T, input: slide.displacement, setpoint_input: "
      "$parent.master.a, kp: =gain}\n"
      "      eye: {type: expression, sample_time: =T, inputs: {x: slide.displacement, u: loop}, outputs: {y: \"=gain*x "
      "+ "
      "u\"}}\n"
      "    forces: {motor: {type: actuator, joint: slide, signal: loop}, other: {type: actuator, joint: slide, signal: "
      "$parent.master.b}}\n"
      "use: {front: {template: strut}, rear: {template: strut, gain: 2000}}\n"
      "controllers: {master: {type: expression, sample_time: 10 ms, inputs: {l: front.loop}, outputs: {a: =t, b: "
      "=l}}}\n";
  const model::Model m = read_model_text(text, "m.yaml");
  CHECK(model::signal_names(m) ==
        std::vector<std::string>{"master.a", "master.b", "front.loop", "front.eye", "rear.loop", "rear.eye"});
  CHECK(m.controllers[3].name == "rear.loop");
  CHECK(m.controllers[3].sample_time == 0.004);
  CHECK(m.controllers[3].inputs[0].channel == "rear.slide.displacement");
  CHECK(m.controllers[3].inputs[1].channel == "master.a");
  CHECK(m.controllers[4].inputs[1].channel == "rear.loop");
  CHECK(m.controllers[4].inputs[1].name == "u");
  CHECK(m.controllers[0].inputs[0].channel == "front.loop");
  REQUIRE(m.contributions.size() == 4);
  CHECK(m.contributions[2].signal.index == 4);
  CHECK(m.contributions[3].signal.index == 1);
  const model::Model again = read_model_text(m.expanded, "m.yaml");
  CHECK(again.expanded == m.expanded);
  CHECK(model::signal_names(again) == model::signal_names(m));
  std::vector<double> one(1), two(1), none;
  m.controllers[4].law->update(0, std::vector<double>{0.5, 3}, none, one);
  again.controllers[4].law->update(0, std::vector<double>{0.5, 3}, none, two);
  CHECK(one[0] == 1003);
  CHECK(two == one);
}
