// References: the documented formulas by hand, differences; for the order of events a fall on a flat road, step by step.
#include "skyhook/element/force/tyre_vertical.h"

#include <numbers>

#include "skyhook/element/law_check.testing.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

namespace {

TyreVertical tyre() {
  TyreVertical f;
  f.from = marker(model::ground, {0, 0, 0});
  f.to = marker(1, {0, 0, 0.28});
  f.stiffness = 2e5;
  f.damping = 500;
  f.radius = 0.3;
  return f;
}

Relative<double> at(double z, double vz, double t = 0, double x = 0, double vx = 0) {
  return {t, {x, 0, z}, Mat3d::identity(), {vx, 0, vz}, {}};
}
Relative<double> in_mode(Relative<double> m, int mode) {
  m.set.mode = mode;
  return m;
}
double push(const model::Contribution& f, const Relative<double>& m) { return wrench_of(*f.wrench, m).f.z; }
const model::Switching& switching(const model::Contribution& f) {
  return dynamic_cast<const model::Switching&>(*f.wrench);
}

}  // namespace

TEST_CASE("A vertical tyre pushes with k p + c p' while it is compressed and does not pull") {
  const model::Contribution f = force_of(tyre());
  CHECK(push(f, at(0.28, 0.0)) == doctest::Approx(2e5 * 0.02));
  CHECK(push(f, at(0.28, -0.4)) == doctest::Approx(2e5 * 0.02 + 500 * 0.4));
  CHECK(push(f, at(0.31, 0.0)) == 0.0);
  CHECK(push(f, at(0.31, -50.0)) == 0.0);                                // it does not touch yet
  CHECK(push(f, at(0.299, 0.5)) == 0.0);                                 // 200 N - 250 N
  CHECK(push(f, in_mode(at(0.299, 0.5), 1)) == doctest::Approx(-50.0));  // beyond the end of contact, in a trial step
  CHECK(push(f, in_mode(at(0.28, -1.0), 2)) == 0.0);
  const Wrench<double> w = wrench_of(*f.wrench, at(0.28, 0.0));
  CHECK(w.f.x == 0.0);
  CHECK(w.n == Vec3d{});
}

TEST_CASE("A load in place of the radius holds at the design position, along z of the road") {
  TyreVertical t = tyre();
  t.radius.reset();
  t.load = 3000;
  t.from = marker(0, {0.2, 0, 0}, exponential({0, 0.5, 0}));
  t.to.at = {0.3, 0.1, 0.4};
  const Vec3d seen = transpose(t.from->axes) * (t.to.at - t.from->at);
  CHECK(push(force_of(t), {0, seen, Mat3d::identity(), {}, {}}) == doctest::Approx(3000));
}

