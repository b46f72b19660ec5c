// References: by hand, differences.
#include "skyhook/element/road/stair.h"

#include <cmath>

#include "skyhook/element/road_check.testing.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;
using doctest::Approx;

TEST_CASE("A stair jumps, or rises over its rounding") {
  Stair s;
  s.at = {1, 2}, s.height = {0.1, -0.3};
  const auto jumps = surface_of(s);
  CHECK(jumps->segment_at(1.5) == 1);
  CHECK(jumps->height(1.5, 0, 0, 1).value == Approx(0.1));
  CHECK_FALSE(jumps->is_smooth_and_still());
  s.rounding = 0.2;
  const auto smooth = surface_of(s);
  CHECK(smooth->is_smooth_and_still());
  CHECK(std::abs(smooth->height(0.9).value) < 1e-15);
  CHECK(smooth->height(1.0).value == Approx(0.05));
  CHECK(smooth->height(1.5).value == Approx(0.1));
  CHECK(smooth->height(3).value == Approx(-0.2));
  check_bends(*smooth, {0.5, 2.5});
}

TEST_CASE("Stairs need one height each, in rising order, and go over all y unless they are round") {
  Stair s;
  s.at = {1, 2}, s.height = {0.1};
  CHECK(refused_field(s) == "at");
  s.at = {2, 1}, s.height = {0.1, 0.1};
  CHECK(refused_field(s) == "at");
  s.at = {1, 2}, s.y = {0, 1};
  CHECK(refused_field(s) == "y");
  s.rounding = 0.1;
  CHECK(refused_field(s) == "");
}
