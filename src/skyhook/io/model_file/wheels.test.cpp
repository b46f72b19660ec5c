// Wheels and sensors as the file has them: sides, axes, mirrors, and what is refused.
#include <cmath>

#include "skyhook/io/model_file/reader.testing.h"

using namespace skyhook;
using namespace skyhook::io;
using Side = model::Wheel::Side;

namespace {

// A wheel at [0, y, 0.3] on a car; `wheel` as the fields of its wheel.
std::string car(const std::string& wheel, const std::string& at = "[0, 0.7, 0.3]", const std::string& axis = "y") {
  return "skyhook: 1\nbodies:\n  wheel: {mass: 1, inertia: [1, 1, 1], at: " + at + ", wheel: " + wheel +
         "}\n  car: {mass: 9, inertia: [9, 9, 9], at: [5, 1, 0.5], orientation: {x: -x, y: -y}}\njoints:\n"
         "  road: {type: free, from: ground, to: car}\n"
         "  bearing: {type: revolute, from: car, to: wheel, axis: " +
         axis + "}\n";
}

model::Wheel wheel_of(const std::string& text) {
  const model::Model m = read_model_text(text, "m.yaml");
  REQUIRE(m.bodies[0].wheel);
  return *m.bodies[0].wheel;
}

}  // namespace

TEST_CASE("A wheel turns about y of its body and stands where its `at` is") {
  CHECK(wheel_of(car("{}")).side == Side::left);
  CHECK(wheel_of(car("{}", "[0, -0.7, 0.3]")).side == Side::right);
  CHECK(wheel_of(car("{}")).axis == Vec3d{0, 1, 0});
  CHECK(wheel_of(car("{axis: -y}")).axis == Vec3d{0, 1, 0});  // to the left, whichever way it is written
  CHECK(wheel_of(car("{side: middle}")).side == Side::middle);
  const Vec3d tilted = wheel_of(car("{axis: [0, -3, 4]}", "[0, -1, 0]", "[0, 3, -4]")).axis;
  CHECK(norm(tilted - Vec3d{0, 0.6, -0.8}) < 1e-15);
  CHECK(!read_model_text(pendulum(), "m.yaml").bodies[0].wheel);
}

// The car drives towards -x: its left is -y. The wheel at y = 0.7 lies 0.3 m to the left of its y = 1.
TEST_CASE("Left and right are those of the vehicle") {
  CHECK(wheel_of(car("{vehicle: car}")).side == Side::left);
  CHECK(wheel_of(car("{vehicle: car}", "[0, 1.7, 0.3]")).side == Side::right);
  CHECK(norm(wheel_of(car("{vehicle: car}")).axis - Vec3d{0, -1, 0}) < 1e-15);
}

TEST_CASE("What a wheel cannot be is refused") {
  CHECK(has(errors_of(car("{}", "[1, 0, 0.3]")), "m.yaml:3:"));
  CHECK(has(errors_of(car("{}", "[1, 0, 0.3]")), "body \"wheel\": wheel stands in the middle of its vehicle"));
  CHECK(has(errors_of(car("{}", "[1, 0, 0.3]")), "side: middle"));
  CHECK(has(errors_of(car("{axis: x}")), "its axis points neither to the left nor to the right"));
  CHECK(has(errors_of(car("{axis: [0, 0, 0]}")), "its axis points neither"));
  CHECK(has(errors_of(car("{side: links}")), "links"));
  CHECK(has(errors_of(car("{vehicle: carr}")), "Did you mean \"car\"?"));
  CHECK(has(errors_of(car("{sid: left}")), "Did you mean \"side\"?"));
  CHECK(has(errors_of(car("")), "\"wheel\" has no value"));
  CHECK(has(errors_of(car("yes")), "body \"wheel\": wheel"));
}

TEST_CASE("A bearing about another axis than the wheel's is told") {
  const auto warnings = [](const std::string& text) {
    const model::Model m = read_model_text(text, "m.yaml");
    return m.warnings.empty() ? "" : to_string(m.warnings[0]);
  };
  CHECK(has(warnings(car("{}", "[0, 1, 0]", "[0, 1, -0.02]")),
            "body \"wheel\" turns in joint \"bearing\" about an axis that is 1.15 deg off that of its `wheel`"));
  CHECK(warnings(car("{axis: [0, 1, -0.02]}", "[0, 1, 0]", "[0, 1, -0.02]")).empty());
  CHECK(warnings(car("{}", "[0, 1, 0]", "[0, 0.2, 1]")).empty());  // a steering axis
}

TEST_CASE("Sides and axes of mirrored parts, also when they are written out") {
  const std::string text =
      "skyhook: 1\ntemplates:\n  corner:\n    bodies:\n"
      "      a: {mass: 1, inertia: [1, 1, 1], at: [0, 0.7, 0], wheel: {axis: [0.1, 1, 0.2]}}\n"
      "      b: {mass: 1, inertia: [1, 1, 1], at: [0, 0, 0], wheel: {side: left}}\n"
      "      c: {mass: 1, inertia: [1, 1, 1], at: [0, 0.7, 0], orientation: {cardan: [0.1, 0, 0.2]}, wheel: {}}\n"
      "    joints: {i: {type: free, from: ground, to: a}, j: {type: free, from: ground, to: b}, "
      "k: {type: free, from: ground, to: c}}\n"
      "use: {left: {template: corner}, right: {template: corner, mirror: y}, rear: {template: corner, mirror: x}}\n";
  const model::Model first = read_model_text(text, "m.yaml");
  for (const model::Model& m : {first, read_model_text(first.expanded, "m.yaml")}) {
    const auto wheel = [&](std::size_t i) { return *m.bodies[i].wheel; };
    for (std::size_t i = 0; i < 3; ++i) {
      CHECK(wheel(i).side == Side::left);
      CHECK(wheel(3 + i).side == Side::right);
      CHECK(wheel(6 + i).side == Side::left);                    // from front to rear
      const Vec3d n = wheel(i).axis, mirrored{-n.x, n.y, -n.z};  // (nx, -ny, nz), pointing to the left again
      CHECK(norm(wheel(3 + i).axis - mirrored) < 1e-14);
      CHECK(norm(wheel(6 + i).axis - Vec3d{-n.x, n.y, n.z}) < 1e-14);
    }
  }
}

TEST_CASE("Sensors look from marker to marker, in axes of the first unless others are named") {
  const model::Model m =
      read_model_text(pendulum("mass: 1, inertia: [1, 1, 1], at: [1, 0, 0], markers: {tip: {at: [2, 0, 0]}}",
                               "sensors:\n  a: {from: ground, to: bob.tip}\n  b: {from: bob.tip, to: ground, in: bob}\n"
                               "  c: {if: false, from: bob, to: bob.tip}\n"),
                      "m.yaml");
  REQUIRE(m.sensors.size() == 2);
  CHECK(m.sensors[0].to.at == Vec3d{2, 0, 0});
  CHECK(m.sensors[0].in.body == model::ground);
  CHECK(m.sensors[1].in.body == 0);
  CHECK(has(errors_of(pendulum("mass: 1", "sensors: {a: {from: ground}}\n")), "sensor \"a\" needs \"to\""));
  CHECK(has(errors_of(pendulum("mass: 1", "sensors: {a: {from: ground, to: bobb}}\n")), "Did you mean \"bob\"?"));
  CHECK(has(errors_of(pendulum("mass: 1", "sensors: {bob: {from: ground, to: bob}}\n")), "of this name already"));
}
