#include "skyhook/io/model_file/table_overshoot.h"

#include <algorithm>
#include <cmath>

namespace skyhook::io::model_file {
namespace {

// Where b + 2 c s + 3 d s^2 = 0, in the form without cancellation; what is no number or infinite is left to the caller.
std::vector<double> turning_points(double b, double c, double d) {
  const double under_root = c * c - 3 * d * b;
  if (under_root < 0) return {};
  const double sum = -(c + std::copysign(std::sqrt(under_root), c));
  return {sum / (3 * d), b / sum};
}

// The extremes between two rows, exact.
std::vector<double> extremes_in(const PiecewiseCubic& curve, int piece) {
  const double begin = curve.begin_of(piece), h = curve.end_of(piece) - begin;
  const double b = curve.derivative(begin), c = curve.second_derivative(begin) / 2;
  const double rise = curve.evaluate_piece(piece, begin + h) - curve.evaluate_piece(piece, begin);
  std::vector<double> found;
  for (const double s : turning_points(b, c, (rise / h - b - c * h) / (h * h))) {
    if (s > 0 && s < h) found.push_back(begin + s);
  }
  return found;
}

}  // namespace

std::optional<Overshoot> overshoot(const PiecewiseCubic& curve, const std::vector<double>& rows_y) {
  constexpr double usual = 0.1;
  const auto [lowest, highest] = std::ranges::minmax(rows_y);
  Overshoot most{.lowest = lowest, .highest = highest};
  double farthest = usual * (highest - lowest);
  bool is_found = false;
  for (int piece = 1; piece + 1 < curve.pieces(); ++piece) {
    for (const double x : extremes_in(curve, piece)) {
      const double y = curve(x), beyond = std::max(lowest - y, y - highest);
      if (beyond > farthest) farthest = beyond, most.x = x, most.y = y, is_found = true;
    }
  }
  return is_found && highest > lowest ? std::optional(most) : std::nullopt;
}

}  // namespace skyhook::io::model_file
