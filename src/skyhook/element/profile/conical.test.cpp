// References: a line.
#include "skyhook/element/profile/conical.h"

#include "skyhook/element/profile_check.testing.h"

using namespace skyhook::element;
using namespace skyhook::element::test;
using doctest::Approx;

TEST_CASE("A conical profile is a line of its slope and width, and does not lean") {
  ConicalProfile p;
  p.slope = 0.1, p.width = 0.12;
  const auto cone = profile_of(p);
  CHECK(cone->height(0.03) == Approx(0.003));
  CHECK(cone->first_y() == Approx(-0.06));
  CHECK(cone->last_y() == Approx(0.06));
  p.inclination = 0.05;
  CHECK(refusal_of(p).find("does not lean") != std::string::npos);
}
