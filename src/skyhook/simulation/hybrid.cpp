#include "skyhook/simulation/hybrid.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "skyhook/formalism/fit_velocities.h"
#include "skyhook/formalism/parts.h"
#include "skyhook/model/contribution.h"
#include "skyhook/simulation/instant.h"
#include "skyhook/simulation/turns.h"

namespace skyhook::simulation {

namespace {

// For those who read some.
KeptChannels::List channels_to_read(const Prepared& prepared) {
  const model::Model& model = *prepared.model;
  return model.controllers.empty() && model.events.empty() ? std::make_shared<const std::vector<Channel>>()
                                                           : prepared.channels();
}

}  // namespace

Hybrid::Hybrid(const Prepared& prepared, const model::Experiment& experiment, const Running& running, double begun)
    : prepared_(prepared),
      running_(running),
      tolerance_(experiment.tolerance),
      absolute_(experiment.absolute_tolerance > 0 ? experiment.absolute_tolerance : experiment.tolerance),
      held_(std::make_shared<model::Held>(*prepared.active->held())),
      laws_(*prepared.active, experiment.tolerance),
      rows_(prepared, held_, experiment.until - begun, experiment.tolerance),
      sampler_(*prepared.model, *channels_to_read(prepared), experiment.from_time),
      rules_(prepared.for_start(), *channels_to_read(prepared)),
      search_({experiment.tolerance}),
      next_time_(std::numeric_limits<double>::infinity()),
      reads_turns_(prepared.all->reads_turns()) {
  if (holds_nothing()) {
    use(prepared.all, prepared.active);
    return;
  }
  use_rows(prepared.state);
}

void Hybrid::use(std::shared_ptr<const Equations> all, std::shared_ptr<const Equations> active) {
  all_ = std::move(all), active_ = std::move(active);
  if (is_empty()) return;
  evaluator_.emplace(active_, all_);
  const bool laws_alone = rows_.count() == 0 && rules_.functions() == 0;
  search_.begin(*active_, functions(), static_cast<std::size_t>(laws_.quiet_count()),
                laws_alone ? EventSearch::Middle::where_needed : EventSearch::Middle::always);
  fresh_.resize(functions()), z_.resize(functions()), fallen_.resize(static_cast<std::size_t>(rows_.count()));
}

// The equations of the contacts and sticking coordinates that there are now.
void Hybrid::use_rows(const formalism::State& state) {
  const auto [all, active] = rows_.equations(state);
  use(all, active);
}

void Hybrid::choose(const std::vector<int>& independent) {
  use(all_, std::make_shared<const Equations>(prepared_.model, prepared_.topology, independent, all_->held()));
}

// ---- watching

bool Hybrid::see(const formalism::State& s, Needs needs) {
  if (needs == Needs::motion) return evaluator_->evaluate_motion(s.t, s.q, s.v), true;
  if (evaluator_->evaluate(s.t, s.q, s.v, needs == Needs::reactions) == Eval::ok) return true;
  problem_ = fmt::format("The accelerations cannot be found at t = {:.6g} s: {}.", s.t, evaluator_->blame());
  return false;
}

// Laws that switch tell it from the motion that they see; others ask for forces.
bool Hybrid::watch(const formalism::State& s, Span z) {
  if (rows_.count() == 0 && rules_.functions() == 0)
    evaluator_->evaluate_relative_motion(s.t, s.q, s.v, laws_.watched());
  else if (!see(s, rows_.any_closed() ? std::max(rules_.needs(), Needs::accelerations) : rules_.needs()))
    return false;
  laws_.values(evaluator_->now(), z);
  rows_.values(evaluator_->now(), z.subspan(static_cast<std::size_t>(laws_.count())));
  laws_.quiet_values(evaluator_->now(), absolute_, z.last(static_cast<std::size_t>(laws_.quiet_count())));
  const Span formulas =
      z.subspan(static_cast<std::size_t>(laws_.count() + rows_.count()), static_cast<std::size_t>(rules_.functions()));
  if (rules_.evaluate(evaluator_->now(), running_, formulas)) return true;
  problem_ = rules_.blame();
  return false;
}

std::optional<formalism::State> Hybrid::first_event(double to, const EventSearch::Interpolate& interpolate) {
  const double from = search_.t();
  auto found = search_.first(to, interpolate, watching());
  if (!found && rows_.count() > 0) rows_.pass(evaluator_->now());
  if (problem_.empty() && rules_.looks_for_missed()) look_for_missed(from, found ? found->t : to, interpolate);
  return found;
}

// Formulas that have crossed zero and come back. Where one has no value there it is no problem of the run.
void Hybrid::look_for_missed(double from, double to, const EventSearch::Interpolate& interpolate) {
  const auto first = static_cast<std::size_t>(laws_.count() + rows_.count());
  search_.look_back(from, to, first, interpolate, watching(), [&](std::size_t k, double t, double z) {
    rules_.miss(static_cast<int>(k - first), t, z, tolerance_);
  });
  problem_.clear();
}

double Hybrid::next_time() const { return next_time_; }

bool Hybrid::has_event_at(double t) const {
  for (int rule = 0; rule < rules_.size(); ++rule) {
    if (rules_.is_due(rule, t)) return true;
  }
  return false;
}

// Times that are one but for rounding are one, that of the rule, which is exact.
void Hybrid::find_next_time(double t) {
  const double sample = sampler_.next(), rule = rules_.next_time(t);
  next_time_ = same_instant(sample, rule) ? rule : std::min(sample, rule);
}

std::vector<Warning> Hybrid::warnings() const {
  std::vector<Warning> list = rules_.zero_throughout();
  std::ranges::copy(rules_.missed(), std::back_inserter(list));
  for (const Unmet& u : unmet_) list.push_back(event_value_changed(u));
  std::ranges::copy(near_dead_centres_, std::back_inserter(list));
  std::ranges::copy(rows_.warnings(), std::back_inserter(list));
  std::ranges::copy(sampler_.state().tables.warnings(), std::back_inserter(list));
  return list;
}

// ---- acting

Change Hybrid::begin(formalism::State& state, std::vector<Happened>& log) {
  find_turns(state);
  keep_branch(state);
  if (is_empty()) return Change::none;
  see(state, Needs::motion);
  for (int k = 0; k < laws_.count(); ++k) held_->modes[laws_.force(k)] = laws_.first_mode(k, evaluator_->now());
  if (!rows_.begin(state, log)) {
    problem_ = rows_.problem();
    return Change::none;
  }
  return at_start(state, true, log);
}

Change Hybrid::at_start(formalism::State& state, bool with_times, std::vector<Happened>& log) {
  use_rows(state);  // before anybody reads accelerations
  const Change change = with_times ? at_times(state, log) : Change::none;
  if (change == Change::rows) use_rows(state);
  sample(state);
  find_next_time(state.t);
  start_search(state);
  return change;
}

void Hybrid::find_turns(const formalism::State& state) {
  if (!all_->counts_turns()) return;
  if (!branch_work_) branch_work_ = all_->workspace();
  turning_speed_ = all_->find_angles(state.t, state.q, state.v, held_->angles, *branch_work_);
  moved_ = state, has_moved_ = true;
}

Equations::Workspace* Hybrid::moved_to(const formalism::State& state) {
  const bool is_there = has_moved_ && moved_.t == state.t && moved_.q == state.q && moved_.v == state.v;
  has_moved_ = false;
  return is_there ? &*branch_work_ : nullptr;
}

// A step that has begun slowly may have turned further than farthest_turn: then from piece to piece.
void Hybrid::count_turns(double from, const formalism::State& end, const Within& within) {
  if (!all_->counts_turns()) return;
  constexpr double most = 2.5;  // rad; pi would be too much
  const double speed = turning_speed_, h = end.t - from;
  angles_ = held_->angles;
  find_turns(end);
  const auto pieces = static_cast<long>(std::ceil(h * std::max(speed, turning_speed_) / most));
  if (pieces <= 1) return;
  held_->angles = angles_;
  between_ = end;
  for (long k = 1; k < pieces; ++k) {
    between_.t = from + h * static_cast<double>(k) / static_cast<double>(pieces);
    if (within(between_.t, between_.q, between_.v)) find_turns(between_);
  }
  find_turns(end);
}

void Hybrid::follow(double from, const formalism::State& state, const Within& within) {
  count_turns(from, state, within);
  keep_branch(state);
}

void Hybrid::keep_branch(const formalism::State& state) {
  if (all_->remembered() == 0) return;
  if (!branch_work_) branch_work_ = all_->workspace();
  has_moved_ = false;
  std::vector<double>& branch = held_->branch;
  if (branch.empty()) {  // from nothing; then from there on
    std::vector<double> found(static_cast<std::size_t>(all_->remembered()));
    all_->find_unknowns(state.t, state.q, state.v, found, *branch_work_);
    branch = std::move(found);
    return;
  }
  all_->find_unknowns(state.t, state.q, state.v, branch, *branch_work_);
}

void Hybrid::save(RunState& to, Saving& saving) const {
  const auto& forces = prepared_.model->contributions;
  saving.put("acted", acted_);
  for (int k = 0; k < laws_.count(); ++k) {
    const auto force = static_cast<std::size_t>(laws_.force(k));
    saving.put({"force", forces[force].name, forces[force].type}, "mode", held_->modes[force]);
  }
  for (const auto& part : all_->parts().laws) {
    for (int i = 0; i < part.unknowns; ++i) {
      const auto at = static_cast<std::size_t>(part.first_unknown + i);
      saving.put({"element", part.what->name, part.what->type}, "unknown",
                 held_->branch.empty() ? 0.0 : held_->branch[at], i);
    }
  }
  save_turns(*all_, *held_, saving);
  rows_.save(saving);
  sampler_.save(saving, *held_);
  if (to.parameters != parameters_) to.parameters = parameters_;
}

Change Hybrid::resume(const RunState& saved, Restoring& from, formalism::State& state, std::vector<Happened>& log) {
  parameters_ = saved.parameters;
  restore_turns(*all_, from, *held_);
  find_turns(state);
  keep_branch(state);
  for (const auto& part : all_->parts().laws) {
    for (int i = 0; i < part.unknowns; ++i) {
      double& unknown = held_->branch[static_cast<std::size_t>(part.first_unknown + i)];
      unknown = from.finite({"element", part.what->name, part.what->type}, "unknown", i).value_or(unknown);
    }
  }
  if (is_empty()) return Change::none;
  resume_modes(from, state);
  if (!rows_.resume(from, state, log)) return problem_ = rows_.problem(), Change::none;
  sampler_.restore(from, state.t, *held_);
  acted_ = from.past("acted", state.t).value_or(acted_);
  return at_start(state, !same_instant(acted_, state.t), log);
}

// The motion tells the mode but at a border, where rounding would: there the saved one counts. Any other is one of a law that is
// not the same here.
void Hybrid::resume_modes(Restoring& from, const formalism::State& state) {
  const auto mode_of = [&](int k) -> int& { return held_->modes[static_cast<std::size_t>(laws_.force(k))]; };
  see(state, Needs::motion);
  for (int k = 0; k < laws_.count(); ++k) mode_of(k) = laws_.first_mode(k, evaluator_->now());
  see(state, Needs::motion);  // in these modes
  for (int k = 0; k < laws_.count(); ++k) {
    const model::Contribution& force = prepared_.model->contributions[static_cast<std::size_t>(laws_.force(k))];
    const auto saved = from.whole({"force", force.name, force.type}, "mode", 1, std::numeric_limits<int>::max());
    if (!saved || *saved == mode_of(k)) continue;
    if (*saved == laws_.next_mode(k, evaluator_->now()))
      mode_of(k) = static_cast<int>(*saved);
    else
      from.note(fmt::format("force \"{}\" starts in the mode of its motion: that of the result does not belong to it",
                            force.name));
  }
}

void Hybrid::start_search(const formalism::State& state) {
  const auto modes = static_cast<std::size_t>(laws_.count() + rows_.count());
  search_.start(state, fresh_, modes, watching());
  if (rows_.count() > 0) rows_.arm(evaluator_->now());
  // In its mode each of them is positive, whatever rounding says; but for a law that has crossed zero and stayed in its mode.
  for (std::size_t k = 0; k < modes; ++k) {
    const bool is_law = k < static_cast<std::size_t>(laws_.count());
    if (!is_law || !fresh_[k]) search_.set_positive(k);
  }
}

Change Hybrid::act(formalism::State& state, std::vector<Happened>& log) { return act_from(nullptr, state, log); }

// `before`: the functions where drives had not jumped yet.
Change Hybrid::act_from(const std::vector<double>* before, formalism::State& state, std::vector<Happened>& log) {
  std::fill(fresh_.begin(), fresh_.end(), 0);
  if (!watch(state, z_)) return Change::none;
  crossed_ = search_.changed();
  jumped_.assign(functions(), 0);
  if (before) note_jumps(*before, z_);
  Change change = at_times(state, log);
  change = std::max(change, sample(state));
  change = std::max(change, switch_laws(state, log));
  change = std::max(change, meet_quiet_laws());
  change = std::max(change, switch_rows_and_watch(change, state, log));
  change = std::max(change, by_formulas(state, log));
  find_next_time(state.t);
  if (change == Change::rows) use_rows(state);
  start_search(state);
  return change;
}

// As switch_rows(); formulas are compared on both sides.
Change Hybrid::switch_rows_and_watch(Change so_far, formalism::State& state, std::vector<Happened>& log) {
  if (rules_.functions() == 0 || rows_.count() == 0) return switch_rows(state, log);
  until_ = behind_ = z_;
  if (so_far >= Change::state && !watch(state, until_)) return Change::none;
  const Change change = switch_rows(state, log);
  if (change < Change::state || !problem_.empty()) return change;
  if (change == Change::rows) use_rows(state);
  if (watch(state, behind_)) note_jumps(until_, behind_);
  return change;
}

// Formulas that an impact or a drive has carried through zero, by more than rounding; actions of events do not count.
void Hybrid::note_jumps(const std::vector<double>& before, const std::vector<double>& behind) {
  constexpr double clear = 1e3;
  for (int k = 0; k < rules_.functions(); ++k) {
    const auto at = static_cast<std::size_t>(laws_.count() + rows_.count() + k);
    const double rounding = rules_.rounding_of(k);
    const double there = std::abs(behind[at]) <= rounding ? 0.0 : behind[at];
    if (std::abs(before[at]) <= clear * rounding || !rules_.counts(k, before[at], there)) continue;
    jumped_[at] = 1;
    fresh_[at] = there == 0;
  }
}

Change Hybrid::jump(const formalism::State& before, formalism::State& state, std::vector<Happened>& log) {
  std::vector<double> until(functions());
  if (!is_empty() && !watch(before, until)) return Change::none;
  formalism::State earlier = in_joints(before), behind = earlier;  // contacts and what sticks are decided anew
  behind.t = state.t;
  auto fitted = formalism::assemble(lasting(), behind, {});
  if (fitted.ok) fitted = formalism::velocities_behind_jump(lasting(), behind, earlier);
  if (!fitted.ok) return problem_ = "Where a drive jumps: " + fitted.problem, Change::none;
  state = from_joints(behind);
  if (is_empty()) return Change::state;
  Change change = Change::state;
  if (rows_.count() > 0) {
    if (rows_.decide_anew(state, log) == SwitchedRows::Outcome::failed) return problem_ = rows_.problem(), change;
    use_rows(state);
    change = Change::rows;
  }
  return std::max(change, act_from(&until, state, log));
}

Change Hybrid::at_times(formalism::State& state, std::vector<Happened>& log) {
  Change change = Change::none;
  if (same_instant(acted_, state.t)) return change;  // once, whatever else leads the run to this instant again
  acted_ = state.t;
  for (int rule = 0; rule < rules_.size(); ++rule) {
    if (rules_.is_due(rule, state.t)) change = std::max(change, fire(rule, state, log));
  }
  return change;
}

Change Hybrid::sample(const formalism::State& state) {
  if (sampler_.empty() || (sampler_.next() > state.t && !same_instant(sampler_.next(), state.t))) return Change::none;
  if (sampler_.samples_at(state.t) && !see(state, sampler_.reads_reactions() ? Needs::reactions : Needs::accelerations))
    return Change::none;
  const bool changes = sampler_.act(state.t, evaluator_->now(), running_, *held_);
  if (!sampler_.problem().empty()) problem_ = sampler_.problem();
  return changes ? Change::input : Change::none;
}

Change Hybrid::switch_laws(formalism::State& state, std::vector<Happened>& log) {
  Change change = Change::none;
  const auto laws = std::span(search_.changed()).first(static_cast<std::size_t>(laws_.count()));
  if (std::ranges::none_of(laws, [](char changed) { return changed != 0; })) return change;  // most samples
  see(state, Needs::motion);
  for (int k = 0; k < laws_.count(); ++k) {
    if (!search_.changed()[static_cast<std::size_t>(k)]) continue;
    int& mode = held_->modes[static_cast<std::size_t>(laws_.force(k))];
    const int next = laws_.next_mode(k, evaluator_->now());
    fresh_[static_cast<std::size_t>(k)] = next == mode;
    if (next == mode) continue;
    log.push_back({laws_.event(k, mode, next), {}, laws_.name(k), "switching", laws_.chattering(k)});
    mode = next, change = std::max(change, Change::mode);
    if (laws_.jumps(k)) change = std::max(change, jump_contact(k, state, log));
  }
  return change;
}

// Other contact variables take over: positions stay, velocities meet the rows that hold from now on with the least kinetic energy lost, as in an impact
// without rebound. The last of the log tells what it has cost.
Change Hybrid::jump_contact(int k, formalism::State& state, std::vector<Happened>& log) {
  const auto& part = all_->parts().laws[static_cast<std::size_t>(laws_.item(k))];
  const auto unknowns = std::span(held_->branch).subspan(static_cast<std::size_t>(part.first_unknown));
  const auto s = unknowns.subspan(part.what->law->declared().algebraic.size(),
                                  part.what->law->declared().contact_variables.size());
  if (!laws_.jump(k, evaluator_->now(), s)) return Change::mode;
  const auto kinetic = [&] {
    return evaluator_->evaluate_energy(state.t, state.q, state.v), evaluator_->now().kinetic;
  };
  const double before = kinetic();
  formalism::State behind = state;
  const auto fitted = formalism::velocities_behind_jump(*all_, behind, state);
  if (!fitted.ok)
    return problem_ = "Where the contact point of \"" + laws_.name(k) + "\" jumps: " + fitted.problem, Change::mode;
  state.v = behind.v;
  log.back().detail = fmt::format("to {} = {:.4g}; the impact takes {:.3g} J",
                                  part.what->law->declared().contact_variables[0].name, s[0], before - kinetic());
  if (rows_.count() == 0) return Change::state;
  if (rows_.decide_anew(state, log) == SwitchedRows::Outcome::failed) problem_ = rows_.problem();
  return Change::rows;
}

// The step has leapt over one: the integrator begins anew where it starts to work.
Change Hybrid::meet_quiet_laws() const {
  const auto quiet = std::span(search_.changed()).last(static_cast<std::size_t>(laws_.quiet_count()));
  return std::ranges::any_of(quiet, [](char changed) { return changed != 0; }) ? Change::mode : Change::none;
}

// Only a fall below zero counts, see SwitchedRows::values().
Change Hybrid::switch_rows(formalism::State& state, std::vector<Happened>& log) {
  using Outcome = SwitchedRows::Outcome;
  for (std::size_t k = 0; k < fallen_.size(); ++k) {
    const std::size_t at = static_cast<std::size_t>(laws_.count()) + k;
    fallen_[k] = search_.changed()[at] && search_.signs()[at] > 0;
  }
  Outcome outcome = rows_.change_contacts(fallen_, state, log);
  if (outcome != Outcome::failed) outcome = std::max(outcome, rows_.change_sticks(fallen_, state, log));
  if (outcome == Outcome::failed) problem_ = rows_.problem();
  return outcome == Outcome::rows ? Change::rows : outcome == Outcome::state ? Change::state : Change::none;
}

Change Hybrid::by_formulas(formalism::State& state, std::vector<Happened>& log) {
  Change change = Change::none;
  for (int k = 0; k < rules_.functions(); ++k) {
    const auto at = static_cast<std::size_t>(laws_.count() + rows_.count() + k);
    const bool crosses = crossed_[at] && rules_.counts(k, search_.signs()[at], z_[at]);
    if (!crosses && !jumped_[at]) continue;
    change = std::max(change, fire(rules_.rule_of(k), state, log));
    fresh_[at] = fresh_[at] || crosses;
  }
  if (change >= Change::state) find_signs(state);
  return change;
}

// Of formulas that have just been zero: where an action has moved one off zero it has a sign again, and may come back at once.
void Hybrid::find_signs(const formalism::State& state) {
  std::vector<double> after(functions());
  if (!watch(state, after)) return;
  for (int k = 0; k < rules_.functions(); ++k) {
    const auto at = static_cast<std::size_t>(laws_.count() + rows_.count() + k);
    const double rounding = std::max(100 * std::abs(z_[at]), rules_.rounding_of(k));
    fresh_[at] = fresh_[at] && std::abs(after[at]) <= rounding;
  }
}

Change Hybrid::fire(int rule, formalism::State& state, std::vector<Happened>& log) {
  using Kind = model::Action::Kind;
  Change change = Change::none;
  EventRules::Changes changes;
  if (rules_.sets_states(rule)) {
    formalism::State set = in_joints(state);
    const formalism::State before = set;
    if (!see(state, Needs::reactions)) return change;
    changes = rules_.set_states(rule, evaluator_->now(), running_, set);
    if (!changes.problem.empty()) return problem_ = changes.problem + ".", change;
    if (!fit(before, set)) return change;
    compare(rule, changes, set);
    look_for_dead_centre(rule, changes, set);
    state = from_joints(set);
    change = Change::state;
    if (rows_.count() > 0) {
      if (rows_.decide_anew(state, log) == SwitchedRows::Outcome::failed) return problem_ = rows_.problem(), change;
      change = Change::rows;
    }
    rules_.read_back(rule, in_joints(state), changes);
  }
  for (const model::Action& action : rules_[rule].actions) {
    const bool on = action.kind == Kind::switch_on;
    if (action.kind == Kind::stop) wants_stop_ = true;
    if ((on || action.kind == Kind::switch_off) &&
        sampler_.switch_controller(sampler_.find(action.target), on, state.t, *held_))
      change = std::max(change, Change::input);
    if (action.kind != Kind::set_parameter) continue;
    set_parameter(parameters_, action.target, action.value);
    change = Change::model;
  }
  log.push_back({rules_[rule].name, rules_.text(rule, changes), rules_[rule].name, "user"});
  // An event that only reports has a place in the results too.
  return std::max(change, Change::input);
}

Change Hybrid::set_signal(int signal, double value, const formalism::State& state) {
  held_->signals[static_cast<std::size_t>(signal)] = value;
  if (is_empty()) return Change::input;
  if (!same_instant(search_.t(), state.t)) std::fill(fresh_.begin(), fresh_.end(), 0);
  start_search(state);
  return Change::input;
}

void Hybrid::take_over(const Hybrid& before, bool drives_jump, formalism::State& state, std::vector<Happened>& log) {
  *held_ = *before.held_;
  rows_.take_over(before.rows_);
  rules_.take_over(before.rules_);
  sampler_.take_over(before.sampler_, state.t);
  parameters_ = before.parameters_, unmet_ = before.unmet_, near_dead_centres_ = before.near_dead_centres_;
  wants_stop_ = before.wants_stop_;
  acted_ = before.acted_;
  if (is_empty()) return;
  see(state, Needs::motion);
  for (int k = 0; k < laws_.count(); ++k)
    held_->modes[static_cast<std::size_t>(laws_.force(k))] = laws_.first_mode(k, evaluator_->now());
  if (drives_jump && rows_.count() > 0 && rows_.decide_anew(state, log) == SwitchedRows::Outcome::failed)
    problem_ = rows_.problem();
  use_rows(state);
  find_next_time(state.t);
  start_search(state);
}

}  // namespace skyhook::simulation
