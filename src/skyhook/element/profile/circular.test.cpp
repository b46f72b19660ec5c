// References: a circle.
#include "skyhook/element/profile/circular.h"

#include <cmath>

#include "skyhook/element/profile_check.testing.h"

using namespace skyhook::element;
using namespace skyhook::element::test;
using doctest::Approx;

TEST_CASE("A circular head has its radius everywhere and its slope at y = 0") {
  CircularProfile p;
  p.radius = 0.06, p.slope = 0.0262, p.width = 0.04;
  const auto head = profile_of(p);
  CHECK(std::tan(head->angle(0.0)) == Approx(0.0262));
  CHECK(head->at(0.0).z == Approx(0).scale(1));
  for (const double y : {-0.015, 0.0, 0.018}) CHECK(head->curvature(head->s_at(y)) == Approx(-1 / 0.06));
  p.inclination = 0.025;
  CHECK(profile_of(p)->angle(0.0) == Approx(std::atan(0.0262) + std::atan(0.025)));
}
