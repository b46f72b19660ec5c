// References: the law by hand, in each mode. How it stops and holds a wheel: tests/driveline.test.cpp.
#include "skyhook/element/force/brake.h"

#include <doctest/doctest.h>

#include "skyhook/element/source.testing.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

#include "skyhook/element/joints.testing.h"

namespace {

using Mode = model::Stick::Mode;

Brake on(const model::CoordinateRef& joint) {
  Brake b;
  b.joint = joint;
  b.pressure = motion("2e5[Pa/s]*t - 1e5[Pa]");
  b.torque_per_pressure = 1e-3;
  b.hold_ratio = 1.5;
  return b;
}

model::Contribution added(const Brake& brake) {
  model::Model model = three_joints();
  TestSource source;
  brake.add_to(source, model);
  return model.contributions.at(0);
}

}  // namespace

TEST_CASE("A brake acts against the motion with its pressure; stuck, released and unwatched it has no torque") {
  const model::Contribution force = added(on(hinge));
  const auto at = [&](int mode, double t) { return force.coordinate->force(0.3, 2.0, t, {.signal = 0, .mode = mode}); };
  CHECK(at(Mode::slips_up, 1.0) == doctest::Approx(-100));
  CHECK(at(Mode::slips_down, 1.0) == doctest::Approx(100));
  CHECK(at(Mode::slips_up, 0.0) == 0);  // a negative pressure is none
  for (const int mode : {Mode::unwatched, Mode::sticks, Mode::released}) CHECK(at(mode, 1.0) == 0);
  const auto dual =
      force.coordinate->force(Dual<2>::variable(0.3, 0), Dual<2>::variable(2, 1), 1.0, {.signal = 0, .mode = 3});
  CHECK(dual.v == doctest::Approx(100));
  CHECK(dual.d[0] == 0);
  CHECK(dual.d[1] == 0);
}

TEST_CASE("What a brake holds follows its pressure") {
  const model::Contribution force = added(on(hinge));
  REQUIRE(force.holds(model::Row::Holds::stuck));
  CHECK(model::largest_hold(force, 1.0, 0.0) == doctest::Approx(150));
  CHECK_FALSE(model::is_released(force, model::largest_hold(force, 1.0, 0.0)));
  CHECK(model::is_released(force, model::largest_hold(force, 0.5, 0.0)));
}

TEST_CASE("A brake needs one pressure and an angle that nothing drives") {
  CHECK(refused_field(on(slider), three_joints()) == "joint");
  Brake b = on(hinge);
  b.pressure.reset();
  CHECK(refused_field(b, three_joints()) == "pressure");
  model::Model driven = three_joints();
  driven.joints[hinge.joint].drive[0] = motion("t/1[s]");
  CHECK(refused_field(on(hinge), driven) == "joint");
}
