// References: the four cases of signs by hand, and the force that a damper to the sky would give.
#include "skyhook/element/controller/skyhook.h"

#include "skyhook/element/controllers.testing.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

namespace {

Skyhook between_100_and_2000() {
  Skyhook s;
  s.sample_time = 0.001;
  s.gain = 1000;
  s.minimum_damping = 100;
  s.maximum_damping = 2000;
  return s;
}

}  // namespace

TEST_CASE("On and off: the damper is hard where it pulls the body the way a skyhook would") {
  Skyhook s = between_100_and_2000();
  s.variant = "on_off";
  s.gain = 0;
  SampledRun run(s);
  // body up, damper grows: it pulls down
  CHECK(run({0.1, 0.2})[0] == 2000);
  CHECK(run({-0.1, -0.2})[0] == 2000);
  CHECK(run({0.1, -0.2})[0] == 100);
  CHECK(run({-0.1, 0.2})[0] == 100);
  CHECK(run({0, 0.2})[0] == 100);
  CHECK(run({0.1, 0})[0] == 100);
}

TEST_CASE("Continuous: the damper gives the force of the skyhook where it can") {
  SampledRun run(between_100_and_2000());
  CHECK(run({0.1, 0.2})[0] * 0.2 == doctest::Approx(1000 * 0.1));
  CHECK(run({-0.1, -0.2})[0] == doctest::Approx(500));
  CHECK(run({0.1, -0.2})[0] == 100);
  CHECK(run({-0.1, 0.2})[0] == 100);
  CHECK(run({0.1, 0.01})[0] == 2000);  // it would need 10000
  CHECK(run({0.001, 0.2})[0] == 100);  // 5
  CHECK(run({0.1, 0})[0] == 100);
}

TEST_CASE("A skyhook says the minimum until it samples, in N.s/m") {
  const SampledRun run(between_100_and_2000());
  CHECK(run.model.signals[0].start == 100);
  CHECK(run.model.signals[0].unit == "N.s/m");
  Skyhook s = between_100_and_2000();
  s.maximum_damping = 50;
  CHECK(refused_field(s) == "maximum_damping");
  s = between_100_and_2000();
  s.gain = 0;
  CHECK(refused_field(s) == "gain");
}
