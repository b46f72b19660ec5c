#include "skyhook/io/model_file/plausibility.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "skyhook/base/units.h"
#include "skyhook/io/model_file/scalar.h"
#include "skyhook/io/model_file/slips.h"

namespace skyhook::io::model_file {
namespace {

bool is_plain_number(const std::string& text) {
  try {
    return !is_expression(text) && !parse_quantity(text).unit;
  } catch (const ModelError&) {
    return false;
  }
}

struct Point {
  std::string what;
  Location where;
  Vec3d at;
};

// Of bodies, markers and joints: where people write coordinates.
std::vector<Point> points_of(const model::Model& model) {
  std::vector<Point> points;
  for (const model::Body& b : model.bodies) {
    points.push_back({"body \"" + b.name + "\"", b.where, b.at});
    points.push_back({"body \"" + b.name + "\"", b.where, b.com});
  }
  for (const model::Marker& m : model.markers) points.push_back({"marker \"" + m.name + "\"", m.where, m.at});
  for (const model::Joint& j : model.joints) points.push_back({"joint \"" + j.name + "\"", j.where, j.at_from});
  return points;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

double largest_of(const Vec3d& v) { return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)}); }

}  // namespace

void doubt_angle(const std::string& text, Node& node, double value, const char* unit, const std::string& what,
                 Reading& reading) {
  if (std::string_view(unit) != "rad" || std::abs(value) <= 2 * std::numbers::pi) return;
  if (!is_plain_number(text)) {
    node.text = fmt::format("{} rad", value);
    return;
  }
  reading.warn(
      "big_angle", reading.report.at(node), fmt::format("{} is {} rad, more than a turn.", what, text),
      fmt::format("A plain number counts in rad. If degrees are meant, write {} deg; if not, {} rad.", text, text));
}

void doubt_commas(const Node& list, const std::string& what, Reading& reading) {
  if (!has_decimal_commas_only(list)) return;
  reading.warn("decimal_comma", reading.report.at(list),
               fmt::format("{} is read as {} numbers, but every second comma stands between digits without a space.",
                           what, list.items.size()),
               "If these are decimal commas, write points; if not, put spaces behind them.");
}

// Distances from the middle of all points, which a few wrong ones do not move. A factor of a hundred is not yet that of
// millimetres, but more than a vehicle and its surroundings need.
void doubt_distances(Reading& reading) {
  constexpr double far = 100;
  constexpr std::size_t fewest = 6;
  const std::vector<Point> points = points_of(reading.model);
  if (points.size() < fewest) return;
  Vec3d middle;
  for (int i = 0; i < 3; ++i) {
    std::vector<double> values;
    for (const Point& p : points) values.push_back(p.at[i]);
    middle[i] = median(std::move(values));
  }
  std::vector<double> distances;
  for (const Point& p : points) distances.push_back(largest_of(p.at - middle));
  const double usual = median(distances);
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (usual == 0 || distances[i] <= far * usual) continue;
    reading.warn("far_away", points[i].where,
                 fmt::format("{} lies {:.3g} m away from the middle of the model, where half of all points are within "
                             "{:.3g} m.",
                             points[i].what, distances[i], usual),
                 "A plain number counts in m: are these millimetres? Then write mm.");
  }
}

}  // namespace skyhook::io::model_file
