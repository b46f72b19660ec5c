// References: a circle by hand, and differences.
#include "skyhook/element/joint/guide.h"

#include <cmath>
#include <numbers>

#include "skyhook/element/joint_check.h"
#include "skyhook/model/guide.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

namespace {

constexpr double pi = std::numbers::pi;

// A helix of radius 2 about z of a tilted frame; `to` stands at its angle 0.5.
const Mat3d tilted = axis_rotation(Vec3d{0, 1, 0}, 0.3);
Vec3d on_helix(double angle) { return tilted * Vec3d{2 * std::cos(angle), 2 * std::sin(angle), 0.5 * angle}; }

Guide helix() {
  Guide g;
  g.from = marker(0, {0, 0, 0}), g.from.axes = tilted;
  g.to = marker(1, on_helix(0.5));
  const auto of_s = [](const char* text) { return expression::Expression::compile(text, {{{"s", {}}}, {}}, {}); };
  g.x = of_s("2*cos(s)"), g.y = of_s("2*sin(s)"), g.z = of_s("0.5*s"), g.range = {-3, 9};
  return g;
}

const double slope = std::hypot(2, 0.5);  // length of the way for each radian

model::GuidePose<Jet2> pose_at(const model::Joint& joint, double q, double rate = 0) {
  const Jet2 x = jet2(q, rate, 0);
  return joint.shape.dofs.at(0).guide->pose(std::span<const Jet2>(&x, 1));
}
Mat3d values(const Mat3<Jet2>& m) {
  Mat3d out;
  for (int i = 0; i < 3; ++i) out[i] = {value(m[i].x), value(m[i].y), value(m[i].z)};
  return out;
}

}  // namespace

TEST_CASE("A guide along a helix: the coordinate is the length of the way, and the axes turn with it") {
  const model::Joint joint = joint_of(helix());
  CHECK(joint.reference.at(0) == doctest::Approx(slope * 3.5).epsilon(1e-12));
  CHECK(norm(joint.at_from - joint.at_to) < 1e-12);
  for (const double q : {0.0, 1.3, -2.0, 15.0}) {
    const auto pose = pose_at(joint, q, 1.0);
    const double angle = 0.5 + q / slope;
    for (int i = 0; i < 3; ++i) CHECK(std::abs(value(pose.r[i]) - (on_helix(angle) - on_helix(0.5))[i]) < 1e-11);
    Vec3d speed;
    for (int i = 0; i < 3; ++i) speed[i] = rate(pose.r[i]);
    CHECK(norm(speed) == doctest::Approx(1.0).epsilon(1e-12));
    // About the axis of a helix all that follows it turns by the same angle.
    const Mat3d expected = tilted * axis_rotation(Vec3d{0, 0, 1}, q / slope) * transpose(tilted);
    for (int i = 0; i < 3; ++i) CHECK(norm(values(pose.R)[i] - expected[i]) < 1e-11);
  }
}

TEST_CASE("A guide with its own direction up, one that keeps its axes, and one that is closed") {
  Guide keeps = helix();
  keeps.axes = "keep";
  CHECK(values(pose_at(joint_of(keeps), 2.0).R) == Mat3d::identity());

  // A loop in the plane of x and z climbs straight up: the side of the body is y.
  Guide loop;
  loop.from = marker(0, {0, 0, 0}), loop.to = marker(1, {1, 0, 0});
  loop.closed = true;
  for (int k = 0; k < 64; ++k) loop.points.push_back({std::cos(2 * pi * k / 64), 0, std::sin(2 * pi * k / 64)});
  const model::Joint joint = joint_of(loop);
  const double round = 2 * pi;  // of the circle; of the spline to 1e-7 of it
  CHECK(joint.shape.dofs[0].guide->refuses(std::array{3.3 * round}).empty());
  const Mat3d quarter = values(pose_at(joint, round / 4).R);
  const Mat3d expected = axis_rotation(Vec3d{0, -1, 0}, pi / 2);
  for (int i = 0; i < 3; ++i) CHECK(norm(quarter[i] - expected[i]) < 1e-5);
  CHECK(std::abs(value(pose_at(joint, 5 * round).r.z)) < 1e-5);
}

TEST_CASE("What a guide cannot follow is refused where it is written") {
  const auto refused = [](const Guide& g) {
    try {
      joint_of(g);
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(refused(helix()).empty());
  Guide off = helix();
  off.to = marker(1, on_helix(0.5) + Vec3d{0.01, 0, 0});
  CHECK(refused(off).find("off the curve") != std::string::npos);
  Guide beyond = helix();
  beyond.position = 100;
  CHECK(refused(beyond).find("m long") != std::string::npos);
  Guide along = helix();
  along.up = Vec3d{0, std::cos(std::atan(0.25)), std::sin(std::atan(0.25))};
  CHECK(refused(along).find("runs along `up`") != std::string::npos);
  Guide nowhere = helix();
  nowhere.up = Vec3d{};
  CHECK(refused(nowhere).find("no direction") != std::string::npos);
  const auto guide = joint_of(helix()).shape.dofs[0].guide;
  CHECK(guide->refuses(std::array{0.0}).empty());
  CHECK(guide->refuses(std::array{9 * slope}).find("end of the curve") != std::string::npos);
  CHECK(guide->refuses(std::array{-4 * slope}).find("beginning of the curve") != std::string::npos);
}
