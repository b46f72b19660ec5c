// References: its formula, differences.
#include "skyhook/element/road/surface.h"

#include "skyhook/element/road_check.testing.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;
using doctest::Approx;

TEST_CASE("A formula of x and y is the height, with its exact derivatives") {
  FormulaSurface f;
  f.height = formula("0.1[m]*sin(x/2[m])*cos(y/1[m]) + 0.02*x", "x:m y:m");
  const auto s = surface_of(f);
  CHECK(s->height(1, 2).value == Approx(0.1 * std::sin(0.5) * std::cos(2.0) + 0.02));
  CHECK(s->varies_across());
  check_bends(*s, {-5, 5}, 1e-4);
}
