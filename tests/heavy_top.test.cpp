// The heavy top: invariants of the motion, and the same motion in Cardan angles.
#include <cmath>

#include "run_model.testing.h"
#include "skyhook/math/rotation.h"

using namespace skyhook;

TEST_CASE("Heavy top: energy, vertical and axial angular momentum and the quaternion's norm stay") {
  constexpr double tolerance = 1e-8;
  const auto r = testing::run("mechanisms/heavy_top", {.tolerance = tolerance, .output_step = 0.05});
  // About the fixed point, body axes at design: the disc's own inertia and 15 kg at 1 m along y.
  const Vec3d inertia{15.234375, 0.46875, 15.234375};
  double norm_error = 0, axial = 0, vertical = 0, energy = 0;
  double first[3] = {};
  for (std::size_t i = 0; i < r.sink.time.size(); ++i) {
    const auto& y = r.sink.states[i];
    REQUIRE(y.size() == 7);
    const Quaternion<double> p{y[0], y[1], y[2], y[3]};
    const Vec3d w{y[4], y[5], y[6]}, L{inertia.x * w.x, inertia.y * w.y, inertia.z * w.z};
    const double now[3] = {L.y, (rotation_of(p) * L).z, 0.5 * dot(w, L) + 15 * 9.81 * r.at(i, "z")};
    if (i == 0) std::copy_n(now, 3, first);
    norm_error = std::max(norm_error, std::abs(p.w * p.w + p.x * p.x + p.y * p.y + p.z * p.z - 1));
    axial = std::max(axial, std::abs(now[0] - first[0]));
    vertical = std::max(vertical, std::abs(now[1] - first[1]));
    energy = std::max(energy, std::abs(now[2] - first[2]));
  }
  // The norm is a condition of the formulation, met at each step to the tolerance.
  CHECK(norm_error < 10 * tolerance);
  // Axial: its rate is exactly zero, so that only Newton's remainder is left. The others gather the local errors, each below
  // the tolerance, of some 1e4 steps that do not all have one sign.
  CHECK(axial < 10 * tolerance * 0.46875 * 150);
  CHECK(vertical < 1e4 * tolerance * 15.234375 * 4.61538);
  CHECK(energy < 1e4 * tolerance * first[2]);
  CHECK(r.sink.summary.energy_closure < 1e4 * tolerance);
}

TEST_CASE("Heavy top: quaternion and Cardan angles give the same motion, and the file's orientation plays no part") {
  // The axes of the file are exchanged (y -> z, z -> x, x -> y) so that the spin is about body z, the last Cardan angle: gimbal
  // lock would need the top to stand upright, and it precesses near the horizontal.
  auto text = [](const std::string& coordinates) {
    return "skyhook: 1\ngravity: [-9.81, 0, 0]\nbodies:\n  top: {mass: 15, inertia: [0.234375, 0.234375, 0.46875], at: "
           "[0, 0, 1]}\n"
           "joints:\n  O: {type: spherical, from: ground, to: top, at: [0, 0, 0], coordinates: " +
           coordinates +
           ", angular_velocity: [-4.61538, 0, 150]}\nexperiments:\n  spin: {until: 0.5 s, output_step: 0.1 s}\n";
  };
  const std::vector<std::string> outputs{"top.x", "top.y", "top.z", "O.force_x"};
  const auto quaternion = testing::run_text(text("quaternion"), {.tolerance = 1e-9, .outputs = outputs});
  const auto cardan = testing::run_text(text("cardan"), {.tolerance = 1e-9, .outputs = outputs});
  const auto file = testing::run(
      "mechanisms/heavy_top",
      {.tolerance = 1e-9, .until = 0.5, .output_step = 0.1, .outputs = {"top.y", "top.z", "top.x", "O.force_z"}});
  CHECK(quaternion.sink.states[0].size() == 7);
  CHECK(cardan.sink.states[0].size() == 6);
  for (std::size_t i = 0; i < quaternion.sink.time.size(); ++i) {
    for (const char* axis : {"top.x", "top.y", "top.z"})
      CHECK(std::abs(quaternion.at(i, axis) - cardan.at(i, axis)) < 1e-6);  // 1e3 steps of 1e-9
    CHECK(std::abs(quaternion.at(i, "O.force_x") - cardan.at(i, "O.force_x")) < 1e-6 * 15 * 9.81 * 10);
    // The exchange of axes is exact, but rounding tips step-size decisions: again the error of the run.
    CHECK(std::abs(quaternion.at(i, "top.x") - file.at(i, "top.z")) < 1e-6);
    CHECK(std::abs(quaternion.at(i, "top.y") - file.at(i, "top.x")) < 1e-6);
    CHECK(std::abs(quaternion.at(i, "top.z") - file.at(i, "top.y")) < 1e-6);
  }
}
