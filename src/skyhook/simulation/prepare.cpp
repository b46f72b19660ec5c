#include "skyhook/simulation/prepare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "skyhook/element/plugin_law.h"
#include "skyhook/formalism/acceleration_solver.h"
#include "skyhook/formalism/drives_of_loop.h"
#include "skyhook/formalism/gruebler.h"
#include "skyhook/formalism/linearised.h"
#include "skyhook/formalism/own_equations.h"
#include "skyhook/formalism/transfer.h"
#include "skyhook/model/refusing_law.h"
#include "skyhook/simulation/plausibility.h"
#include "skyhook/simulation/start_warnings.h"

namespace skyhook::simulation {

namespace {

// Velocity coordinates that are named as independent.
std::vector<int> held_coordinates(const Equations& eq, const model::Experiment& experiment) {
  std::vector<int> held;
  for (const auto& [joint, scalar] :
       formalism::find_coordinates(eq.model(), experiment.independent, experiment.where)) {
    if (const int iv = eq.coordinate(joint, scalar).iv; iv >= 0) held.push_back(iv);
  }
  return held;
}

// A state of an earlier run, or an equilibrium: nearest to it.
void start_from(const formalism::State& start, const model::Experiment& experiment, Prepared& p) {
  const Equations& eq = p.for_start();
  p.state = p.in_joints ? formalism::transfer(*p.all, start, eq) : start;
  const std::vector<int> held = held_coordinates(eq, experiment);
  p.positions = formalism::assemble(eq, p.state, held);
  if (p.positions.ok) p.velocities = formalism::fit_velocities(eq, p.state, held);
}

// What a law says that has no place where the given values put it. Others may have no force before loops are closed.
std::string refused_as_given(const Equations& eq, const formalism::State& guess) {
  const auto& all = eq.model().contributions;
  if (std::ranges::none_of(all, model::refusing_law)) return {};
  formalism::Linearised at(eq, formalism::Trace::rank);
  if (at.evaluate(guess)) return {};
  const auto is_blamed = [&](const model::Contribution& c) {
    return model::refusing_law(c) && at.blame().find("\"" + c.name + "\"") != std::string::npos;
  };
  return std::ranges::any_of(all, is_blamed) ? at.blame() : std::string();
}

void start_as_given(const model::Experiment& experiment, Prepared& p) {
  const double t = experiment.from_time;
  const Equations& eq = p.for_start();
  p.state = formalism::initial_guess(eq, t);
  const std::string refused = refused_as_given(eq, p.state);
  const auto given = formalism::initial_values(*p.model, experiment.independent, experiment.where);
  p.positions = formalism::assemble(eq, p.state, given.positions, formalism::carried_poses(*p.model, t));
  if (p.positions.ok && !refused.empty()) {
    formalism::require_own_equations(eq, p.state);  // says more of a law whose equations are wrong
    p.positions.ok = false;
    p.positions.problem = fmt::format(
        "The start cannot be as it is given: {}. Give other initial values, or draw the model where it starts.",
        refused);
  }
  if (!p.positions.ok) return;
  const auto reference = formalism::carried_velocities(eq, p.state);
  p.velocities = formalism::fit_velocities(eq, p.state, given.rates, reference);
  formalism::report_own_changes(eq, p.state, p.positions, p.velocities);
}

// Tree and cuts, and the equations that they make. Turns of cut joints count from the values that the user gives.
std::shared_ptr<model::Held> make_equations(const model::Experiment& experiment, const formalism::State* start,
                                            Prepared& p) {
  auto held = std::make_shared<model::Held>(model::held_at_start(*p.model));
  held->angles = formalism::given_angles(*p.model, experiment.from_time);
  if (start && start->angles.size() == held->angles.size()) held->angles = start->angles;
  p.topology = formalism::choose_tree(*p.model, experiment.independent);
  p.all = std::make_shared<Equations>(p.model, p.topology, std::nullopt, held);
  const formalism::Topology in_joints = formalism::choose_joint_tree(*p.model, experiment.independent);
  if (in_joints.link_of_joint != p.topology.link_of_joint)
    p.in_joints = std::make_shared<Equations>(p.model, in_joints, std::nullopt, held);
  return held;
}

// From the coordinates in which the start was found to those of the run.
void take_start(model::Held& held, Prepared& p) {
  const Equations& eq = p.for_start();
  held.angles = formalism::angles_at(eq, p.state);
  if (p.in_joints) p.state = formalism::transfer(eq, p.state, *p.all);
  p.state.angles.clear();  // they are held
}

bool has_drive(const model::Model& m) {
  const auto driven = [](const model::Contribution& what) { return what.row && what.row->drive; };
  return std::ranges::any_of(m.contributions, driven) || std::ranges::any_of(m.joints, [](const model::Joint& joint) {
           return std::ranges::any_of(joint.drive, [](const auto& d) { return d.has_value(); });
         });
}

void tell_of_no_freedom(Prepared& p) {
  if (p.model->bodies.empty() || p.degrees_of_freedom() > 0 || p.all->ns() > 0 || has_drive(*p.model)) return;
  p.warnings.push_back({"no_freedom",
                        {},
                        "The model has no degree of freedom and no drive: nothing will move.",
                        "Remove a joint or a constraint, or let it have a drive, if it should."});
}

// The drives of a loop that does not close ask for more than it can do.
void blame_drives(Prepared& p) {
  const std::string drives =
      p.positions.open_row < 0 ? "" : formalism::drives_of_loop(p.for_start(), p.positions.open_row);
  if (!drives.empty())
    p.positions.problem +=
        fmt::format(" At t = {:.6g} s its drives ({}) may ask for a position out of its reach.", p.state.t, drives);
  const std::string of_rates =
      p.velocities.open_row < 0 ? "" : formalism::drives_of_loop(p.for_start(), p.velocities.open_row);
  if (!of_rates.empty()) p.velocities.problem += fmt::format(" Drives of this loop: {}.", of_rates);
}

// Redundant constraints must be satisfied by the accelerations that the others lead to: two drives of one motion may agree
// in position and velocity and yet part.
std::string find_contradiction(const Prepared& p) {
  std::vector<double> a(p.active->nv()), lambda(p.active->ng()), bias(p.all->ng()), zero(p.all->ng(), 0.0);
  auto ws = p.active->workspace();
  formalism::AccelerationSolver solver = p.active->acceleration_solver();
  if (solver.solve(p.state.t, p.state.q, p.state.v, a, lambda, ws) != Eval::ok) return {};  // told elsewhere
  auto ws_all = p.all->workspace();
  p.all->constraint_accelerations({p.state.t, p.state.q, p.state.v, a, zero, zero}, bias, ws_all);
  double size = 1;
  for (double x : a) size = std::max(size, std::abs(x));
  for (int k : p.rank.redundant) {
    if (std::abs(bias[k]) > 1e-6 * size) {
      const std::string drives = formalism::drives_of_loop(*p.all, k);
      return fmt::format(
          "Constraint \"{}\" contradicts the others: it asks for an acceleration that they do not allow. Remove one of "
          "the drives that prescribe the same motion{}{}.",
          p.all->rows()[k].name(), drives.empty() ? "" : ": ", drives);
    }
  }
  return {};
}

}  // namespace

Prepared prepare(std::shared_ptr<const model::Model> model, const model::Experiment& experiment,
                 const formalism::State* start) {
  Prepared p;
  p.model = model = element::plugin::load_plugins(std::move(model));
  const std::shared_ptr<model::Held> held = make_equations(experiment, start, p);
  if (start && (static_cast<int>(start->q.size()) != p.all->nq() || static_cast<int>(start->v.size()) != p.all->nv())) {
    p.active = p.all, p.positions.ok = false;
    p.positions.problem = "The state to start from is one of another model: its coordinates are not as many.";
    return p;
  }
  start ? start_from(*start, experiment, p) : start_as_given(experiment, p);
  if (!p.positions.ok || !p.velocities.ok) blame_drives(p);
  take_start(*held, p);
  if (p.ok() && !start) formalism::require_own_equations(*p.all, p.state);
  if (p.ok()) tell_changes(changed_values(p), experiment, p), tell_of_start(p);
  if (p.ok()) p.rank = formalism::find_rank(*p.all, p.state);
  p.active =
      p.rank.redundant.empty() ? p.all : std::make_shared<Equations>(model, p.topology, p.rank.independent, held);
  if (p.ok() && !p.rank.redundant.empty() && p.rank.here == p.rank.rank) p.contradiction = find_contradiction(p);
  if (p.ok()) tell_of_no_freedom(p);
  if (p.ok()) p.friction = formalism::find_friction_problem(*p.all, *p.active, p.state);
  std::ranges::move(doubts(p, experiment), std::back_inserter(p.warnings));
  return p;
}

std::vector<formalism::Changed> changed_values(const Prepared& p) {
  std::vector<formalism::Changed> all = p.positions.changed;
  all.insert(all.end(), p.velocities.changed.begin(), p.velocities.changed.end());
  return all;
}

std::vector<Warning> warnings_before(const Prepared& p) {
  std::vector<Warning> all = p.model->warnings;
  all.insert(all.end(), p.warnings.begin(), p.warnings.end());
  return without(std::move(all), p.model->ignored_warnings);
}

}  // namespace skyhook::simulation
