// Fields of instances that are mirrored or displaced: their values are changed as they are read, and written back into
// the file's nodes, so that the expanded model is the mirrored one.
#include <fmt/format.h>

#include <cmath>

#include "skyhook/element/joint/planar.h"
#include "skyhook/io/model_file/field_reader.h"
#include "skyhook/io/model_file/mirror.h"

namespace skyhook::io::model_file {
namespace {

Node vector_node(const Vec3d& v, const Node& place) {
  Node list = list_node(place);
  for (int i = 0; i < 3; ++i) list.items.push_back(number_node(v[i] == 0.0 ? 0.0 : v[i], place));
  return list;
}

void put(Node& map, const char* name, Node value) {
  if (!map.is_map()) map = map_node(map);
  if (Entry* entry = find(map, name))
    entry->value = std::move(value);
  else
    map.entries.push_back({text_node(name, map), std::move(value)});
}

}  // namespace

double FieldReader::sign(const FieldInfo& info) const {
  const Vec3d& s = placement().sign;
  switch (info.mirror) {
    case Mirror::coordinate: return coordinate_sign_;
    case Mirror::coordinates: return coordinate_signs_;
    case Mirror::plane_1: return sign_of(plane_[0], s);
    case Mirror::plane_2: return sign_of(plane_[1], s);
    case Mirror::plane_angle: return sign_of(plane_[2], s);
    default: return info.mirror <= Mirror::xyz ? sign_of(info.mirror, s) : 1.0;
  }
}

void FieldReader::place(const FieldInfo& info, Node& node, double& value) {
  if (sign(info) > 0.0 || value == 0.0) return;
  value = -value;
  node = number_node(value, node);
}

void FieldReader::place(const FieldInfo& info, Node& node, Vec3d& value) {
  Mirror kind = info.mirror;
  if (kind == Mirror::plane_normal) {
    if (norm(value) > 0.0) remember_plane(element::plane_across((1.0 / norm(value)) * value));
    kind = element::is_along_axis(value) ? Mirror::even : Mirror::polar;
  }
  const Vec3d there = placed(value, kind, placement());
  if (there == value) return;
  value = there;
  node = vector_node(value, node);
}

// A quaternion: the rotation axis is axial. A point in axes of a frame, in space or in the plane of x and z: as a vector.
void FieldReader::place(const FieldInfo& info, Node& node, std::vector<double>& value) {
  if (info.mirror == Mirror::polar && (value.size() == 2 || value.size() == 3)) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      const double there =
          placement().sign[value.size() == 2 ? 2 * static_cast<int>(i) : static_cast<int>(i)] * value[i];
      if (value[i] == there) continue;
      value[i] = there;
      node.items[i] = number_node(there, node);
    }
  }
  if (info.mirror != Mirror::axial || value.size() != 4) return;
  const Vec3d axis = placed({value[1], value[2], value[3]}, Mirror::axial, placement());
  value = {value[0], axis.x, axis.y, axis.z};
  for (std::size_t i = 1; i < 4; ++i) node.items[i] = number_node(value[i], node);
}

void FieldReader::place_tensor(Node& node, std::vector<double>& v) {
  const Vec3d& s = placement().sign;
  const double signs[] = {1, 1, 1, s.x * s.y, s.x * s.z, s.y * s.z};
  static constexpr const char* names[] = {"xx", "yy", "zz", "xy", "xz", "yz"};
  for (std::size_t i = 3; i < 6; ++i) {
    if (signs[i] > 0.0 || v[i] == 0.0) continue;
    v[i] = -v[i];
    if (node.is_map())
      put(node, names[i], number_node(v[i], node));
    else
      node.items[i] = number_node(v[i], node);
  }
}

void FieldReader::remember_plane(const element::PlaneAxes& axes) {
  plane_ = {axes.first_mirror, axes.second_mirror, axes.angle_mirror};
}

void FieldReader::place(const FieldInfo& info, std::string& value) {
  if (info.mirror != Mirror::plane_name) return;
  if (const auto axes = element::plane_named(value)) remember_plane(*axes);
}

// What is absent has its default, and that has its place as well.
void FieldReader::place_default(const FieldInfo& info, model::FieldTarget target) {
  const auto changed = [&](auto& value, auto node_of) {
    const auto before = value;
    Node node = text_node("", map_);
    place(info, node, value);
    if (value != before) put(map_, info.name, node_of(value));
  };
  if (auto* number = std::get_if<double*>(&target))
    changed(**number, [&](double x) { return number_node(x, map_); });
  else if (auto* vector = std::get_if<Vec3d*>(&target))
    changed(**vector, [&](const Vec3d& v) { return vector_node(v, map_); });
  if (auto* marker = std::get_if<model::Marker*>(&target); marker && !info.is_required && placement().is_moved()) {
    Node node = text_node("ground", map_);
    place_ground(node, **marker);
    put(map_, info.name, node);
  }
  const Entry* body = find(map_, "body");
  const bool is_ground_marker = info.mirror == Mirror::point && body && body->value.text == "ground";
  auto* point = std::get_if<std::optional<Vec3d>*>(&target);
  if (point && is_ground_marker && placement().is_moved()) {
    **point = placement().move;
    put(map_, info.name, vector_node(placement().move, map_));
  }
}

