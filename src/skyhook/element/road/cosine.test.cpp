// References: its formula by hand, differences.
#include "skyhook/element/road/cosine.h"

#include "skyhook/element/road_check.testing.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;
using doctest::Approx;

TEST_CASE("A row of waves repeats, and ends after its last one") {
  Cosine c;
  c.height = 0.1, c.length = 2, c.at = 3, c.count = 4;
  const auto s = surface_of(c);
  for (const int k : {0, 1, 2, 3}) CHECK(s->height(4 + 2 * k).value == Approx(0.1));
  CHECK(s->height(5).value == Approx(0.0));
  CHECK(s->height(12).value == 0.0);
  check_bends(*s, {3.01, 10.99});
}
