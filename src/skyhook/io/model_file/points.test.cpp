// Reference: the same model with its points written as lists.
#include "skyhook/io/model_file/points.h"

#include <map>

#include "skyhook/io/model_file/reader.testing.h"

using namespace skyhook;
using namespace skyhook::io;

namespace {

model::Model read(const std::string& text, const std::vector<Setting>& settings = {},
                  const std::string& experiment = "") {
  return read_model_text(text, "m.yaml", settings, experiment);
}

// An arm on two points of the car, of which the template stands in line 4; `use` in line 6.
std::string car(const std::string& use,
                const std::string& defaults = "front: [0.2, 0.4, 0.3], rear: [-200 mm, 400 mm, 250 mm], ") {
  return "skyhook: 1\nparameters: {base: [1 m, 0, 0], lift: 0.1 m}\ntemplates:\n  arm: {parameters: {" + defaults +
         "middle: =(front + rear)/2, ball:, rate: [1 kN/m, 2e3, 3e3]}, "
         "bodies: {arm: {mass: 2 kg, at: =middle, com: \"=(2*middle + ball)/3\", shape: {rod: {from: =front, to: "
         "=ball, radius: 1 cm}}}}, "
         "joints: {pivot: {type: revolute, from: $parent.car, to: arm, axis: =front - rear}}, "
         "forces: {bush: {type: bushing, from: $parent.car, to: arm, to_at: =ball, stiffness: =rate}, "
         "push: {type: torque, joint: pivot, value: \"=-100[N]*(ball.y - front.y)\"}}, outputs: {drop: \"=arm.z - "
         "ball.z\"}}\n"
         "bodies: {car: {mass: 700 kg}}\nuse: " +
         use + "\njoints: {fly: {type: free, from: ground, to: car}}\n";
}

const std::string both =
    "{left: {template: arm, ball: [0, 0.7, 0.2]}, right: {template: arm, ball: [0, 0.7, 0.2], mirror: y}}";

std::map<std::string, double> parameters(const model::Model& m) {
  std::map<std::string, double> all;
  for (const model::Parameter& p : m.parameters) all[p.name] = p.value;
  return all;
}

}  // namespace

TEST_CASE("A point is given as a list and used where a vector stands, with its coordinates in expressions") {
  const model::Model m = read(car(both));
  REQUIRE(m.bodies.size() == 3);
  CHECK(m.bodies[1].at == Vec3d{0, 0.4, 0.275});
  CHECK(norm(m.bodies[1].com - Vec3d{0, 1.5 / 3, 0.75 / 3}) < 1e-15);
  CHECK(m.bodies[2].at == Vec3d{0, -0.4, 0.275});  // the part is mirrored as a whole
  const auto p = parameters(m);
  CHECK((p.at("left.front.x") == 0.2 && p.at("left.rear.z") == 0.25 && p.at("right.ball.y") == 0.7));
  CHECK(p.at("left.middle.z") == 0.275);
  CHECK(p.at("base.x") == 1);
  REQUIRE(m.outputs.size() == 2);
  CHECK(m.outputs[0].channel == "=left.arm.z - (0.2[m])");
  CHECK(has(m.expanded, "=-100[N]*((0.7[m]) - (0.4[m]))"));
}

TEST_CASE("A model with points is the model with the lists of the same numbers") {
  std::string text = car("{left: {template: arm, ball: [0, 0.7, 0.2]}}");
  const std::string with_points = read(text).expanded;
  const auto replace = [&](const std::string& a, const std::string& b) { text.replace(text.find(a), a.size(), b); };
  replace("axis: =front - rear", "axis: [0.4, 0, 0.04999999999999999]");
  replace("to_at: =ball, stiffness: =rate", "to_at: [0, 0.7, 0.2], stiffness: [1000, 2000, 3000]");
  replace("from: =front, to: =ball", "from: [0.2, 0.4, 0.3], to: [0, 0.7, 0.2]");
  replace("at: =middle", "at: [0, 0.4, 0.275]");
  CHECK(with_points == read(text).expanded);
}

TEST_CASE("The expanded model has the coordinates as parameters, reads back and stays as it is") {
  const model::Model m = read(car(both)), again = read_model_text(m.expanded, "m.yaml");
  CHECK(has(m.expanded, "left.front.x: 0.2 m"));
  CHECK(again.expanded == m.expanded);
  CHECK(again.bodies[2].at == m.bodies[2].at);
}

