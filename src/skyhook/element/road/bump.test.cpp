// References: its formula by hand, differences.
#include "skyhook/element/road/bump.h"

#include "skyhook/element/road_check.testing.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;
using doctest::Approx;

TEST_CASE("A bump is half a cosine wave up and down, level before and behind") {
  Bump b;
  b.height = 0.1, b.length = 2, b.at = 3;
  const auto s = surface_of(b);
  CHECK(s->height(3.5).value == Approx(0.05));
  CHECK(s->height(4, 7).value == Approx(0.1));
  CHECK(s->height(2.9).value == 0.0);
  CHECK(s->height(5.1).value == 0.0);
  check_bends(*s, {3.01, 4.99});
}
