#include "skyhook/element/rail/profile_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "skyhook/base/error.h"

namespace skyhook::element::rail {
namespace {

struct Check {
  const ProfilePoints& p;
  const Shaping& shaping;

  [[noreturn]] void fail(std::size_t i, const std::string& what, const std::string& advice) const {
    const int line = i < p.lines.size() ? p.lines[i] : 0;
    throw ModelError({shaping.file, line, 0}, "profile \"" + shaping.name + "\": " + what, advice);
  }
  std::string text(std::size_t i) const {
    return fmt::format("(y {:.6g} mm, z {:.6g} mm)", 1e3 * p.y[i], 1e3 * p.z[i]);
  }
  double distance(std::size_t i) const { return std::hypot(p.y[i + 1] - p.y[i], p.z[i + 1] - p.z[i]); }

  void numbers() const {
    for (std::size_t i = 0; i < p.y.size(); ++i) {
      if (!std::isfinite(p.y[i]) || !std::isfinite(p.z[i]))
        fail(i, fmt::format("point {} is no number.", i + 1), "Remove the line, or mend it.");
    }
    if (p.y.size() < 8)
      fail(0, fmt::format("it has {} points.", p.y.size()),
           "Give at least 8; a straight or round one is `type: conical` or `circular`.");
  }
  void size() const {
    double low = p.y[0], high = p.y[0];
    for (const double y : p.y) low = std::min(low, y), high = std::max(high, y);
    if (high - low < 5e-3 || high - low > 1)
      fail(0, fmt::format("it is {:.4g} mm wide.", 1e3 * (high - low)),
           "Check the unit of the points: profiles are between 5 mm and 1 m wide.");
    if (low >= 0 || high <= 0)
      fail(0, fmt::format("it reaches from y = {:.4g} mm to {:.4g} mm, not over y = 0.", 1e3 * low, 1e3 * high),
           "y counts from the tape circle of a wheel (70 mm from the flange back), or from the middle of a rail's "
           "head.");
  }
  void neighbours() const {
    for (std::size_t i = 0; i + 1 < p.y.size(); ++i) {
      if (distance(i) == 0.0)
        fail(i + 1, "the point " + text(i + 1) + " is the one before it again.", "Remove one of them.");
      if (distance(i) > shaping.largest_gap)
        fail(
            i + 1, fmt::format("there is a gap of {:.4g} mm before the point {}.", 1e3 * distance(i), text(i + 1)),
            fmt::format("Give points between, or raise `largest_gap`, which is {:.4g} mm.", 1e3 * shaping.largest_gap));
    }
  }
  void turns() const {  // by more than a right angle
    for (std::size_t i = 1; i + 1 < p.y.size(); ++i) {
      const double along =
          (p.y[i] - p.y[i - 1]) * (p.y[i + 1] - p.y[i]) + (p.z[i] - p.z[i - 1]) * (p.z[i + 1] - p.z[i]);
      if (along < 0 && std::min(distance(i - 1), distance(i)) > 2e-7)  // else the rounding of a list of dense points
        fail(i, "it turns back at the point " + text(i) + ".",
             "Give the points in order along the profile, each once.");
    }
  }
  double side(std::size_t i, std::size_t k) const {  // of point k from the line through i and i + 1
    return (p.y[i + 1] - p.y[i]) * (p.z[k] - p.z[i]) - (p.z[i + 1] - p.z[i]) * (p.y[k] - p.y[i]);
  }
  static bool are_apart(double a, double b) {
    return a * b < 0 && std::min(std::abs(a), std::abs(b)) > 1e-12;
  }  // m^2: beyond rounding
  void crossings() const {
    if (std::ranges::is_sorted(p.y)) return;  // a function of y has none
    for (std::size_t i = 0; i + 1 < p.y.size(); ++i) {
      for (std::size_t k = i + 2; k + 1 < p.y.size(); ++k) {
        if (are_apart(side(i, k), side(i, k + 1)) && are_apart(side(k, i), side(k, i + 1)))
          fail(k, "it crosses itself at the point " + text(k) + ": it has a loop.",
               "Give the points in order along the profile, without loops.");
      }
    }
  }
};

}  // namespace

void check_points(const ProfilePoints& points, const Shaping& shaping) {
  const Check check{points, shaping};
  check.numbers();
  check.size();
  check.neighbours();
  check.turns();
  const ProfilePoints few = thinned(points, 1e-4);
  Check{few, shaping}.crossings();
}

ProfilePoints thinned(const ProfilePoints& points, double least) {
  ProfilePoints out;
  const auto keep = [&](std::size_t i) {
    out.y.push_back(points.y[i]), out.z.push_back(points.z[i]);
    if (!points.lines.empty()) out.lines.push_back(points.lines[i]);
  };
  for (std::size_t i = 0; i < points.y.size(); ++i) {
    if (i == 0 || std::hypot(points.y[i] - out.y.back(), points.z[i] - out.z.back()) >= least) keep(i);
  }
  return out;
}

}  // namespace skyhook::element::rail
