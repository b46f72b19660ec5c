// References: points of a circle; what the file says.
#include "skyhook/element/profile/points.h"

#include <cmath>

#include "skyhook/element/profile_check.testing.h"

using namespace skyhook::element;
using namespace skyhook::element::test;
using doctest::Approx;

TEST_CASE("Points of a head become a curve, in any unit and from any axes") {
  PointsProfile p;
  p.of = "rail";
  std::string text = "y [m]; z [m]\n";
  for (int k = -60; k <= 60; ++k) {
    const double a = 0.01 * k;
    text +=
        std::to_string(0.05 * std::sin(a)) + ";" + std::to_string(0.05 * (1 - std::cos(a))) + "\n";  // z down, in um
  }
  p.file = {"head.csv", text};
  p.smoothing = 4e-3;
  const auto head = profile_of(p);
  CHECK(head->curvature(0.0) == Approx(-20).epsilon(0.02));
  CHECK(head->parts().deviation < 1e-6);
  CHECK(head->at(0.0).z == Approx(0).scale(1).epsilon(1e-6));
  p.file.text += "0.1;0.1\n";
  CHECK(refusal_of(p).find("head.csv:123") != std::string::npos);
  CHECK(refusal_of(p).find("a gap of") != std::string::npos);
}
