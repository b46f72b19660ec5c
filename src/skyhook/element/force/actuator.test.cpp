// References: the command by hand, differences.
#include "skyhook/element/force/actuator.h"

#include "skyhook/element/law_check.testing.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

#include "skyhook/element/joints.testing.h"

namespace {

constexpr const char* variables = "t:s x:m v:m/s";

Actuator between() {
  Actuator a;
  a.from = marker(0, {0, 0, 0});
  a.to = marker(1, {0, 0, 1});
  return a;
}

Relative<double> at_length(double length, double rate, double t) {
  return {t, {0, 0, length}, Mat3d::identity(), {0, 0, rate}, {}};
}

}  // namespace

TEST_CASE("A positive command pushes the points apart") {
  Actuator a = between();
  a.force = formula("100[N] + 10[N/s]*t - 20[N/m]*x", variables);
  const model::Contribution force = force_of(a);
  const Relative<double> m = at_length(2.0, 0.0, 1.0);
  const Wrench<double> w = wrench_of(*force.wrench, m);
  CHECK(w.f.z == doctest::Approx(70.0));
  std::vector<double> out;
  force.wrench->measure(m, w, out);
  CHECK(out.at(0) == doctest::Approx(70.0));
}

TEST_CASE("A table over time commands the force") {
  Actuator a = between();
  a.table = model::Motion(CubicSpline(std::vector<double>{0, 2}, std::vector<double>{0, 50}));
  CHECK(wrench_of(*force_of(a).wrench, at_length(1.0, 0.0, 1.0)).f.z == doctest::Approx(25.0));
}

TEST_CASE("The force of an actuator has exact derivatives, and none beyond its limit") {
  Actuator a = between();
  a.force = formula("100[N]*sin(x/0.3[m]) - 7[N.s^2/m^2]*v*abs(v)", variables);
  check_law(*force_of(a).wrench, false);
  a.force = formula("1[kN/m]*x", variables);
  a.limit = 300;
  CHECK(wrench_of(*force_of(a).wrench, at_length(0.2, 0, 0)).f.z == doctest::Approx(200));
  CHECK(wrench_of(*force_of(a).wrench, at_length(0.9, 0, 0)).f.z == doctest::Approx(300));
  Wrench<Local> out;
  force_of(a).wrench->wrench(seeded(at_length(0.9, 0, 0)), out);
  CHECK(std::abs(out.f.z.d[2]) < 1e-10);  // not 0: rounding of the direction
}

TEST_CASE("An actuator of length zero has no force and no NaN") {
  Actuator a = between();
  a.force = formula("100[N]", variables);
  check_zero_length(*force_of(a).wrench);
}

TEST_CASE("On joint coordinates a positive command drives the coordinate up") {
  Actuator a;
  a.joint = hinge;
  a.moment = formula("2[N.m] - 3[N.m]*x", "t:s x:rad v:rad/s");
  const model::Contribution force = force_of(a, three_joints());
  CHECK(force.coordinate->force(0.5, 0, 0) == doctest::Approx(0.5));
  check_coordinate_law(*force.coordinate, 0.5, 0.1, false);
  a.limit = 3;
  CHECK(refused_field(a, three_joints()) == "limit");
}

TEST_CASE("An actuator needs one command") {
  Actuator a = between();
  CHECK(refused_field(a) == "force");
  a.force = formula("1[N]", variables);
  a.table = motion("1[N]");
  CHECK(refused_field(a) == "force");
  a.moment = formula("1[N.m]", "t:s x:rad v:rad/s");
  CHECK(refused_field(a) == "moment");
}

TEST_CASE("A signal commands the force, within the limit") {
  Actuator a = between();
  a.signal.index = 0;
  a.limit = 300;
  model::Model with_signal = two_bodies();
  with_signal.signals.push_back({"loop", "N", 0});
  const model::Contribution force = force_of(a, with_signal);
  CHECK(force.signal.index == 0);
  Relative<double> m = at_length(1, 0, 0);
  m.set.signal = 120;
  CHECK(wrench_of(*force.wrench, m).f.z == 120);
  m.set.signal = -500;
  CHECK(wrench_of(*force.wrench, m).f.z == -300);
  check_law(*force.wrench, false);
  a.force = formula("1[N]", variables);
  CHECK(refused_field(a, with_signal) == "force");
  a.force.reset();
  with_signal.signals[0].unit = "N.m";
  CHECK(refused_field(a, with_signal) == "signal");
}
