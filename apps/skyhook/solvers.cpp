#include <fmt/format.h>

#include "model_commands.h"
#include "skyhook/analysis/start.h"
#include "skyhook/base/table.h"
#include "skyhook/simulation/choose_solver.h"

namespace skyhook::app {
namespace {

using simulation::Grade;

Table described(const char* what, const std::vector<simulation::Described>& list) {
  Table table;
  table.add_column(what);
  table.add_column("what it is");
  for (const auto& d : list) table.add_row({d.name, d.help});
  return table;
}

Table pairs(bool with_refused) {
  Table table;
  table.add_column("solver");
  table.add_column("grade");
  table.add_column("why");
  for (const auto& s : simulation::all_solvers()) {
    if (with_refused || s.grade != Grade::refused)
      table.add_row({s.solver.name(), std::string(name_of(s.grade)), s.why});
  }
  return table;
}

// A matrix of grades: one look tells which pairs there are.
Table overview() {
  Table table;
  table.add_column("formulation");
  for (const auto& integrator : simulation::integrators()) table.add_column(integrator.name);
  for (const auto& formulation : simulation::formulations()) {
    std::vector<Cell> row{formulation.name};
    for (const auto& integrator : simulation::integrators()) {
      const Grade grade = simulation::graded({integrator.name, formulation.name}).grade;
      row.push_back(std::string(grade == Grade::refused ? "-" : name_of(grade)));
    }
    table.add_row(row);
  }
  return table;
}

// What `auto` would choose for a model.
int print_choice(const SolversCommand& options) {
  model::Experiment experiment;
  const auto m = std::make_shared<model::Model>(load(options, "simulate", experiment));
  override_experiment(options, experiment);
  experiment.solver = "auto";
  const simulation::Prepared p = analysis::prepare(m, experiment);
  const std::vector<Warning> warnings = simulation::warnings_before(p);
  print_warnings(warnings);
  const simulation::Choice choice = simulation::choose_solver(p, experiment);
  if (options.json) {
    fmt::print("{{\"model\": {}, \"experiment\": {}, \"solver\": {}, \"why\": {}, \"warnings\": {}}}\n",
               json_string(m->name), json_string(experiment.name), json_string(choice.solver.name()),
               json_string(choice.why), to_json(warnings));
  } else {
    fmt::print("{}: auto chooses {}, because {}.\n", options.model, choice.solver.name(), choice.why);
  }
  return success;
}

}  // namespace

int solvers(const SolversCommand& options) {
  if (!options.model.empty()) return print_choice(options);
  if (options.json) {
    fmt::print("{{\"integrators\": {}, \"formulations\": {}, \"solvers\": {}}}\n",
               described("name", simulation::integrators()).to_json(),
               described("name", simulation::formulations()).to_json(), pairs(true).to_json());
    return success;
  }
  fmt::print("{}\n{}\n{}\n", described("integrator", simulation::integrators()).to_text(),
             described("formulation", simulation::formulations()).to_text(), overview().to_text());
  fmt::print("{}\n", pairs(options.all).to_text());
  fmt::print(
      "Choose with `solver: radau5/index2_projected` in an experiment or `--solver` on the command line. An "
      "integrator\n"
      "alone takes the first formulation of its list; `auto` chooses from the model, `skyhook solvers MODEL` says "
      "which\n"
      "and why. {}\n",
      options.all ? "Refused pairs are an error before the run." : "`--all` adds the refused pairs and why they are.");
  return success;
}

}  // namespace skyhook::app
