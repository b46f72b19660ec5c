#include "skyhook/analysis/measure.h"

#include <doctest/doctest.h>

#include <cmath>

#include "skyhook/base/error.h"

using namespace skyhook;
using analysis::evaluate;

namespace {

const std::vector<double> time{0, 1, 1, 3}, values{0, 2, -1, 3};  // a jump at 1 s

double of(const std::string& function) { return evaluate({function, "x"}, time, values); }

}  // namespace

TEST_CASE("Measures of a broken line, by hand") {
  CHECK(of("min") == -1);
  CHECK(of("max") == 3);
  CHECK(of("range") == 4);
  CHECK(of("first") == 0);
  CHECK(of("final") == 3);
  CHECK(of("time_of_max") == 3);
  CHECK(of("mean") == doctest::Approx((1.0 * 1 + 2.0 * 1) / 3));
  // Integral of (2t)^2 over [0, 1] is 4/3, of (2s - 1)^2 over [0, 2] is 14/3.
  CHECK(of("rms") == doctest::Approx(std::sqrt((4.0 / 3 + 14.0 / 3) / 3)));
  CHECK(evaluate({"rms", "x"}, std::vector<double>{5.0}, std::vector<double>{-2.0}) == 2);
  CHECK(std::isnan(evaluate({"max", "x"}, {}, {})));
}

TEST_CASE("Measures do not pass over what is not a number") {
  const std::vector<double> time{0, 1, 2}, values{1, std::nan(""), 3};
  for (const char* function : {"min", "max", "range", "time_of_max", "mean", "rms"})
    CHECK(std::isnan(evaluate({function, "x"}, time, values)));
  CHECK(evaluate({"first", "x"}, time, values) == 1);
  CHECK(evaluate({"final", "x"}, time, values) == 3);
}

TEST_CASE("Measures are read with their channel") {
  const auto m = analysis::parse_measure("max(link[2].x)");
  CHECK(m.channel == "link[2].x");
  CHECK(m.text() == "max(link[2].x)");
  CHECK(analysis::parse_measure("time_of_max(x)").unit("m") == "s");
  CHECK(analysis::parse_measure("max(left-wheel.z)").kind == analysis::Measure::Kind::channel);
  CHECK(analysis::parse_measure("rms(Wk(car.az))").kind == analysis::Measure::Kind::formula);
  CHECK(analysis::parse_measure("max(a.z - b.z)").text() == "max(a.z - b.z)");
  CHECK(analysis::parse_measure("rms(a.z)/rms(b.z)").kind == analysis::Measure::Kind::formula);
  CHECK(analysis::parse_measure("iso2631.vertical.rms").kind == analysis::Measure::Kind::evaluation);
  for (const char* bad : {"max", "max()", "(x)", "max(x", "maxx(x)", ""})
    CHECK_THROWS_AS(analysis::parse_measure(bad), ModelError);
}
