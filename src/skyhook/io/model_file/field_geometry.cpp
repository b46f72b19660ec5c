// The fields that hold directions, orientations, tensors and frames.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "skyhook/io/model_file/field_reader.h"
#include "skyhook/io/model_file/flexible.h"
#include "skyhook/io/model_file/plausibility.h"
#include "skyhook/io/model_file/slips.h"
#include "skyhook/math/rotation.h"

namespace skyhook::io::model_file {
namespace {

// "x", "-z"
std::optional<Vec3d> axis_named(const std::string& text) {
  const bool is_negative = !text.empty() && text[0] == '-';
  const std::string letter = text.substr(is_negative || (!text.empty() && text[0] == '+') ? 1 : 0);
  if (letter.size() != 1 || letter[0] < 'x' || letter[0] > 'z') return {};
  Vec3d axis;
  axis[letter[0] - 'x'] = is_negative ? -1.0 : 1.0;
  return axis;
}

Mat3d symmetric(const std::vector<double>& v) {  // xx, yy, zz, xy, xz, yz
  return {{v[0], v[3], v[4]}, {v[3], v[1], v[5]}, {v[4], v[5], v[2]}};
}

}  // namespace

void FieldReader::set(const FieldInfo& info, Node& node, Vec3d& value) {
  const bool is_direction = std::string_view(info.unit) == "-";  // angles in rad are none
  const std::string expression = node.text;
  scalars_.spread_point(node, wanted(info), is_direction);
  if (const auto axis = node.is_text() && is_direction ? axis_named(node.text) : std::nullopt) {
    value = *axis;
    place(info, node, value);
  } else if (!node.is_list() || node.items.size() != 3) {
    const std::string found = node.is_list()   ? fmt::format("a list of {}", node.items.size())
                              : node.is_text() ? "\"" + node.text + "\""
                                               : kind_name(node);
    const std::string advice = is_direction ? "Write x, y, z, -x, -y, -z or [x, y, z]."
                               : is_expression(node.text)
                                   ? "Write [x, y, z], or an expression of parameters that are points."
                                   : "Write [x, y, z].";
    const bool is_forgotten = node.is_text() && scalars_.is_point(text_node("=" + node.text, node));
    const bool has_comma = node.items.size() > 3 && has_decimal_comma(node);
    report().add(node, what_of(info) + " should be a vector, but is " + found + ".",
                 (is_forgotten ? "Did you forget the '='? " : "") + advice +
                     (has_comma ? " Numbers have a decimal point: 0.5 for 0,5." : ""));
  } else {
    const std::array<std::string, 3> written{node.items[0].text, node.items[1].text, node.items[2].text};
    const auto v = numbers(info, node);
    if (v.size() != 3) return;
    value = {v[0], v[1], v[2]};
    place(info, node, value);
    const auto largest = std::ranges::max_element(v, {}, [](double x) { return std::abs(x); }) - v.begin();
    const std::string& text = written[static_cast<std::size_t>(largest)];
    note_point({expression.empty() ? text : expression, scalars_.scope()}, node, value, info, what_of(info), reading_);
  }
}

// Without unit it is an orientation, with one a symmetric tensor such as an inertia.
void FieldReader::set(const FieldInfo& info, Node& node, Mat3d& value) {
  const bool is_orientation = parse_unit(info.unit).dimension.is_dimensionless();
  value = is_orientation ? orientation(info, node) : tensor(info, node);
}

Mat3d FieldReader::orientation(const FieldInfo& info, Node& map) {
  OrientationFields given;
  FieldReader reader = inner(map, info);
  read_described(reader, given);
  if (reader.has_failed()) return Mat3d::identity();
  const bool has_axes = given.x || given.y, has_quaternion = !given.quaternion.empty();
  const std::string what = what_of(info);
  if (int(given.cardan.has_value()) + int(has_axes) + int(has_quaternion) != 1) {
    report().add(map, what + " should be given in one way.",
                 "Write {cardan: [a, b, c]}, {quaternion: [w, x, y, z]} or {x: ..., y: ...}.");
  } else if (given.cardan) {
    return cardan_rotation(*given.cardan);
  } else if (has_quaternion) {
    const auto& q = given.quaternion;
    const double size = q.size() == 4 ? std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) : 0.0;
    if (std::abs(size - 1.0) < 1e-3) return rotation_of(Quaternion<double>{q[0], q[1], q[2], q[3]});
    report().add(map, what + fmt::format(": the quaternion has {} entries and length {}.", q.size(), size),
                 "Give w, x, y, z with length 1.");
  } else {
    const Vec3d x = given.x.value_or(Vec3d{}), y = given.y.value_or(Vec3d{}), z = cross(x, y);
    if (norm(z) > 1e-9 * norm(x) * norm(y) && norm(z) > 0.0)
      return Mat3d::columns(normalized(x), normalized(cross(z, x)), normalized(z));
    report().add(map, what + ": the directions of x and y are parallel, or one is missing or zero.",
                 "Give two directions that differ.");
  }
  return Mat3d::identity();
}

