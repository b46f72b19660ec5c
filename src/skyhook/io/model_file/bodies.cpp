#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>

#include "skyhook/io/model_file/beam_body.h"
#include "skyhook/io/model_file/field_reader.h"
#include "skyhook/io/model_file/flexible.h"
#include "skyhook/io/model_file/sections.h"

namespace skyhook::io::model_file {
namespace {

// "x", or the direction where the principal axis is none of the body's axes
std::string axis_text(Eigen::Vector3d axis) {
  if (axis.sum() < 0.0) axis = -axis;
  for (int i = 0; i < 3; ++i) {
    if (std::abs(axis[i]) > 1.0 - 1e-9) return std::string(1, static_cast<char>('x' + i));
  }
  return fmt::format("[{:.3g}, {:.3g}, {:.3g}]", axis[0], axis[1], axis[2]);
}

// No mass distribution has a negative principal moment, or one above the sum of the two others. The latter is honest where
// inertia of other parts is reflected to a body, or where a planar model leaves out what does not turn.
void check_inertia(const Mat3d& inertia, const FieldReader& reader, const std::string& what, Reading& reading) {
  const Eigen::Matrix3d matrix = (Eigen::Matrix3d() << inertia.r0.x, inertia.r0.y, inertia.r0.z, inertia.r1.x,
                                  inertia.r1.y, inertia.r1.z, inertia.r2.x, inertia.r2.y, inertia.r2.z)
                                     .finished();
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(matrix);
  const Eigen::Vector3d p = solver.eigenvalues();  // rising
  const double slack = 1e-9 * p.cwiseAbs().maxCoeff();
  const Location where = reader.where("inertia");
  if (p[0] < -slack) {
    reading.report.add(where,
                       fmt::format("{}: inertia about the principal axis {} is {:.6g} kg.m^2, but cannot be negative.",
                                   what, axis_text(solver.eigenvectors().col(0)), p[0]),
                       "Check the signs: the products are tensor entries, xy = -integral of x y dm.");
  } else if (p[2] > p[0] + p[1] + slack) {
    reading.warn(
        "inertia", where,
        fmt::format("{}: inertia about the principal axis {} is {:.6g} kg.m^2, more than the sum of the others, "
                    "{:.6g} + {:.6g}: no rigid body has that.",
                    what, axis_text(solver.eigenvectors().col(2)), p[2], p[0], p[1]),
        "Check the values; reflected inertia and planar models are valid cases.");
  }
}

model::Body make_body(const BodyFields& given, const std::string& name, const Location& where) {
  model::Body body;
  body.name = name;
  body.where = where;
  body.mass = given.mass;
  body.at = given.at;
  body.com = given.com.value_or(given.at);
  body.axes = given.orientation;
  body.inertia = given.orientation * given.inertia * transpose(given.orientation);
  if (given.coordinates != "model") body.coordinates = coordinates_named(given.coordinates);
  return body;
}

// What the part says for all its bodies; the expanded model has no parts.
void take_coordinates_of_part(Pending& thing, BodyFields& given) {
  if (given.coordinates != "model" || thing.scope.coordinates == "model") return;
  given.coordinates = thing.scope.coordinates;
  erase(thing.value, "coordinates");
  thing.value.entries.push_back({text_node("coordinates", thing.key), text_node(given.coordinates, thing.key)});
}

void add_marker(Reading& reading, model::Marker marker) {
  reading.markers.emplace(marker.name, static_cast<int>(reading.model.markers.size()));
  reading.model.markers.push_back(std::move(marker));
}

void read_body_marker(Pending& thing, int body, Reading& reading) {
  Conditional<BodyMarkerFields> given;
  FieldReader reader(reading, thing.value, "marker \"" + thing.name + "\"", thing.name, thing.key, thing.scope);
  read_described(reader, given);
  take_node(given, body, reader, reading);
  model::Marker marker = make_marker(given, body, reading.model);
  marker.name = thing.name;
  marker.where = reading.report.at(thing.key);
  add_marker(reading, std::move(marker));
}

// Mass and inertia of a flexible body follow from what it is made of; any other needs a mass.
void check_mass_fields(const BodyFields& given, const std::vector<std::string>& placed, const FieldReader& reader,
                       const Pending& thing, const std::string& what, Reading& reading) {
  const bool is_beam = given.beam.node || given.beams.node, bends = given.flexible.node || is_beam;
  if (!bends && !reader.has("mass"))
    reading.report.add(thing.key, what + " needs \"mass\".", "Add it: mass. Or make the body flexible, or a beam.");
  for (const char* field : {"mass", "inertia", "com", "at", "orientation", "coordinates", "wheel"}) {
    if (!reader.has(field) || std::ranges::find(placed, field) != placed.end() ||
        !(is_beam ||
          (given.flexible.node && std::string_view(field) != "at" && std::string_view(field) != "orientation" &&
           std::string_view(field) != "coordinates" && std::string_view(field) != "wheel")))
      continue;
    reading.report.add(reader.where(field),
                       fmt::format("{} is {}, so that its {} follows from what it is made of.", what,
                                   is_beam ? "a beam" : "flexible", field),
                       "Remove the line.");
  }
  if (given.beam.node && given.beams.node)
    reading.report.add(reader.where("beams"), what + " has both beam and beams.",
                       "Put the one line into `beams`, with a name.");
  if (given.flexible.node && is_beam)
    reading.report.add(reader.where(given.beam.node ? "beam" : "beams"), what + " has both flexible and beam.",
                       "Remove one: flexible has small deformations by modes, beam large ones.");
}

// `flexible: {if: ..., ...}`: on, the mass that is given for the rigid body is not needed; off, there is nothing but that.
void settle_flexible(Pending& thing, const std::string& what, Reading& reading) {
  if (!thing.value.is_map()) return;
  Entry* const flexible = find(thing.value, "flexible");
  const char* key = std::get<0>(ConditionFields::fields).name;
  if (!flexible || !flexible->value.is_map() || !find(flexible->value, key)) return;
  ConditionFields condition;
  FieldReader reader(reading, flexible->value, what + ": flexible", thing.name, thing.key, thing.scope);
  for_each_field(ConditionFields::fields, condition,
                 [&](const FieldInfo& info, auto& member) { reader.read(info, &member); });
  if (reader.has_failed()) throw Report::Known{};
  erase(flexible->value, key);
  if (!condition.is_on) return erase(thing.value, "flexible");
  for (const char* field : {"mass", "inertia", "com"}) erase(thing.value, field);
}

// Fields that others read, where they stand after changes of the map.
void find_parts(Pending& thing, BodyFields& given) {
  const auto part = [&](const char* name) {
    Entry* const entry = find(thing.value, name);
    return entry ? &entry->value : nullptr;
  };
  given.flexible.node = part("flexible"), given.beam.node = part("beam"), given.beams.node = part("beams"),
  given.markers.node = part("markers");
}

void read_body(Pending& thing, Reading& reading) {
  Conditional<BodyFields> given;
  const std::string what = "body \"" + thing.name + "\"";
  settle_flexible(thing, what, reading);
  // a part that is moved writes where its bodies stand; a beam stands where its line says
  std::vector<std::string> placed;
  for (const char* field : {"at", "com", "orientation"}) {
    if (thing.value.is_map() && !find(thing.value, field)) placed.push_back(field);
  }
  FieldReader reader(reading, thing.value, what, thing.name, thing.key, thing.scope);
  read_described(reader, given);
  check_mass_fields(given, placed, reader, thing, what, reading);
  const bool is_beam = given.beam.node || given.beams.node;
  if (is_beam) {
    for (const std::string& field : placed) erase(thing.value, field);
  }
  if (!reader.has_failed()) check_inertia(given.inertia, reader, what, reading);
  if (given.mass == 0.0 && !given.flexible.node && !is_beam && !reader.has_failed())
    reading.warn("no_mass", reading.report.at(thing.key), what + " has no mass.");
  if (reading.parameters.is_defined(thing.name))
    reading.warn("same_name", reading.report.at(thing.key), what + " has the same name as a parameter.");
  if (!is_beam) take_coordinates_of_part(thing, given);
  find_parts(thing, given);
  const int number = static_cast<int>(reading.model.bodies.size());
  reading.bodies.emplace(thing.name, number);
  reading.model.bodies.push_back(make_body(given, thing.name, reading.report.at(thing.key)));
  if (given.flexible.node)
    read_flexible(*given.flexible.node, thing.key, thing.scope, reading.model.bodies.back(), reading);
  if (given.beam.node) read_beam_body(*given.beam.node, thing.key, thing.scope, reading.model.bodies.back(), reading);
  if (given.beams.node && !given.beam.node)
    read_beams_body(*given.beams.node, thing.key, thing.scope, reading.model.bodies.back(), reading);
  if (find(thing.value, "shape") || find(thing.value, "shapes") || find(thing.value, "wheel"))
    reading.scope_of_body.emplace(thing.name, thing.scope);
  if (!given.markers.node) return;
  auto markers = things_of(*given.markers.node, "marker", reading, thing.scope, thing.name);
  for (Pending& marker : markers) read_body_marker(marker, number, reading);
  *given.markers.node = as_section(std::move(markers), *given.markers.node);
}

void read_marker(Pending& thing, Reading& reading) {
  Conditional<MarkerFields> given;
  FieldReader reader(reading, thing.value, "marker \"" + thing.name + "\"", thing.name, thing.key, thing.scope);
  read_described(reader, given);
  take_node(given, given.body.index, reader, reading);
  model::Marker marker = make_marker(given, given.body.index, reading.model);
  marker.name = thing.name;
  marker.where = reading.report.at(thing.key);
  add_marker(reading, std::move(marker));
}

template <class Read>
Node read_each(std::vector<Level>& levels, const std::string& noun, Reading& reading, Read read) {
  auto things = things_of(levels, noun, reading);
  for (Pending& thing : things) {
    try {
      read(thing, reading);
    } catch (const Report::Known&) {
      reading.failed.insert(thing.name);
    }
  }
  return as_section(std::move(things), {});
}

}  // namespace

model::Coordinates coordinates_named(const std::string& name) {
  return name == "absolute" ? model::Coordinates::absolute
         : name == "auto"   ? model::Coordinates::automatic
                            : model::Coordinates::joint;
}

Node read_bodies(std::vector<Level>& levels, Reading& reading) { return read_each(levels, "body", reading, read_body); }
Node read_markers(std::vector<Level>& levels, Reading& reading) {
  return read_each(levels, "marker", reading, read_marker);
}

void read_gravity(Node& node, Reading& reading) {
  static constexpr FieldInfo info{"gravity", "m/s^2", {}, ""};
  if (node.is_text() && node.text == "off") {
    reading.model.gravity = {};
  } else if (node.is_text()) {
    const ScalarReader scalars(reading.report, reading.parameters, {});
    const auto g = scalars.number(node, {info.name, info.unit, {}});
    if (g && *g < 0.0) {
      reading.report.add(
          node, fmt::format("gravity is {} m/s^2, but a single number says how strongly it pulls down, along -z.", *g),
          fmt::format("Write {}, or the vector [0, 0, {}] if it should point up.", -*g, -*g));
    }
    if (g) reading.model.gravity = {0, 0, -*g};
  } else {
    Node map = map_node(node);
    map.entries.push_back({text_node(info.name, node), node});
    FieldReader(reading, map, "the model", "", node).read(info, &reading.model.gravity);
    node = map.entries[0].value;
  }
}

}  // namespace skyhook::io::model_file
