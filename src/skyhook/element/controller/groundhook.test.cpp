// References: the four cases of signs by hand, and the force that a damper to the ground would give.
#include "skyhook/element/controller/groundhook.h"

#include "skyhook/element/controllers.testing.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

namespace {

Groundhook between_100_and_2000() {
  Groundhook g;
  g.sample_time = 0.001;
  g.gain = 1000;
  g.minimum_damping = 100;
  g.maximum_damping = 2000;
  return g;
}

}  // namespace

TEST_CASE("On and off: the damper is hard where it pushes the wheel back") {
  Groundhook g = between_100_and_2000();
  g.variant = "on_off";
  SampledRun run(g);
  // wheel up, damper grows shorter: it pushes down
  CHECK(run({0.1, -0.2})[0] == 2000);
  CHECK(run({-0.1, 0.2})[0] == 2000);
  CHECK(run({0.1, 0.2})[0] == 100);
  CHECK(run({-0.1, -0.2})[0] == 100);
}

TEST_CASE("Continuous: the force on the wheel is that of a damper to the ground where it can be") {
  SampledRun run(between_100_and_2000());
  CHECK(run({0.1, -0.2})[0] * -0.2 == doctest::Approx(-1000 * 0.1));  // + c r on the wheel
  CHECK(run({-0.3, 0.2})[0] == doctest::Approx(1500));
  CHECK(run({0.1, 0.2})[0] == 100);
  CHECK(run({0.1, -0.001})[0] == 2000);
}