Mat3d FieldReader::tensor(const FieldInfo& info, Node& node) {
  std::vector<double> v(6, 0.0);
  scalars_.spread_point(node, wanted(info));
  if (node.is_map()) {
    TensorFields parts;
    FieldReader reader = inner(node, info);
    read_described(reader, parts);
    const Part all[] = {parts.xx, parts.yy, parts.zz, parts.xy, parts.xz, parts.yz};
    for (std::size_t i = 0; i < 6; ++i) {
      if (all[i].node) v[i] = scalars_.number(*all[i].node, wanted(info)).value_or(0.0);
    }
  } else if (node.is_list() && (node.items.size() == 3 || node.items.size() == 6)) {
    v = numbers(info, node);
    v.resize(6);
  } else {
    report().add(node,
                 what_of(info) + fmt::format(" should be a tensor, but is {}{}.", kind_name(node),
                                             node.is_list() ? fmt::format(" of {}", node.items.size()) : ""),
                 "Write [xx, yy, zz], [xx, yy, zz, xy, xz, yz] or {xx: ..., yy: ..., zz: ...}.");
  }
  place_tensor(node, v);
  return symmetric(v);
}

model::Marker FieldReader::marker_named(const FieldInfo& info, Node& node) {
  const auto name = scalars_.full_name(node, what_of(info));
  if (!name) return {};
  if (const auto found = reading_.markers.find(*name); found != reading_.markers.end()) {
    return reading_.model.markers[static_cast<std::size_t>(found->second)];
  }
  if (*name == "ground") {
    model::Marker marker{*name, report().at(node), model::ground, {}, Mat3d::identity()};
    place_ground(node, marker);
    return marker;
  }
  if (const auto found = reading_.bodies.find(*name); found != reading_.bodies.end()) {
    const model::Body& body = reading_.model.bodies[static_cast<std::size_t>(found->second)];
    return {*name, report().at(node), found->second, body.at, body.axes};
  }
  check_is_there(*name, node, what_of(info));
  std::vector<std::string> known = {"ground"};
  for (const model::Marker& marker : reading_.model.markers) known.push_back(marker.name);
  for (const model::Body& body : reading_.model.bodies) known.push_back(body.name);
  report().add(node, what_of(info) + " is marker or body \"" + *name + "\", which is not defined.",
               suggest(*name, known, "Markers and bodies"));
  return {};
}

void FieldReader::set(const FieldInfo& info, Node& node, model::Marker& value) {
  if (!node.is_map()) {
    value = marker_named(info, node);
    follow_axes(info, value);
    return;
  }
  MarkerFields given;
  FieldReader reader = inner(node, info);
  read_described(reader, given);
  take_node(given, given.body.index, reader, reading_);
  value = make_marker(given, given.body.index, reading_.model);
  value.name = reader.name();
  value.where = report().at(node);
  if (!find(node, "orientation")) follow_axes(info, value);
}

model::Marker make_marker(const BodyMarkerFields& given, int body, const model::Model& model) {
  model::Marker marker;
  marker.body = body;
  if (body != model::ground) {
    marker.at = model.bodies[static_cast<std::size_t>(body)].at;
    marker.axes = model.bodies[static_cast<std::size_t>(body)].axes;
  }
  marker.at = given.at.value_or(marker.at);
  marker.axes = given.orientation.value_or(marker.axes);
  return marker;
}

}  // namespace skyhook::io::model_file
