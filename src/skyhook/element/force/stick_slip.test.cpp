// References: Coulomb's law by hand, in each mode.
#include "skyhook/element/force/stick_slip.h"

#include <doctest/doctest.h>

#include "skyhook/element/source.testing.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

#include "skyhook/element/joints.testing.h"

namespace {

StickSlip on(const model::CoordinateRef& joint) {
  StickSlip s;
  s.joint = joint;
  (joint.joint == hinge.joint ? s.angular_hold : s.hold) = 12.0;
  return s;
}

}  // namespace

TEST_CASE("While it slips the force opposes the motion; while it sticks, or nobody watches, there is none") {
  StickSlip s = on(slider);
  s.slide = 9;
  model::Model model = three_joints();
  TestSource source;
  s.add_to(source, model);
  REQUIRE(model.contributions.size() == 1);
  const model::Contribution& force = model.contributions[0];
  REQUIRE(force.holds(model::Row::Holds::stuck));
  CHECK(force.row->terms.at(0).joint == slider.joint);
  CHECK(force.row->hold == 12);
  CHECK(force.joint == slider.joint);
  const auto at = [&](int mode, double v) { return force.coordinate->force(0.3, v, 1.0, {.signal = 0, .mode = mode}); };
  using Mode = model::Stick::Mode;
  CHECK(at(Mode::unwatched, 2.0) == 0);
  CHECK(at(Mode::sticks, 1e-9) == 0);
  CHECK(at(Mode::slips_up, 2.0) == -9);
  CHECK(at(Mode::slips_up, -0.1) == -9);  // a little beyond: the run has not noticed yet
  CHECK(at(Mode::slips_down, -2.0) == 9);
  const auto dual =
      force.coordinate->force(Dual<2>::variable(0.3, 0), Dual<2>::variable(2, 1), 0, {.signal = 0, .mode = 2});
  CHECK(dual.v == -9);
  CHECK(dual.d[0] == 0);
  CHECK(dual.d[1] == 0);
}

TEST_CASE("Angles have their own fields; sliding force is the holding one where it is not given") {
  model::Model model = three_joints();
  TestSource source;
  on(hinge).add_to(source, model);
  CHECK(model.contributions.at(0).coordinate->force(0, 1, 0, {.signal = 0, .mode = model::Stick::slips_up}) == -12);
  StickSlip s = on(hinge);
  s.slide = 1;
  CHECK(refused_field(s, three_joints()) == "hold");
  s = on(slider);
  s.angular_slide = 1;
  CHECK(refused_field(s, three_joints()) == "angular_hold");
}

TEST_CASE("What cannot be is refused") {
  StickSlip s = on(slider);
  s.slide = 13;
  CHECK(refused_field(s, three_joints()) == "slide");
  s = on(slider);
  s.hold.reset();
  CHECK(refused_field(s, three_joints()) == "hold");
  CHECK(refused_field(on(ball), three_joints()) == "joint");
  model::Model driven = three_joints();
  driven.joints[slider.joint].drive[0] = motion("t");
  CHECK(refused_field(on(slider), driven) == "joint");
}
