// References: the documented formulas by hand, differences, energy balance; for the restitution a free impact integrated by
// the method of Runge and Kutta; for the profile a circle, whose nearest point is known.
#include "skyhook/element/force/contact.h"

#include "skyhook/element/law_check.testing.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

namespace {

Contact contact() {
  Contact c;
  c.from = marker(model::ground, {0, 0, 0});
  c.to = marker(1, {0, 0, 1});
  c.stiffness = 1e5, c.depth = 0.01;
  return c;
}

Relative<double> at(const Vec3d& r, const Vec3d& v = {}, const Vec3d& w = {}) {
  return {0.0, r, Mat3d::identity(), v, w};
}

// Speed after the impact of a mass of 2 kg over that before it.
double speed_ratio(const model::WrenchElement& law, double speed) {
  double z = 0, v = -speed, h = 1e-6 / speed;
  const auto a = [&](double height, double rate) { return wrench_of(law, at({0, 0, height}, {0, 0, rate})).f.z / 2.0; };
  do {
    const double k1 = a(z, v), k2 = a(z + h / 2 * v, v + h / 2 * k1);
    const double k3 = a(z + h / 2 * v + h * h / 4 * k1, v + h / 2 * k2), k4 = a(z + h * v + h * h / 2 * k2, v + h * k3);
    z += h * v + h * h / 6 * (k1 + k2 + k3);
    v += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  } while (z < 0);
  return v / speed;
}

}  // namespace

TEST_CASE("A contact pushes with the power of its compression and is silent above the ground") {
  Contact c = contact();
  c.radius = 0.2;
  const model::Contribution f = force_of(c);
  CHECK(norm(wrench_of(*f.wrench, at({3, 4, 0.19})).f - Vec3d{0, 0, 1e5 * 0.01}) < 1e-9);
  CHECK(wrench_of(*f.wrench, at({3, 4, 0.16})).f.z == doctest::Approx(1e5 * 0.01 * 8));  // 4^1.5
  CHECK(wrench_of(*f.wrench, at({3, 4, 0.21}, {1, 1, -9})).f == Vec3d{});
  CHECK(wrench_of(*f.wrench, at({0, 0, 0.19}, {0, 0, 7})).f.z > 0.0);
  c.damping = 0.6;
  CHECK(wrench_of(*force_of(c).wrench, at({0, 0, 0.19}, {0, 0, -2})).f.z ==
        doctest::Approx(1000 * (1.2 + std::sqrt(1 + 1.44))));
  for (const double away : {0.5, 50.0, 5e6})
    CHECK(wrench_of(*force_of(c).wrench, at({0, 0, 0.19}, {0, 0, away})).f.z > 0);
}

TEST_CASE("The restitution holds at its speed, whatever exponent, stiffness and mass are") {
  for (const double e : {0.05, 0.3, 0.8, 0.99}) {
    CAPTURE(e);
    Contact c = contact();
    c.restitution = e;
    c.impact_speed = 3;
    CHECK(speed_ratio(*force_of(c).wrench, 3) == doctest::Approx(e).epsilon(1e-4));
    c.exponent = 1, c.stiffness = 4e5;
    const model::Contribution linear = force_of(c);
    CHECK(speed_ratio(*linear.wrench, 3) == doctest::Approx(e).epsilon(1e-4));
    CHECK(speed_ratio(*linear.wrench, 0.3) > e);  // slower impacts bounce more
  }
  Contact c = contact();
  c.restitution = 1;
  CHECK(wrench_of(*force_of(c).wrench, at({0, 0, -0.01}, {0, 0, -5})).f.z == doctest::Approx(1000));
}

