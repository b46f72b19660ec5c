#include "skyhook/io/report/thinning.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace skyhook::io::report {
namespace {

std::uint32_t row(std::size_t i) { return static_cast<std::uint32_t>(i); }

Rows all_rows(std::size_t count) {
  Rows rows(count);
  std::iota(rows.begin(), rows.end(), 0u);
  return rows;
}

Rows sorted_once(Rows rows) {
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

// The samples beside events, if they are no more than `most`.
Rows beside_events(std::span<const int> sides, std::size_t most) {
  Rows rows;
  for (std::size_t i = 0; i < sides.size() && rows.size() <= most; ++i) {
    if (sides[i] != 0) rows.push_back(row(i));
  }
  return rows.size() <= most ? rows : Rows{};
}

void add_extremes(std::span<const float> values, std::size_t begin, std::size_t end, Rows& rows) {
  std::size_t low = end, high = end, gap = end;
  for (std::size_t i = begin; i < end; ++i) {
    if (std::isnan(values[i])) {
      gap = std::min(gap, i);
      continue;
    }
    if (low == end || values[i] < values[low]) low = i;
    if (high == end || values[i] > values[high]) high = i;
  }
  for (const std::size_t i : {low, high, gap}) {
    if (i < end) rows.push_back(row(i));
  }
}

std::size_t nearest(CSpan time, double t) {
  const auto after = static_cast<std::size_t>(std::lower_bound(time.begin(), time.end(), t) - time.begin());
  if (after == 0 || after == time.size()) return std::min(after, time.size() - 1);
  return t - time[after - 1] < time[after] - t ? after - 1 : after;
}

// The distance of samples in time that is in the middle of all.
double usual_step(CSpan time) {
  std::vector<double> steps;
  for (std::size_t i = 1; i < time.size(); ++i) {
    if (time[i] > time[i - 1]) steps.push_back(time[i] - time[i - 1]);
  }
  if (steps.empty()) return 0;
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
  std::nth_element(steps.begin(), middle, steps.end());
  return *middle;
}

}  // namespace

Rows keep_extremes(std::span<const float> values, std::span<const int> sides, std::size_t most) {
  const std::size_t n = values.size();
  if (n <= most) return all_rows(n);
  Rows rows = beside_events(sides, most / 4);
  const std::size_t taken = std::min(rows.size() + 2, most), buckets = std::max<std::size_t>((most - taken) / 2, 1);
  for (std::size_t b = 0; b < buckets; ++b) add_extremes(values, b * n / buckets, (b + 1) * n / buckets, rows);
  rows.insert(rows.end(), {row(0), row(n - 1)});
  return sorted_once(std::move(rows));
}

Rows keep_evenly(CSpan time, std::span<const int> sides, std::size_t most) {
  const std::size_t n = time.size();
  if (n <= most) return all_rows(n);
  Rows rows = beside_events(sides, most / 2);
  const std::size_t points = std::max<std::size_t>(most - std::min(rows.size(), most), 2);
  const double span = time.back() - time.front(), usual = usual_step(time);
  double step = span / static_cast<double>(points - 1);
  if (step > usual && usual > 0) step = std::ceil(step / usual - 1e-6) * usual;
  for (std::size_t k = 0; k < points && static_cast<double>(k) * step <= span; ++k)
    rows.push_back(row(nearest(time, time.front() + static_cast<double>(k) * step)));
  rows.insert(rows.end(), {row(0), row(n - 1)});
  return sorted_once(std::move(rows));
}

Rows keep_smallest(CSpan values, std::size_t most) {
  const std::size_t n = values.size();
  if (n <= most) return all_rows(n);
  Rows rows{row(0), row(n - 1)};
  for (std::size_t b = 0; b < most; ++b) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(b * n / most);
    const auto end = values.begin() + static_cast<std::ptrdiff_t>((b + 1) * n / most);
    rows.push_back(row(static_cast<std::size_t>(std::min_element(begin, end) - values.begin())));
  }
  return sorted_once(std::move(rows));
}

}  // namespace skyhook::io::report
