// References: what must not be lost, stated of the kept rows, on series with known peaks.
#include "skyhook/io/report/thinning.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace skyhook::io::report;

namespace {

bool keeps(const Rows& rows, std::size_t row) {
  return std::binary_search(rows.begin(), rows.end(), static_cast<std::uint32_t>(row));
}

bool is_rising(const Rows& rows) {
  return std::adjacent_find(rows.begin(), rows.end(), std::greater_equal()) == rows.end();
}

}  // namespace

TEST_CASE("A short series is kept whole") {
  CHECK(keep_extremes(std::vector<float>(5), {}, 5) == Rows{0, 1, 2, 3, 4});
  CHECK(keep_extremes({}, {}, 5).empty());
  CHECK(keep_evenly({}, {}, 5).empty());
  CHECK(keep_smallest({}, 5).empty());
}

TEST_CASE("No peak is lost, however short") {
  std::vector<float> values(1'000'000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(std::sin(1e-4 * double(i)));
  values[123'456] = 9;
  values[123'458] = -9;
  values[765'432] = 1.5f;  // not the largest of all, but of its surroundings
  const Rows rows = keep_extremes(values, {}, 2000);
  for (const std::size_t row : {0, 123'456, 123'458, 765'432, 999'999}) CHECK(keeps(rows, row));
  CHECK(is_rising(rows));
  CHECK(rows.size() <= 2000);
  CHECK(rows.size() > 1000);
}

TEST_CASE("Gaps stay visible and do not hide values") {
  std::vector<float> values(10'000, 1);
  for (std::size_t i = 4000; i < 6000; ++i) values[i] = std::numeric_limits<float>::quiet_NaN();
  values[8000] = std::numeric_limits<float>::quiet_NaN();
  values[4001] = 5;  // alone within the gap
  const Rows rows = keep_extremes(values, {}, 100);
  CHECK(keeps(rows, 4001));
  CHECK(keeps(rows, 8000));
  // 49 stretches of 204 samples: the gap touches ten or more of them.
  CHECK(std::count_if(rows.begin(), rows.end(), [&](auto r) { return std::isnan(values[r]); }) >= 10);
}

TEST_CASE("Both sides of events are kept while they are few") {
  std::vector<float> values(10'000);
  std::vector<int> sides(10'000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  for (const std::size_t i : {777, 4321, 9000}) sides[i] = -1, sides[i + 1] = 1;
  const Rows rows = keep_extremes(values, sides, 200);
  for (const std::size_t i : {777, 778, 4321, 4322, 9000, 9001}) CHECK(keeps(rows, i));
  CHECK(rows.size() <= 200);
  std::fill(sides.begin(), sides.end(), 1);
  CHECK(keep_extremes(values, sides, 200).size() <= 200);
}

TEST_CASE("Frames are even in time where samples are not") {
  std::vector<double> time;  // 9000 samples in the first second, 1000 in the next nine
  for (int i = 0; i < 9000; ++i) time.push_back(i / 9000.0);
  for (int i = 0; i <= 1000; ++i) time.push_back(1 + i * 9 / 1000.0);
  std::vector<int> sides(time.size());
  sides[4500] = -1, sides[4501] = 1;
  time[4501] = time[4500];
  const Rows rows = keep_evenly(time, sides, 101);
  CHECK(is_rising(rows));
  CHECK(rows.size() <= 103);
  CHECK(rows.front() == 0);
  CHECK(rows.back() == time.size() - 1);
  CHECK(keeps(rows, 4500));
  CHECK(keeps(rows, 4501));
  for (std::size_t k = 1; k < rows.size(); ++k) CHECK(time[rows[k]] - time[rows[k - 1]] <= 10 / 98.0 + 9 / 1000.0);
}

TEST_CASE("Frames of even samples are each n-th sample, also beside events") {
  std::vector<double> time;
  std::vector<int> sides;
  for (int i = 0; i <= 10'000; ++i) {
    time.push_back(i * 0.01), sides.push_back(0);
    if (i != 5000) continue;
    for (const int side : {-1, 1}) time.push_back(50.0037), sides.push_back(side);
  }
  const Rows rows = keep_evenly(time, sides, 1200);
  CHECK(rows.size() > 1000);
  CHECK(rows.size() <= 1202);
  int off = 0;  // steps that are not nine samples long: three beside the event, and the last
  for (std::size_t k = 1; k < rows.size(); ++k) off += std::abs(time[rows[k]] - time[rows[k - 1]] - 0.09) > 1e-9;
  CHECK(off <= 4);
}

TEST_CASE("The smallest steps stay") {
  std::vector<double> h(100'000, 1e-2);
  h[50'001] = 1e-9;
  h[50'002] = 1e-8;
  const Rows rows = keep_smallest(h, 5000);
  CHECK(keeps(rows, 50'001));
  CHECK(keeps(rows, 0));
  CHECK(keeps(rows, 99'999));
  CHECK(is_rising(rows));
  CHECK(rows.size() <= 5002);
}
