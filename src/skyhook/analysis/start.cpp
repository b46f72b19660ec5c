#include "skyhook/analysis/start.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "skyhook/analysis/equilibrium.h"
#include "skyhook/analysis/fast_spins.h"
#include "skyhook/analysis/line_ends.h"
#include "skyhook/analysis/rigid_wheels.h"
#include "skyhook/analysis/tight_curves.h"
#include "skyhook/analysis/uneven_start.h"
#include "skyhook/simulation/start_warnings.h"

namespace skyhook::analysis {
namespace {

// Positions and rates that are given for a run which starts from the equilibrium. Positions are where the search for it begins.
std::vector<formalism::Changed> not_used(const simulation::Prepared& p, const model::Experiment& experiment) {
  const auto given = formalism::initial_values(*p.model, {}, experiment.where);
  formalism::Consistency out;
  formalism::report_changes(*p.all, given.positions, p.state, false,
                            "but the run starts from the equilibrium, the search for which begins there", out);
  formalism::report_changes(*p.all, given.rates, p.state, true, "but the run starts from the equilibrium", out);
  return out.changed;
}

// The steady curve has a drive at the value that was found; the run has it as the model says.
std::vector<Warning> steered_otherwise(const Equilibrium& e, const model::Experiment& experiment) {
  constexpr double same = 1e-6;  // m or rad
  if (!e.steered.is_driven || std::abs(e.steered.value - e.steered.start) < same) return {};
  return {
      {"initial_value_changed", experiment.where,
       fmt::format("the steady curve has {} = {:.9g} (m or rad), but the drive of the model begins with {:.9g}, and "
                   "the run follows it.",
                   e.steered.name, e.steered.value, e.steered.start),
       "Give the drive that value."}};
}

simulation::Prepared as_said(std::shared_ptr<const model::Model> model, const model::Experiment& experiment,
                             const formalism::State* start) {
  simulation::Prepared p = simulation::prepare(model, experiment, start);
  if (start || experiment.start.empty() || !p.ok()) return p;
  const Equilibrium e = find_equilibrium(p, {.motion = given_motion(*model, experiment), .place_alone = true});
  if (e.found) {
    p = simulation::prepare(model, experiment, &e.state);
    for (const Warning& warning : e.warnings) {
      if (warning.name != "beyond_table") p.warnings.push_back(warning);  // the run tells those itself
    }
    std::ranges::copy(steered_otherwise(e, experiment), std::back_inserter(p.warnings));
    simulation::tell_changes(not_used(p, experiment), experiment, p);
    return p;
  }
  p.positions.ok = false;
  p.positions.problem = "Experiment \"" + experiment.name + "\" starts from the equilibrium. " + e.problem;
  return p;
}

}  // namespace

simulation::Prepared prepare(std::shared_ptr<const model::Model> model, const model::Experiment& experiment,
                             const formalism::State* start) {
  simulation::Prepared p = as_said(std::move(model), experiment, start);
  if (!p.ok() || start || experiment.analysis != "simulate") return p;
  std::ranges::move(tight_curves(p), std::back_inserter(p.warnings));
  std::ranges::move(uneven_starts(p, experiment), std::back_inserter(p.warnings));
  std::ranges::move(lines_that_end(*p.model, experiment), std::back_inserter(p.warnings));
  if (auto spin = fast_spin(p, experiment)) p.warnings.push_back(std::move(*spin));
  if (auto rigid = too_many_rigid_wheels(*p.model)) p.warnings.push_back(std::move(*rigid));
  return p;
}

}  // namespace skyhook::analysis
