// References: straight lines by hand, differences.
#include "skyhook/element/road/ramp.h"

#include "skyhook/element/road_check.testing.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;
using doctest::Approx;

TEST_CASE("A ramp is straight between its round ends, level behind, and leans") {
  Ramp r;
  r.slope = 0.1, r.at = 10, r.length = 20, r.rounding = 2, r.bank = 0.05;
  const auto s = surface_of(r);
  CHECK(s->height(5, 2).value == Approx(0.1));  // the bank
  CHECK(s->height(20, 0).value == Approx(1.0));
  CHECK(s->height(20, 0).x == Approx(0.1));
  CHECK(s->height(50, 0).value == Approx(2.0));
  CHECK(s->height(50, 0).x == Approx(0.0));
  CHECK(s->height(10, 0).x == Approx(0.05));  // halfway through the rounding
  check_bends(*s, {5, 35}, 1e-4);
  r.length.reset();
  CHECK(surface_of(r)->height(110, 0).value == Approx(10.0));
  r.length = 1;
  CHECK(refused_field(r) == "rounding");
}
