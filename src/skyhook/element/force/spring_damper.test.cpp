// References: Hooke's law by hand, differences, energy balance.
#include "skyhook/element/force/spring_damper.h"

#include "skyhook/element/law_check.testing.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

#include "skyhook/element/joints.testing.h"

namespace {

SpringDamper strut(double stiffness, double damping) {
  SpringDamper s;
  s.from = marker(0, {0, 0, 0});
  s.to = marker(1, {0, 0, 0.5});
  s.stiffness = stiffness;
  s.damping = damping;
  return s;
}

Relative<double> at_length(double length, double rate) {
  return {0.0, {0, 0, length}, Mat3d::identity(), {0, 0, rate}, {}};
}

std::vector<double> measured(const model::Contribution& force, const Relative<double>& m) {
  std::vector<double> out;
  force.wrench->measure(m, wrench_of(*force.wrench, m), out);
  return out;
}

}  // namespace

TEST_CASE("A stretched spring pulls `to` back, and its force is positive") {
  const model::Contribution force = force_of(strut(1000, 50));
  const Relative<double> m = at_length(0.6, 2.0);
  CHECK(wrench_of(*force.wrench, m).f.z == doctest::Approx(-(1000 * 0.1 + 50 * 2.0)));
  const std::vector<double> out = measured(force, m);
  REQUIRE(out.size() == force.wrench->quantities().size());
  CHECK(out[0] == doctest::Approx(200.0));
  CHECK(out[1] == doctest::Approx(0.6));
  CHECK(out[2] == doctest::Approx(2.0));
}

TEST_CASE("Without free_length the spring is at rest at design; preload is then its force there") {
  SpringDamper s = strut(1000, 0);
  CHECK(norm(wrench_of(*force_of(s).wrench, at_length(0.5, 0)).f) < 1e-12);
  s.preload = -300;
  CHECK(wrench_of(*force_of(s).wrench, at_length(0.5, 0)).f.z == doctest::Approx(300));
  s.preload = 0;
  s.free_length = 0.8;
  CHECK(wrench_of(*force_of(s).wrench, at_length(0.5, 0)).f.z == doctest::Approx(300));
}

TEST_CASE("Points given for the spring replace those of the markers") {
  SpringDamper s = strut(1000, 0);
  s.from_at = Vec3d{0, 0, -0.5};
  const model::Contribution force = force_of(s);
  CHECK(force.from.at == Vec3d{0, 0, -0.5});
  CHECK(norm(wrench_of(*force.wrench, at_length(1.0, 0)).f) < 1e-12);
}

TEST_CASE("The law of a spring and damper has exact derivatives; without damping power is loss of energy") {
  SpringDamper s = strut(1000, 0);
  s.preload = 20;
  check_law(*force_of(s).wrench, true);
  s.damping = 30;
  check_law(*force_of(s).wrench, false);
}

TEST_CASE("Curves replace the rates: exact derivatives and energy from tables and formulas") {
  SpringDamper s = strut(0, 0);
  s.force = table({-0.6, -0.2, 0.0, 0.3, 1.2}, {-900, -150, 0, 260, 700});
  check_law(*force_of(s).wrench, true);
  s.force = model::Curve(formula("1[kN/m]*x + 20[kN/m^3]*x^3", "x:m"));
  check_law(*force_of(s).wrench, true);
  s.damper_force = model::Curve(formula("800[N]*tanh(v/0.4[m/s])", "v:m/s"));
  check_law(*force_of(s).wrench, false);
}

TEST_CASE("A force table is monotone and has no step in its slope") {
  SpringDamper s = strut(0, 0);
  s.free_length = 0.5;
  s.force = table({-0.4, -0.1, 0.0, 0.05, 0.3}, {-2000, -300, 0, 40, 5000});
  const model::Contribution force = force_of(s);
  const auto pull = [&](double x) { return -wrench_of(*force.wrench, at_length(0.5 + x, 0)).f.z; };
  const auto slope = [&](double x) {
    Wrench<Local> out;
    force.wrench->wrench(seeded(at_length(0.5 + x, 0)), out);
    return -out.f.z.d[2];
  };
  for (double x = -0.45; x < 0.4; x += 0.001) CHECK(pull(x + 0.001) > pull(x));
  // Across a knot the slope moves only by curvature times the gap; a kink would show as a jump of the order of 1e3.
  for (const double knot : {-0.4, -0.1, 0.0, 0.05, 0.3})
    CHECK(std::abs(slope(knot + 1e-9) - slope(knot - 1e-9)) < 1e-2);
}

TEST_CASE("A spring of length zero has no force and no NaN, and the user is warned") {
  SpringDamper s = strut(1000, 10);
  s.to = marker(1, {0, 0, 0});
  check_zero_length(*force_of(s).wrench);
  TestSource source;
  model::Model model = two_bodies();
  s.add_to(source, model);
  CHECK(model.warnings.size() == 1);
}

