// References: the model without the things that are switched off.
#include "skyhook/io/model_file/reader.testing.h"

using namespace skyhook;
using namespace skyhook::io;

namespace {

std::string car(const std::string& more = "", const std::string& on = "false") {
  return "skyhook: 1\nparameters: {on: " + on +
         "}\nbodies:\n  car: {mass: 1}\n  bar: {mass: 1, if: =on, markers: {tip: {at: [1, 0, 0]}}}\n"
         "joints:\n  road: {type: free, from: ground, to: car}\n  turn: {type: revolute, from: car, to: bar, if: =on}\n"
         "use:\n  extra: {if: =on, bodies: {b: {mass: 1}}, joints: {j: {type: prismatic, from: $parent.car, to: "
         "b}}}\n" +
         more;
}

model::Model read(const std::string& text) { return read_model_text(text, "m.yaml"); }

}  // namespace

TEST_CASE("An `if` switches bodies, joints, forces, markers and parts on and off") {
  const std::string more =
      "markers: {m: {body: car, if: =not on}}\nforces: {f: {type: force, if: =on, joint: turn, value: 1}}\n";
  const model::Model off = read(car(more));
  CHECK((off.bodies.size() == 1 && off.joints.size() == 1 && off.contributions.empty() && off.markers.size() == 1));
  CHECK(off.expanded.find("if") == std::string::npos);
  CHECK(off.expanded.find("bar") == std::string::npos);
  CHECK(read(off.expanded).expanded == off.expanded);
  const model::Model on = read(car("", "true"));
  CHECK((on.bodies.size() == 3 && on.joints.size() == 3 && on.markers.size() == 1));
}

TEST_CASE("The index of a repeat may switch single instances off") {
  const model::Model m = read(
      "skyhook: 1\nbodies:\n  b[i=1..4]: {mass: =i, if: =i != 2}\njoints:\n  j[i=1..4]: {type: free, from: ground, to: "
      "\"b[i]\", if: =i != 2}\n");
  REQUIRE(m.bodies.size() == 3);
  CHECK(m.bodies[1].name == "b[3]");
}

TEST_CASE("Initial values and outputs of things switched off are left out") {
  const std::string more =
      "initial: {turn.angle: 1, extra.j.displacement: 2, road.x: 3}\noutputs: [bar.x, bar.tip.z, extra.b.z, ba*.x, "
      "car.x, "
      "c*.y]\nexperiments: {e: {until: 1, initial: {turn.angle: 1}, outputs: {a: turn.angle, b: car.x}}}\n";
  const model::Model m = read(car(more));
  REQUIRE(m.outputs.size() == 2);
  CHECK((m.outputs[0].channel == "car.x" && m.outputs[1].channel == "c*.y"));
  CHECK(m.experiments[0].outputs.size() == 1);
  CHECK(m.joints[0].position[0] == 3.0);
  CHECK(read(m.expanded).expanded == m.expanded);
}

TEST_CASE("What refers to a thing switched off is told where its `if` stands") {
  const auto wrong = [](const std::string& more) { return errors_of(car(more)); };
  const std::string bar =
      "is switched off by the `if` of body \"bar\", m.yaml:5.\n  Switch it on, or give this an `if` as well.";
  CHECK(has(wrong("markers: {m: {body: bar}}\n"), "marker \"m\": body is \"bar\", which " + bar));
  CHECK(has(wrong("forces: {f: {type: spring_damper, from: car, to: bar.tip}}\n"), "is \"bar.tip\", which " + bar));
  CHECK(has(wrong("forces: {f: {type: torque, joint: turn, value: 1}}\n"), "by the `if` of joint \"turn\", m.yaml:8"));
  CHECK(has(wrong("markers: {m: {body: extra.b}}\n"), "by the `if` of part \"extra\", m.yaml:10"));
  CHECK(has(errors_of("skyhook: 1\nbodies: {b: {mass: 1, if: maybe}}\n"),
            "body \"b\": if is \"maybe\", but must be true or false."));
}

TEST_CASE("The condition is no quantity") {
  CHECK(has(errors_of("skyhook: 1\nbodies: {b: {mass: 1, if: \"=3[m]\"}}\n"),
            "body \"b\": if is \"=3[m]\", a quantity in m, but needs a number without unit."));
  CHECK(has(errors_of("skyhook: 1\nbodies: {b: {mass: 1, if: 2}}\n"), "if is \"2\", but must be true or false."));
}

TEST_CASE("Parts that are switched off must have fields that are known") {
  CHECK(has(errors_of("skyhook: 1\nuse: {g: {if: =false, jonts: 5}}\n"),
            "part \"g\" has the field \"jonts\", which is not known.\n  Did you mean \"joints\"?"));
  const std::string part = "skyhook: 1\ntemplates: {t: {parameters: {k: 1}, bodies: {b: {mass: =k}}}}\nuse: {p: ";
  CHECK(has(errors_of(part + "{if: false, template: t, l: 2}}\n"), "part \"p\" has the field \"l\""));
  CHECK(has(errors_of(part + "{if: false, template: s}}\n"), "uses the template \"s\", which is not defined."));
  CHECK(read(part + "{if: false, template: t, k: 2}}\n").warnings.empty());
}
