#include "skyhook/io/report/turning.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace skyhook::io::report {
namespace {

constexpr std::size_t pose = 7, quaternion = 3;  // numbers of a body, and where its quaternion begins

// The square of the chord between two unit quaternions, or their other signs: the angle is 4 asin(chord / 2). Unlike the
// arc cosine of their product it is exact for small angles.
double chord2(CSpan a, CSpan b) {
  double aa = 0, bb = 0, ab = 0;
  for (std::size_t i = quaternion; i < pose; ++i) aa += a[i] * a[i], bb += b[i] * b[i], ab += a[i] * b[i];
  const double scale_a = 1 / std::sqrt(aa), scale_b = (ab < 0 ? -1 : 1) / std::sqrt(bb);
  double sum = 0;
  for (std::size_t i = quaternion; i < pose; ++i) sum += std::pow(a[i] * scale_a - b[i] * scale_b, 2);
  return sum;
}

double largest_angle(CSpan before, CSpan after) {
  double largest = 0;
  for (std::size_t i = 0; i + pose <= after.size(); i += pose) {
    const double chord = chord2(before.subspan(i, pose), after.subspan(i, pose));
    if (chord > largest) largest = chord;  // never where it is NaN
  }
  return 4 * std::asin(std::min(std::sqrt(largest) / 2, 1.0));
}

}  // namespace

std::vector<double> turned(const ResultFile& result) {
  Rows all(result.samples());
  std::iota(all.begin(), all.end(), 0u);
  std::vector<double> sums(all.size()), last;  // zeros stay where there are no bodies
  result.for_each_row(Wide::poses, all, [&](std::size_t row, CSpan poses) {
    if (row > 0) sums[row] = sums[row - 1] + largest_angle(last, poses);
    last.assign(poses.begin(), poses.end());
  });
  return sums;
}

double largest_turn(CSpan turned, const Rows& rows) {
  double largest = 0;
  for (std::size_t k = 1; k < rows.size(); ++k) largest = std::max(largest, turned[rows[k]] - turned[rows[k - 1]]);
  return largest;
}

Rows keep_turning(CSpan time, std::span<const int> sides, CSpan turned, std::size_t wanted, std::size_t most) {
  Rows rows = keep_evenly(time, sides, wanted);
  while (wanted < most && rows.size() < time.size() && largest_turn(turned, rows) > most_turn) {
    wanted = std::min(wanted + wanted / 4 + 1, most);
    rows = keep_evenly(time, sides, wanted);
  }
  return rows;
}

}  // namespace skyhook::io::report