TEST_CASE("Friction is that of the sphere's nearest point, which turns along") {
  Contact c = contact();
  c.radius = 0.2, c.friction = 0.5, c.slip_speed = 0.1;
  const model::Contribution f = force_of(c);
  const auto w = wrench_of(*f.wrench, at({0, 0, 0.19}, {3, 4, 0}));
  const double sliding = 500 * 5 / std::hypot(5.0, 0.1);
  CHECK(w.f.x == doctest::Approx(-0.6 * sliding));
  CHECK(w.f.y == doctest::Approx(-0.8 * sliding));
  CHECK(w.n.x == doctest::Approx(0.2 * w.f.y));  // (0, 0, -R) x f
  CHECK(w.n.y == doctest::Approx(-0.2 * w.f.x));
  CHECK(norm(wrench_of(*f.wrench, at({0, 0, 0.19}, {3, 0, 0}, {0, 15, 0})).f - Vec3d{0, 0, 1000}) < 1e-9);  // it rolls
  CHECK(wrench_of(*f.wrench, at({0, 0, 0.19}, {}, {0, 15, 0})).f.x > 499);                                  // it spins
  std::vector<double> out;
  f.wrench->measure(at({0, 0, 0.19}, {3, 4, 0}), w, out);
  REQUIRE(out.size() == f.wrench->quantities().size());
  CHECK(out[0] == doctest::Approx(1000));
  CHECK(out[1] == doctest::Approx(sliding));
  CHECK(out[2] == doctest::Approx(0.01));
  CHECK(out[3] == doctest::Approx(5));
}

TEST_CASE("Only friction on a sphere asks for rotation") {
  Contact c = contact();
  c.friction = 0.5;
  CHECK(force_of(c).wrench->between_points());
  c.radius = 0.1;
  CHECK_FALSE(force_of(c).wrench->between_points());
  c.friction = 0;
  CHECK(force_of(c).wrench->between_points());
}

TEST_CASE("On a profile the nearest point counts: a sphere in a round valley") {
  Contact c = contact();
  c.radius = 0.3;
  c.profile = model::Curve(formula("2[m] - sqrt(4[m^2] - x^2)", "x:m"));  // circle of 2 m about (0, 2)
  for (const double angle : {-0.8, -0.3, 0.0, 0.2, 0.7}) {
    const Vec3d inwards{-std::sin(angle), 0, std::cos(angle)};
    const double away = 1.72;  // of the sphere's centre from that of the circle: compressed by 20 mm
    const auto w = wrench_of(*force_of(c).wrench, at(Vec3d{0, 5, 2} - away * inwards));
    CHECK(norm(w.f - 1000 * std::pow(2.0, 1.5) * inwards) < 1e-6);
  }
}

TEST_CASE("Contacts have exact derivatives in each mode and conserve energy without damping and friction") {
  for (const bool has_profile : {false, true}) {
    for (const double exponent : {1.0, 1.5, 2.0}) {
      Contact c = contact();
      c.radius = 0.3, c.exponent = exponent, c.depth = 0.1;
      if (has_profile) c.profile = model::Curve(formula("0.1[m]*sin(2*x/1[m])", "x:m"));
      // the third derivative of p^1.5 grows towards the touch
      const auto off_touch = [&](const Relative<double>& m) {
        Contact probe = c;
        std::vector<double> out;
        force_of(probe).wrench->measure(m, {}, out);
        return std::abs(out[2]) > 0.02 && out[2] < 1.0;
      };
      check_law(*force_of(c).wrench, true, off_touch);
      check_modes(*force_of(c).wrench, {1, 2}, off_touch);
      c.damping = 0.3, c.friction = 0.7, c.slip_speed = 0.3;
      check_law(*force_of(c).wrench, false, off_touch);
      check_modes(*force_of(c).wrench, {1, 2}, off_touch);
    }
  }
}

TEST_CASE("A contact changes its mode where its compression is zero, and its force has no jump there") {
  Contact c = contact();
  c.damping = 0.3, c.friction = 0.7;
  const model::Contribution f = force_of(c);
  const auto& s = dynamic_cast<const model::Switching&>(*f.wrench);
  Relative<double> m = at({0, 0, 1e-12}, {2, 0, -1});
  CHECK(s.first_mode(m) == 1);
  m.set.mode = 1;
  CHECK(s.watch(m) == doctest::Approx(1e-12));
  CHECK(s.next_mode(m) == 2);
  m.set.mode = 2;
  CHECK(s.watch(m) == doctest::Approx(-1e-12));
  CHECK(s.next_mode(m) == 1);
  CHECK(norm(wrench_of(*f.wrench, m).f) < 1e-9);
  CHECK(s.event(1, 2) == "touches");
  CHECK(s.event(2, 1) == "leaves");
  CHECK_FALSE(f.events);  // unless they are asked for
  c.events = true;
  CHECK(force_of(c).events);
}

TEST_CASE("Contacts refuse damping given twice") {
  Contact c = contact();
  c.damping = 1, c.restitution = 0.5;
  CHECK(refused_field(c) == "restitution");
}
