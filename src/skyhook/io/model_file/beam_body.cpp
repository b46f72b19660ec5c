#include "skyhook/io/model_file/beam_body.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "skyhook/flexible/ancf.h"
#include "skyhook/io/model_file/attached.h"
#include "skyhook/io/model_file/field_reader.h"
#include "skyhook/io/model_file/flexible_fields.h"
#include "skyhook/model/modal_body.h"

namespace skyhook::io::model_file {
namespace {

using flexible::AncfBeam;

AncfBeam::End end_named(const std::string& name) {
  return name == "clamped" ? AncfBeam::End::clamped : name == "hinged" ? AncfBeam::End::hinged : AncfBeam::End::free;
}
AncfBeam::Kind kind_named(const std::string& name) {
  return name == "planar_beam"    ? AncfBeam::Kind::planar_beam
         : name == "planar_cable" ? AncfBeam::Kind::planar_cable
         : name == "cable"        ? AncfBeam::Kind::cable
                                  : AncfBeam::Kind::beam;
}
AncfBeam::Forces forces_named(const std::string& name) {
  return name == "line" ? AncfBeam::Forces::line : name == "continuum" ? AncfBeam::Forces::continuum : AncfBeam::Forces::enhanced;
}

// What the file says. Of a planar beam the height of a section lies in its plane.
AncfBeam beam_of(const AncfFields& given, const FieldReader& reader, const std::string& what, Reading& reading) {
  AncfBeam beam;
  beam.kind = kind_named(given.type), beam.forces = forces_named(given.forces);
  const bool is_planar = given.type.starts_with("planar");
  beam.start = end_named(given.start), beam.end = end_named(given.end);
  beam.from = given.from, beam.to = given.to, beam.up = is_planar ? given.normal : given.up;
  beam.elements = given.elements, beam.damping = given.damping;
  beam.material = material_of(reading, given, reader, what);
  beam.poisson = beam.material.shear > 0 ? beam.material.young / (2 * beam.material.shear) - 1 : 0.3;
  if (given.poisson) beam.poisson = *given.poisson;
  beam.section = section_of(reading, given, beam.poisson, reader, what);
  if (is_planar) std::swap(beam.section.iy, beam.section.iz), std::swap(beam.section.ky, beam.section.kz);
  return beam;
}

// Mass, centre and inertia of the straight line, for whoever asks how large and heavy the body is.
void put_rigid_data(const AncfBeam& beam, model::Body& body) {
  const double L = norm(beam.to - beam.from), rho = beam.material.density, m = model::mesh_of(body)->total_mass;
  body.at = beam.from, body.axes = flexible::ancf_axes(beam);
  body.mass = m, body.com = 0.5 * (beam.from + beam.to);
  const double y = rho * beam.section.iz * L, z = rho * beam.section.iy * L, bar = m * L * L / 12;
  body.inertia = body.axes * Mat3d::diagonal({y + z, bar + z, bar + y}) * transpose(body.axes);
}

const model::NodalMesh* mesh_at(const model::Model& m, int body) {
  return body < 0 ? nullptr : model::mesh_of(m.bodies[static_cast<std::size_t>(body)]);
}

void check_axes(const model::Model& m, const std::string& what, const Location& where, int body, const Vec3d& at, Reading& reading) {
  const model::NodalMesh* mesh = mesh_at(m, body);
  const int station = mesh ? mesh->station_at(at) : -1;
  if (station < 0 || mesh->stations[static_cast<std::size_t>(station)].has_axes) return;
  reading.report.add(where,
                     fmt::format("{} holds or reads rotations at node \"{}\" of \"{}\", a beam in space: nodes of these are points, without axes.", what,
                                 mesh->stations[static_cast<std::size_t>(station)].name, mesh->name),
                     "Join it by two or three points (spherical joints, springs), or clamp the beam there: start: clamped.");
}

}  // namespace

void read_beam_body(Node& node, const Node& key, const Scope& scope, model::Body& body, Reading& reading) {
  const std::string what = "beam \"" + body.name + "\"";
  AncfFields given;
  FieldReader reader(reading, node, what, body.name, key, scope);
  read_described(reader, given);
  if (reader.has_failed()) throw Report::Known{};
  AncfBeam beam = beam_of(given, reader, what, reading);
  beam.name = body.name, beam.where = reader.where("from");
  if (reading.report.size() > 0) throw Report::Known{};
  try {
    model::ModalBody bends;
    bends.name = body.name, bends.where = beam.where;
    bends.mesh = std::make_shared<const model::NodalMesh>(flexible::ancf_mesh(beam));
    body.modal = std::make_shared<const model::ModalBody>(std::move(bends));
    put_rigid_data(beam, body);
  } catch (const ModelError& error) {
    reading.report.add(error, "body \"" + body.name + "\"");
    throw Report::Known{};
  }
}

Vec3d station_place(const model::Body& body, const std::string& node, const std::string& what, const Location& where, Reading& reading) {
  std::vector<std::string> names;
  for (const model::MeshStation& s : model::mesh_of(body)->stations) {
    if (s.name == node) return s.at;
    names.push_back(s.name);
  }
  reading.report.add(where, fmt::format("{}: beam \"{}\" has no node \"{}\".", what, body.name, node), suggest(node, names, "Nodes"));
  throw Report::Known{};
}

void check_places_of_beams(Reading& reading) {
  const model::Model& m = reading.model;
  if (std::ranges::none_of(m.bodies, [](const model::Body& b) { return model::mesh_of(b) != nullptr; })) return;
  for (const Attached& a : attached_in(m)) {
    const model::NodalMesh* mesh = mesh_at(m, a.body);
    if (!mesh || mesh->station_at(a.at) >= 0) continue;
    const auto away = [&](const model::MeshStation& s) { return norm(s.at - a.at); };
    const auto nearest = std::ranges::min_element(mesh->stations, {}, away);
    reading.report.add(a.where,
                       fmt::format("{} stands at none of the nodes of beam \"{}\". The nearest, \"{}\", is {:.3g} m away.", a.what, mesh->name, nearest->name,
                                   away(*nearest)),
                       fmt::format("Put it at a node: `node: {}` of a marker, or the same point; or divide the beam otherwise (`elements`).", nearest->name));
  }
  for (const model::Joint& j : m.joints) {
    const auto slides = std::ranges::count_if(j.shape.rows, [](const model::ConstraintRow& r) { return r.kind == model::ConstraintRow::Kind::translation; });
    if (slides == 3 && j.shape.rows.size() == 3) continue;  // a point on a point, along any axes
    const std::string what = "joint \"" + j.name + "\"";
    check_axes(m, what, j.where, j.from, j.at_from, reading), check_axes(m, what, j.where, j.to, j.at_to, reading);
  }
  for (const model::Contribution& c : m.contributions) {
    if (!c.law && !(c.wrench && !c.wrench->between_points()) && !c.axis) continue;
    for (const model::Marker* end : {&c.from, &c.to}) check_axes(m, c.type + " \"" + c.name + "\"", c.where, end->body, end->at, reading);
  }
}

}  // namespace skyhook::io::model_file
