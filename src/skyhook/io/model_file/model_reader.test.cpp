// References: values converted by hand.
#include <cmath>
#include <ctime>
#include <filesystem>
#include <numbers>

#include "skyhook/io/model_file/reader.testing.h"

using namespace skyhook;
using namespace skyhook::io;
using doctest::Approx;

namespace {

model::Model read(const std::string& text, const std::vector<Setting>& settings = {},
                  const std::string& experiment = "") {
  return read_model_text(text, "m.yaml", settings, experiment);
}

const char* four_bar = SKYHOOK_SOURCE_DIR "/models/mechanisms/n_four_bar.yaml";

}  // namespace

TEST_CASE("A small model is read with its defaults") {
  const model::Model m = read(pendulum("mass: 2 kg, at: [0, 1 m, 250 mm]", "experiments: {fall: {until: 2 s}}\n"));
  CHECK(m.name == "m");
  CHECK(m.gravity == Vec3d{0, 0, -9.81});
  REQUIRE(m.bodies.size() == 1);
  CHECK(m.bodies[0].mass == 2.0);
  CHECK(m.bodies[0].at == Vec3d{0, 1, 0.25});
  CHECK(m.bodies[0].com == m.bodies[0].at);
  CHECK(m.bodies[0].where.line == 3);
  REQUIRE(m.joints.size() == 1);
  CHECK(m.joints[0].type == "revolute");
  CHECK(m.joints[0].from == model::ground);
  CHECK(m.joints[0].axis == Vec3d{0, 1, 0});
  CHECK(m.experiments[0].until == 2.0);
}

TEST_CASE("Units, expressions and quotes give the same number") {
  const char* forms[] = {"730", "730 kg", "0.73 t", "\"730 kg\"", "=m", "=2*m/2", "'=0.73*1000'", "\"=0.73[t]\""};
  for (const char* form : forms) {
    CAPTURE(form);
    CHECK(read(pendulum(std::string("mass: ") + form, "parameters: {m: 730 kg}\n")).bodies[0].mass ==
          Approx(730.0).epsilon(1e-15));
  }
  CHECK(read(pendulum("mass: 010")).bodies[0].mass == 10.0);  // no octal numbers
}

TEST_CASE("Parameters refer to each other in any order") {
  const auto m = read(pendulum("mass: =a", "parameters: {a: =b/2, b: =c*3, c: 4 kg}\n"));
  CHECK(m.bodies[0].mass == 6.0);
  REQUIRE(m.parameters.size() == 3);
  CHECK(m.parameters[1].value == 12.0);
  CHECK(m.parameters[1].unit == "kg");
  CHECK(m.parameters[1].text == "=c*3");
}

