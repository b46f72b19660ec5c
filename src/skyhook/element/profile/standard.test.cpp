// References: the built-in profile itself.
#include "skyhook/element/profile/standard.h"

#include <cmath>

#include "skyhook/element/profile_check.testing.h"

using namespace skyhook::element;
using namespace skyhook::element::test;
using doctest::Approx;

TEST_CASE("A standard profile is taken by its name, leant or worn") {
  StandardProfile p;
  p.profile = "uic60", p.inclination = 1.0 / 20;
  const auto leant = profile_of(p), known = rail::built_in("uic60_1in20");
  for (const double y : {-0.02, 0.0, 0.03}) CHECK(leant->height(y) == Approx(known->height(y)));
  StandardProfile worn;
  worn.profile = "s1002", worn.worn_flat = {-0.015, 0.02};
  CHECK(std::abs(profile_of(worn)->curvature(0.002)) < 0.05);
  worn.profile = "s1003";
  CHECK(refusal_of(worn).find("Did you mean \"s1002\"?") != std::string::npos);
}
