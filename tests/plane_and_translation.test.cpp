// Joints in_plane and translation in runs. References: the same motion with the joint in the tree, cut, and in absolute coordinates; statics and
// free flight by hand.
#include <cmath>

#include "run_model.testing.h"

using namespace skyhook;
using namespace skyhook::testing;
using doctest::Approx;

namespace {

// A body without symmetry whose corner slides on a plane of another one, which turns.
const std::string sliding =
    "skyhook: 1\nbodies: {plate: {mass: 3, inertia: [0.3, 0.4, 0.5]}, b: {mass: 2, inertia: [0.1, 0.2, 0.15, 0.01, "
    "0.02, -0.01], "
    "at: [0.2, 0.1, 0], com: [0.3, 0.2, 0.25]}}\n"
    "joints: {hinge: {type: revolute, from: ground, to: plate, axis: [0.3, 1, 0.2], rate: 1}, "
    "j: {type: in_plane, from: plate, to: b, axis: [0.1, 0.2, 1], MORE}}\n"

    "outputs: [b.x, b.y, b.z, b.wx, b.wy, b.wz, j.force_x, j.force_z, j.moment, energy.balance]\n"
    "experiments: {e: {until: 0.8, output_step: 0.05, tolerance: 1e-9}}\n";

const std::string following =
    "skyhook: 1\nbodies: {arm: {mass: 3, inertia: [0.3, 0.4, 0.5], com: [0.2, 0, 0.1]}, b: {mass: 2, inertia: [0.1, "
    "0.2, 0.15], at: [0.2, "
    "0.1, 0]}}\njoints: {hinge: {type: revolute, from: ground, to: arm, axis: [0.3, 1, 0.2], rate: 2}, "
    "j: {type: translation, from: arm, to: b, MORE}}\n"
    "forces: {s: {type: bushing, from: arm, from_at: [0.2, 0.1, 0], to: b, stiffness: [300, 200, 400]}}\n"
    "outputs: [b.x, b.y, b.z, b.wx, b.wy, b.wz, j.moment_x, j.moment_z, j.force, energy.balance]\n"
    "experiments: {e: {until: 0.8, output_step: 0.05, tolerance: 1e-9}}\n";

std::string with(std::string text, const std::string& what, const std::string& by) {
  return text.replace(text.find(what), what.size(), by);
}

// Largest difference of all outputs of two runs.
double difference(const Run& a, const Run& b) {
  double worst = 0;
  REQUIRE(a.sink.time.size() == b.sink.time.size());
  for (std::size_t i = 0; i < a.sink.time.size(); ++i) {
    for (std::size_t k = 0; k < a.sink.channels[i].size(); ++k)
      worst = std::max(worst, std::abs(a.sink.channels[i][k] - b.sink.channels[i][k]));
  }
  return worst;
}

}  // namespace

TEST_CASE(
    "in_plane and translation move alike in the tree, cut, and in absolute coordinates, with the same reactions") {
  for (const std::string& text : {sliding, following}) {
    const Run tree = run_text(with(text, ", MORE", ", cut: false"));
    const Run cut = run_text(with(text, ", MORE", ", cut: true"));
    const Run absolute = run_text(with(with(text, ", MORE", ""), "skyhook: 1", "skyhook: 1\ncoordinates: absolute"));
    // Reactions are of the size of 50 N; a thousand tolerances of that.
    CHECK(difference(tree, cut) < 5e-5);
    CHECK(difference(tree, absolute) < 5e-5);
    CHECK(std::abs(tree.last("energy.balance")) < 1e-6);
  }
}

TEST_CASE("A point in a plane carries its weight there and glides on; it has no moment") {
  const Run r = run_text(
      "skyhook: 1\nbodies: {b: {mass: 2, inertia: [0.1, 0.1, 0.1]}}\n"
      "joints: {j: {type: in_plane, from: ground, to: b, plane: xy, displacement_1_rate: 3, angular_velocity: [0, 0, "
      "5]}}\n"
      "outputs: [b.x, b.z, j.force_z, j.moment]\nexperiments: {e: {until: 2, output_step: 0.5}}\n");
  CHECK(r.last("b.x") == Approx(6));
  CHECK(r.last("b.z") == 0);
  CHECK(r.last("j.force_z") == Approx(2 * 9.81));
  CHECK(r.last("j.moment") < 1e-9);
}
