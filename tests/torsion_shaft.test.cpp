// A torsion spring between two turning bodies, as the message about `angular_stiffness` on a line advises: a bushing.
#include <cmath>

#include "run_model.testing.h"

using namespace skyhook;

TEST_CASE("Torsion shaft: a bushing between two spinning discs twists as an exact two-mass oscillator") {
  // I1 = 1, I2 = 2 kg.m^2, k = 300 N.m/rad: the twist is 0.1 cos(w t), w^2 = k (1/I1 + 1/I2), whatever the common spin of 50 rad/s.
  const auto run = testing::run_text(
      "skyhook: 1\ngravity: off\nbodies:\n  a: {mass: 1, inertia: [1, 1, 1]}\n  b: {mass: 1, inertia: [2, 2, 2], at: "
      "[1, 0, 0]}\n"
      "joints:\n  ja: {type: revolute, from: ground, to: a, axis: x}\n  jb: {type: revolute, from: ground, to: b, "
      "axis: x}\n"
      "forces: {shaft: {type: bushing, from: a, to: b, angular_stiffness: [300, 0, 0]}}\n"
      "initial: {jb.angle: 0.1, ja.rate: 50, jb.rate: 50}\noutputs: [ja.angle, jb.angle]\n"
      "experiments: {e: {until: 2 s, tolerance: 1e-9, output_step: 10 ms}}\n");
  const double w = std::sqrt(300.0 * 1.5);
  for (std::size_t k = 0; k < run.sink.time.size(); k += 20) {
    const double twist = run.at(k, "jb.angle") - run.at(k, "ja.angle");
    CHECK(twist == doctest::Approx(0.1 * std::cos(w * run.sink.time[k])).epsilon(1e-5).scale(0.1));
  }
  CHECK(run.last("ja.angle") > 90);  // about sixteen turns
}
