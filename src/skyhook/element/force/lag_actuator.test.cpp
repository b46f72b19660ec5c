// References: the lag by hand, differences.
#include "skyhook/element/force/lag_actuator.h"

#include <array>

#include "skyhook/element/law_check.testing.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

#include "skyhook/element/joints.testing.h"

namespace {

LagActuator between() {
  LagActuator a;
  a.from = marker(0, {0, 0, 0});
  a.to = marker(1, {0, 0, 1});
  a.time_constant = 0.1;
  return a;
}

}  // namespace

TEST_CASE("A lag actuator pushes with its state, which runs after the command") {
  LagActuator a = between();
  a.force = formula("100[N] + 10[N/s]*t - 20[N/m]*x + 3[N.s/m]*v", "t:s x:m v:m/s");
  const model::Contribution force = force_of(a);
  std::array<double, 1> rate{};
  CHECK(force.inner->evaluate({2.0, 1.0, 4.0}, std::array{30.0}, rate) == doctest::Approx(-30));  // pulls by -30
  CHECK(rate[0] == doctest::Approx((100 + 40 - 40 + 3 - 30) / 0.1));
  CHECK(force.inner->acts() == model::StateElement::Force::pushes);
  check_state_law(*force.inner, {2.0, 1.0, 4.0}, {30.0});
}

TEST_CASE("The command of a lag actuator stays within its limit") {
  LagActuator a = between();
  a.force = formula("1[kN]", "t:s x:m v:m/s");
  a.limit = 300;
  std::array<double, 1> rate{};
  const model::Contribution force = force_of(a);
  force.inner->evaluate({1.0, 0.0}, std::array{0.0}, rate);
  CHECK(rate[0] == doctest::Approx(3000));
  CHECK(force.inner->states()[0].nominal == 100);  // a generous limit does not loosen the tolerance
}

TEST_CASE("Without a formula a lag actuator follows its signal") {
  model::Model model = two_bodies();
  model.signals.push_back({"loop", "N"});
  LagActuator listening = between();
  listening.signal.index = 0;
  const model::Contribution force = force_of(listening, model);
  CHECK(force.signal.index == 0);
  CHECK(refused_field(between()) == "force");  // no command at all
  std::array<double, 1> rate{};
  model::Stroke<double> stroke{1.0, 0.0, 0.0, {}};
  stroke.set.signal = 40;
  force.inner->evaluate(stroke, std::array{10.0}, rate);
  CHECK(rate[0] == doctest::Approx(300));
  check_state_law(*force.inner, stroke, {10.0});
}

TEST_CASE("On an angle a lag actuator takes a moment") {
  LagActuator a;
  a.time_constant = 0.1;
  a.joint = hinge;
  a.moment = formula("2[N.m] - 3[N.m]*x", "t:s x:rad v:rad/s");
  const model::Contribution force = force_of(a, three_joints());
  CHECK(force.inner->states()[0].unit == "N.m");
  check_state_law(*force.inner, {0.5, 0.1}, {0.7});
  a.limit = 3;
  CHECK(refused_field(a, three_joints()) == "limit");
}
