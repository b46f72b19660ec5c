#include "skyhook/io/plot/scale.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace skyhook::io::plot;

namespace {

std::vector<std::string> labels(const Range& range, bool logarithmic = false, int wanted = 5) {
  std::vector<std::string> out;
  for (const Tick& t : ticks(range, logarithmic, wanted).major) out.push_back(t.label);
  return out;
}

using Labels = std::vector<std::string>;

Range range(std::vector<double> y, bool logarithmic = false) {
  return range_of({Curve{.x = std::vector<double>(y.size()), .y = y}}, {"", "", logarithmic}, false);
}

}  // namespace

TEST_CASE("Ticks are round numbers in the range") {
  CHECK(labels({0, 1}) == Labels{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"});
  CHECK(labels({-0.05, 0.11}) == Labels{"−0.05", "0.00", "0.05", "0.10"});
  CHECK(labels({3, 97}) == Labels{"20", "40", "60", "80"});
  CHECK(labels({0, 2e-5}) == Labels{"0", "5", "10", "15", "20"});  // with a common power of ten
  CHECK(ticks({0, 2e-5}, false, 5).exponent == -6);
  CHECK(ticks({0, 4.2e6}, false, 5).exponent == 6);
  CHECK(ticks({0, 17000}, false, 5).exponent == 0);
}

TEST_CASE("Ticks of a logarithmic axis are powers of ten, or 1, 2, 5 where it is short") {
  CHECK(labels({1e-8, 1e-2}, true) == Labels{"10⁻⁸", "10⁻⁶", "10⁻⁴", "0.01"});
  CHECK(labels({1, 100}, true) == Labels{"1", "2", "5", "10", "20", "50", "100"});
  CHECK(labels({1e-12, 1e12}, true, 4) == Labels{"10⁻¹²", "10⁻⁶", "1", "10⁶", "10¹²"});
  CHECK(ticks({1, 1000}, true, 3).minor.size() == 3 * 8);
}

TEST_CASE("Ranges: constants get air, gaps and wrong signs do not count, extremes stay finite") {
  CHECK(range({5, 5}).low < 5);
  CHECK(range({5, 5}).high > 5);
  CHECK(range({0, 0}).low == -1);
  CHECK(range({}).high == 1);
  CHECK(range({std::nan(""), 2, 4}).low == doctest::Approx(2 - 0.06 * 2));
  CHECK(range({-1, 0, 10, 1000}, true).low > 5);  // only 10 and 1000 can be drawn
  CHECK(range({-3}, true).low == 1);
  // Rounding noise on a constant is a constant.
  CHECK(range({1, 1 + 1e-15}).high > 1.05);
  const double most = std::numeric_limits<double>::max();
  for (bool logarithmic : {false, true}) {
    const Range r = range({-most, most, 5e-324, 1e-300}, logarithmic);
    CHECK(std::isfinite(r.high / 2 - r.low / 2));
    CHECK(ticks(r, logarithmic, 5).major.size() > 1);
    CHECK(std::isfinite(Scale(r, logarithmic, 0, 100)(most)));
  }
}

TEST_CASE("Scales put low and high at the ends") {
  const Scale linear({-2, 2}, false, 100, 500), logarithmic({1, 10000}, true, 400, 0);
  CHECK(linear(-2) == 100);
  CHECK(linear(0) == 300);
  CHECK(logarithmic(100) == doctest::Approx(200));
  CHECK(linear(1e300) == 1e5);  // far outside, but a number that readers of SVG can bear
}
