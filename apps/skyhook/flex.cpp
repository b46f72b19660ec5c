#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "flex_command.h"
#include "flex_loads.h"
#include "refuse.h"
#include "skyhook/base/table.h"
#include "skyhook/flexible/part_options.h"
#include "skyhook/flexible/thermal.h"
#include "skyhook/io/flexible/flex_file.h"
#include "skyhook/io/flexible/sid.h"
#include "skyhook/io/flexible/text_table.h"
#include "skyhook/io/model_file/flexible_parts.h"
#include "stages.h"
#include "write_text.h"

namespace skyhook::app {
namespace {

using flexible::PartOptions;

// A part, reduced, and how well that stands for it.
struct Judged {
  std::string name;
  flexible::ReducedPart part;
  flexible::Quality quality;
  double moment_error = 0;
  flexible::FeModel mesh;
  std::vector<std::string> notes;
};

Judged judge(const std::string& name, const flexible::FeModel& mesh, const flexible::ReducedPart& part,
             Stages& stages) {
  stages.say(
      fmt::format("{}: comparing {} shapes with the full part of {} unknowns", name, part.body.modes, mesh.dofs));
  Judged out{name,
             part,
             flexible::quality_of(mesh, part.places, part.reduced),
             flexible::moment_error(mesh, part.reduced, part.body),
             mesh,
             part.reduced.notes};
  out.part.body.name = name;
  return out;
}

std::vector<double> numbers_in(const std::string& text) {
  std::vector<double> out;
  for (const std::string& cell : io::fe::split(text, ',')) {
    if (const auto x = io::fe::fe_number(cell)) out.push_back(*x);
  }
  return out;
}

// NAME=12, NAME=12,13,14, NAME=SET, NAME=@x,y,z or NAME=@x,y,z,radius (in m).
flexible::PlaceChoice place_of(const std::string& text, const io::fe::FePart& part) {
  const std::size_t eq = text.find('=');
  if (eq == std::string::npos || eq == 0 || eq + 1 == text.size())
    refuse("--place " + text + " is not of the form NAME=NODES.",
           "For example --place left=12,13,14, left=SETNAME or left=@0.1,0,0,0.02.");
  flexible::PlaceChoice choice{text.substr(0, eq), {"command line"}, {}, {}, 0};
  const std::string what = text.substr(eq + 1);
  if (what[0] == '@') {
    const auto x = numbers_in(what.substr(1));
    if (x.size() != 3 && x.size() != 4)
      refuse("--place " + text + " needs a point, and perhaps a radius.", "For example left=@0.1,0,0,0.02, in m.");
    choice.near = Vec3d{x[0], x[1], x[2]}, choice.radius = x.size() == 4 ? x[3] : 0;
  } else {  // sets, and nodes that a mesh of shells or beams has several of
    for (const std::string& node : io::fe::split(what, ',')) {
      const auto set = part.sets.find(io::fe::upper_case(node));
      if (set == part.sets.end())
        choice.nodes.push_back(node);
      else
        choice.nodes.insert(choice.nodes.end(), set->second.begin(), set->second.end());
    }
  }
  return choice;
}

// NAME=STRAIN, names as those of thermal shapes.
std::vector<flexible::Heat> heats_of(const FlexCommand& o) {
  std::vector<flexible::Heat> out;
  for (const std::string& text : o.heat) {
    const std::size_t eq = text.find('=');
    const auto strain = eq == std::string::npos || eq == 0 ? std::nullopt : io::fe::fe_number(text.substr(eq + 1));
    if (!strain || !std::isfinite(*strain))
      refuse("--heat " + text + " is not of the form NAME=STRAIN.",
             "For example --heat bar=1e-3, or bar.z=0.02 for a curvature in 1/m.");
    out.push_back({text.substr(0, eq), *strain});
  }
  return out;
}

// Their names must be those of beams and plates, whether or not these are written.
void check_heats(const flexible::FeModel& mesh, const std::vector<flexible::Heat>& heats) {
  std::vector<std::string> names;
  for (const flexible::Heat& heat : heats) names.push_back(heat.name);
  if (!names.empty()) flexible::thermal_loads(mesh, names, {"command line"});
}

// PLACE=FX,FY,FZ
flexible::Preload preload_of(const std::string& text) {
  const std::size_t eq = text.find('=');
  const auto force = eq == std::string::npos || eq == 0 ? std::vector<double>{} : numbers_in(text.substr(eq + 1));
  if (force.size() != 3)
    refuse("--preload " + text + " is not of the form PLACE=FX,FY,FZ.", "For example right=1000,0,0, in N.");
  return {text.substr(0, eq), {"command line"}, {force[0], force[1], force[2]}};
}

PartOptions options_of(const FlexCommand& o, const io::fe::FePart& part) {
  PartOptions out;
  out.where = out.reduction.where = {"command line"};
  for (const std::string& place : o.places) out.places.push_back(place_of(place, part));
  if (!o.tangent.empty()) out.frame = PartOptions::Frame::tangent, out.frame_places = {o.tangent};
  if (!o.chord.empty()) out.frame = PartOptions::Frame::chord, out.frame_places = io::fe::split(o.chord, ',');
  auto& r = out.reduction;
  r.boundary =
      o.boundary == "held" ? flexible::ReductionOptions::Boundary::held : flexible::ReductionOptions::Boundary::free;
  r.modes = o.modes, r.from = o.from, r.up_to = o.up_to, r.drop_above = o.drop_above, r.with_static = !o.no_static;
  r.response_at = o.response_at, r.least_participation = o.participation;
  for (const std::string& channel : o.channels) out.channels.push_back({channel, {"command line"}});
  for (const std::string& load : o.static_at) out.static_at.push_back({load, {"command line"}});
  r.given = part.given;
  r.least_contribution = o.contribution, r.thermal = o.thermal;
  if (o.damping > 0) out.damping.hz = {0}, out.damping.ratio = {o.damping};
  out.damping.alpha = o.mass_damping, out.damping.beta = o.stiffness_damping;
  if (!o.held.empty()) out.held = io::fe::split(o.held, ',');
  for (const std::string& load : o.preload) out.preload.push_back(preload_of(load));
  out.with_stiffening = !o.no_stiffening;
  return out;
}

std::vector<Judged> from_model(const FlexCommand& o) {
  std::vector<io::Setting> settings;
  for (const std::string& s : o.set)
    settings.push_back({s.substr(0, s.find('=')), s.find('=') == std::string::npos ? "" : s.substr(s.find('=') + 1)});
  std::vector<Judged> found;
  Stages stages(o.json);
  stages.say(fmt::format("{}: reading, and reducing its flexible bodies", o.model));
  const auto visit = [&](const std::string& name, const flexible::FeModel& mesh, const flexible::ReducedPart& part) {
    if (!o.body.empty() && o.body != name) return;
    found.push_back(judge(name, mesh, part, stages));
    stages.say(fmt::format("{}: reading on", o.model));
  };
  const model::Model m = io::read_flexible_parts(
      o.model, settings, "", {.search_path = o.path, .open = o.open, .ignored_warnings = o.ignore}, visit);
  stages.done();
  print_warnings(m.warnings);
  if (found.empty() && !o.body.empty())
    refuse("\"" + o.body + "\" is no flexible body of beams in the model.", "Leave the name out to see all.");
  if (found.empty())
    refuse("the model has no flexible body of beams.", "Give one `flexible:`, or a file of finite elements.");
  for (Judged& j : found) j.notes.clear();  // said as warnings
  return found;
}

Judged from_elements(const FlexCommand& o) {
  io::fe::FeFiles files = o.files;
  files.file = o.model;
  Stages stages(o.json);
  stages.say(fmt::format("{}: reading{}", o.model, o.model.ends_with(".inp") ? ", and matrices by ccx" : ""));
  const io::fe::FePart given = io::fe::import_fe(files);
  stages.say(
      fmt::format("{}: {} nodes, {} unknowns: finding shapes", o.model, given.part.nodes.size(), given.part.dofs));
  Judged out = judge(given.part.name, given.part, flexible::reduce_part(given.part, options_of(o, given)), stages);
  out.notes.insert(out.notes.end(), given.notes.begin(), given.notes.end());
  return out;
}

Table shape_table(const Judged& j) {
  Table t;
  t.add_column("shape"), t.add_column("frequency", "Hz", 6), t.add_column("modal_mass", "kg", 4);
  for (const char* name : {"x", "y", "z", "about_x", "about_y", "about_z"}) t.add_column(name, "", 3);
  for (int k = 0; k < j.part.body.modes; ++k) {
    std::vector<Cell> row{static_cast<long>(k + 1), j.part.body.frequencies_hz[static_cast<std::size_t>(k)],
                          j.part.reduced.mass[k]};
    for (int a = 0; a < 6; ++a)
      row.emplace_back(std::abs(j.quality.effective(k, a)) < 1e-9 ? 0.0 : j.quality.effective(k, a));
    t.add_row(std::move(row));
  }
  return t;
}

Table vibration_table(const Judged& j) {
  Table t;
  t.add_column("vibration"), t.add_column("reduced", "Hz", 7), t.add_column("full", "Hz", 7),
      t.add_column("error", "", 3), t.add_column("mac", "", 6);
  for (std::size_t i = 0; i < j.quality.vibrations.size(); ++i) {
    const flexible::FreeVibration& v = j.quality.vibrations[i];
    t.add_row({static_cast<long>(i + 1), v.hz, v.full_hz, v.hz / v.full_hz - 1, v.mac});
  }
  return t;
}

Table static_table(const Judged& j) {
  Table t;
  t.add_column("place"), t.add_column("direction"), t.add_column("full", "", 6), t.add_column("reduced", "", 6),
      t.add_column("error", "", 3);
  for (const flexible::StaticError& s : j.quality.statics)
    t.add_row({s.place, s.direction, s.full, s.reduced, s.error()});
  return t;
}

void print_text(const Judged& j) {
  const model::ModalBody& b = j.part.body;
  const flexible::RigidData rigid = flexible::rigid_data(b);
  fmt::print("{}: {} nodes, {} unknowns; {:.6g} kg, centre [{:.5g}, {:.5g}, {:.5g}] m\n", j.name, j.mesh.nodes.size(),
             j.mesh.dofs, b.mass, rigid.com.x, rigid.com.y, rigid.com.z);
  fmt::print(
      "{} shapes of {} vibrations, {} static ones, {} responses, {} by heat{}; frame: {}; moments give back the "
      "matrices to "
      "{:.1e}\n\n",
      b.modes, j.part.reduced.vibrations, j.part.reduced.statics, j.part.reduced.responses, j.part.reduced.thermals,
      j.part.reduced.given > 0 ? fmt::format(", {} given", j.part.reduced.given) : "", j.part.reduced.frame.text,
      j.moment_error);
  if (std::isfinite(j.part.reduced.buckling_factor))
    fmt::print("its preload buckles the part at {:.6g} times that load\n\n", j.part.reduced.buckling_factor);
  fmt::print("shapes in that frame, with their shares of mass and inertia\n{}\n", shape_table(j).to_text());
  fmt::print("vibrations of the floating part, reduced and in full\n{}\n", vibration_table(j).to_text());
  if (!j.quality.statics.empty())
    fmt::print("deformation under a unit force (m/N) or moment (rad/(N.m)) that inertia balances\n{}\n",
               static_table(j).to_text());
}

std::string json_of(const Judged& j) {
  return fmt::format(
      "{{\"name\": {}, \"nodes\": {}, \"unknowns\": {}, \"mass\": {}, \"frame\": {}, \"moment_error\": {}, "
      "\"buckling_factor\": {}, \"shapes\": "
      "{}, \"vibrations\": {}, "
      "\"statics\": {}, \"notes\": {}}}",
      json_string(j.name), j.mesh.nodes.size(), j.mesh.dofs, json_number(j.part.body.mass),
      json_string(j.part.reduced.frame.text), json_number(j.moment_error),
      std::isfinite(j.part.reduced.buckling_factor) ? json_number(j.part.reduced.buckling_factor) : "null",
      shape_table(j).to_json(), vibration_table(j).to_json(), static_table(j).to_json(), json_list(j.notes));
}

void print(const FlexCommand& o, const std::vector<Judged>& all) {
  for (const Judged& j : all) {
    for (const std::string& note : j.notes) fmt::print(stderr, "{}: {}\n", j.name, note);
  }
  if (!o.json) {
    for (const Judged& j : all) print_text(j);
    return;
  }
  std::vector<std::string> objects;
  for (const Judged& j : all) objects.push_back(json_of(j));
  fmt::print("[{}]\n", fmt::join(objects, ",\n "));
}

void write_sid(const model::ModalBody& body, const FlexCommand& o) {
  if (o.sid.empty()) return;
  const io::fe::SidText sid = io::fe::sid_text(body);
  write_text(o.sid, sid.text);
  for (const std::string& note : sid.notes) fmt::print(stderr, "{}: {}\n", o.sid, note);
  if (!o.json) fmt::print("written to {}\n", o.sid);
}

bool is_sid(const std::string& path) { return io::fe::upper_case(path).ends_with(".SID_FEM"); }

struct FlexOption {
  const char* name;
  bool is_given;
};

std::vector<FlexOption> options_of_mesh(const FlexCommand& o) {
  const io::fe::FeFiles& f = o.files;
  return {{"--mass", !f.mass.empty()},   {"--nodes", !f.node_table.empty()},
          {"--frd", !f.frd.empty()},     {"--dmig", !f.dmig.empty()},
          {"--punch", !f.punch.empty()}, {"--units", !f.units.empty() && !is_sid(o.model)}};
}

// What differs from its default.
std::vector<FlexOption> options_of_shapes(const FlexCommand& o) {
  const FlexCommand usual;
  return {{"--place", !o.places.empty()},
          {"--tangent", !o.tangent.empty()},
          {"--chord", !o.chord.empty()},
          {"--boundary", o.boundary != usual.boundary},
          {"--modes", o.modes != usual.modes},
          {"--up-to", o.up_to.has_value()},
          {"--from", o.from.has_value()},
          {"--drop-above", o.drop_above.has_value()},
          {"--no-static", o.no_static},
          {"--static-at", !o.static_at.empty()},
          {"--response-at", !o.response_at.empty()},
          {"--participation", o.participation != usual.participation},
          {"--channel", !o.channels.empty()},
          {"--contribution", o.contribution != usual.contribution},
          {"--thermal", !o.thermal.empty()},
          {"--damping", o.damping != usual.damping},
          {"--mass-damping", o.mass_damping != usual.mass_damping},
          {"--stiffness-damping", o.stiffness_damping != usual.stiffness_damping},
          {"--held", !o.held.empty()},
          {"--preload", !o.preload.empty()},
          {"--no-stiffening", o.no_stiffening}};
}

void refuse_given(const std::vector<FlexOption>& options, const std::string& why, const std::string& advice) {
  for (const FlexOption& option : options) {
    if (option.is_given) refuse(option.name + why, advice);
  }
}

void check_options_of_run(const FlexCommand& o) {
  const bool writes_run = !o.loads.empty() || !o.stresses.empty();
  const std::vector<FlexOption> of_run{
      {"--result", !o.result.empty()}, {"--heat", !o.heat.empty()}, {"--beams", !o.beams.empty()}};
  if (!writes_run)
    refuse_given(of_run, " is of a run, and nothing is written of one.",
                 "Say what: --result RUN.h5 with --loads NAME.csv or --stresses NAME.csv; or leave it out.");
  if (writes_run && o.result.empty()) refuse("--loads and --stresses need a run.", "Give its result: --result RUN.h5.");
  if (!o.loads.ends_with(".inp")) return;
  if (!o.heat.empty())
    refuse("--heat changes nothing in the cards of --loads " + o.loads +
               ": their forces hold the whole deformation, with that by heat.",
           "Leave --heat out, or write tables, where it is taken off: --loads NAME.csv, --stresses NAME.csv.");
  if (!o.beams.empty() && o.stresses.empty())
    refuse("--beams changes nothing in the cards of --loads " + o.loads + ": they are of all nodes.",
           "Leave --beams out, or write a table: --loads NAME.csv.");
}

// Options that would do nothing with a file of this kind are refused.
void check_options(const FlexCommand& o, bool is_model, bool is_body) {
  if (is_body) {
    refuse_given({{"--loads", !o.loads.empty()},
                  {"--stresses", !o.stresses.empty()},
                  {"--result", !o.result.empty()},
                  {"--heat", !o.heat.empty()},
                  {"--beams", !o.beams.empty()}},
                 " needs the mesh or the beams, and " + o.model + " has only the shapes.",
                 "Give the mesh or the model that it was made of, with the same options.");
    refuse_given(options_of_shapes(o), " is of the reduction of a mesh, and " + o.model + " is reduced already.",
                 "Leave it out, or reduce the mesh again.");
  }
  if (is_model)
    refuse_given(options_of_shapes(o),
                 " is of a mesh; of a model, " + o.model + " itself says how its bodies are reduced.",
                 "Write it there, under `flexible` of the body, or leave it out.");
  if (is_model || is_body)
    refuse_given(options_of_mesh(o),
                 " is of a mesh, and " + o.model + (is_model ? " is a model." : " is a flexible body."),
                 "Leave it out, or give the mesh.");
  else
    refuse_given({{"--set", !o.set.empty()}}, " is of a model, and " + o.model + " is a mesh.", "Leave it out.");
  check_options_of_run(o);
}

// A body without a mesh to compare it with: what a file holds, written as the other kind where that is wanted.
int show_body(const FlexCommand& o) {
  const auto bytes = o.open(o.model);
  if (!bytes) throw ModelError({o.model}, "the file cannot be opened.", "Check the path and the permissions.");
  io::fe::SidBody read;
  if (is_sid(o.model))
    read = io::fe::read_sid(*bytes, o.model, io::fe::units_of(o.files.units, o.model));
  else
    read.body = io::fe::read_flex(*bytes, o.model);
  if (read.body.name.empty()) read.body.name = std::filesystem::path(o.model).stem().string();
  const model::ModalBody& b = read.body;
  for (const std::string& note : read.notes) fmt::print(stderr, "{}: {}\n", b.name, note);
  Table t;
  t.add_column("shape"), t.add_column("name"), t.add_column("frequency", "Hz", 6);
  for (int k = 0; k < b.modes; ++k)
    t.add_row({static_cast<long>(k + 1), b.mode_names[static_cast<std::size_t>(k)],
               b.frequencies_hz.empty() ? NAN : b.frequencies_hz[static_cast<std::size_t>(k)]});
  if (!o.json) fmt::print("{}: {:.6g} kg, {} shapes, {} points\n", b.name, b.mass, b.modes, b.points.size());
  fmt::print("{}", o.json ? t.to_json() + "\n" : t.to_text());
  write_sid(b, o);
  if (o.out.empty()) return success;
  io::fe::write_flex(b, o.out, o.model);
  if (!o.json) fmt::print("written to {}\n", o.out);
  return success;
}

// That of an earlier reduction is replaced; the result of a run is not.
bool is_flexible_body(const FlexCommand& o, const std::string& path) {
  const auto bytes = o.open(path);
  if (!bytes) return false;
  try {
    io::fe::read_flex(*bytes, path);
    return true;
  } catch (const ModelError&) {
    return false;
  }
}

}  // namespace

int flex(const FlexCommand& o) {
  const std::vector<flexible::Heat> heats = heats_of(o);
  const bool is_model = o.model.ends_with(".yaml") || o.model.ends_with(".yml");
  const bool is_body = o.model.ends_with(".flex.h5") || is_sid(o.model);
  check_options(o, is_model, is_body);
  keep_inputs({o.out, o.sid, o.loads, o.stresses},
              {o.model, o.files.mass, o.files.node_table, o.files.punch, o.files.frd, o.result});
  if (!o.out.empty() && !o.out.ends_with(".flex.h5"))
    refuse("--out " + o.out + " does not end in .flex.h5.", "A flexible body is written as NAME.flex.h5.");
  if (!o.sid.empty() && !is_sid(o.sid))
    refuse("--sid " + o.sid + " does not end in .SID_FEM.", "Standard input data are written as NAME.SID_FEM.");
  for (const std::string& path : {o.out, o.sid}) {
    if (!path.empty() && !(path == o.out && is_flexible_body(o, path))) check_writable(path);
  }
  if (is_body) return show_body(o);
  const std::vector<Judged> all = is_model ? from_model(o) : std::vector<Judged>{from_elements(o)};
  const bool writes_run = !o.loads.empty() || !o.stresses.empty(),
             writes = !o.out.empty() || !o.sid.empty() || writes_run;
  if (all.size() != 1 && writes)
    refuse(fmt::format("the model has {} flexible bodies, but what is written is of one.", all.size()),
           "Name it: skyhook flex MODEL BODY.");
  if (writes_run) {
    check_heats(all[0].mesh, heats);
    const std::string body = o.body.empty() ? all[0].name : o.body;
    if (!o.loads.empty()) write_loads(o.result, body, all[0].mesh, all[0].part, o.beams, heats, o.loads);
    if (!o.stresses.empty()) write_stresses(o.result, body, all[0].mesh, all[0].part, o.beams, heats, o.stresses);
    for (const std::string& path : {o.loads, o.stresses}) {
      if (!o.json && !path.empty()) fmt::print("written to {}\n", path);
    }
    if (o.out.empty() && o.sid.empty()) return success;
  }
  print(o, all);
  if (!o.sid.empty()) write_sid(all[0].part.body, o);
  if (o.out.empty()) return success;
  io::fe::write_flex(all[0].part.body, o.out, o.model + ", frame: " + all[0].part.reduced.frame.text);
  if (!o.json) fmt::print("written to {}\n", o.out);
  return success;
}

}  // namespace skyhook::app
