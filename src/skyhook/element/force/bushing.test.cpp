// References: differences, energy balance (which fixes the moment at large angles), single-axis rotation by hand.
#include "skyhook/element/force/bushing.h"

#include "skyhook/element/law_check.testing.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

#include "skyhook/element/rotation_vector.h"

namespace {

// Markers with different axes, apart from each other: nothing is aligned by luck.
Bushing mount() {
  Bushing b;
  b.from = marker(0, {0.1, 0.2, 0.3}, cardan_rotation({0.4, -0.3, 0.8}));
  b.to = marker(1, {0.2, 0.1, 0.5}, cardan_rotation({-0.2, 0.5, 0.1}));
  b.stiffness = {1000, 2000, 3000};
  b.angular_stiffness = {40, 70, 20};
  return b;
}

Relative<double> design(const Bushing& b) {
  return {0.0, transpose_times(b.from.axes, b.to.at - b.from.at), transpose(b.from.axes) * b.to.axes, {}, {}};
}

// Rotations from the design attitude that stay below pi.
Relative<double> near_design(const Bushing& b, std::mt19937& random) {
  Relative<double> m = random_motion(random);
  m.R = m.R * design(b).R;
  return m;
}

}  // namespace

TEST_CASE("At design a bushing gives its preload only") {
  Bushing b = mount();
  b.force = {1, 2, 3};
  b.moment = {4, 5, 6};
  const Wrench<double> w = wrench_of(*force_of(b).wrench, design(b));
  CHECK(norm(w.f - Vec3d{1, 2, 3}) < 1e-12);
  CHECK(norm(w.n - Vec3d{4, 5, 6}) < 1e-12);
}

TEST_CASE("About one axis the moment is stiffness times angle, up to nearly half a turn") {
  const Bushing b = mount();
  for (const double angle : {1e-9, 1e-3, 0.02, 0.5, 2.0, 3.1, 3.14159}) {
    Relative<double> m = design(b);
    m.R = axis_rotation({0, 1, 0}, angle) * m.R;
    const Wrench<double> w = wrench_of(*force_of(b).wrench, m);
    CHECK(std::abs(w.n.y / -70 - angle) < 2e-15);
    CHECK(std::abs(w.n.x) + std::abs(w.n.z) < 1e-10);
  }
}

TEST_CASE("The law of a bushing is exact in its derivatives and conserves energy") {
  Bushing b = mount();
  b.force = {100, 0, -50};
  b.moment = {3, -2, 1};
  const model::Contribution force = force_of(b);
  std::mt19937 random(3);
  for (int i = 0; i < 50; ++i) {
    const Relative<double> m = near_design(b, random);
    check_derivative(*force.wrench, m);
    check_power(*force.wrench, m);
  }
}

TEST_CASE("The derivative is exact at design, where closed forms are 0/0, and next to half a turn") {
  const Bushing b = mount();
  const model::Contribution force = force_of(b);
  check_derivative(*force.wrench, design(b));
  for (const double angle : {1e-8, 0.0199, 0.0201, 0.2235, 0.2237, 3.1}) {  // both sides of both series' limits
    Relative<double> m = design(b);
    m.R = axis_rotation(normalized({1, 2, -2}), angle) * m.R;
    check_derivative(*force.wrench, m);
  }
}

TEST_CASE("Damping takes energy away") {
  Bushing b = mount();
  b.stiffness = b.angular_stiffness = {};
  b.damping = {10, 20, 30};
  b.angular_damping = {1, 2, 3};
  const model::Contribution force = force_of(b);
  std::mt19937 random(4);
  for (int i = 0; i < 20; ++i) {
    const Relative<double> m = near_design(b, random);
    CHECK(power(*force.wrench, m) < 0.0);
    check_derivative(*force.wrench, m);
  }
}

TEST_CASE("The rotation vector is the inverse of the exponential") {
  std::mt19937 random(5);
  for (int i = 0; i < 200; ++i) {
    const Vec3d phi = random_vector(random, i % 2 ? 1.8 : 0.02);  // |phi| < 3.12 < pi
    CHECK(norm(rotation_vector(exponential(phi)) - phi) < 1e-13);
  }
}

TEST_CASE("A bushing records forces, moments, deflections and rotations") {
  const Bushing b = mount();
  const model::Contribution force = force_of(b);
  Relative<double> m = design(b);
  m.r.x += 0.01;
  m.R = axis_rotation({0, 0, 1}, 0.1) * m.R;
  std::vector<double> out;
  force.wrench->measure(m, wrench_of(*force.wrench, m), out);
  REQUIRE(out.size() == force.wrench->quantities().size());
  CHECK(out[0] == doctest::Approx(-10));   // fx
  CHECK(out[5] == doctest::Approx(-2.0));  // mz
  CHECK(out[6] == doctest::Approx(0.01));  // dx
  CHECK(out[11] == doctest::Approx(0.1));  // rz
}

