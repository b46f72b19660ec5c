// References: a circle by hand, and differences.
#include "skyhook/element/joint/guide.h"

#include <cmath>
#include <numbers>

#include "skyhook/element/joint_check.testing.h"
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
  Guide kept = helix();
  kept.axes = "keep", kept.up = Vec3d{0, 0, 1};
  CHECK(refused(kept).find("do not follow") != std::string::npos);
  // A straight line that goes over into an arc at once: the body would have to turn at once.
  Guide arc;
  arc.from = marker(0, {0, 0, 0}), arc.to = marker(1, {0, 0, 0});
  const auto of_s = [](const char* text) { return expression::Expression::compile(text, {{{"s", {}}}, {}}, {}); };
  arc.x = of_s("if(s < 0, s, sin(s))"), arc.y = of_s("if(s < 0, 0, 1 - cos(s))"), arc.range = {-1, 1.1};
  CHECK(refused(arc).find("curvature jumps") != std::string::npos);
  arc.axes = "keep";
  CHECK(refused(arc).empty());
  Guide nowhere = helix();
  nowhere.up = Vec3d{};
  CHECK(refused(nowhere).find("no direction") != std::string::npos);
  const auto guide = joint_of(helix()).shape.dofs[0].guide;
  CHECK(guide->refuses(std::array{0.0}).empty());
  CHECK(guide->refuses(std::array{9 * slope}).find("end of the curve") != std::string::npos);
  CHECK(guide->refuses(std::array{-4 * slope}).find("beginning of the curve") != std::string::npos);
}

// The length of x = s, z = a tanh((s - b) / w), by Simpson's rule in small steps about the bend; it must not depend on the range.
TEST_CASE("The way along a curve that bends within a small part of its range is as long as it is") {
  const auto of_s = [](const char* text) { return expression::Expression::compile(text, {{{"s", {}}}, {}}, {}); };
  double bend = 0;
  constexpr int steps = 20000;
  for (int k = 0; k <= steps; ++k) {
    const double s = -1 + 2.0 * k / steps, c = std::cosh((s - 0.15) / 0.02), slope = 5 / (c * c);
    bend += (k == 0 || k == steps ? 1 : k % 2 ? 4 : 2) * std::sqrt(1 + slope * slope);
  }
  bend *= 2.0 / steps / 3;
  for (const double half : {1.0, 100.0}) {
    Guide g;
    g.from = marker(0, {0, 0, 0}), g.to = marker(1, {-half, 0, -0.1});
    g.axes = "keep";
    g.x = of_s("s"), g.z = of_s("0.1*tanh((s - 0.15)/0.02)"), g.range = {-half, half};
    const auto guide = joint_of(g).shape.dofs.at(0).guide;
    const double length = 2 * (half - 1) + bend;
    CHECK(guide->refuses(std::array{length * (1 - 1e-12)}).empty());
    CHECK_FALSE(guide->refuses(std::array{length + 1e-6 * half}).empty());
    const Jet2 end = jet2(length, 1, 0);
    CHECK(value(guide->pose(std::span<const Jet2>(&end, 1)).r.x) == doctest::Approx(2 * half).epsilon(1e-9));
  }
}

TEST_CASE("A guide says where its points are spaced so unevenly that the curve may swing") {
  Guide g;
  g.from = marker(0, {0, 0, 0}), g.to = marker(1, {0, 0, 0});
  g.points = {{-200, 0, 0}, {-100, 0, 0}, {0, 0, 0}, {2, 0, 0.1}, {4, 0, 0.4}};
  model::Model model = two_bodies();
  TestSource source;
  g.add_to(source, model);
  REQUIRE(model.warnings.size() == 1);
  CHECK(model.warnings[0].name == "uneven_points");
  CHECK(model.warnings[0].what.find("point 3") != std::string::npos);
  g.points = {{-4, 0, 0}, {-2, 0, 0}, {0, 0, 0}, {2, 0, 0.1}, {4, 0, 0.4}};
  model::Model other = two_bodies();
  g.add_to(source, other);
  CHECK(other.warnings.empty());
}

// The side of the body is chosen from the curve alone: the choice for a mirror image is the mirror image of the choice.
TEST_CASE("A guide that chooses its own direction up does so alike on both sides of a mirror") {
  const auto turned = [](double side) {
    Guide g;
    g.from = marker(0, {0, 0, 0}), g.to = marker(1, {0, 0, 0});
    g.points = {{0, 0, 0},           {1, 0, 0.1}, {1.8, 0.1 * side, 0.6}, {2, 0.2 * side, 1.5}, {2, 0.8 * side, 2.2},
                {2, 1.7 * side, 2.4}};
    return values(pose_at(joint_of(g), 2.5).R);
  };
  const Mat3d left = turned(1), right = turned(-1);
  const Mat3d mirror = Mat3d::diagonal({1, -1, 1});
  const Mat3d image = mirror * left * mirror;
  for (int i = 0; i < 3; ++i) CHECK(norm(right[i] - image[i]) < 1e-9);
}
