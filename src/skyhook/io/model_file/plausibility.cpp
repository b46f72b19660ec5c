#include "skyhook/io/model_file/plausibility.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numbers>

#include "skyhook/base/units.h"
#include "skyhook/expression/expression.h"
#include "skyhook/io/model_file/points.h"
#include "skyhook/io/model_file/scalar.h"
#include "skyhook/io/model_file/slips.h"

namespace skyhook::io::model_file {
namespace {

// Names are those of template parameters and repeats, of which the scope knows, or of the model.
bool has_unit(const std::string& text, const Scope& scope, const Reading& reading, int depth) {
  constexpr int deepest = 20;  // of parameters that stand for each other
  try {
    if (!is_expression(text)) return parse_quantity(text).unit.has_value();
    if (depth == deepest || text.find('[') != std::string::npos) return true;
    const auto is_name = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
    for (std::size_t at = text.find("pi"); at != std::string::npos; at = text.find("pi", at + 1)) {
      if (!is_name(text[at - 1]) && (at + 2 == text.size() || !is_name(text[at + 2]))) return true;
    }
    const auto has_name_unit = [&](const std::string& name) {
      if (const Local* local = scope.find(name)) {
        const model::Parameter* const given = reading.instance_parameter(scope.prefix + name);
        if (!given) return !local->value.dimension.is_dimensionless();
        return has_unit(given->text, scope.outer ? *scope.outer : Scope{}, reading, depth + 1);
      }
      const std::string* parameter = reading.parameters.text(name);
      return parameter && has_unit(*parameter, {}, reading, depth + 1);
    };
    const auto has_any_unit = [&](const std::string& name) {
      return has_name_unit(name) ||
             std::ranges::any_of(point_axes, [&](char axis) { return has_name_unit(coordinate_name(name, axis)); });
    };
    if (const std::string name = text.substr(1); is_identifier(name)) return has_any_unit(name);  // as most are
    return std::ranges::any_of(expression::names_in(text.substr(1), {}), has_any_unit);
  } catch (const ModelError&) {
    return true;  // told elsewhere
  }
}

// An angle or a length this large is written with its unit in the expanded model, where the file has one.
void keep_unit(Node& node, const char* unit) {
  if (node.is_text() && !parse_quantity(node.text).unit) node.text += std::string(" ") + unit;
}

constexpr double far = 100;        // times the usual
constexpr double far_if_few = 20;  // m; and this where there is little to compare with
constexpr std::size_t few = 6;

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

double largest_of(const Vec3d& v) { return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)}); }

// Of the rotation of a body: the only other size where a model has few points.
std::vector<double> radii_of_gyration(const model::Model& model) {
  std::vector<double> radii;
  for (const model::Body& b : model.bodies) {
    const double largest = std::max({b.inertia[0][0], b.inertia[1][1], b.inertia[2][2]});
    if (b.mass > 0 && largest > 0) radii.push_back(std::sqrt(largest / b.mass));
  }
  return radii;
}

}  // namespace

bool says_unit(const Written& written, const Reading& reading) {
  return has_unit(written.text, written.scope, reading, 0);
}

void doubt_angle(const Written& written, Node& node, double value, const char* unit, const std::string& what,
                 Reading& reading) {
  if (std::string_view(unit) != "rad" || std::abs(value) <= 2 * std::numbers::pi) return;
  if (says_unit(written, reading)) {
    node.text = fmt::format("{} rad", value);
    return;
  }
  const std::string& text = written.text;
  if (is_expression(text))
    return reading.warn("big_angle", reading.report.at(node),
                        fmt::format("{} is {}, {:.6g} rad, more than a turn.", what, text, value),
                        "Numbers without unit count in rad. If degrees are meant, give what it is made of the unit "
                        "deg; if not, rad.");
  reading.warn(
      "big_angle", reading.report.at(node), fmt::format("{} is {} rad, more than a turn.", what, text),
      fmt::format("A plain number counts in rad. If degrees are meant, write {} deg; if not, {} rad.", text, text));
}

void note_point(const Written& largest, Node& node, const Vec3d& value, const FieldInfo& info, const std::string& what,
                Reading& reading) {
  const std::string_view name = info.name;
  const bool is_point = name == "at" || name == "com" || name == "from_at" || name == "to_at";
  if (std::string_view(info.unit) != "m" || !is_point) return;
  const bool said = says_unit(largest, reading);
  for (std::size_t i = 0; i < 3; ++i) {
    if (said && std::abs(value[static_cast<int>(i)]) >= far_if_few) keep_unit(node.items[i], "m");
  }
  reading.sizes.push_back({what, reading.report.at(node), true, value, said});
}

void note_length(const Written& written, Node& node, double value, const FieldInfo& info, const std::string& what,
                 Reading& reading) {
  const std::string_view name = info.name;
  const bool is_size =
      name == "length" || name == "free_length" || name.starts_with("engage_length") || name == "radius";
  if (std::string_view(info.unit) != "m" || !is_size) return;
  const bool said = says_unit(written, reading);
  if (said && std::abs(value) >= far_if_few) keep_unit(node, "m");
  reading.sizes.push_back({what, reading.report.at(node), false, {value, 0, 0}, said});
}

void doubt_commas(const Node& list, const std::string& what, Reading& reading) {
  if (!has_decimal_commas_only(list)) return;
  reading.warn("decimal_comma", reading.report.at(list),
               fmt::format("{} is read as {} numbers, but every second comma stands between digits without a space.",
                           what, list.items.size()),
               "If these are decimal commas, write points; if not, put spaces after them.");
}

// Distances from the middle of all points, which a few wrong ones do not move. A factor of a hundred is not yet that of
// millimetres, but more than a vehicle and its surroundings need.
void doubt_distances(Reading& reading) {
  std::vector<Vec3d> points;
  for (const Reading::Size& s : reading.sizes) {
    if (s.is_point) points.push_back(s.value);
  }
  const bool has_few = points.size() < few;
  if (has_few) points.push_back({});  // the origin of the ground
  Vec3d middle;
  for (int i = 0; i < 3; ++i) {
    std::vector<double> values;
    for (const Vec3d& p : points) values.push_back(p[i]);
    middle[i] = median(std::move(values));
  }
  std::vector<double> usual = has_few ? radii_of_gyration(reading.model) : std::vector<double>{};
  for (const Vec3d& p : points) {
    if (const double d = largest_of(p - middle); d > 0) usual.push_back(d);
  }
  if (usual.empty()) return;
  const double size = median(std::move(usual));
  for (const Reading::Size& s : reading.sizes) {
    const double distance = s.is_point ? largest_of(s.value - middle) : std::abs(s.value.x);
    if (s.says_unit || distance <= far * size || (has_few && distance <= far_if_few)) continue;
    const std::string what =
        s.is_point ? fmt::format("{} lies {:.3g} m away from the middle of the model, whose usual size is {:.3g} m.",
                                 s.what, distance, size)
                   : fmt::format("{} is {:.3g} m in a model whose usual size is {:.3g} m.", s.what, distance, size);
    reading.warn("far_away", s.where, what,
                 "A plain number counts in m: are these millimetres? Then write mm; if not, m.");
  }
}

}  // namespace skyhook::io::model_file