TEST_CASE("A long chain of parameters, the last one first, does not overflow the stack") {
  std::string text = "skyhook: 1\nparameters:\n";
  for (int i = 20'000; i > 0; --i) text += "  p" + std::to_string(i) + ": =p" + std::to_string(i - 1) + "+1\n";
  CHECK(read(text + "  p0: 1\n").parameters.front().value == 20'001.0);
}

TEST_CASE("--set comes after the experiment's set, which comes after the file") {
  const std::string text =
      pendulum("mass: =m", "parameters: {m: 1 kg, k: 2}\nexperiments: {a: {until: 1, set: {m: =k*5}}}\n");
  CHECK(read(text).bodies[0].mass == 1.0);
  CHECK(read(text, {}, "a").bodies[0].mass == 10.0);
  CHECK(read(text, {{"k", "3"}}, "a").bodies[0].mass == 15.0);
  CHECK(read(text, {{"m", "7 kg"}}, "a").bodies[0].mass == 7.0);
  CHECK(
      has(errors_of(text, {{"mm", "1"}}),
          "command line: parameter \"mm\" is to be set, but the model has none of this name.\n  Did you mean \"m\"?"));
  CHECK(has(errors_of(text, {{"m", "7 m"}}), "needs kg"));
  CHECK(has(errors_of(text, {}, "b"), "command line: experiment \"b\" is not in the model."));
}

TEST_CASE("Gravity is a vector, a number or off") {
  CHECK(read(pendulum() + "gravity: off\n").gravity == Vec3d{});
  CHECK(read(pendulum() + "gravity: 1.62\n").gravity == Vec3d{0, 0, -1.62});
  CHECK(read(pendulum() + "gravity: [=a, 0, 1 m/s^2]\nparameters: {a: 3 m/s^2}\n").gravity == Vec3d{3, 0, 1});
}

TEST_CASE("Inertia is given in body axes and kept in global axes") {
  const auto diagonal =
      read(pendulum("mass: 1, inertia: [1, 2, 2.5], orientation: {cardan: [0, 0, 90 deg]}")).bodies[0].inertia;
  CHECK(diagonal.r0.x == Approx(2.0));
  CHECK(diagonal.r1.y == Approx(1.0));
  CHECK(diagonal.r2.z == 2.5);
  const auto list = read(pendulum("mass: 1, inertia: [3, 4, 5, 0.1, 0.2, 0.3]")).bodies[0].inertia;
  CHECK(list.r0 == Vec3d{3, 0.1, 0.2});
  CHECK(list.r2 == Vec3d{0.2, 0.3, 5});
  const auto map = read(pendulum("mass: 1, inertia: {xx: 3, yy: 4, zz: 5 kg.m^2, xz: =-1/5}")).bodies[0].inertia;
  CHECK(map.r0 == Vec3d{3, 0, -0.2});
}

TEST_CASE("The same orientation in three ways") {
  for (const char* form :
       {"{cardan: [0, 90 deg, 0]}", "{quaternion: [=sqrt(0.5), 0, =sqrt(0.5), 0]}", "{x: -z, y: [0, 2, 3]}"}) {
    CAPTURE(form);
    const Mat3d axes = read(pendulum(std::string("mass: 1, orientation: ") + form)).bodies[0].axes;
    CHECK(norm(axes.column(0) - Vec3d{0, 0, -1}) < 1e-15);
    CHECK(norm(axes.column(1) - Vec3d{0, 1, 0}) < 1e-15);
    CHECK(norm(axes.column(2) - Vec3d{1, 0, 0}) < 1e-15);
  }
}

TEST_CASE("Markers stand in their own section, in bodies, or in place") {
  const auto m = read(
      pendulum("mass: 1, at: [1, 0, 0], orientation: {cardan: [0, 0, 90 deg]}, markers: {top: {at: [1, 0, 2]}, same: }",
               "markers: {base: {body: ground, at: [0, 3, 0]}}\n"
               "forces:\n"
               "  a: {type: spring_damper, from: base, to: bob.top, stiffness: 1}\n"
               "  b: {type: spring_damper, from: {body: ground, at: [5, 0, 0]}, to: bob, stiffness: 1}\n"));
  REQUIRE(m.markers.size() == 3);
  CHECK(m.markers[0].name == "bob.top");
  CHECK(m.markers[1].at == Vec3d{1, 0, 0});  // that of the body
  CHECK(m.markers[1].axes.column(0).y == Approx(1.0));
  CHECK(m.contributions[0].from.at == Vec3d{0, 3, 0});
  CHECK(m.contributions[0].to.at == Vec3d{1, 0, 2});
  CHECK(m.contributions[0].to.body == 0);
  CHECK(m.contributions[1].from.at == Vec3d{5, 0, 0});
  CHECK(m.contributions[1].to.at == Vec3d{1, 0, 0});
}

TEST_CASE("Formulas, curves and motions are functions of their variables") {
  const auto m = read(
      pendulum("mass: 1",
               "parameters: {k: 2 N.m, w: 3 Hz}\nforces: {motor: {type: torque, joint: hinge, value: =k*sin(w*t)}}\n"));
  CHECK(m.contributions[0].coordinate->force(0.0, 0.0, 0.25) == Approx(2.0 * std::sin(0.75)));
  const auto driven =
      read(pendulum("mass: 1", "", "drive: {table: [[0, 0], [1, 10], [2000 ms, 40]], units: [s, deg]}"));
  CHECK(driven.joints[0].drive[0]->at(1.0).value == Approx(10.0 * std::numbers::pi / 180.0));
  CHECK(driven.joints[0].drive[0]->at(2.0).value == Approx(40.0 * std::numbers::pi / 180.0));
  const auto rows = read(pendulum("mass: 1", "", "drive: [[0, 0], [1, 1 rad]]"));
  CHECK(rows.joints[0].drive[0]->at(0.5).value == Approx(0.5));
  const auto constant = read(pendulum("mass: 1", "", "drive: 90 deg"));
  CHECK(constant.joints[0].drive[0]->at(7.0).value == Approx(std::numbers::pi / 2));
}

TEST_CASE("A coupler may stand before the joints it refers to") {
  const auto m = read(
      "skyhook: 1\nbodies: {a: {mass: 1}, b: {mass: 1}}\njoints:\n"
      "  pair: {type: gear, joint_1: one, joint_2: two.angle, ratio: 2}\n"
      "  one: {type: revolute, from: ground, to: a}\n"
      "  two: {type: revolute, from: ground, to: b}\n");
  REQUIRE(m.contributions.size() == 1);
  CHECK(m.contributions[0].row->terms[1].joint == 1);
  CHECK(m.joints[0].name == "one");
}

TEST_CASE("Repeats are unrolled, with their index in expressions and references") {
  const auto m = read_model(four_bar, {{"N", "3"}}, "turn");
  REQUIRE(m.bodies.size() == 7);
  CHECK(m.bodies[3].name == "crank[3]");
  CHECK(m.bodies[3].at == Vec3d{3, 0, 0});
  REQUIRE(m.joints.size() == 10);
  CHECK(m.joints[5].name == "pin[2]");
  CHECK(m.bodies[static_cast<std::size_t>(m.joints[5].from)].name == "crank[1]");
  CHECK(m.bodies[static_cast<std::size_t>(m.joints[5].to)].name == "coupler[2]");
  CHECK(m.joints[2].velocity[0] == -1.0);
  CHECK(m.joints[5].velocity[0] == 1.0);
  CHECK_FALSE(m.joints[8].velocity[0].has_value());
  CHECK(read_model(four_bar, {{"N", "3"}}, "swing").joints[0].position[0] == Approx(std::numbers::pi));
  CHECK(read_model(four_bar, {{"N", "0"}}).bodies.size() == 1);  // none of the couplers
  CHECK(read_model(four_bar, {{"N", "40"}}).bodies.size() == 81);
}

TEST_CASE("Repeats of outputs, and index expressions in them") {
  const std::string more =
      "parameters: {N: 2}\noutputs: {\"o[i=1..N]\": \"bob[i+1].x\", z: bob.z}\n"
      "experiments: {a: {until: 1, outputs: [\"*.force\", \"tip[i=0..1].y\", \"tip[*].x\", \"q[2*N]\"]}}\n";
  const auto m = read(pendulum("mass: 1", more));
  REQUIRE(m.outputs.size() == 3);
  CHECK(m.outputs[1].name == "o[2]");
  CHECK(m.outputs[1].channel == "bob[3].x");
  REQUIRE(m.experiments[0].outputs.size() == 5);
  CHECK(m.experiments[0].outputs[0].channel == "*.force");
  CHECK(m.experiments[0].outputs[2].channel == "tip[1].y");
  CHECK(m.experiments[0].outputs[3].channel == "tip[*].x");
  CHECK(m.experiments[0].outputs[4].channel == "q[4]");
}

TEST_CASE("Initial values of the selected experiment win over the joint's own") {
  const std::string text = pendulum(
      "mass: 1",
      "initial: {hinge.angle: 1}\nexperiments: {a: {until: 1, initial: {hinge.angle: 30 deg, hinge.angle_rate: 2}}}\n",
      "angle: 5, rate: 6");
  CHECK(read(text).joints[0].position[0] == 1.0);
  CHECK(read(text).joints[0].velocity[0] == 6.0);
  CHECK(read(text, {}, "a").joints[0].position[0] == Approx(std::numbers::pi / 6));
  CHECK(read(text, {}, "a").joints[0].velocity[0] == 2.0);
}

TEST_CASE("Anchors and aliases of whole values work") {
  const auto m = read(
      "skyhook: 1\nbodies:\n  a: &wheel {mass: 3, at: &p [1, 2, 3]}\n  b: *wheel\n  c: {mass: 1, at: *p}\njoints:\n"
      "  j[i=1..1]: {type: free, from: ground, to: a}\n  k: {type: free, from: ground, to: b}\n  l: {type: free, from: "
      "ground, to: c}\n");
  CHECK(m.bodies[1].mass == 3.0);
  CHECK(m.bodies[2].at == Vec3d{1, 2, 3});
}

TEST_CASE("What has no effect is warned of") {
  const auto m = read(pendulum("mass: 0",
                               "parameters: {unused: 1, bob: 2, t: 3, k: =bob + t}\nforces: {f: {type: torque, joint: "
                               "hinge, value: \"=k*t*1[N.m/s]\"}}\n"));
  std::string all;
  for (const Warning& w : m.warnings) all += w.what + "\n";
  CHECK(has(all, "parameter \"unused\" is used nowhere."));
  CHECK(has(all, "body \"bob\" has no mass."));
  CHECK(has(all, "body \"bob\" has the same name as a parameter."));
  CHECK(has(all, "parameter \"t\" is hidden by the variable of the same name"));
  CHECK_FALSE(all.find("\"k\"") != std::string::npos);
}

// Cost, in time of the processor: measured 0.1 s; with a search for each name it was 4 s.
TEST_CASE("20 000 named outputs are read in less than a second") {
  const auto start = std::clock();
  const model::Model m = read_model_text(pendulum("mass: 1", "outputs: {\"o[i=1..20000]\": bob.z}\n"), "m.yaml");
  CHECK(m.outputs.size() == 20'000);
#ifdef NDEBUG
  CHECK(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC < 1.0);
#else
  CHECK(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC < 10.0);
#endif
}

TEST_CASE("A parameter with a unit is replaced by a plain number in SI or by another unit of its kind") {
  const std::string text =
      "skyhook: 1\nparameters: {m: 2000 g, n: 3}\nbodies: {a: {mass: =n*m, inertia: [1, 1, 1]}}\njoints: {j: {type: "
      "free, from: ground, to: a}}\n";
  const auto mass_with = [&](const char* m) {
    return io::read_model_text(text, "test.yaml", {{"m", m}}).bodies[0].mass;
  };
  CHECK(io::read_model_text(text, "test.yaml").bodies[0].mass == doctest::Approx(6));
  CHECK(mass_with("5") == doctest::Approx(15));
  CHECK(mass_with("0.1 t") == doctest::Approx(300));
  CHECK_THROWS_AS(mass_with("5 m"), ModelError);
}