TEST_CASE("Roads: the wheel's own way or one that runs below it; bump, profile, lift and stairs add up") {
  TyreVertical t = tyre();
  t.bump_height = 0.05, t.bump_length = 2.0, t.bump_at = 1.0;
  const auto deflection = [](const TyreVertical& of, const Relative<double>& m) {
    const model::Contribution f = force_of(of);
    std::vector<double> out;
    f.wrench->measure(m, wrench_of(*f.wrench, m), out);
    REQUIRE(out.size() == f.wrench->quantities().size());
    CHECK(out[1] == doctest::Approx(0.3 + out[2] - m.r.z).epsilon(1e-12));
    return out[2];
  };
  CHECK(deflection(t, at(0.3, 0, 0, 2.0)) == doctest::Approx(0.05));
  CHECK(deflection(t, at(0.3, 0, 0, 1.5)) == doctest::Approx(0.025));
  CHECK(deflection(t, at(0.3, 0, 0, 0.99)) == 0.0);
  CHECK(deflection(t, at(0.3, 0, 0, 3.01)) == 0.0);
  // p' = h' x' - z': slope pi h/L at a quarter of the bump
  CHECK(push(force_of(t), at(0.3, 0.1, 0, 1.5, 4.0)) ==
        doctest::Approx(2e5 * 0.025 + 500 * (std::numbers::pi * 0.05 / 2.0 * 4.0 - 0.1)));
  t.heading = -1;
  CHECK(deflection(t, at(0.3, 0, 0, -2.0)) == doctest::Approx(0.05));
  t.speed = 10, t.start = 0.5;
  CHECK(deflection(t, at(0.3, 0, 0.7, 77.0)) == doctest::Approx(0.05));
  CHECK(push(force_of(t), at(0.3, 0.1, 0.65, 77.0, 4.0)) ==
        doctest::Approx(2e5 * 0.025 + 500 * (std::numbers::pi * 0.05 / 2.0 * 10 - 0.1)));
  t.bump_height = 0;
  t.profile = model::Curve(formula("0.01[m]*sin(x/1[m])", "x:m"));
  t.lift = motion("0.02[m/s]*t");
  t.step_at = {1.0, 3.0, 4.0}, t.step_height = {0.1, 0.0, -0.2};
  CHECK(deflection(t, at(0.3, 0, 0.5)) == doctest::Approx(0.01));
  CHECK(deflection(t, at(0.3, 0, 0.7)) == doctest::Approx(0.01 * std::sin(2.0) + 0.02 * 0.7 + 0.1));
  CHECK(deflection(t, at(0.3, 0, 1.0)) == doctest::Approx(0.01 * std::sin(5.0) + 0.02 - 0.1));
  CHECK(
      push(force_of(t), at(0.25, 0.0, 0.7)) ==
      doctest::Approx(2e5 * (0.164 + 0.01 * std::sin(2.0) - 0.0) + 500 * (0.1 * std::cos(2.0) + 0.02)).epsilon(1e-12));
}

TEST_CASE(
    "A vertical tyre has exact derivatives in each mode, and the mode it chooses is the law that nobody watches") {
  TyreVertical t = tyre();
  t.radius = 0.5;
  t.profile = model::Curve(formula("0.1[m]*sin(3*x/1[m])", "x:m"));
  t.bump_height = 0.3, t.bump_length = 0.9, t.bump_at = 0.1;
  t.lift = motion("0.3[m]*sin(4*t/1[s])");
  // the bump's curvature jumps at its ends: differences across say nothing
  const auto off_ends = [](const Relative<double>& m) { return std::abs(m.r.x - 0.1) > 1e-4; };
  check_law(*force_of(t).wrench, false, [&](const Relative<double>& m) {
    return off_ends(m) && std::abs(wrench_of(*force_of(t).wrench, m).f.z) > 10;
  });
  check_modes(*force_of(t).wrench, {1, 2}, off_ends);
  t.step_at = {-0.5, 0.4}, t.step_height = {0.1, -0.3};
  check_modes(*force_of(t).wrench, {1, 2, 3, 4, 5, 6}, off_ends);
  t.speed = 7;
  check_modes(*force_of(t).wrench, {1, 2, 3, 4, 5, 6});
}