std::vector<std::string> FieldReader::odd_variables(const FieldInfo& info) const {
  std::vector<std::string> odd;
  const std::string list = info.odd_variables;
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find(' ', begin), list.size()), colon = list.find(':', begin);
    double s = 1.0;
    for (std::size_t i = colon + 1; i < end; ++i)
      s *= list[i] == 'q' ? coordinate_sign_ : placement().sign[list[i] - 'x'];
    if (s < 0.0) odd.push_back(list.substr(begin, colon - begin));
    begin = end + 1;
  }
  return odd;
}

bool FieldReader::place_formula(const FieldInfo& info, Node& node) {
  const auto odd = odd_variables(info);
  if (sign(info) > 0.0 && odd.empty()) return false;
  const std::string text = mirrored_formula(node.text, sign(info), odd);
  const bool is_new = text != node.text;
  node.text = text;
  node.quoted = false;
  return is_new;
}

// f'(x) = sign f(-x): the rows change their order where x changes its sign.
void FieldReader::place_table(const FieldInfo& info, Node& node, Table& table) {
  const bool is_reversed = !odd_variables(info).empty();
  if (sign(info) > 0.0 && !is_reversed) return;
  for (double& y : table.y) y *= sign(info);
  if (is_reversed) {
    for (double& x : table.x) x = -x;
    std::reverse(table.x.begin(), table.x.end());
    std::reverse(table.y.begin(), table.y.end());
  }
  Node rows = rows_node(table.x, table.y, node);
  if (node.is_list())
    node = std::move(rows);
  else
    put(node, "table", std::move(rows));
}

// The lower stop of a coordinate is the upper one of its negative.
void FieldReader::swap_stops(const FieldInfo& info) {
  if (coordinate_sign_ > 0.0 || stops_swapped_.count(info.name) != 0) return;
  Entry *one = find(map_, info.name), *other = find(map_, info.other_stop);
  if (one) one->key.text = info.other_stop;
  if (other) other->key.text = info.name;
  stops_swapped_.insert({info.name, info.other_stop});
}

void FieldReader::follow_coordinate(const FieldInfo& info, const Node& node, const model::CoordinateRef& value) {
  const auto sign =
      coordinate_sign(reading_, scalars_.scope(), value.joint, static_cast<std::size_t>(std::max(0, value.dof)));
  if (!sign) {
    report().add(node,
                 what_of(info) +
                     " is a coordinate outside of the mirrored part, and its axis lies neither along nor "
                     "across the mirror plane.",
                 "Put the joint into the template, or use the template without mirror.");
  }
  coordinate_sign_ = sign.value_or(1.0);
  coordinate_signs_ *= coordinate_sign_;
}

// Components along axes that are not mirrored along have no mirror image, unless the mirror maps the axes to themselves.
void FieldReader::follow_axes(const FieldInfo& info, const model::Marker& marker) {
  if (std::string_view(info.name) != "from" || marker.body == model::ground) return;
  const Vec3d s = signs_inside(scalars_.scope(), reading_.model.bodies[static_cast<std::size_t>(marker.body)].name);
  const Vec3d rows[] = {marker.axes.r0, marker.axes.r1, marker.axes.r2};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) axes_are_mirrored_ &= s[i] * s[j] > 0.0 || std::abs(rows[i][j]) < 1e-9;
  }
}

void FieldReader::check_axes(const FieldInfo& info, const Node& node) const {
  if (!info.is_in_axes_of_from || axes_are_mirrored_) return;
  report().add(node,
               what_of(info) +
                   " is given in the axes of `from`, which lies outside of the mirrored part and is turned "
                   "against the mirror plane.",
               "Exchange `from` and `to`, or give `from` axes of its own: {body: ..., orientation: ...}.");
}

// In an instance that is displaced the ground's frame is displaced as well.
void FieldReader::place_ground(Node& node, model::Marker& marker) {
  if (!placement().is_moved()) return;
  marker.at = placement().move;
  Node map = map_node(node);
  map.entries.push_back({text_node("body", node), text_node("ground", node)});
  map.entries.push_back({text_node("at", node), vector_node(marker.at, node)});
  node = std::move(map);
}

}  // namespace skyhook::io::model_file
