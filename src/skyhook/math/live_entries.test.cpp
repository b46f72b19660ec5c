#include "skyhook/math/live_entries.h"

#include <doctest/doctest.h>

using namespace skyhook;

namespace {

std::shared_ptr<const Pattern> full(int n) {
  PatternBuilder builder(n, n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) builder.add(i, j);
  return std::make_shared<const Pattern>(builder.build());
}

}  // namespace

TEST_CASE("Entries live from the first value on that is not zero, and keep their order") {
  LiveEntries live(full(3), false);
  CHECK(live.count() == 0);
  CHECK(live.take(std::vector<double>{1, 0, 0, 0, 2, 0, 0, 0, 3}));
  CHECK(live.pattern().row == std::vector<int>{0, 1, 2});
  CHECK_FALSE(live.take(std::vector<double>{0, 0, 0, 0, 5, 0, 0, 0, 6}));  // a zero among them is still one of them
  CHECK(live.count() == 3);
  CHECK(live.take(std::vector<double>{0, 0, 7, 8, 0, 0, 0, 0, 0}));
  CHECK(live.pattern().start == std::vector<int>{0, 2, 4, 5});
  CHECK(live.pattern().row == std::vector<int>{0, 2, 0, 1, 2});
  CHECK(live.in_whole(1) == 2);
  CHECK(live.in_whole(2) == 3);
}

TEST_CASE("Where new entries come again and again the rest is taken too, unless much lies between") {
  const int n = 8;
  std::vector<double> values(n * n, 0.0);
  LiveEntries hasty(full(n), false), patient(full(n), false);
  for (int k = 0; k < 5; ++k) {
    values[9 * k] = 1;
    REQUIRE(hasty.take(values));
    REQUIRE(patient.take(values));
    for (int later = 0; later < 16; ++later) REQUIRE_FALSE(patient.take(values));
  }
  CHECK(hasty.is_whole());
  CHECK(hasty.count() == n * n);
  CHECK(hasty.in_whole(11) == 11);
  CHECK_FALSE(hasty.take(std::vector<double>(n * n, 1.0)));
  CHECK(patient.count() == 5);
}

TEST_CASE("Of a pattern that is wanted with its zeros nothing is left out") {
  LiveEntries live(full(2), true);
  CHECK(live.is_whole());
  CHECK_FALSE(live.take(std::vector<double>{0, 0, 0, 1}));
  CHECK(live.count() == 4);
}
