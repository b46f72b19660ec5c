#include "skyhook/io/model_file/shapes.h"

#include <fmt/format.h>

#include <cmath>

#include "skyhook/io/model_file/colour.h"
#include "skyhook/io/model_file/field_reader.h"
#include "skyhook/io/model_file/mesh.h"
#include "skyhook/io/model_file/named_file.h"
#include "skyhook/io/model_file/shape_fields.h"

namespace skyhook::io::model_file {
namespace {

using model::Shape;

constexpr std::size_t most_triangles_of_model = 2'000'000;  // each use of a mesh counts

// The body that a shape belongs to, and where its shape is being read.
struct Owner {
  Vec3d at;
  Mat3d axes = Mat3d::identity();
  std::string what, name;
  Scope scope;
};

struct Place {
  Reading& reading;
  const Owner& owner;
  Node& node;        // the fields of the shape
  std::string what;  // body "car": wheel
};

// Written back as a number, so that the expanded model needs no names.
void set_colour(Place& place, const std::string& text, Shape& shape) {
  Entry* entry = find(place.node, "colour");
  if (!entry || text.empty()) return;
  if (const auto colour = colour_of(text)) {
    shape.colour = entry->value.text = *colour;
  } else {
    place.reading.report.add(
        entry->value, place.what + ": colour is \"" + text + "\", which is not understood.",
        "Write \"#rrggbb\" between quotes, or a name. " + suggest(text, colour_names(), "Colours"));
  }
}

// The owner's axes, turned so that its axis number `which` points along `direction`.
std::optional<Mat3d> along(const Mat3d& axes, int which, const Vec3d& direction) {
  const double length = norm(direction);
  if (!(length > 0) || !std::isfinite(length)) return {};
  const Vec3d e = (1.0 / length) * direction;
  const Mat3d columns = transpose(axes);  // its rows are the axes
  const Vec3d a = columns.r0, b = columns.r1, c = columns.r2;
  const Vec3d first = which == 2 ? a : c, second = which == 2 ? b : a;  // one after `which`, two after it
  const Vec3d start = std::abs(dot(first, e)) < 0.9 ? first : second;
  const Vec3d next = normalized(start - dot(start, e) * e), last = cross(e, next);
  return which == 2 ? Mat3d::columns(next, last, e) : Mat3d::columns(last, e, next);
}

void set_axis(const Place& place, const std::optional<Vec3d>& axis, int which, Shape& shape) {
  shape.axes = place.owner.axes;
  if (!axis) return;
  if (const auto axes = along(shape.axes, which, *axis)) {
    shape.axes = *axes;
  } else {
    place.reading.report.add(find(place.node, "axis")->value, place.what + ": axis has no direction.",
                             "Give a vector that is not zero.");
  }
}

// A point, or the place of a marker.
Vec3d end_point(FieldReader& reader, const Part& part, const char* name) {
  FieldInfo info{name, "m", {}, "a point, global at design, or the name of a marker"};
  info.mirror = Mirror::point;
  if (!part.node) return {};
  Vec3d point;
  model::Marker marker;
  if (part.node->is_list() || is_expression(part.node->text)) {
    reader.read(info, &point);
    return point;
  }
  reader.read(info, &marker);
  return marker.at;
}

void set_ends(const Place& place, FieldReader& reader, const Part& from, const Part& to, Shape& shape) {
  const Vec3d a = end_point(reader, from, "from"), b = end_point(reader, to, "to");
  if (reader.has_failed()) return;
  shape.at = 0.5 * (a + b);
  shape.length = norm(b - a);
  const auto axes = along(place.owner.axes, 2, b - a);
  if (axes && std::isfinite(shape.length)) {
    shape.axes = *axes;
  } else {
    place.reading.report.add(*to.node, place.what + " has no length: both ends are the same point.",
                             "Give two different points.");
  }
}

void fill(Place& place, FieldReader&, const BoxFields& given, Shape& shape) {
  shape.kind = Shape::Kind::box;
  shape.size = given.size;
  shape.at = given.at.value_or(place.owner.at);
  shape.axes = given.orientation.value_or(place.owner.axes);
}

void fill(Place& place, FieldReader& reader, const CylinderFields& given, Shape& shape) {
  shape.kind = Shape::Kind::cylinder;
  shape.radius = given.radius;
  const bool has_ends = given.from.node && given.to.node, has_end = given.from.node || given.to.node;
  const bool has_length = given.length || given.at || given.axis;
  if (has_ends && !has_length) {
    set_ends(place, reader, given.from, given.to, shape);
  } else if (has_end || (!given.length && !reader.has_failed())) {
    place.reading.report.add(place.node, place.what + " needs its length, or its two ends, and not both.",
                             "Write length (with at and axis), or from and to.");
  } else {
    shape.length = given.length.value_or(0.0);
    shape.at = given.at.value_or(place.owner.at);
    set_axis(place, given.axis, 2, shape);
  }
}

void fill(Place& place, FieldReader&, const SphereFields& given, Shape& shape) {
  shape.kind = Shape::Kind::sphere;
  shape.radius = given.radius;
  shape.at = given.at.value_or(place.owner.at);
  shape.axes = place.owner.axes;
}

void fill(Place& place, FieldReader&, const WheelFields& given, Shape& shape) {
  shape.kind = Shape::Kind::wheel;
  shape.radius = given.radius;
  shape.length = given.width;
  shape.at = given.at.value_or(place.owner.at);
  set_axis(place, given.axis, 1, shape);
}

void fill(Place& place, FieldReader& reader, const RodFields& given, Shape& shape) {
  shape.kind = Shape::Kind::rod;
  shape.radius = given.radius;
  if (given.from.node && given.to.node) set_ends(place, reader, given.from, given.to, shape);
}

std::shared_ptr<const model::Mesh> read_mesh_of(Place& place, const NamedFile& file) {
  try {
    return std::make_shared<const model::Mesh>(read_mesh(file.bytes, file.path));
  } catch (const ModelError& error) {
    place.reading.report.add(error, place.what);
    throw Report::Known{};
  }
}

// The path of the mesh; its file is opened for the first instance only.
const std::string& mesh_path(Place& place, const Node& name) {
  auto& paths = place.reading.mesh_paths;
  const std::pair<int, std::string> key{name.file, name.text};
  if (const auto known = paths.find(key); known != paths.end()) return known->second;
  const NamedFile file = read_file(place.reading, name, place.what + ": file");
  if (!is_mesh_file(name.text)) {
    place.reading.report.add(name,
                             place.what + ": the ending of \"" + name.text + "\" is that of no known kind of mesh.",
                             "Give a file that ends in .stl or .obj.");
    throw Report::Known{};
  }
  auto& mesh = place.reading.meshes[file.path];
  if (!mesh) mesh = read_mesh_of(place, file);
  return paths.emplace(key, file.path).first->second;
}

// Instances of a repeated body share their triangles.
std::shared_ptr<const model::Mesh> mesh_of(Place& place) {
  Node& name = find(place.node, "file")->value;
  const std::string& path = mesh_path(place, name);
  name.text = name_in_expanded(place.reading, name.text, path);
  const auto mesh = place.reading.meshes.at(path);
  if ((place.reading.triangles += mesh->corners.size() / 3) > most_triangles_of_model) {
    throw ModelError(place.reading.report.at(place.node), "the meshes of the model have more than 2 000 000 triangles.",
                     "Reduce them in a CAD or mesh program, or repeat fewer bodies.");
  }
  return mesh;
}

// A mirrored mesh is the file's with axes turned round, in its own axes as in global ones.
Vec3d mirrored(const Vec3d& scale, const Vec3d& sign, const Place& place) {
  const Vec3d s{sign.x * scale.x, sign.y * scale.y, sign.z * scale.z};
  if (s == scale) return s;
  erase(place.node, "scale");
  Node list = list_node(place.node);
  for (int i = 0; i < 3; ++i) list.items.push_back(number_node(s[i], place.node));
  place.node.entries.push_back({text_node("scale", place.node), std::move(list)});
  return s;
}

Vec3d scale_of(const Place& place, const std::vector<double>& scale) {
  const Vec3d& sign = place.owner.scope.placement.sign;
  if (scale.empty()) return mirrored({1, 1, 1}, sign, place);
  const Vec3d s = scale.size() == 3 ? Vec3d{scale[0], scale[1], scale[2]} : Vec3d{scale[0], scale[0], scale[0]};
  if ((scale.size() != 1 && scale.size() != 3) || s.x == 0 || s.y == 0 || s.z == 0) {
    place.reading.report.add(find(place.node, "scale")->value,
                             place.what + ": scale should be one number or three, none of them zero.",
                             "Write for example 0.001 for a file in millimetres.");
  }
  return mirrored(s, sign, place);
}

void fill(Place& place, FieldReader& reader, const MeshFields& given, Shape& shape) {
  shape.kind = Shape::Kind::mesh;
  shape.at = given.at.value_or(place.owner.at);
  shape.axes = given.orientation.value_or(place.owner.axes);
  shape.size = scale_of(place, given.scale);
  if (!reader.has_failed()) shape.mesh = mesh_of(place);
}

void read_shape(Reading& reading, const Owner& owner, Node& node, std::vector<Shape>& shapes) {
  ShapeFields given;
  const std::string what = owner.what + ": shape";
  FieldReader reader(reading, node, what, owner.name, node, owner.scope);
  read_described(reader, given);
  if (reader.has_failed()) return;
  int kinds = 0;
  for_each_field(ShapeFields::fields, given,
                 [&](const FieldInfo&, const Part& part) { kinds += part.node != nullptr; });
  if (kinds != 1) {
    reading.report.add(node, fmt::format("{} has {} kinds, but should have one.", what, kinds),
                       kinds > 1 ? "Write a list: shapes: [{box: {...}}, {wheel: {...}}]."
                                 : "Write {kind: {...}}; kinds are box, cylinder, sphere, wheel, rod and mesh.");
    return;
  }
  const auto read = [&](const Part& part, const char* kind, auto fields) {
    if (!part.node) return;
    Place place{reading, owner, *part.node, owner.what + ": " + kind};
    FieldReader fields_reader(reading, place.node, place.what, owner.name, place.node, owner.scope);
    read_described(fields_reader, fields);
    Shape& shape = shapes.emplace_back();
    set_colour(place, fields.colour, shape);
    fill(place, fields_reader, fields, shape);
  };
  read(given.box, "box", BoxFields{});
  read(given.cylinder, "cylinder", CylinderFields{});
  read(given.sphere, "sphere", SphereFields{});
  read(given.wheel, "wheel", WheelFields{});
  read(given.rod, "rod", RodFields{});
  read(given.mesh, "mesh", MeshFields{});
}

void read_list(Reading& reading, const Owner& owner, Node& list, std::vector<Shape>& shapes) {
  if (!list.is_list()) {
    reading.report.add(list, owner.what + ": shapes should be a list, but is " + kind_name(list) + ".",
                       "Write shapes: [{box: {...}}, ...], or shape: {box: {...}} for a single one.");
    return;
  }
  for (Node& node : list.items) {
    try {
      read_shape(reading, owner, node, shapes);
    } catch (const Report::Known&) {}
  }
}

// `shape` and `shapes` of a body or of the ground.
void read_look(Reading& reading, const Owner& owner, Node& fields, std::vector<Shape>& shapes) {
  Entry *one = find(fields, "shape"), *many = find(fields, "shapes");
  if (one && many) {
    reading.report.add(one->key, owner.what + " has both shape and shapes.", "Put all into the list.");
  } else if (one && !one->value.is_nothing()) {
    try {
      read_shape(reading, owner, one->value, shapes);
    } catch (const Report::Known&) {}
  } else if (many && !many->value.is_nothing()) {
    read_list(reading, owner, many->value, shapes);
  }
}

void read_looks(Node& bodies, Reading& reading) {
  for (Entry& entry : bodies.entries) {
    const auto found = reading.bodies.find(entry.key.text);
    if (found == reading.bodies.end() || !entry.value.is_map()) continue;
    model::Body& body = reading.model.bodies[static_cast<std::size_t>(found->second)];
    const Owner owner{body.at, body.axes, "body \"" + body.name + "\"", body.name, reading.scope_of_body[body.name]};
    read_look(reading, owner, entry.value, body.shapes);
  }
}

void read_ground(Node& node, Reading& reading) {
  GroundFields given;
  FieldReader reader(reading, node, "the ground", "ground", node);
  read_described(reader, given);
  if (node.is_map())
    read_look(reading, {{}, Mat3d::identity(), "the ground", "ground", {}}, node, reading.model.ground_shapes);
}

}  // namespace

void read_shapes(Node* bodies, Node* ground, Reading& reading) {
  const auto sizes = reading.sizes;  // scenery may be far away
  if (bodies) read_looks(*bodies, reading);
  try {
    if (ground) read_ground(*ground, reading);
  } catch (const Report::Known&) {}
  reading.sizes = sizes;
}

}  // namespace skyhook::io::model_file
