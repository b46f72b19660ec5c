// References: a layout whose sections are known; statistics by hand.
#include "skyhook/analysis/rail_sections.h"

#include <doctest/doctest.h>

using namespace skyhook::analysis;
using doctest::Approx;

namespace {

// 120 m straight, 60 m of ramp, 240 m of 400 m radius to the right, 60 m back, 300 m straight.
Signal layout() {
  Signal s;
  s.abscissa = {"distance", "m"};
  for (const auto& [x, k] :
       {std::pair{0.0, 0.0}, {120.0, 0.0}, {180.0, -1.0 / 400}, {420.0, -1.0 / 400}, {480.0, 0.0}, {780.0, 0.0}})
    s.x.push_back(x), s.y.push_back(k);
  return s;
}

}  // namespace

TEST_CASE("Sections of a track follow its layout: straight, transition, curve; long ones are cut") {
  const auto all = track_sections(layout(), 100);
  std::vector<std::string> zones;
  for (const TrackSection& s : all) zones.push_back(s.zone);
  CHECK(zones == std::vector<std::string>{"straight", "transition", "curve 400-600 m", "curve 400-600 m", "transition",
                                          "straight", "straight", "straight"});
  CHECK(all[0].to == Approx(119).epsilon(0.02));  // places are 1 m apart, and the slope looks 2 m around
  CHECK(all[2].from == Approx(180).epsilon(0.02));
  CHECK(all[3].to == Approx(420).epsilon(0.02));
  CHECK(all[2].to == Approx(all[3].from));
  CHECK(all[2].radius == Approx(-400));
  CHECK(all[0].radius == 0);
  CHECK(all.back().to == Approx(780));
}

TEST_CASE("Sections: what is too short is left out, and without curvature the way is cut evenly") {
  const auto coarse = track_sections(layout(), 300);
  for (const TrackSection& s : coarse) CHECK(s.zone != "transition");
  const auto even = even_sections(10, 260, 100);
  REQUIRE(even.size() == 3);  // 250 m: 2.5 are rounded up
  CHECK(even[0].zone == "track");
  CHECK(even[1].from == Approx(10 + 250.0 / 3));
  CHECK(even_sections(0, 20, 100).empty());
}
