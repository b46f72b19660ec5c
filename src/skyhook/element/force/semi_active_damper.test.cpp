// References: rate times velocity by hand, differences.
#include "skyhook/element/force/semi_active_damper.h"

#include "skyhook/element/law_check.testing.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

#include "skyhook/element/joints.testing.h"

namespace {

model::Model with_signal(model::Model model, const char* unit) {
  model.signals.push_back({"sky", unit, 0});
  return model;
}

SemiActiveDamper between() {
  SemiActiveDamper d;
  d.from = marker(0, {0, 0, 0});
  d.to = marker(1, {0, 0, 1});
  d.minimum_damping = 100;
  d.maximum_damping = 900;
  return d;
}

// The force that draws the points together.
double pull(const model::Contribution& force, double rate, double signal) {
  Relative<double> m{0.0, {0, 0, 1}, Mat3d::identity(), {0, 0, rate}, {}};
  m.set.signal = signal;
  return -wrench_of(*force.wrench, m).f.z;
}

}  // namespace

TEST_CASE("The signal is the rate of the damper, within its limits") {
  SemiActiveDamper d = between();
  d.damping = 200;
  d.signal.index = 0;
  const model::Contribution force = force_of(d, with_signal(two_bodies(), "N.s/m"));
  CHECK(force.signal.index == 0);
  CHECK(pull(force, 0.5, 400) == 200);
  CHECK(pull(force, -0.5, 400) == -200);
  CHECK(pull(force, 0.5, 5000) == 450);
  CHECK(pull(force, 0.5, -5000) == 50);
  check_law(*force.wrench, false);
  check_zero_length(*force.wrench);
}

TEST_CASE("Without a signal the damping is the one that is given, within the same limits") {
  SemiActiveDamper d = between();
  d.damping = 200;
  CHECK(pull(force_of(d), 0.5, 700) == 100);
  CHECK(force_of(d).signal.index == -1);
  d.damping = 0;
  CHECK(pull(force_of(d), 0.5, 700) == 50);
}

TEST_CASE("On a coordinate a semi-active damper drives it back") {
  SemiActiveDamper d;
  d.joint = hinge;
  d.signal.index = 0;
  const model::Contribution force = force_of(d, with_signal(three_joints(), "-"));  // a unit that is not said
  CHECK(force.coordinate->force(0, 2, 0, {.signal = 3}) == -6);
  check_coordinate_law(*force.coordinate, 0.5, 0.1, false);
}

TEST_CASE("A semi-active damper refuses limits, fields and signals that do not fit") {
  SemiActiveDamper d = between();
  d.maximum_damping = 50;
  CHECK(refused_field(d) == "maximum_damping");
  d = between();
  d.angular_damping = 1;
  CHECK(refused_field(d) == "angular_damping");
  d = between();
  d.signal.index = 0;
  CHECK(refused_field(d, with_signal(two_bodies(), "N")) == "signal");
  d = {};
  d.joint = hinge;
  d.minimum_damping = 1;
  CHECK(refused_field(d, three_joints()) == "minimum_damping");
}
