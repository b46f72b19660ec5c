// References: its phase by hand, differences.
#include "skyhook/element/road/sine_sweep.h"

#include "skyhook/element/road_check.testing.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;
using doctest::Approx;

TEST_CASE("The waves of a sweep grow shorter evenly") {
  SineSweep w;
  w.amplitude = 0.01, w.wavelengths = {10, 1}, w.length = 100, w.at = 5;
  const auto s = surface_of(w);
  // 0.1 u + 0.9 u^2/200 waves after u: at u = 50, 5 + 11.25
  CHECK(s->height(55).value == Approx(0.01 * std::sin(2 * 3.14159265358979 * 16.25)).epsilon(1e-9));
  CHECK(s->height(4.9).value == 0.0);
  CHECK(s->height(105.1).value == 0.0);
  check_bends(*s, {4, 106}, 1e-4, 1e-5);
  int ups = 0;  // zeros upwards of the last 10 m: between 0.91 and 1 waves a metre
  for (double x = 85; x < 95; x += 1e-3) ups += s->height(x).value < 0 && s->height(x + 1e-3).value >= 0;
  CHECK(ups == 9);
  w.wavelengths = {1};
  CHECK(refused_field(w) == "wavelengths");
}