TEST_CASE("Lift-off is where the force crosses zero, landing where the gap does, and nothing else is an event") {
  const model::Contribution f = force_of(tyre());
  const model::Switching& s = switching(f);
  CHECK(s.first_mode(at(0.29, 0.0)) == 1);
  CHECK(s.first_mode(at(0.299, 0.5)) == 2);  // it touches but does not push
  CHECK(s.first_mode(at(0.301, -5)) == 2);
  // rebound at 0.5 m/s: the force ends at p = c/k 0.5 = 1.25 mm
  CHECK(std::abs(s.watch(in_mode(at(0.3 - 0.00125, 0.5), 1))) < 1e-12);
  CHECK(s.watch(in_mode(at(0.298, 0.5), 1)) > 0.0);
  CHECK(s.watch(in_mode(at(0.2995, 0.5), 1)) < 0.0);
  CHECK(s.next_mode(in_mode(at(0.3 - 0.00125, 0.5), 1)) == 2);
  // then the tyre, still deflected, leaves the road: not one crossing until the gap closes
  for (const double z : {0.299, 0.2999, 0.3, 0.301}) CHECK(s.watch(in_mode(at(z, 0.5), 2)) > 0.0);
  for (const double v : {0.3, 0.0, -0.1, -3.0}) CHECK(s.watch(in_mode(at(0.302, v), 2)) > 0.0);
  CHECK(std::abs(s.watch(in_mode(at(0.3, -3.0), 2))) < 1e-12);
  CHECK(s.next_mode(in_mode(at(0.3, -3.0), 2)) == 1);
  CHECK(s.watch(in_mode(at(0.299, -3.0), 2)) < 0.0);
  CHECK(s.watch(in_mode(at(0.299, -3.0), 1)) > 0.0);
  CHECK(s.event(1, 2) == "lift-off");
  CHECK(s.event(2, 1) == "landing");
}

TEST_CASE("At a stair the height is that of the side until the event, which chooses contact from the motion") {
  TyreVertical t = tyre();
  t.step_at = {0.0, 1.0}, t.step_height = {-0.08, 0.12};
  const model::Contribution f = force_of(t);
  const model::Switching& s = switching(f);
  CHECK(push(f, in_mode(at(0.28, 0, 0, 0.01, 5), 1)) == doctest::Approx(4000));  // a little beyond
  CHECK(push(f, at(0.28, 0, 0, 0.01, 5)) == 0.0);
  CHECK(s.watch(in_mode(at(0.28, 0, 0, -0.01, 5), 1)) == doctest::Approx(0.01));
  CHECK(s.watch(in_mode(at(0.28, 0, 0, 0.01, 5), 1)) == doctest::Approx(-0.01));
  for (const double rounding : {-1e-15, 0.0, 1e-15}) {
    CHECK(s.next_mode(in_mode(at(0.28, 0, 0, rounding, 5), 1)) == 4);      // down: it flies
    CHECK(s.next_mode(in_mode(at(0.21, 0, 0, rounding, -5), 3)) == 1);     // and back over the same stair
    CHECK(s.next_mode(in_mode(at(0.28, 0, 0, 1 + rounding, 5), 4)) == 5);  // up: compressed by 60 mm at once
    CHECK(s.next_mode(in_mode(at(0.5, 0, 0, 1 + rounding, 5), 4)) == 6);   // flies on
  }
  CHECK(push(f, in_mode(at(0.28, 0, 0, 1, 5), 5)) == doctest::Approx(2e5 * 0.06));
  CHECK(s.next_mode(in_mode(at(0.22, -1, 0, 0.5, 5), 4)) == 3);  // a landing between the stairs
  CHECK(s.event(1, 4) == "step, lift-off");
  CHECK(s.event(4, 5) == "step, landing");
  CHECK(s.event(4, 6) == "step");
  CHECK(s.event(1, 3) == "step");
  CHECK(s.event(4, 3) == "landing");
}

TEST_CASE("A vertical tyre refuses what contradicts itself") {
  TyreVertical t = tyre();
  t.load = 100;
  CHECK(refused_field(t) == "load");
  t.load.reset(), t.radius.reset();
  CHECK(refused_field(t) == "radius");
  t = tyre();
  t.step_at = {1.0};
  CHECK(refused_field(t) == "step_at");
  t.step_height = {0.1, 0.2};
  CHECK(refused_field(t) == "step_height");
  t.step_at = {1.0, 1.0};
  CHECK(refused_field(t) == "step_at");
  t = tyre();
  t.heading = 0.5;
  CHECK(refused_field(t) == "heading");
  t = tyre();
  t.start = 1;
  CHECK(refused_field(t) == "start");
  t = tyre();
  t.from = t.to;
  CHECK(refused_field(t) == "to");
}
