#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "model_commands.h"
#include "skyhook/analysis/start.h"
#include "skyhook/base/table.h"
#include "skyhook/base/utf8.h"
#include "skyhook/element/plugin_law.h"
#include "skyhook/formalism/acceleration_solver.h"
#include "skyhook/simulation/channels.h"
#include "skyhook/simulation/describe.h"
#include "skyhook/simulation/event_rules.h"
#include "skyhook/simulation/freedoms.h"
#include "skyhook/simulation/sampler.h"

namespace skyhook::app {
namespace {

const char* const conventions =
    "conventions: points are global at the design position; joint coordinates are zero there (plus `reference`); a "
    "joint's `at`\n"
    "  defaults to the reference point of `to`; inertia about the centre of mass in body axes, products as tensor "
    "entries\n"
    "  (Ixy = -integral xy dm); Cardan angles x-y-z; quaternions w, x, y, z; axes x forward, y left, z up; SI inside";

// Inertia as the user gives it: about the centre of mass, in the axes of the body. Products only where a body has one.
Table masses(const model::Model& m) {
  std::vector<Mat3d> inertia;
  bool has_products = false;
  for (const auto& b : m.bodies) {
    const Mat3d& I = inertia.emplace_back(transpose(b.axes) * b.inertia * b.axes);
    const double rounding = 1e-12 * trace(I);
    for (const double product : {I.r0.y, I.r0.z, I.r1.z}) has_products = has_products || std::abs(product) > rounding;
  }
  Table table;
  table.add_column("body");
  table.add_column("mass", "kg");
  for (const char* axis : {"com x", "com y", "com z"}) table.add_column(axis, "m");
  for (const char* moment : {"Ixx", "Iyy", "Izz"}) table.add_column(moment, "kg.m^2");
  for (const char* product : {"Ixy", "Ixz", "Iyz"}) {
    if (has_products) table.add_column(product, "kg.m^2");
  }
  for (std::size_t k = 0; k < m.bodies.size(); ++k) {
    const auto& b = m.bodies[k];
    const Mat3d& I = inertia[k];
    std::vector<Cell> row{b.name, b.mass, b.com.x, b.com.y, b.com.z, I.r0.x, I.r1.y, I.r2.z};
    if (has_products) row.insert(row.end(), {I.r0.y, I.r0.z, I.r1.z});
    table.add_row(std::move(row));
  }
  return table;
}

// Whether something resists every coordinate: the accelerations must exist.
std::string regularity(const simulation::Prepared& p) {
  if (!p.ok()) return {};
  auto ws = p.active->workspace();
  std::vector<double> a(p.active->nv()), lambda(p.active->ng());
  formalism::AccelerationSolver solver = p.active->acceleration_solver();
  if (solver.solve(p.state.t, p.state.q, p.state.v, a, lambda, ws) == Eval::ok) return {};
  const bool is_lock = ws.blame().starts_with("gimbal lock");
  return "NOT SOLVABLE: " + ws.blame() + (is_lock ? "" : "; give it some, or remove the coordinate");
}

std::string json_freedoms(const simulation::Prepared& p) {
  std::string out;
  for (const auto& f : simulation::freedoms_of(p))
    out += fmt::format("{}{{\"coordinate\": {}, \"moves\": {}}}", out.empty() ? "" : ", ", json_string(f.coordinate),
                       json_list(f.moves));
  return "[" + out + "]";
}

// SI.
std::string json_changes(const simulation::Prepared& p) {
  Table table;
  for (const char* column : {"name", "given", "used", "unit", "file", "line"}) table.add_column(column);
  for (const auto& c : simulation::changed_values(p))
    table.add_row({c.name, c.given, c.used, c.unit, c.where.file, static_cast<long>(c.where.line)});
  return table.to_json();
}

void print_json(const simulation::Prepared& p, const std::vector<std::string>& lines, const std::string& trouble) {
  const auto closed = std::ranges::count_if(p.model->contributions, &model::Contribution::closes_loop);
  const std::size_t loops =
      (p.topology.any_absolute ? p.for_start().cuts() : p.topology.cuts).size() + static_cast<std::size_t>(closed);
  std::vector<std::string> cuts, redundant;
  for (int j : p.topology.cuts) cuts.push_back(p.model->joints[j].name);
  for (int k : p.rank.redundant) redundant.push_back(p.all->rows()[k].name());
  fmt::print(
      "{{\"model\": {}, \"bodies\": {}, \"coordinates\": {}, \"coordinates_are\": {}, \"stay_in_tree\": {}, "
      "\"degrees_of_freedom\": {}, "
      "\"loops\": {}, \"cuts\": {}, "
      "\"constraints\": {}, "
      "\"rank\": {}, \"redundant\": {}, \"redundant_constraints\": {}, \"consistent\": {}, \"solvable\": {}, "
      "\"freedoms\": {}, \"initial_values_changed\": {}, \"warnings\": {}, \"report\": {}, \"masses\": {}}}\n",
      json_string(p.model->name), p.model->bodies.size(), p.all->moving(), json_string(simulation::coordinates_of(p)),
      json_list(simulation::joints_that_stay(p)), p.degrees_of_freedom(), loops, json_list(cuts), p.all->ng(),
      p.rank.rank, p.rank.redundant.size(), json_list(redundant), p.ok(), trouble.empty(), json_freedoms(p),
      json_changes(p), to_json(simulation::warnings_before(p)), json_list(lines), masses(*p.model).to_json());
}

// ModelError for an output of the experiment, an input of a controller or an event that asks for a channel or state which the model
// does not have as the experiment sets it, and for controllers in a circle. Without a name: those of the model alone.
void check_outputs(ModelOptions options, const std::string& name) {
  options.experiment = name;
  model::Experiment experiment;
  const auto m = element::plugin::load_plugins(std::make_shared<const model::Model>(load(options, "", experiment)));
  const simulation::Equations equations(m, formalism::choose_tree(*m, experiment.independent));
  const auto channels = simulation::all_channels(equations);
  simulation::choose_channels(channels, experiment.outputs.empty() ? m->outputs : experiment.outputs);
  const simulation::Sampler controllers(*m, channels);
  const simulation::Equations in_joints(m, formalism::choose_joint_tree(*m, experiment.independent));
  const simulation::EventRules rules(in_joints, channels);
}

void check_all_outputs(const ModelOptions& options, const model::Model& m) {
  bool model_outputs_used = false;
  for (const auto& e : m.experiments) {
    check_outputs(options, e.name);
    model_outputs_used = model_outputs_used || e.outputs.empty();
  }
  if (!model_outputs_used) check_outputs(options, "");
}

}  // namespace

int check(const ModelOptions& options) {
  model::Experiment experiment;
  const auto m = std::make_shared<model::Model>(load(options, "simulate", experiment));
  const simulation::Prepared p = analysis::prepare(m, experiment);
  check_all_outputs(options, *m);
  std::vector<std::string> lines = simulation::describe(p);
  const std::string trouble = regularity(p);
  if (!trouble.empty()) lines.push_back(trouble);
  if (options.json) {
    print_json(p, lines, trouble);
  } else {
    fmt::print("model {}{}\n", printable(m->name),
               experiment.name.empty() ? "" : ", experiment " + printable(experiment.name));
    for (const auto& line : lines) fmt::print("{}\n", line);
    fmt::print("{}\n{}", conventions, masses(*m).to_text());
  }
  return p.ok() && trouble.empty() ? success : numerical_failure;
}

}  // namespace skyhook::app