TEST_CASE("--set and experiments replace a point, or one of its coordinates") {
  const std::string text = car(both) +
                           "experiments: {high: {until: 1 s, set: {left.ball: [0, 800 mm, 0.25], base.z: =lift}}, "
                           "low: {until: 1 s, set: {base: \"=2*other\"}}}\n";
  const auto high = parameters(read(text, {}, "high"));
  CHECK((high.at("left.ball.y") == 0.8 && high.at("left.ball.z") == 0.25 && high.at("right.ball.y") == 0.7));
  CHECK(high.at("base.z") == 0.1);
  const auto set =
      parameters(read(text, {{"left.ball.z", "150 mm"}, {"right.front", "[0.3, 0.4, 0.3]"}, {"base", "[1, 2, 3]"}}));
  CHECK((set.at("left.ball.z") == 0.15 && set.at("left.ball.y") == 0.7 && set.at("right.front.x") == 0.3));
  CHECK(set.at("right.middle.x") == doctest::Approx(0.05).epsilon(1e-14));
  CHECK((set.at("base.y") == 2 && set.at("base.z") == 3));
  // A coordinate of a point that is an expression, and of one without default; a whole point wins over what was set before.
  CHECK(read(text, {{"left.middle.z", "0.5"}}).bodies[1].at == Vec3d{0, 0.4, 0.5});
  CHECK(parameters(read(text, {{"left.ball.z", "1"}, {"left.ball", "[1, 2, 3]"}})).at("left.ball.z") == 3);
  const auto open = car("{left: {template: arm}}");
  CHECK(has(errors_of(open), "m.yaml:6:7: part \"left\" needs \"ball\""));
  CHECK(parameters(read(open, {{"left.ball.x", "0"}, {"left.ball.y", "0.7"}, {"left.ball.z", "0.2"}}))
            .at("left.ball.y") == 0.7);
  // Fields of elements as well.
  CHECK(has(read(text, {{"left.bush.to_at", "[0, 0.75, 0.2]"}}).expanded, "to_at: [0, 0.75, 0.2]"));
}

TEST_CASE("Events set a point coordinate by coordinate") {
  const model::Model m = read(
      "skyhook: 1\nparameters: {p: [0, 0, 1]}\nbodies: {b: {mass: 1 kg}}\njoints: {j: {type: "
      "prismatic, from: ground, to: b, axis: =p}}\n"
      "events: {e: {at: 1 s, do: {set: {p: [0, 100 mm, 1]}}}}\n");
  CHECK(has(m.expanded, "p.y: 0.1 m"));
}

TEST_CASE("Numbers without unit in a point are metres, or what the others measure") {
  const auto dimension = [](const std::string& list) {
    const model::Model m = read("skyhook: 1\nparameters: {p: " + list + ", k: 3 N/m}\n");
    return m.parameters[1].unit;
  };
  CHECK(dimension("[0.1, 0.2, 0]") == "m");
  CHECK(dimension("[1 kN/m, 2, 3]") == "N/m");
  CHECK(dimension("[10 deg, 0, 0]") == "-");
  CHECK(dimension("[=k, =2*k, =k]") == "N/m");
}

TEST_CASE("What is wrong with a point is told with its place") {
  const auto errors = [](const std::string& parameters, const std::string& at) {
    return errors_of("skyhook: 1\nparameters:\n  " + parameters + "\nbodies: {b: {mass: 1 kg, at: " + at +
                     "}}\njoints: {j: {type: prismatic, from: ground, to: b, axis: z}}\n");
  };
  const std::string two = "{p: [0, 1, 2], q: [1 m, 2 m, 3 m], rate: 3 N/m}";
  CHECK(errors(two, "=(p + q)/2") == "");
  CHECK(has(errors("{p: [0, 1]}", "=p"), "m.yaml:3:7: parameter \"p\" is a list of 2, but a point has three numbers."));
  CHECK(has(errors("{p: [1 m, 2 kg, 3]}", "=p"), "parameter \"p\" has coordinates in m, kg and m."));
  CHECK(has(errors(two, "\"=p + 1[m]\""), "m.yaml:4:36: body \"b\": at: \"+\" needs two points or two numbers"));
  CHECK(has(errors(two, "=p*rate"), "body \"b\": at is \"=p*rate\", a quantity in N, but needs m."));
  CHECK(has(errors(two, "=rate"), "body \"b\": at should be a vector, but is \"=rate\"."));
  CHECK(has(errors(two, "=p + r"), "unknown name \"r\""));
  CHECK(has(errors(two, "[=p, 0, 0]"), "\"p\" is a point, but a number is expected here.\n  Write p.x, p.y or p.z."));
  CHECK(has(errors("{a: =b + c, b: [0, 0, 1], c: =a}", "=a"), "depends on itself"));
  CHECK(has(errors("{a: =b + 3, b: [0, 0, 1]}", "=a"), "parameter \"a.x\": \"+\" needs two points or two numbers"));
  CHECK(has(errors("{p: [0, 1 mm, =3+]}", "=p"), "parameter \"p.z\": the expression ends"));
  const std::string good = car(both);
  CHECK(has(errors_of(good, {{"base", "3"}}), "command line: parameter \"base\" is a point, but is set to \"3\"."));
  CHECK(has(errors_of(good, {{"lift", "[1, 2, 3]"}}),
            "command line: parameter \"lift\" is a number, but is set to a list."));
  CHECK(has(errors_of(good, {{"base.w", "3"}}),
            "command line: parameter \"base.w\" is to be set, but the model has none"));
  CHECK(has(errors_of(good, {{"left.front", "3"}}), "command line: left.front must be a point."));
  CHECK(has(errors_of(car("{left: {template: arm, ball: [0, 0.7, 0.2], front: 3}}")),
            "m.yaml:6:57: part \"left\": front must be a point."));
}
