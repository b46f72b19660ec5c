// Lines that go round or cross themselves. References: a circle looks the same from each of its places, so that what happens on its third round is what happens on its first, defects of that round included; the way
// along the line that a wheel finds is that of the joint which carries it.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "run_model.testing.h"

using namespace skyhook;

namespace {

constexpr double radius = 300, circumference = 2 * std::numbers::pi * radius;  // m

// A loaded wheelset at 20 m/s, whose frame is led along the line.
std::string wheelset(const std::string& contact, const std::string& line, double position) {
  const auto wheel = [&](const char* side) {
    return fmt::format(
        "{}: {{type: wheel_rail, track: line, to: set, side: {}, wheel: s1002, radius: 460 mm, contact: {}, creep: "
        "polach}}",
        side, side, contact);
  };
  const auto spring = [](const char* name, int y) {
    return fmt::format(
        "{}: {{type: bushing, from: load, to: set, from_at: [0, {}, 0.46], to_at: [0, {}, 0.46], stiffness: [10 MN/m, "
        "5 MN/m, 0.8 MN/m], damping: [50 kN.s/m, 50 kN.s/m, 25 kN.s/m], force: [0, 0, -51.5 kN]}}",
        name, y, y);
  };
  return fmt::format(
      "skyhook: 1\ntracks: {{line: {{rail: uic60, inclination: \"1:40\", {}}}}}\nbodies:\n  load: {{mass: 10.5 t, "
      "inertia: [5000, 9000, 9000], at: [0, 0, 1.2]}}\n  set: {{mass: 1500, inertia: [800, 100, 800], at: [0, 0, "
      "0.46]}}\n"
      "joints:\n  ahead: {{type: track, track: line, to: load, drive: \"={}[m] + 20[m/s]*t\", locked: [lateral, roll, "
      "pitch, yaw]}}\n  way: {{type: track, track: line, to: set, position: {} m, speed: 20 m/s, rolling_radius: "
      "459.9 mm, vertical: 459.76 mm}}\n"
      "forces:\n  {}\n  {}\n  {}\n  {}\noutputs: [way.position, way.lateral, way.yaw, left.Q, right.Q, left.Y, "
      "left.along]\nexperiments: {{go: {{until: 4 s, output_step: 20 ms, tolerance: 1e-7}}}}\n",
      line, position, position, wheel("left"), wheel("right"), spring("one", 1), spring("other", -1));
}

// From 20 m behind the begin of a round on; 30 m further on that round, and on no other, the rails lie lower by 3 mm.
testing::Run ride(const std::string& contact, int rounds_before) {
  const double begin = 20 + rounds_before * circumference;
  return testing::run_text(
      wheelset(contact,
               fmt::format("layout: [{{type: curve, length: {}, radius: {}, turn: left}}], irregularities: {{level: "
                           "\"=-3[mm]*exp(-((s - {}[m])/2[m])^2)\", begin: -1 km}}",
                           5 * circumference, radius, begin + 30),
               begin));
}

double way_along(const testing::Run& r, std::size_t k) { return r.at(k, "left.along") - r.at(k, "way.position"); }

}  // namespace

// Ways of kilometres leave other last digits, and other steps then: at a tolerance of 1e-7 places are within 1e-6 m of each other. Forces follow them by the stiffness of a contact, 1e9 N/m.
TEST_CASE("Closed lines: the third round of a circle is as the first, with what lies on that round alone") {
  for (const std::string contact : {"hertz", "multi_hertz", "rigid", "quasi_elastic"}) {
    CAPTURE(contact);
    const auto first = ride(contact, 0), third = ride(contact, 2);
    for (std::size_t k = 0; k < first.sink.time.size(); ++k) {
      CHECK(third.at(k, "way.position") - first.at(k, "way.position") ==
            doctest::Approx(2 * circumference).epsilon(1e-9));
      CHECK(std::abs(third.at(k, "way.lateral") - first.at(k, "way.lateral")) < 1e-6);
      CHECK(std::abs(third.at(k, "way.yaw") - first.at(k, "way.yaw")) < 1e-6);
      for (const char* force : {"left.Q", "right.Q", "left.Y"})
        CHECK(std::abs(third.at(k, force) - first.at(k, force)) < 1e3);
      CHECK(std::abs(way_along(third, k)) < 0.1);  // the axle yaws
    }
    // The defect, met at 1.5 s: 3 mm are 2.4 kN of its spring.
    double least = 1e300, most = 0;
    for (std::size_t k = 60; k < 90; ++k)
      least = std::min(least, third.at(k, "left.Q")), most = std::max(most, third.at(k, "left.Q"));
    CHECK(most - least > 2.4e3);
  }
}

// Into the circle, round it and out of it: the line comes back beside its own begin, and lies on it for some metres.
TEST_CASE("Closed lines: a wheelset passes where the line comes back to its begin, and where it crosses itself") {
  const std::string in = "{type: straight, length: 30}, {type: transition, length: 40, shape: bloss}",
                    out = "{type: transition, length: 40, shape: bloss}, {type: straight, length: 500}";
  const auto circle = [](double rounds, const char* turn) {
    return fmt::format("{{type: curve, length: {}, radius: {}, turn: {}}}", rounds * circumference, radius, turn);
  };
  const auto pass = [&](const std::string& layout, double middle) {
    const auto r = testing::run_text(wheelset("multi_hertz", "layout: [" + layout + "]", middle - 40));
    for (std::size_t k = 0; k < r.sink.time.size(); ++k) CHECK(std::abs(way_along(r, k)) < 0.1);
    return r;
  };
  // A round ends at its own begin, 70 m; two of them, at the same place again.
  const auto first = pass(in + ", " + circle(3, "left") + ", " + out, 70 + circumference),
             second = pass(in + ", " + circle(3, "left") + ", " + out, 70 + 2 * circumference);
  for (std::size_t k = 0; k < first.sink.time.size(); ++k) {
    CHECK(std::abs(second.at(k, "way.lateral") - first.at(k, "way.lateral")) < 1e-6);
    CHECK(std::abs(second.at(k, "left.Q") - first.at(k, "left.Q")) < 1e3);
  }
  // Three quarters of a circle lead across the straight that came first, 300 m before its end.
  const std::string cross = "{type: straight, length: 600}, {type: transition, length: 40, shape: bloss}, " +
                            circle(0.75, "left") + ", " + out;
  pass(cross, 640 + 0.75 * circumference + 40 + 250);
}
