#include "skyhook/expression/quantity_formula.h"

#include <doctest/doctest.h>

using namespace skyhook;
using namespace skyhook::expression;

namespace {

std::string unit_of(const std::string& text) {
  static const Tables none;
  const std::vector<NamedQuantity> known{{"vx", "m/s"},         {"vy", "m/s"}, {"yaw", "rad"},
                                         {"yaw_rate", "rad/s"}, {"l", "m"},    {"M", "N.m"}};
  return compile_quantities(text, known, none, {}).unit;
}

}  // namespace

TEST_CASE("Units of formulas: what arc functions give is an angle, unless the formula converts it") {
  CHECK(unit_of("atan2(vy, vx)") == "rad");  // sideslip
  CHECK(unit_of("yaw + atan2(vy, vx)") == "rad");
  CHECK(unit_of("-0.5*asin(l/2[m])") == "rad");
  CHECK(unit_of("acos(vx/vy) - atan(vy/vx)") == "rad");
  CHECK(unit_of("atan(l*yaw_rate/vx)/1[s]") == "rad/s");
  CHECK(unit_of("atan2(vy + l*yaw_rate, vx)") == "rad");  // slip of an axle
  CHECK(unit_of("atan2(vy, vx)*180/pi") == "-");
  CHECK(unit_of("atan2(vy, vx)/1[deg]") == "-");
  CHECK(unit_of("1 + atan2(vy, vx)") == "-");
  CHECK(unit_of("atan2(vy, vx)^2") == "-");
}

TEST_CASE("Units of formulas: sines take angles and give plain numbers") {
  CHECK(unit_of("vy*cos(yaw) - vx*sin(yaw)") == "m/s");
  CHECK(unit_of("l*tan(yaw - atan2(vy, vx))") == "m");
  CHECK(unit_of("atan2(sin(yaw), cos(yaw))") == "rad");
  CHECK(unit_of("sin(atan2(vy, vx))") == "-");
  CHECK(unit_of("M*sin(yaw)") == "N.m");
}

TEST_CASE("Units of formulas: a sine of a length and an arc of unlike sides are refused") {
  CHECK_THROWS_WITH_AS(unit_of("sin(l)"), doctest::Contains("must be a plain number"), ModelError);
  CHECK_THROWS_WITH_AS(unit_of("atan2(l, vx)"), doctest::Contains("equal dimensions"), ModelError);
}
