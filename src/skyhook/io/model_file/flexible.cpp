#include "skyhook/io/model_file/flexible.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "skyhook/flexible/beam_model.h"
#include "skyhook/flexible/part_options.h"
#include "skyhook/io/flexible/flex_file.h"
#include "skyhook/io/model_file/attached.h"
#include "skyhook/io/model_file/beam_body.h"
#include "skyhook/io/model_file/beam_shapes.h"
#include "skyhook/io/model_file/field_reader.h"
#include "skyhook/io/model_file/flexible_fields.h"
#include "skyhook/io/model_file/named_file.h"
#include "skyhook/model/nodal_mesh.h"

namespace skyhook::io::model_file {
namespace {

struct Flexible {
  Reading& reading;
  const Scope& scope;
  model::Body& body;
  std::string what;

  Vec3d own(const Vec3d& global) const { return transpose_times(body.axes, global - body.at); }
  FieldReader reader(Node& map, const std::string& name, const Node& key) const {
    return FieldReader(reading, map, name, body.name, key, scope);
  }
};

void check_map(const Flexible& f, const Part& part, const char* noun) {
  if (part.node->is_map()) return;
  f.reading.report.add(*part.node,
                       fmt::format("{}: {} should be a map, but is {}.", f.what, noun, kind_name(*part.node)),
                       "Write {name: ..., ...}.");
  throw Report::Known{};
}

std::vector<std::string> names_in(const Flexible& f, const Part& part, const char* noun) {
  std::vector<std::string> names;
  if (!part.node) return names;
  if (part.node->is_text()) return {part.node->text};
  for (const Node& item : part.node->items) names.push_back(item.text);
  if (!part.node->is_list() || names.empty()) {
    f.reading.report.add(*part.node, fmt::format("{}: {} should be a list of names.", f.what, noun), "Write [a, b].");
    throw Report::Known{};
  }
  return names;
}

void read_nodes(const Flexible& f, const Part& part, flexible::BeamModel& out) {
  check_map(f, part, "nodes");
  FieldReader reader = f.reader(*part.node, f.what + ": node", *part.node);
  for (const Entry& entry : std::vector<Entry>(part.node->entries)) {
    FieldInfo info{entry.key.text.c_str(), "m", {}, "a point, global at design"};
    info.mirror = Mirror::point;
    Vec3d at;
    reader.read(info, &at);
    out.nodes.push_back({entry.key.text, f.own(at), f.reading.report.at(entry.key)});
  }
}

std::vector<flexible::Preload> read_preload(const Flexible& f, const Part& part) {
  std::vector<flexible::Preload> out;
  if (!part.node) return out;
  check_map(f, part, "preload");
  FieldReader reader = f.reader(*part.node, f.what + ": preload", *part.node);
  for (const Entry& entry : std::vector<Entry>(part.node->entries)) {
    FieldInfo info{entry.key.text.c_str(), "N", {}, "a force, global at design"};
    info.mirror = Mirror::polar;
    Vec3d force;
    reader.read(info, &force);
    out.push_back({entry.key.text, f.reading.report.at(entry.key), transpose_times(f.body.axes, force)});
  }
  return out;
}

}  // namespace

flexible::Material material_of(Reading& reading, const BeamMatterFields& given, const FieldReader& reader,
                               const std::string& what) {
  flexible::Material m;
  if (!given.material.empty()) {
    const auto known = flexible::material_named(given.material);
    if (!known) {
      reading.report.add(reader.where("material"),
                         fmt::format("{}: material \"{}\" is not known.", what, given.material),
                         suggest(given.material, flexible::material_names(), "Materials"));
      return m;
    }
    m = *known;
  }
  const double poisson = given.poisson.value_or(m.shear > 0 ? m.young / (2 * m.shear) - 1 : 0.3);
  if (given.young || given.poisson) m.shear = given.young.value_or(m.young) / (2 * (1 + poisson));
  m.young = given.young.value_or(m.young), m.density = given.density.value_or(m.density),
  m.shear = given.shear.value_or(m.shear);
  if (given.material.empty() && (!given.young || !given.density))
    reading.report.add(reader.where("from"), what + " needs a material: what it weighs and how stiff it is.",
                       "Write `material: steel`, or young and density with their units.");
  return m;
}

flexible::Section section_of(Reading& reading, const BeamMatterFields& b, double poisson, const FieldReader& reader,
                             const std::string& what) {
  const bool has_own = b.area && b.iy && b.iz && b.it;
  if ((b.round ? 1 : 0) + (b.rectangle.empty() ? 0 : 1) + (b.area ? 1 : 0) != 1 || (b.area && !has_own)) {
    reading.report.add(reader.where("from"), what + " needs one section.",
                       "Write round: 20 mm, rectangle: [40 mm, 60 mm], or area, iy, iz and it.");
    return {};
  }
  flexible::Section s{b.area.value_or(0), b.iy.value_or(0), b.iz.value_or(0), b.it.value_or(0)};
  if (b.round && b.inner.value_or(0) >= *b.round)
    reading.report.add(reader.where("inner"), what + ": the inner diameter is not smaller than the outer one.");
  if (b.round) s = flexible::round_section(*b.round, b.inner.value_or(0), poisson);
  if (!b.rectangle.empty() &&
      (b.rectangle.size() != 2 || 2 * b.wall.value_or(0) >= std::min(b.rectangle[0], b.rectangle[1]))) {
    reading.report.add(reader.where("rectangle"),
                       what + ": a rectangle has width and height, and its walls fit into it.");
    return {};
  }
  if (!b.rectangle.empty())
    s = flexible::rectangle_section(b.rectangle[0], b.rectangle[1], b.wall.value_or(0), poisson);
  if (b.ky) s.ky = *b.ky;
  if (b.kz) s.kz = *b.kz;
  return s;
}

namespace {

void read_beams(const Flexible& f, const Part& part, flexible::BeamModel& out) {
  if (!part.node) return;
  check_map(f, part, "beams");
  for (Entry& entry : part.node->entries) {
    BeamFields given;
    const std::string what = fmt::format("{}: beam \"{}\"", f.what, entry.key.text);
    FieldReader reader = f.reader(entry.value, what, entry.key);
    read_described(reader, given);
    const flexible::Material material = material_of(f.reading, given, reader, what);
    const double poisson = material.shear > 0 ? material.young / (2 * material.shear) - 1 : 0.3;
    const flexible::Section section = section_of(f.reading, given, poisson, reader, what);
    out.beams.push_back({entry.key.text, given.from, given.to, f.reading.report.at(entry.key), material, section,
                         transpose_times(f.body.axes, given.up), given.elements});
  }
}

// "[4, 6]": how many elements a plate has along its first and its second edge.
std::array<int, 2> divisions(const Flexible& f, const Part& part, const std::string& what) {
  std::array<int, 2> n{4, 4};
  if (!part.node) return n;
  const ScalarReader scalars(f.reading.report, f.reading.parameters, f.scope);
  bool is_right = part.node->is_list() && part.node->items.size() == 2;
  for (std::size_t i = 0; i < 2 && is_right; ++i) {
    const auto value = scalars.number(part.node->items[i], {"elements", "-", {}});
    if (!value) throw Report::Known{};
    is_right = *value >= 1 && *value <= 200 && *value == std::floor(*value);
    n[i] = static_cast<int>(*value);
  }
  if (!is_right)
    f.reading.report.add(*part.node, what + ": elements should be two whole numbers from 1 to 200.", "Write [4, 6].");
  return n;
}

void read_plates(const Flexible& f, const Part& part, flexible::BeamModel& out) {
  if (!part.node) return;
  check_map(f, part, "plates");
  for (Entry& entry : part.node->entries) {
    PlateFields given;
    const std::string what = fmt::format("{}: plate \"{}\"", f.what, entry.key.text);
    FieldReader reader = f.reader(entry.value, what, entry.key);
    read_described(reader, given);
    if (reader.has_failed()) continue;
    const auto corners = names_in(f, given.corners, "corners");
    if (corners.size() != 4) {
      f.reading.report.add(reader.where("corners"),
                           fmt::format("{} has {} corners, but needs four.", what, corners.size()),
                           "Write [a, b, c, d], in their order around it.");
      continue;
    }
    BeamMatterFields matter;
    matter.material = given.material, matter.young = given.young, matter.poisson = given.poisson,
    matter.density = given.density;
    out.plates.push_back({entry.key.text,
                          {corners[0], corners[1], corners[2], corners[3]},
                          f.reading.report.at(entry.key),
                          material_of(f.reading, matter, reader, what),
                          given.thickness,
                          divisions(f, given.elements, what)});
  }
}

void read_masses(const Flexible& f, const Part& part, flexible::BeamModel& out) {
  if (!part.node) return;
  check_map(f, part, "masses");
  for (Entry& entry : part.node->entries) {
    LumpedMassFields given;
    FieldReader reader = f.reader(entry.value, fmt::format("{}: mass \"{}\"", f.what, entry.key.text), entry.key);
    read_described(reader, given);
    out.masses.push_back({entry.key.text, given.node, f.reading.report.at(entry.key), given.mass, given.inertia});
  }
}

flexible::DampingOptions damping_of(const Flexible& f, const FlexibleFields& given, const FieldReader& reader) {
  flexible::DampingOptions d{given.damping_at, given.damping, given.mass_damping, given.stiffness_damping};
  if (d.ratio.size() == 1 && d.hz.empty()) d.hz = {0};
  const bool rises = std::adjacent_find(d.hz.begin(), d.hz.end(), std::greater_equal<>()) == d.hz.end();
  if (d.hz.size() != d.ratio.size() || !rises)
    f.reading.report.add(reader.where("damping"),
                         f.what + ": damping and damping_at need the same number of values, frequencies rising.",
                         "Write damping: 0.01, or damping: [0.01, 0.03] and damping_at: [10, 200].");
  return d;
}

flexible::PartOptions options_of(const Flexible& f, const FlexibleFields& given, const FieldReader& reader,
                                 const flexible::BeamModel& mesh) {
  using flexible::PartOptions;
  PartOptions o;
  o.where = o.reduction.where = reader.where("modes");
  auto places = names_in(f, given.places, "places");
  if (!given.places.node) {
    for (const auto& node : mesh.nodes) places.push_back(node.name);
  }
  const Location at = reader.where("places");
  for (const std::string& name : places) o.places.push_back({name, at, {name}, {}, 0});
  if (!given.tangent.empty())
    o.frame = PartOptions::Frame::tangent, o.frame_places = {given.tangent}, o.where = reader.where("tangent");
  if (given.chord.node)
    o.frame = PartOptions::Frame::chord, o.frame_places = names_in(f, given.chord, "chord"),
    o.where = reader.where("chord");
  if (!given.tangent.empty() && given.chord.node)
    f.reading.report.add(reader.where("chord"), f.what + " has two frames, tangent and chord.", "Remove one.");
  o.reduction.boundary = given.boundary == "held" ? flexible::ReductionOptions::Boundary::held
                                                  : flexible::ReductionOptions::Boundary::free;
  o.reduction.modes = given.modes, o.reduction.up_to = given.up_to, o.reduction.from = given.from;
  o.reduction.with_static = given.with_static, o.reduction.response_at = given.response_at;
  o.reduction.least_participation = given.participation, o.reduction.drop_above = given.drop_above;
  for (const std::string& channel : names_in(f, given.channels, "channels"))
    o.channels.push_back({channel, reader.where("channels")});
  for (const std::string& load : names_in(f, given.static_at, "static_at"))
    o.static_at.push_back({load, reader.where("static_at")});
  o.reduction.least_contribution = given.contribution;
  o.reduction.thermal = names_in(f, given.thermal, "thermal");
  o.damping = damping_of(f, given, reader);
  o.with_stiffening = given.stiffening, o.held = names_in(f, given.held, "held");
  o.preload = read_preload(f, given.preload);
  return o;
}

model::ModalBody body_of_beams(const Flexible& f, Node& node, const Node& key) {
  FlexibleFields given;
  FieldReader reader = f.reader(node, f.what, key);
  read_described(reader, given);
  if (reader.has_failed()) throw Report::Known{};
  flexible::BeamModel mesh{.name = f.body.name, .where = f.reading.report.at(key)};
  read_nodes(f, given.nodes, mesh), read_beams(f, given.beams, mesh), read_plates(f, given.plates, mesh),
      read_masses(f, given.masses, mesh);
  const flexible::PartOptions options = options_of(f, given, reader, mesh);
  if (reader.has_failed()) throw Report::Known{};
  const flexible::FeModel part = flexible::assemble(mesh);
  add_beam_shapes(mesh, f.body);
  flexible::ReducedPart reduced = flexible::reduce_part(part, options);
  for (const std::string& note : reduced.reduced.notes)
    f.reading.warn("shapes_left_out", options.where, f.what + ": " + note);
  if (f.reading.on_flexible) f.reading.on_flexible(f.body.name, part, reduced);
  return std::move(reduced.body);
}

model::ModalBody body_of_file(const Flexible& f, Node& name) {
  if (f.scope.placement.is_mirrored()) {
    f.reading.report.add(name, f.what + ": a body from a file cannot be mirrored.",
                         "Write a file of the other side, or describe it by beams.");
    throw Report::Known{};
  }
  const NamedFile file = read_file(f.reading, name, f.what);
  model::ModalBody body = fe::read_flex(file.bytes, file.path);
  name.text = name_in_expanded(f.reading, name.text, file.path);
  return body;
}

// The node that is nearest to a point of a flexible body, and how far it is.
std::pair<std::string, double> nearest_node(const model::Body& body, const Vec3d& at) {
  const Vec3d own = transpose_times(body.axes, at - body.at);
  std::pair<std::string, double> nearest{"", INFINITY};
  for (const model::ModalPoint& p : body.modal->points) {
    if (const double d = norm(p.at - own); d < nearest.second) nearest = {p.name, d};
  }
  return nearest;
}

}  // namespace

// A joint with six coordinates, free or along a track, holds nothing: it moves the frame.
bool moves_frame(const model::Joint& joint) {
  int coordinates = 0;
  for (const model::Dof& dof : joint.shape.dofs) coordinates += dof.kind == model::Dof::Kind::ball ? 3 : 1;
  return coordinates == 6;
}

std::vector<Attached> attached_in(const model::Model& m) {
  std::vector<Attached> all;
  for (const model::Joint& j : m.joints) {
    if (!moves_frame(j))
      all.push_back({"joint \"" + j.name + "\"", j.where, j.from, j.at_from}),
          all.push_back({"joint \"" + j.name + "\"", j.where, j.to, j.at_to});
  }
  for (const model::Contribution& c : m.contributions) {
    for (const model::Marker* end : {&c.from, &c.to})
      all.push_back({c.type + " \"" + c.name + "\"", c.where, end->body, end->at});
  }
  for (const model::Marker& k : m.markers) all.push_back({"marker \"" + k.name + "\"", k.where, k.body, k.at});
  return all;
}

void doubt_places_of_flexible(Reading& reading) {
  const model::Model& m = reading.model;
  if (std::ranges::none_of(m.bodies, [](const model::Body& b) { return b.modal && !b.modal->mesh; })) return;
  for (const Attached& a : attached_in(m)) {
    if (a.body < 0 || !m.bodies[static_cast<std::size_t>(a.body)].modal) continue;
    const model::Body& body = m.bodies[static_cast<std::size_t>(a.body)];
    if (body.modal->mesh) continue;  // checked apart
    const auto [node, distance] = nearest_node(body, a.at);
    if (distance <= 1e-6 * std::max(1e-3, norm(a.at - body.at)) || (a.what.starts_with("marker") && a.at == body.at))
      continue;
    reading.warn("off_nodes", a.where,
                 fmt::format("{} stands at none of the nodes of the flexible body \"{}\": it follows its reference "
                             "frame, not its deformation. The nearest, "
                             "\"{}\", is {:.3g} m away.",
                             a.what, body.name, node, distance),
                 "Put it at a node: `node: " + node + "`, or the same point.");
  }
}

void read_flexible(Node& node, const Node& key, const Scope& scope, model::Body& body, Reading& reading) {
  const Flexible f{reading, scope, body, "body \"" + body.name + "\": flexible"};
  try {
    model::ModalBody modal = node.is_text() ? body_of_file(f, node) : body_of_beams(f, node, key);
    modal.name = body.name;
    const flexible::RigidData rigid = flexible::rigid_data(modal);
    body.mass = rigid.mass, body.com = body.at + body.axes * rigid.com;
    body.inertia = body.axes * rigid.inertia * transpose(body.axes);
    body.modal = std::make_shared<const model::ModalBody>(std::move(modal));
  } catch (const ModelError& error) {
    reading.report.add(error, "body \"" + body.name + "\"");
    throw Report::Known{};
  }
}

void take_node(BodyMarkerFields& given, int number, const FieldReader& reader, Reading& reading) {
  if (given.node.empty()) return;
  const Location where = reader.where("node");
  const std::string what = fmt::format("marker \"{}\"", reader.name());
  if (given.at) reading.report.add(where, what + " has both node and at.", "Remove one.");
  const model::Body* body = number >= 0 ? &reading.model.bodies[static_cast<std::size_t>(number)] : nullptr;
  if (body && reading.has_failed(body->name)) throw Report::Known{};
  if (body && model::mesh_of(*body)) {
    given.at = station_place(*body, given.node, what, where, reading);
    return;
  }
  if (!body || !body->modal) {
    reading.report.add(where,
                       fmt::format("{}: node \"{}\" is asked for, but the body is not flexible.", what, given.node),
                       "Give its point by `at`, or make the body flexible.");
    throw Report::Known{};
  }
  std::vector<std::string> names;
  for (const model::ModalPoint& p : body->modal->points) {
    if (p.name == given.node) given.at = body->at + body->axes * p.at;
    names.push_back(p.name);
  }
  if (given.at) return;
  reading.report.add(where, fmt::format("{}: body \"{}\" has no node \"{}\".", what, body->name, given.node),
                     suggest(given.node, names, "Nodes"));
  throw Report::Known{};
}

}  // namespace skyhook::io::model_file
