#include "skyhook/analysis/equilibrium.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "skyhook/analysis/equilibrium_search.h"
#include "skyhook/analysis/first_outputs.h"
#include "skyhook/analysis/free_directions.h"
#include "skyhook/analysis/in_joint_coordinates.h"
#include "skyhook/analysis/statics_of.h"
#include "skyhook/analysis/trim.h"
#include "skyhook/formalism/consistency.h"
#include "skyhook/formalism/coordinate_motion.h"
#include "skyhook/formalism/given_values.h"
#include "skyhook/formalism/linear_names.h"
#include "skyhook/simulation/snapshot.h"
#include "skyhook/simulation/table_watch.h"

namespace skyhook::analysis {
namespace {

using simulation::Equations;
using simulation::Prepared;

std::size_t worst_of(const Vector& tau, std::size_t first, std::size_t last) {
  const auto less = [](double a, double b) { return std::abs(a) < std::abs(b); };
  return static_cast<std::size_t>(
      std::max_element(tau.begin() + static_cast<long>(first), tau.begin() + static_cast<long>(last), less) -
      tau.begin());
}

// Dry friction made smooth has no force at rest: whoever counts on it should know.
std::string of_smooth_friction(const model::Model& m) {
  for (const model::Contribution& c : m.contributions) {
    if (c.friction || c.type == "coulomb")
      return fmt::format(
          " Friction \"{}\" has a smooth law and no force at rest: it holds nothing. A `stick_slip` does.", c.name);
  }
  return {};
}

// Less than that is no weight, but what a law leaves: the side force of a wheel with toe and camber that stands.
bool is_little(double force, const Statics& s) { return std::abs(force) < 1e-5 * s.force_scale(); }

// Directions that nothing resists, along which a little force is left. None where something falls.
std::vector<FreeDirection> pushed_a_little(Statics& s) {
  std::vector<FreeDirection> free = judge(s).free;
  const bool falls = std::ranges::any_of(free, [&](const auto& one) { return !is_little(one.force, s); });
  return falls ? std::vector<FreeDirection>{} : free;
}

void tell_of_push(const FreeDirection& one, const Statics& s, const Prepared& p, Equilibrium& out) {
  out.free.push_back(one.name), out.unique = false;
  const double force = -s.tau[static_cast<std::size_t>(one.coordinate)];
  if (std::abs(force) < 1e-9 * s.force_scale()) return;  // rounding
  Warning warning{"force_left",
                  {},
                  fmt::format("Nothing resists {}, and a force of {:.3g} is left along it: it is held where it is.",
                              one.name, force),
                  "The equilibrium is that of all else; a run from it moves slowly off."};
  std::ranges::copy(without({warning}, p.model->ignored_warnings), std::back_inserter(out.warnings));
}

std::string failure(Statics& s, const EquilibriumSearch& search) {
  const Equations& eq = s.equations();
  const std::string in = fmt::format("No equilibrium found in {} iterations: ", search.iterations());
  const auto moving = static_cast<std::size_t>(eq.moving());
  if (moving == 0 || s.rates() > s.forces() / s.force_scale()) {
    const auto state = worst_of(s.tau, moving, s.tau.size());
    return in + fmt::format(
                    "the state {} still changes by {:.3g} a second. It stands still only where what it follows or sums "
                    "up does: "
                    "perhaps in a steady motion (`speed`, `spin`).",
                    eq.velocity_names()[state], std::abs(s.tau[state]) * eq.nominal(static_cast<int>(state)));
  }
  const auto worst = worst_of(s.tau, 0, moving);
  std::string text = in + fmt::format("the generalised force on {} is still {:.3g}.", eq.velocity_names()[worst],
                                      std::abs(s.tau[worst]));
  for (const FreeDirection& one : judge(s).free) {
    if (std::abs(one.force) < 1e-6 * s.force_scale()) continue;
    return text +
           fmt::format(
               " Nothing resists {}, and a force of {:.3g} pushes along it: it is free to fall. Check that "
               "springs or joints carry it.",
               one.name, one.force) +
           of_smooth_friction(eq.model());
  }
  return text + " Something may be free to fall; check that springs or joints carry it, or start nearer." +
         of_smooth_friction(eq.model());
}

// Where it lies beyond a table it is one of a curve that nobody gave: told, or refused, as in a run.
void look_up_tables(const Prepared& prepared, Equilibrium& out) {
  simulation::TableWatch tables(*out.active);
  if (tables.empty()) return;
  simulation::Evaluator there(out.active, out.all);
  there.evaluate_motion(out.state.t, out.state.q, out.state.v);
  simulation::TableExcursions excursions;
  tables.look(there.now(), excursions);
  std::ranges::copy(without(excursions.warnings(), prepared.model->ignored_warnings), std::back_inserter(out.warnings));
  if (excursions.problem().empty()) return;
  out.found = false, out.problem = "The equilibrium lies beyond a table. In it " + excursions.problem();
}

// Multipliers of the active rows, all of which hold.
void balance(const SteadyMotion& motion, Equilibrium& out) {
  Statics rest(out.active, motion);
  formalism::State state = out.state;
  rest.begin(state);
  for (Statics::Switch& one : rest.switches) one.on = true;
  // Each time leaves what the compliance of rows makes of the last.
  for (double last = rest.forces() + 1; rest.forces() < last && rest.forces() > 1e-13 * rest.force_scale();)
    last = 0.1 * rest.forces(), rest.balance(state);
  out.lambda = rest.lambda, out.a = rest.accelerations();
}

// Rows that hold at the end. Of contacts that depend on each other independent ones, with multipliers that balance the same forces.
void take_rows(const Prepared& p, Statics& s, const std::shared_ptr<model::Held>& held, Equilibrium& out) {
  const Equations& eq = s.equations();
  std::vector<int> more;
  for (const Statics::Switch& one : s.switches) {
    const bool sticks = !one.is_contact;  // what slipped has come to rest: it sticks where it is now
    (one.is_contact ? out.contacts : out.frictions).push_back({one.what->name, one.on, std::abs(s.lambda[one.at])});
    const int row = eq.active()[static_cast<std::size_t>(one.at)];
    if (sticks && !one.on) {
      const model::Row::Term& term = one.what->row->terms[0];
      held->offsets[static_cast<std::size_t>(row)] =
          formalism::CoordinateMotion(eq, term.joint, term.dof).value(eq, out.state);
    }
    if (one.on || sticks) more.push_back(row);
  }
  const model::Held& before = *p.active->held();
  if (more.empty() && held->signals == before.signals && held->angles == before.angles) {
    out.all = p.all, out.active = p.active;
    if (eq.active().size() == p.active->active().size() + s.switches.size()) {
      out.lambda.assign(s.lambda.begin(), s.lambda.begin() + p.active->ng()), out.a = s.accelerations();
      return;
    }
    return balance(s.motion(), out);
  }
  const auto make = [&](std::vector<int> rows) {
    std::ranges::sort(rows);
    return std::make_shared<const Equations>(p.model, p.topology, rows, held);
  };
  std::vector<int> rows = p.all->active();
  rows.insert(rows.end(), more.begin(), more.end());
  out.all = make(rows);
  rows = p.active->active(), rows.insert(rows.end(), more.begin(), more.end());
  out.active = make(rows);
  const auto independent = formalism::find_rank(*out.active, out.state).independent;
  if (independent.size() < rows.size()) out.active = make(independent);
  balance(s.motion(), out);
}

void take_efforts(const Statics& s, Equilibrium& out) {
  for (const int iv : s.motion().held())
    out.efforts.push_back({s.equations().freedom_name(iv), s.tau[static_cast<std::size_t>(iv)]});
}

// What drives need to lead along a track.
void add_leading_forces(Equilibrium& out) {
  if (out.motion.moving_drives().empty()) return;
  simulation::Evaluator there(out.active, out.all);
  if (there.evaluate(out.state.t, out.state.q, out.state.v) != Eval::ok) return;
  const auto motions = formalism::prescribed_motions(*out.active);
  for (const int k : out.motion.moving_drives()) {
    if (static_cast<std::size_t>(k) < there.now().drives.size())
      out.efforts.push_back(
          {motions[static_cast<std::size_t>(k)].what.name, there.now().drives[static_cast<std::size_t>(k)]});
  }
}

bool search(EquilibriumSearch& x, const EquilibriumOptions& options, Equilibrium& out) {
  struct Way {
    const char* name;
    bool (EquilibriumSearch::*go)(int);
    int most;
  };
  // Along a track it begins near: creep forces have no potential, and where a vehicle hunts its steady motion is no place to come to rest in.
  const bool travels = options.motion.speed != 0 && runs_on_track(x.model());
  if (travels && x.size() > EquilibriumSearch::goal) {
    if (x.newton(100)) return out.way = "newton", true;
    x.restart();
  }
  static constexpr Way ways[] = {{"descent", &EquilibriumSearch::descend, 600},
                                 {"relaxation", &EquilibriumSearch::relax, 1500},
                                 {"newton", &EquilibriumSearch::newton, 100}};
  for (const Way& way : ways) {
    if (options.only_nearest && way.go != &EquilibriumSearch::newton) continue;
    const bool there = x.size() <= EquilibriumSearch::goal;
    if (there || (x.*way.go)(way.most)) return out.way = there ? out.way : way.name, true;
    if (x.ran_away()) return false;
    if (way.go != &EquilibriumSearch::newton) x.restart();
  }
  return false;
}

// Controllers read what is found and answer; that changes the forces, and so on. Aitken's factor follows from the last two answers.
bool search_with_controllers(const Prepared& p, Statics& s, EquilibriumSearch& x, FirstOutputs& controllers,
                             model::Held& held, const EquilibriumOptions& options, Equilibrium& out) {
  Vector last;
  double factor = 1;
  for (int round = 0; round < 60; ++round) {
    if (!search(x, options, out)) return false;
    if (controllers.empty()) return true;
    const Vector said = controllers.at(p, x.state(), s.lambda, s.equations());
    if (!controllers.problem().empty()) return out.problem = controllers.problem(), false;
    Vector change(said.size());
    double size = 0, most = 0;
    for (std::size_t k = 0; k < said.size(); ++k) {
      change[k] = said[k] - held.signals[k];
      size = std::max(size, std::abs(change[k])), most = std::max(most, std::abs(said[k]));
    }
    if (size <= 1e-11 * most) return true;
    if (!last.empty()) {
      double dot = 0, square = 0;
      for (std::size_t k = 0; k < said.size(); ++k)
        dot += last[k] * (change[k] - last[k]), square += std::pow(change[k] - last[k], 2);
      if (square > 0) factor = std::clamp(-factor * dot / square, -10.0, 10.0);
    }
    for (std::size_t k = 0; k < said.size(); ++k) held.signals[k] += factor * change[k];
    last = change;
    x.look_again();
  }
  out.problem = "No equilibrium found: what the controllers say at each position moves it to another one.";
  return false;
}

Equilibrium find_there(const Prepared& as_prepared, const EquilibriumOptions& options) {
  const bool travels =
      (options.motion.speed != 0 || options.motion.way != 0) && runs_on_track(*as_prepared.model) && as_prepared.ok();
  if (options.motion.way != 0 && !runs_on_track(*as_prepared.model))
    throw ModelError(options.motion.where,
                     "way: nothing of this model runs along a track, so nothing can be put further on.",
                     "Leave it out.");
  const Prepared prepared = travels ? travelling(as_prepared, options.motion) : as_prepared;
  Equilibrium out;
  out.model = prepared.model;
  out.state = prepared.state, out.all = prepared.all, out.active = prepared.active;
  std::fill_n(out.state.v.begin(), prepared.active->moving(), 0.0);
  if (!prepared.ok()) return out.problem = prepared.problem(), out;
  FirstOutputs controllers(prepared);
  out.warnings = without(controllers.warnings(), prepared.model->ignored_warnings);
  const SteadyMotion motion = options.motion.empty() && options.motion.rolling.empty()
                                  ? SteadyMotion()
                                  : SteadyMotion(prepared, options.motion);
  out.motion = motion, out.a.assign(prepared.active->nv(), 0.0);
  if (travels) out.course = course_of(prepared, options.motion.speed);
  if (prepared.active->nv() == 0) {  // drives alone say where it stands
    out.lambda.assign(prepared.active->ng(), 0.0), out.found = true;
    if (travels) add_leading_forces(out);
    return out;
  }
  const std::shared_ptr<model::Held> held = held_at(prepared, out.state);
  const bool counts_turns = prepared.all->counts_turns();
  const bool is_plain = prepared.all->switch_rows().empty() && controllers.empty() && !counts_turns;
  if (counts_turns) out.state.angles = held->angles;
  std::unique_ptr<Statics> statics;
  std::unique_ptr<EquilibriumSearch> search;
  const formalism::State start = out.state;
  const auto attempt = [&](Lasting which, const SteadyMotion& holding) {
    formalism::State state = start;
    statics = std::make_unique<Statics>(
        is_plain && which == Lasting::independent ? prepared.active : with_switches(prepared, held, which), holding,
        counts_turns ? held : nullptr);
    if (!statics->begin(state))
      return out.problem = "The forces cannot be evaluated at the start: " + statics->blame() + ".", false;
    search = std::make_unique<EquilibriumSearch>(*statics, state);
    return search_with_controllers(prepared, *statics, *search, controllers, *held, options, out);
  };
  out.found = attempt(Lasting::independent, motion);
  if (!search) return out;
  // On its way a linkage may pass a place where the rows that were chosen at the start depend on each other.
  if (!out.found && !search->ran_away() && !prepared.rank.redundant.empty() && controllers.empty())
    out.found = attempt(Lasting::all, motion);
  if (!search) return out;
  std::vector<FreeDirection> pushed;
  if (!out.found && out.problem.empty()) pushed = pushed_a_little(*statics);
  if (!pushed.empty()) {
    SteadyMotion holding = motion;
    for (const FreeDirection& one : pushed) holding.hold(one.coordinate);
    const auto left = [&](const FreeDirection& one) {
      return is_little(statics->tau[static_cast<std::size_t>(one.coordinate)], *statics);
    };
    out.found = attempt(Lasting::independent, holding) && std::ranges::all_of(pushed, left);
    if (!search) return out;
  }
  Statics& s = *statics;
  EquilibriumSearch& x = *search;
  if (counts_turns) held->angles = x.state().angles;
  out.state = x.state(), out.iterations = x.iterations(), out.residual = x.size(), out.signals = held->signals;
  if (!out.found) {
    if (out.problem.empty()) out.problem = failure(s, x);
    out.lambda.assign(s.lambda.begin(), s.lambda.begin() + prepared.active->ng());
    return out;
  }
  const Judgement judgement = judge(s);
  out.stable = judgement.stable, out.stability_is_known = judgement.is_known, out.unique = judgement.free.empty();
  for (const FreeDirection& one : judgement.free) out.free.push_back(one.name);
  if (pushed.empty()) take_efforts(s, out);
  for (const FreeDirection& one : pushed) tell_of_push(one, s, prepared, out);
  if (!options.place_alone) take_rows(prepared, s, held, out);
  look_up_tables(prepared, out);
  if (travels) add_leading_forces(out);
  return out;
}

// In the coordinates of joints. A run takes from it where it starts; what is asked of the motion itself is told in those coordinates.
Equilibrium find_motion_in_joints(const Prepared& prepared, const EquilibriumOptions& options) {
  const Prepared in_joints = in_joint_coordinates(prepared);
  Equilibrium e = find_equilibrium(in_joints, options);
  if (options.place_alone) {
    if (e.found) e.state = in_coordinates_of(prepared, *e.all, e.state);
    e.model = prepared.model, e.all = prepared.all, e.active = prepared.active, e.motion = {};
    return e;
  }
  e.in_joints = std::make_shared<const Prepared>(in_joints);
  const Warning told{"told_in_joints",
                     {},
                     "The steady motion is found and told in the coordinates of joints, not in absolute ones.",
                     "Runs that start from it have absolute coordinates; the motion is the same."};
  std::ranges::copy(without({told}, prepared.model->ignored_warnings), std::back_inserter(e.warnings));
  return e;
}

// That one joint turns at a given rate and all others rest is no statement on bodies by themselves.
bool gives_rates_of_cut_joints(const Prepared& p, const GivenMotion& given) {
  std::vector<std::string> names;
  for (const auto& [name, rate] : given.spin) names.push_back(name);
  return std::ranges::any_of(formalism::find_coordinates(*p.model, names, given.where),
                             [&](const auto& one) { return p.active->is_cut(one.first); });
}

Equilibrium find_motion(const Prepared& prepared, const EquilibriumOptions& options) {
  if (options.place_alone || gives_rates_of_cut_joints(prepared, options.motion))
    return find_motion_in_joints(prepared, options);
  Equilibrium e = options.motion.steer.empty() ? find_there(prepared, options) : find_trim(prepared, options);
  if (e.found) return e;
  Equilibrium other = find_motion_in_joints(prepared, options);
  return other.found ? other : e;
}

// Each body by itself has a longer way to go than a joint that carries it along: what is not found so may be found in the coordinates of joints.
Equilibrium find_rest(const Prepared& prepared, const EquilibriumOptions& options) {
  Equilibrium e = find_there(prepared, options);
  if (e.found) return e;
  EquilibriumOptions place = options;
  place.place_alone = true;
  const Equilibrium other = find_there(in_joint_coordinates(prepared), place);
  if (!other.found) return e;
  return find_there(starting_at(prepared, in_coordinates_of(prepared, *other.all, other.state)), options);
}

}  // namespace

Equilibrium find_equilibrium(const Prepared& prepared, const EquilibriumOptions& options) {
  const bool is_rest = options.motion.empty() && options.motion.steer.empty();
  if (prepared.topology.any_absolute && prepared.ok())
    return is_rest ? find_rest(prepared, options) : find_motion(prepared, options);
  return options.motion.steer.empty() ? find_there(prepared, options) : find_trim(prepared, options);
}

}  // namespace skyhook::analysis