TEST_CASE("On a joint coordinate the spring drives it back to its value at design") {
  SpringDamper s;
  s.joint = slider;
  s.stiffness = 1000;
  s.damping = 5;
  const model::Contribution force = force_of(s, three_joints());
  CHECK(force.joint == 1);
  CHECK(force.coordinate->force(0.1, 0.0, 0.0) == 0.0);
  CHECK(force.coordinate->force(0.3, 2.0, 0.0) == doctest::Approx(-1000 * 0.2 - 10));
  check_coordinate_law(*force.coordinate, 0.37, 0.5, false);
  s.damping = 0;
  check_coordinate_law(*force_of(s, three_joints()).coordinate, 0.37, 0.5, true);
}

TEST_CASE("An angle takes the angular fields") {
  SpringDamper s;
  s.joint = hinge;
  s.angular_stiffness = 40;
  s.free_angle = 0.5;
  CHECK(force_of(s, three_joints()).coordinate->force(0.6, 0, 0) == doctest::Approx(-4.0));
  s.stiffness = 1;
  CHECK(refused_field(s, three_joints()) == "stiffness");
}

TEST_CASE("Springs refuse contradictions") {
  SpringDamper s = strut(1000, 0);
  s.angular_damping = 1;
  CHECK(refused_field(s) == "angular_damping");
  s = strut(1000, 0);
  s.force = table({0, 1}, {0, 1});
  CHECK(refused_field(s) == "force");
  s = strut(1000, 0);
  s.joint = slider;
  CHECK(refused_field(s, three_joints()) == "joint");
  s = strut(1000, 0);
  s.from.reset();
  CHECK(refused_field(s) == "from");
  s = {};
  s.joint = ball;
  CHECK(refused_field(s, three_joints()) == "joint");
}

TEST_CASE("With corners a spring switches at the rows of its tables, and is smooth beyond them") {
  SpringDamper s;
  s.from = marker(0, {0, 0, 0});
  s.to = marker(1, {0, 0, 0.5});
  s.force = table({-0.2, 0.1, 0.4}, {-50, 10, 20});
  s.damper_force = table({-1, 0, 1}, {-6, 0, 15});
  s.corners = true;
  const model::Contribution force = force_of(s);
  std::vector<int> modes(16);  // four pieces each: two intervals and the straight lines beyond
  for (int i = 0; i < 16; ++i) modes[static_cast<std::size_t>(i)] = i + 1;
  check_modes(*force.wrench, modes, [](const Relative<double>& m) {
    const double d = norm(m.r) - 0.5, v = dot(m.r, m.v) / norm(m.r);
    for (const double knot : {-0.2, 0.1, 0.4}) {
      if (std::abs(d - knot) < 1e-3) return false;
    }
    for (const double knot : {-1.0, 0.0, 1.0}) {
      if (std::abs(v - knot) < 1e-3) return false;
    }
    return norm(m.r) > 0.3;
  });
  const auto& switching = dynamic_cast<const model::Switching&>(*force.wrench);
  const auto at = [](double d, double v, int mode) {
    return Relative<double>{0.0, {0, 0, 0.5 + d}, Mat3d::identity(), {0, 0, v}, {}, {.mode = mode}};
  };
  CHECK(switching.first_mode(at(0.0, 0.5, 0)) == 1 + 1 + 4 * 2);
  CHECK(switching.next_mode(at(0.1, 0.5, 10)) == 11);
  CHECK(switching.next_mode(at(-0.2, 0.5, 10)) == 9);
  CHECK(switching.next_mode(at(0.03, 1e-14, 10)) == 6);
  CHECK(switching.next_mode(at(0.03, 1.0, 10)) == 14);
  CHECK(switching.event(10, 11) == "corner of the spring's table");
  CHECK(switching.event(10, 6) == "corner of the damper's table");
}

TEST_CASE("Without corners nobody watches a spring; corners without a table are refused") {
  SpringDamper s;
  s.joint = slider;
  s.stiffness = 5;
  CHECK(dynamic_cast<const model::SwitchingCoordinate*>(force_of(s, three_joints()).coordinate.get()) == nullptr);
  s.corners = true;
  CHECK(refused_field(s, three_joints()) == "corners");
  s.damper_force = table({-1, 0, 1}, {-6, 0, 15});
  const model::Contribution force = force_of(s, three_joints());
  const auto& switching = dynamic_cast<const model::SwitchingCoordinate&>(*force.coordinate);
  CHECK(switching.first_mode({0.3, -0.5}) == 2);
  CHECK(switching.watch({0.3, -0.6, 0.0, {.mode = 2}}) == doctest::Approx(0.4));
  check_coordinate_law(*force.coordinate, 0.3, 0.2, false, {.mode = 2});
}