TEST_CASE("Curves replace rates axis by axis: exact derivatives, and energy at large rotations") {
  Bushing b = mount();
  b.stiffness.y = 0, b.angular_stiffness.z = 0;
  b.spring_y = table({-1.2, 0, 0.5, 1.4}, {-900, 0, 800, 5000});
  b.angular_spring_z = table({-3, 0, 1, 3}, {-50, 0, 10, 90});
  const model::Contribution force = force_of(b);
  std::mt19937 random(6);
  for (int i = 0; i < 50; ++i) {
    const Relative<double> m = near_design(b, random);
    check_derivative(*force.wrench, m);
    check_power(*force.wrench, m);
  }
  Relative<double> m = design(b);
  m.r.y += 0.5;
  m.R = axis_rotation({0, 0, 1}, 1.0) * m.R;
  CHECK(wrench_of(*force.wrench, m).f.y == doctest::Approx(-800));
  CHECK(wrench_of(*force.wrench, m).n.z == doctest::Approx(-10));
}

TEST_CASE("Damper curves of a bushing act on velocities alone") {
  Bushing b = mount();
  b.stiffness = b.angular_stiffness = {};
  b.damper_x = table({-2, 0, 2}, {-300, 0, 100});
  b.angular_damper_y = table({-2, 0, 2}, {-3, 0, 5});
  const model::Contribution force = force_of(b);
  Relative<double> m = design(b);
  m.v.x = 2, m.w.y = -2;
  const Wrench<double> w = wrench_of(*force.wrench, m);
  CHECK(norm(w.f - Vec3d{-100, 0, 0}) < 1e-12);
  CHECK(norm(w.n - Vec3d{0, 3, 0}) < 1e-12);
  check_law(*force.wrench, false);
  CHECK_FALSE(force.wrench->between_points());
  b.damping = {1, 0, 0};
  CHECK(refused_field(b) == "damper_x");
}

namespace {

Bushing flexi() {
  Bushing b;
  b.axes = "halfway";
  b.from = marker(0, {0, 0, 0}), b.to = marker(1, {0, 0, 0.6});
  b.stiffness = {1500, 2500, 4000}, b.angular_stiffness = {40, 70, 20}, b.force = {0, 0, 900};
  return b;
}

}  // namespace

TEST_CASE("A bushing with axes halfway conserves energy at large angles, and its derivatives are exact") {
  Bushing b = mount();
  b.axes = "halfway";
  b.force = {100, 20, -50}, b.moment = {3, -2, 1};
  b.damping = {5, 6, 7}, b.angular_damping = {1, 2, 3};
  const model::Contribution damped = force_of(b);
  b.damping = b.angular_damping = {};
  const model::Contribution force = force_of(b);
  std::mt19937 random(5);
  check_derivative(*force.wrench, design(b));
  for (int i = 0; i < 30; ++i) {
    const Relative<double> m = near_design(b, random);
    check_derivative(*damped.wrench, m);
    check_power(*force.wrench, m);
  }
  CHECK(norm(wrench_of(*force.wrench, design(b)).f - Vec3d{100, 20, -50}) < 1e-12);
}

// The formula of the page. The upper seat turns by a small angle a about x, in its place; the middle turns by half of it. So the seats are
// sheared by h a/2 and nearer by h a^2/8: U = K (h a/2)^2/2 + P h a^2/8 + K_phi a^2/2.
TEST_CASE("A coil spring between seats: shear, bending and load are coupled as by hand") {
  const Bushing b = flexi();
  const double a = 1e-6, h = 0.6, K = 2500, P = 900;
  Relative<double> m = design(b);
  m.R = axis_rotation({1, 0, 0}, a);
  const Wrench<double> turned = wrench_of(*force_of(b).wrench, m);
  CHECK(turned.n.x / a == doctest::Approx(-(40 + K * h * h / 4 + P * h / 4)).epsilon(1e-5));
  CHECK(turned.f.y / a == doctest::Approx(-(K * h / 2) - P / 2).epsilon(1e-5));
  m = design(b);
  m.r.y += a;
  const Wrench<double> shifted = wrench_of(*force_of(b).wrench, m);
  CHECK(shifted.f.y / a == doctest::Approx(-K).epsilon(1e-6));
}

// Seen from the other end, the same spring: the wrench on `from` is that on `to`, turned round, of the exchanged bushing.
TEST_CASE("A bushing with axes halfway prefers neither of its ends") {
  const Bushing b = flexi();
  Bushing other = b;
  std::swap(other.from, other.to);
  std::mt19937 random(9);
  for (int i = 0; i < 10; ++i) {
    const Relative<double> m = near_design(b, random);
    const Relative<double> back{0.0, -transpose_times(m.R, m.r), transpose(m.R), {}, {}};
    const Wrench<double> on_to = wrench_of(*force_of(b).wrench, m);
    Bushing mirrored = other;
    mirrored.force = -b.force;
    const Wrench<double> on_from = wrench_of(*force_of(mirrored).wrench, back);
    CHECK(norm(m.R * on_from.f + on_to.f) < 1e-9);
    CHECK(norm(m.R * on_from.n + on_to.n + cross(m.r, on_to.f)) < 1e-9);
  }
}
