// The mechanisms of models/ are assembled at their design position. References: the sources named in the files.
#include <cmath>

#include "skyhook/io/model_file/reader.testing.h"

using namespace skyhook;
using namespace skyhook::io;
using doctest::Approx;

namespace {

model::Model mechanism(const std::string& name, const std::vector<Setting>& settings = {}) {
  return read_model(SKYHOOK_SOURCE_DIR "/models/mechanisms/" + name + ".yaml", settings);
}

const model::Joint& joint(const model::Model& m, const std::string& name) {
  for (const model::Joint& j : m.joints) {
    if (j.name == name) return j;
  }
  FAIL("no joint " << name);
  return m.joints.front();
}

}  // namespace

TEST_CASE("Andrews: the test set's initial position is assembled to rounding") {
  const model::Model m = mechanism("andrews");
  CHECK(m.bodies.size() == 7);
  CHECK(m.joints.size() == 10);
  for (const char* name : {"close_3", "close_4", "close_6"})
    CHECK(norm(joint(m, name).at_from - joint(m, name).at_to) < 1e-16);
  CHECK(joint(m, "hinge_7").reference[0] == 1.23054744454982119);
  CHECK(m.outputs[1].name == "Theta");
  CHECK(m.outputs[1].channel == "hinge_2.angle");
}

TEST_CASE("Four-bars: rods of the benchmark") {
  const model::Model m = mechanism("n_four_bar");
  CHECK(m.bodies.size() == 5);
  for (const model::Body& b : m.bodies) {
    CHECK(trace(b.inertia) == Approx(1.0 / 6));
    CHECK(norm(b.com - b.at) == Approx(0.5));
  }
  // At 1 rad/s three cranks turn about their ends and two couplers move at 1 m/s: 1.5 J, as A02 states.
  double energy = 0.5 * (m.bodies[3].mass + m.bodies[4].mass);
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3d arm = m.bodies[i].com - m.bodies[i].at;
    energy += 0.5 * (m.bodies[i].mass * dot(arm, arm) + m.bodies[i].inertia.r2.z);
  }
  CHECK(energy == Approx(1.5));
}

TEST_CASE("Crank-rocker: lengths at the design position are those given, for any crank angle") {
  for (const char* angle : {"90 deg", "200 deg", "330 deg"}) {
    const model::Model m = mechanism("four_bar", {{"angle", angle}});
    const Vec3d c = joint(m, "C").at_from;
    CHECK(norm(c - joint(m, "B").at_from) == Approx(0.9));
    CHECK(norm(c - Vec3d{1, 0, 0}) == Approx(0.8));
    CHECK(norm(joint(m, "B").at_from) == Approx(0.4));
  }
}

TEST_CASE("Slider-crank: the rod has its length for any crank angle") {
  for (const char* angle : {"60 deg", "-100 deg"}) {
    const model::Model m = mechanism("slider_crank", {{"angle", angle}});
    CHECK(norm(joint(m, "wrist").at_from - joint(m, "pin").at_from) == Approx(0.14));
    CHECK(joint(m, "wrist").at_from.y == 0.0);
  }
}

// a / sin(alpha) = b / sin(beta), alpha and beta being the twists of the axes along the links, which are their common
// normals.
TEST_CASE("Bennett: his condition holds for any of the family") {
  for (const char* h : {"0.4", "0.9"}) {
    const model::Model m = mechanism("bennett", {{"h", h}});
    double ratio[4];
    for (std::size_t i = 0; i < 4; ++i) {
      const model::Joint &here = m.joints[i], &next = m.joints[(i + 1) % 4];
      const Vec3d link = next.at_from - here.at_from;
      CHECK(std::abs(dot(link, here.axis)) < 1e-15);
      CHECK(std::abs(dot(link, next.axis)) < 1e-15);
      ratio[i] = norm(link) / norm(cross(here.axis, next.axis));
    }
    for (const double r : ratio) CHECK(r == Approx(ratio[0]).epsilon(1e-14));
  }
}

TEST_CASE("Bricard: six unit links, each hinge perpendicular to its two links") {
  const model::Model m = mechanism("bricard");
  REQUIRE(m.joints.size() == 6);
  for (std::size_t i = 0; i < 6; ++i) {
    const model::Joint &here = m.joints[i], &next = m.joints[(i + 1) % 6];
    const Vec3d link = next.at_from - here.at_from;
    CHECK(norm(link) == 1.0);
    CHECK(dot(link, here.axis) == 0.0);
    CHECK(dot(link, next.axis) == 0.0);
    CHECK(dot(here.axis, next.axis) == 0.0);
  }
}

TEST_CASE("Chain: axes x, y, z in turn, joints half a metre apart") {
  const model::Model m = mechanism("chain", {{"N", "7"}});
  REQUIRE(m.joints.size() == 7);
  for (std::size_t i = 0; i < 7; ++i) {
    CHECK(m.joints[i].axis[static_cast<int>(i % 3)] == 1.0);
    CHECK(m.joints[i].at_from.z == -0.5 * static_cast<double>(i));
    CHECK(m.joints[i].position[0] == Approx(0.3 * std::sin(1.0 + static_cast<double>(i))));
    CHECK(m.bodies[i].com.z == m.bodies[i].at.z - 0.25);
  }
  CHECK(mechanism("chain", {{"N", "1"}}).joints.size() == 1);
}

TEST_CASE("Heavy top: the source's data") {
  const model::Model m = mechanism("heavy_top");
  CHECK(m.bodies[0].inertia.r1.y == 0.46875);
  CHECK(m.joints[0].velocity == std::vector<std::optional<double>>{0.0, 150.0, -4.61538});
  CHECK(m.gravity == Vec3d{0, 0, -9.81});
}
