// References: its formula by hand, differences.
#include "skyhook/element/road/sine.h"

#include "skyhook/element/road_check.testing.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;
using doctest::Approx;

TEST_CASE("Sine waves have no end, or fade in and out") {
  Sine w;
  w.amplitude = 0.02, w.wavelength = 4, w.at = 1;
  const auto s = surface_of(w);
  CHECK(s->height(2).value == Approx(0.02));
  CHECK(s->height(-2).value == Approx(0.02));
  CHECK(s->height(1).x == Approx(0.02 * 2 * 3.14159265358979 / 4));
  check_bends(*s, {-10, 10}, 1e-4);
  w.length = 20;
  const auto part = surface_of(w);
  CHECK(part->height(0.5).value == 0.0);
  CHECK(part->height(10).value == Approx(s->height(10).value));
  check_bends(*part, {0, 22}, 1e-4);
  w.length = 3;
  CHECK(refused_field(w) == "length");
}
