#include "skyhook/io/model_file/beam_body.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "skyhook/flexible/ancf.h"
#include "skyhook/flexible/ancf_lines.h"
#include "skyhook/io/model_file/attached.h"
#include "skyhook/io/model_file/field_reader.h"
#include "skyhook/io/model_file/flexible_fields.h"
#include "skyhook/model/modal_body.h"
#include "skyhook/model/on_line.h"

namespace skyhook::io::model_file {
namespace {

using flexible::AncfBeam;

// What holds an end at the ground; at another line it is free for all but what it shares.
AncfBeam::End end_named(const std::string& name, const std::string& other) {
  if (!other.empty()) return AncfBeam::End::free;
  return name == "clamped" ? AncfBeam::End::clamped : name == "hinged" ? AncfBeam::End::hinged : AncfBeam::End::free;
}
AncfBeam::Kind kind_named(const std::string& name) {
  return name == "planar_beam"    ? AncfBeam::Kind::planar_beam
         : name == "planar_cable" ? AncfBeam::Kind::planar_cable
         : name == "cable"        ? AncfBeam::Kind::cable
                                  : AncfBeam::Kind::beam;
}
AncfBeam::Forces forces_named(const std::string& name) {
  return name == "line"        ? AncfBeam::Forces::line
         : name == "continuum" ? AncfBeam::Forces::continuum
                               : AncfBeam::Forces::enhanced;
}

// Not of one without length, which is refused.
void warn_if_thick(const AncfBeam& beam, const std::string& what, const Location& where, Reading& reading) {
  const double length = norm(beam.to - beam.from),
               height = std::sqrt(12 * std::max(beam.section.iy, beam.section.iz) / beam.section.area);
  if (!(height > length && length > 0)) return;
  reading.warn(
      "thick_beam", where, fmt::format("{} is {:.3g} m long, and its section is {:.3g} m high.", what, length, height),
      "A plain number counts in m: are these millimetres? Then write mm. What is as thick as it is long is no beam.");
}

// What the file says. Of a planar beam the height of a section lies in its plane.
AncfBeam beam_of(const AncfFields& given, const FieldReader& reader, const std::string& what, Reading& reading) {
  AncfBeam beam;
  beam.kind = kind_named(given.type), beam.forces = forces_named(given.forces);
  const bool is_planar = given.type.starts_with("planar");
  beam.start = end_named(given.start, given.start_at), beam.end = end_named(given.end, given.end_at);
  beam.from = given.from, beam.to = given.to, beam.up = is_planar ? given.normal : given.up;
  beam.elements = given.elements, beam.damping = given.damping;
  beam.material = material_of(reading, given, reader, what);
  beam.poisson = beam.material.shear > 0 ? beam.material.young / (2 * beam.material.shear) - 1 : 0.3;
  if (given.poisson) beam.poisson = *given.poisson;
  beam.section = section_of(reading, given, beam.poisson, reader, what);
  if (is_planar) std::swap(beam.section.iy, beam.section.iz), std::swap(beam.section.ky, beam.section.kz);
  warn_if_thick(beam, what, reader.where("from"), reading);
  return beam;
}

// Mass, centre and inertia of the straight lines, for whoever asks how large and heavy the body is.
void put_rigid_data(const std::vector<AncfBeam>& lines, model::Body& body) {
  const model::NodalMesh& mesh = *model::mesh_of(body);
  body.at = lines[0].from;  // its axes at design are the global ones, as of any body without orientation
  body.mass = mesh.total_mass, body.com = (1 / mesh.total_mass) * mesh.first_design;
  body.inertia = {};
  for (const AncfBeam& line : lines) {
    const double L = norm(line.to - line.from), rho = line.material.density, m = rho * line.section.area * L;
    const double y = rho * line.section.iz * L, z = rho * line.section.iy * L, bar = m * L * L / 12;
    const Mat3d axes = flexible::ancf_axes(line);
    const Vec3d c = 0.5 * (line.from + line.to) - body.com;
    const double square = m * dot(c, c);
    body.inertia += axes * Mat3d::diagonal({y + z, bar + z, bar + y}) * transpose(axes) +
                    Mat3d::diagonal({square, square, square}) - outer(m * c, c);
  }
}

std::string place_named(const std::string& station) {
  return station.find(' ') == std::string::npos ? "node \"" + station + "\"" : station;
}

const model::NodalMesh* mesh_at(const model::Model& m, int body) {
  return body < 0 ? nullptr : model::mesh_of(m.bodies[static_cast<std::size_t>(body)]);
}

void check_roll(const model::Model& m, const std::string& what, const Location& where, int body, const Vec3d& at,
                Reading& reading) {
  const model::NodalMesh* mesh = mesh_at(m, body);
  const auto station = mesh ? mesh->station_at(at) : std::nullopt;
  if (!station || station->has_roll || station->parts.empty()) return;
  reading.warn("cable_roll", where,
               fmt::format("{} holds or reads rotations at {} of \"{}\", a cable in space, which has no torsion: its "
                           "axes turn about the line by convention alone "
                           "(the shortest way from design).",
                           what, place_named(station->name), mesh->name),
               "Where that matters, take type: beam; else join it by a spherical joint, or let it turn about the line "
               "(revolute, with its axis along it).");
}

// A line that another one is joined to, and at which of its nodes: "mast.end", "mast.3".
AncfBeam::Partner partner_of(const std::string& node, bool is_welded, const std::vector<AncfBeam>& before,
                             const std::string& what, const Location& where, Reading& reading) {
  const std::size_t dot = node.find('.');
  const std::string line = node.substr(0, dot), at = dot == std::string::npos ? "" : node.substr(dot + 1);
  std::vector<std::string> names;
  for (const AncfBeam& b : before) names.push_back(b.name);
  const auto found = std::ranges::find(names, line);
  const auto refuse = [&](const std::string& why, const std::string& advice) {
    reading.report.add(where, what + why, advice);
    throw Report::Known{};
  };
  if (found == names.end())
    refuse(fmt::format(" is joined to \"{}\", but no line before it in `beams` is called \"{}\".", node, line),
           names.empty() ? "Write the line that it is joined to first, and its node after a point: mast.end."
                         : suggest(line, names, "Lines before it"));
  const AncfBeam& other = before[static_cast<std::size_t>(found - names.begin())];
  int number = at == "start" ? 0 : at == "end" ? other.elements : -1;
  if (number < 0 && !at.empty() && at.size() < 7 &&
      std::ranges::all_of(at, [](char c) { return c >= '0' && c <= '9'; }))
    number = std::stoi(at);
  if (number < 0 || number > other.elements)
    refuse(fmt::format(" is joined to \"{}\", but line \"{}\" has no node \"{}\".", node, line, at),
           fmt::format("Its nodes are start, 1 ... {}, end: write {}.end.", other.elements - 1, line));
  return {static_cast<int>(found - names.begin()), number, is_welded};
}

AncfBeam read_line(Node& node, const Node& key, const std::string& name, const std::string& what,
                   const std::vector<AncfBeam>& before, const Scope& scope, Reading& reading) {
  AncfFields given;
  FieldReader reader(reading, node, what, name, key, scope);
  read_described(reader, given);
  if (reader.has_failed()) throw Report::Known{};
  AncfBeam beam = beam_of(given, reader, what, reading);
  beam.name = name, beam.where = reader.where("from");
  const auto join = [&](const char* field, const char* at_field, const std::string& how, const std::string& at,
                        AncfBeam::Partner& partner) {
    if (at.empty() && how == "welded")
      reading.report.add(reader.where(field),
                         fmt::format("{} is welded at its {}, but {} does not say to what.", what, field, at_field),
                         "Name the node of another line, as mast.end; to the ground write clamped; to a body add a "
                         "joint of type fixed.");
    if (!at.empty() && how != "welded" && how != "hinged")
      reading.report.add(reader.where(at_field),
                         fmt::format("{} names the node \"{}\", but its {} is {}.", what, at, field, how),
                         fmt::format("Write {}: welded, or {}: hinged.", field, field));
    else if (!at.empty())
      partner = partner_of(at, how == "welded", before, what, reader.where(at_field), reading);
  };
  join("start", "start_at", given.start, given.start_at, beam.start_on);
  join("end", "end_at", given.end, given.end_at, beam.end_on);
  return beam;
}

void make_beam_body(const std::vector<AncfBeam>& lines, const Location& where, model::Body& body, Reading& reading) {
  if (reading.report.size() > 0) throw Report::Known{};
  try {
    model::ModalBody bends;
    bends.name = body.name, bends.where = where;
    bends.mesh = std::make_shared<const model::NodalMesh>(flexible::ancf_mesh(body.name, where, lines));
    body.modal = std::make_shared<const model::ModalBody>(std::move(bends));
    put_rigid_data(lines, body);
  } catch (const ModelError& error) {
    reading.report.add(error, "body \"" + body.name + "\"");
    throw Report::Known{};
  }
}

}  // namespace

void read_beam_body(Node& node, const Node& key, const Scope& scope, model::Body& body, Reading& reading) {
  const AncfBeam line = read_line(node, key, body.name, "beam \"" + body.name + "\"", {}, scope, reading);
  make_beam_body({line}, line.where, body, reading);
}

void read_beams_body(Node& node, const Node& key, const Scope& scope, model::Body& body, Reading& reading) {
  const std::string what = "body \"" + body.name + "\"";
  if (!node.is_map() || node.entries.empty()) {
    reading.report.add(key, what + ": beams is no map of lines.",
                       "Write a line each: {mast: {from: [0, 0, 0], to: [0, 0, 2], ...}}.");
    throw Report::Known{};
  }
  std::vector<AncfBeam> lines;
  for (Entry& entry : node.entries) {
    if (entry.key.text.find('.') == std::string::npos) continue;
    reading.report.add(
        entry.key,
        fmt::format("{}: beam \"{}\" has a point in its name, which would part line and node in \"{}.end\".", what,
                    entry.key.text, entry.key.text),
        "Write another sign, for example _.");
    throw Report::Known{};
  }
  for (Entry& entry : node.entries)
    lines.push_back(read_line(entry.value, entry.key, entry.key.text,
                              fmt::format("{}: beam \"{}\"", what, entry.key.text), lines, scope, reading));
  make_beam_body(lines, reading.report.at(key), body, reading);
}

namespace {

// Lines that cross or are hinged in a place have frames of their own there, and a place belongs to the first of them.
void refuse_frame_of_another(const model::NodalMesh& mesh, const model::MeshNodeName& node, const std::string& what,
                             const Location& where, Reading& reading) {
  const auto* lines = dynamic_cast<const flexible::AncfLines*>(mesh.lines.get());
  const std::vector<std::string> names = lines ? lines->apart_at(node.at) : std::vector<std::string>{};
  if (names.empty() || node.name == names[0]) return;
  reading.report.add(where,
                     fmt::format("{} stands at node \"{}\" of beam \"{}\", where {} of another line lies, which is not "
                                 "welded to it: things there belong to that one.",
                                 what, node.name, mesh.name, place_named(names[0])),
                     fmt::format("Put it a little along the line that is meant, by `at:`, give `node: {}` if that one "
                                 "is meant, or weld the lines there.",
                                 names[0]));
  throw Report::Known{};
}

}  // namespace

Vec3d station_place(const model::Body& body, const std::string& node, const std::string& what, const Location& where,
                    Reading& reading) {
  std::vector<std::string> names;
  for (const model::MeshNodeName& s : model::mesh_of(body)->nodes) {
    if (s.name == node) {
      refuse_frame_of_another(*model::mesh_of(body), s, what, where, reading);
      reading.beam_nodes.emplace_back(static_cast<int>(&body - reading.model.bodies.data()), s.at);
      return s.at;
    }
    names.push_back(s.name);
  }
  reading.report.add(where, fmt::format("{}: beam \"{}\" has no node \"{}\".", what, body.name, node),
                     suggest(node, names, "Nodes"));
  throw Report::Known{};
}

namespace {

// A place where lines meet that are not welded there does not say on which of them something stands.
void refuse_several_lines(const std::string& what, const Location& where, int body, const Vec3d& at, Reading& reading) {
  const model::NodalMesh& mesh = *mesh_at(reading.model, body);
  const auto is_named = [&](const auto& node) { return node.first == body && norm(node.second - at) <= mesh.near; };
  if (std::ranges::any_of(reading.beam_nodes, is_named)) return;
  const auto* lines = dynamic_cast<const flexible::AncfLines*>(mesh.lines.get());
  const std::vector<std::string> names = lines ? lines->apart_at(at) : std::vector<std::string>{};
  if (names.empty()) return;
  reading.report.add(
      where,
      fmt::format("{} stands on beam \"{}\" where two of its lines meet that are not welded there: at {} and at {}.",
                  what, mesh.name, place_named(names[0]), place_named(names[1])),
      fmt::format("Say which: give the body a marker with `node: {}` and stand on that, or put it a little along the "
                  "line that is meant.",
                  names[0]));
}

// The run begins where it is on the line, as drawn or not.
void check_sliding(const model::Contribution& c, const model::OnLine& law, Reading& reading) {
  const model::NodalMesh& mesh = *mesh_at(reading.model, c.from.body);
  const model::MeshCurve& line = mesh.curves[static_cast<std::size_t>(law.curve)];
  const std::vector<double> design(static_cast<std::size_t>(mesh.coordinates), 0.0);
  const double s = std::clamp(line.foot(c.to.at, design, line.near(c.to.at, design)).value_or(0.0), 0.0, line.length());
  const double away = norm(c.to.at - line.position(line.place(s), 0, design));
  if (away <= mesh.near) return;
  reading.warn("off_line", c.where,
               fmt::format("{} \"{}\": its point is drawn {:.3g} m away from the line on which it slides.", c.type,
                           c.name, away),
               "The run begins with it on the line. Draw it there, or give its point by to_at.");
}

}  // namespace

void check_places_of_beams(Reading& reading) {
  const model::Model& m = reading.model;
  if (std::ranges::none_of(m.bodies, [](const model::Body& b) { return model::mesh_of(b) != nullptr; })) return;
  for (const Attached& a : attached_in(m)) {
    const model::NodalMesh* mesh = mesh_at(m, a.body);
    if (mesh && mesh->station_at(a.at)) refuse_several_lines(a.what, a.where, a.body, a.at, reading);
    if (!mesh || mesh->station_at(a.at)) continue;
    const model::MeshStation nearest = mesh->lines->nearest(a.at);
    reading.report.add(a.where,
                       fmt::format("{} stands beside beam \"{}\". The nearest point of its line, {}, is {:.3g} m away.",
                                   a.what, mesh->name, place_named(nearest.name), norm(nearest.at - a.at)),
                       fmt::format("Put it on the line: at: [{:.6g}, {:.6g}, {:.6g}], or `node: {}` of a marker.",
                                   nearest.at.x, nearest.at.y, nearest.at.z, mesh->nodes.front().name));
  }
  for (const model::Joint& j : m.joints) {
    const auto slides = std::ranges::count_if(
        j.shape.rows, [](const model::ConstraintRow& r) { return r.kind == model::ConstraintRow::Kind::translation; });
    if (slides == 3 && j.shape.rows.size() == 3) continue;  // a point on a point, along any axes
    const std::string what = "joint \"" + j.name + "\"";
    check_roll(m, what, j.where, j.from, j.at_from, reading), check_roll(m, what, j.where, j.to, j.at_to, reading);
  }
  for (const model::Contribution& c : m.contributions) {
    if (const model::OnLine* law = model::on_line(c.law.get())) {  // it reads places alone
      check_sliding(c, *law, reading);
      continue;
    }
    if (!c.law && !(c.wrench && !c.wrench->between_points()) && !c.axis) continue;
    for (const model::Marker* end : {&c.from, &c.to})
      check_roll(m, c.type + " \"" + c.name + "\"", c.where, end->body, end->at, reading);
  }
}

}  // namespace skyhook::io::model_file
