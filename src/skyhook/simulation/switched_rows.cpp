#include "skyhook/simulation/switched_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "skyhook/formalism/contacts.h"
#include "skyhook/formalism/impact.h"
#include "skyhook/formalism/impulse_parts.h"
#include "skyhook/simulation/at_rest.h"
#include "skyhook/simulation/onto_constraints.h"

namespace skyhook::simulation {
namespace {

using formalism::State;
using Mode = model::Stick::Mode;

// A contact counts as closed from this penetration on, in lengths of the model: rounding alone does not close one.
constexpr double touch = 1e-12;
// A contact that opens does not close, however deep: hops below the tolerance are no parabolas. As a time it makes the rate a length.
constexpr double approach_time = 1e-3;
constexpr double resolution = 1e-5;  // of the run: impacts that accumulate within this are not told apart
constexpr double rounding_of_forces = 1e-10;

// By how much the rows are open, in positions and, as a part of the speeds, in velocities.
double largest_residual(const Equations& eq, const State& state) {
  std::vector<double> g(static_cast<std::size_t>(eq.ng())), rate = g;
  auto ws = eq.workspace();
  eq.constraints(state.t, state.q, state.v, g, rate, ws);
  const double speed = fastest(state.v);
  for (double& x : rate) x /= speed;
  double most = 0;
  for (const auto* residuals : {&g, &rate}) {
    for (const double x : *residuals) {
      if (!std::isfinite(x)) return std::numeric_limits<double>::infinity();
      most = std::max(most, std::abs(x));
    }
  }
  return most;
}

double farthest(CSpan a, CSpan b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

// What the search for an event and the impact leave open is so little that one step of Newton's method in the mass metric is the least
// displacement and the least change of kinetic energy, to more than rounding. Redundant rows have to be closed by that as well. False: not so, or what
// is little goes a long way near a singular position; the state is as it was.
bool fit_nearby(const Equations& every_row, const Equations& independent, State& state) {
  constexpr double near = 1e-8, little = 1e-6, closed = 1e-12;
  if (!(largest_residual(every_row, state) <= near)) return false;
  State moved = state;
  OntoConstraints onto(independent);
  if (!onto.move(moved.t, moved.q, moved.v) || !(largest_residual(every_row, moved) <= closed)) return false;
  if (farthest(moved.q, state.q) > little || farthest(moved.v, state.v) > little * fastest(state.v)) return false;
  state = std::move(moved);
  return true;
}

}  // namespace

SwitchedRows::SwitchedRows(const Prepared& prepared, std::shared_ptr<model::Held> held, double span, double tolerance)
    : prepared_(prepared),
      model_(*prepared.model),
      held_(std::move(held)),
      lasting_(prepared.all->counts_turns() || !prepared.model->continuous.empty() ? prepared.all->holding(held_)
                                                                                   : prepared.all),
      resolution_(resolution * span),
      touch_(touch * formalism::characteristic_length(model_)),
      least_force_(0),
      lowest_(0.01 * tolerance * formalism::characteristic_length(model_)),
      given_contacts_(those_that_hold(model_, model::Row::Holds::pressed)),
      given_sticks_(those_that_hold(model_, model::Row::Holds::stuck)),
      contacts_(given_contacts_.size()),
      workspace_(prepared.all->workspace()),
      gap_(contacts_.size()),
      rate_(contacts_.size()) {
  double mass = 0;
  for (const auto& body : model_.bodies) mass += body.mass;
  least_force_ = mass * norm(model_.gravity);
  for (const model::Contribution* given : given_sticks_) {
    const model::Row::Term& s = given->row->terms[0];
    sticks_.push_back({formalism::CoordinateMotion(*prepared.all, s.joint, s.dof), -1});
  }
  std::size_t contact = 0, stick = 0;  // contacts come first, each kind in the order of the model
  for (const formalism::SwitchRow& at : prepared.all->switch_rows()) {
    if (contact < given_contacts_.size() && at.what == given_contacts_[contact])
      contact_rows_.push_back(at.row), ++contact;
    else
      sticks_[stick++].row = at.row;
  }
  held_->offsets.resize(prepared.all->rows().size(), 0.0);
}

int& SwitchedRows::mode(int k) { return held_->modes[model::number_of(model_, stick_given(k))]; }
bool SwitchedRows::sticks(int k) const {
  return held_->modes[model::number_of(model_, stick_given(k))] == Mode::sticks;
}

bool SwitchedRows::any_closed() const {
  for (int k = 0; k < static_cast<int>(sticks_.size()); ++k) {
    if (sticks(k)) return true;
  }
  return std::ranges::any_of(contacts_, &Contact::is_closed);
}

// ---- equations

std::vector<int> SwitchedRows::rows_now() const {
  std::vector<int> rows = prepared_.all->active();
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    if (contacts_[k].is_closed) rows.push_back(contact_rows_[k]);
  }
  for (std::size_t k = 0; k < sticks_.size(); ++k) {
    if (sticks(static_cast<int>(k))) rows.push_back(sticks_[k].row);
  }
  return rows;
}

SwitchedRows::Pair SwitchedRows::equations(const State& state) {
  const std::vector<int> rows = rows_now();
  const auto found = std::ranges::find(known_, rows, &Known::rows);
  if (found != known_.end()) {
    known_.splice(known_.begin(), known_, found);
    return known_.front().equations;
  }
  known_.push_front({rows, make_equations(rows, state)});
  if (known_.size() > most_kept) known_.pop_back();
  return known_.front().equations;
}

SwitchedRows::Pair SwitchedRows::make_equations(const std::vector<int>& rows, const State& state) const {
  Pair pair;
  const auto make = [&](const std::vector<int>& active) {
    return std::make_shared<const Equations>(prepared_.model, prepared_.topology, active, held_);
  };
  pair.all = make(rows);
  if (rows == prepared_.all->active()) {
    pair.active = prepared_.active == prepared_.all ? pair.all : make(prepared_.active->active());
    return pair;
  }
  const auto independent = formalism::find_rank(*pair.all, state).independent;
  pair.active = independent == rows ? pair.all : make(independent);
  return pair;
}

bool SwitchedRows::fit(State& state) {
  const Pair now = equations(state);
  if (fit_nearby(*now.all, *now.active, state)) return true;
  const auto all = now.all;
  auto fitted = formalism::assemble(*all, state, {});
  if (fitted.ok) fitted = formalism::fit_velocities(*all, state, {});
  if (!fitted.ok) problem_ = "Where a contact closes or a coordinate sticks: " + fitted.problem;
  return fitted.ok;
}

// ---- switching functions

void SwitchedRows::values(const Snapshot& s, Span z) const {
  const Equations& eq = s.equations();
  const auto lambda_of = [&](int row) {
    const auto at = std::ranges::lower_bound(eq.active(), row);  // a redundant one has none
    return at == eq.active().end() || *at != row ? 0.0 : s.lambda[static_cast<std::size_t>(at - eq.active().begin())];
  };
  for (int k = 0; k < static_cast<int>(contacts_.size()); ++k) {
    const Contact& contact = contacts_[static_cast<std::size_t>(k)];
    if (!contact.is_closed) {
      const auto gap = formalism::gap_of(s, k);
      // What has just closed is near zero and leaves. Elsewhere the gap alone counts, which is smooth: a dip below zero shows where
      // it rises again, too.
      z[k] = contact.is_clear ? gap.gap + touch_ : std::max(gap.gap + touch_, approach_time * gap.rate);
      continue;
    }
    const double force = formalism::normal_force(s, k, lambda_of(contact_rows_[static_cast<std::size_t>(k)]));
    contact.largest_force = std::max(contact.largest_force, std::abs(force));
    z[k] = force + rounding_of_forces * std::max(contact.largest_force, least_force_);
  }
  const double still = rests_below(s.v);
  for (int k = 0; k < static_cast<int>(sticks_.size()); ++k)
    z[contacts_.size() + static_cast<std::size_t>(k)] =
        stick_value(k, s, lambda_of(sticks_[static_cast<std::size_t>(k)].row), still);
}

// ---- contacts

void SwitchedRows::measure(const State& state) {
  prepared_.all->contact_motion(state.t, state.q, state.v, gap_, rate_, workspace_);
}

std::vector<int> SwitchedRows::touching() const {
  std::vector<int> list;
  for (int k = 0; k < static_cast<int>(contacts_.size()); ++k) {
    const bool is_closed = contacts_[static_cast<std::size_t>(k)].is_closed;
    if (gap(k) <= (is_closed ? 1e-6 / touch : 10.0) * touch_) list.push_back(k);
  }
  return list;
}

// Of these, what those that have fallen can change.
std::vector<int> SwitchedRows::touching_with(const std::vector<char>& fallen, const State& state) {
  return formalism::contacts_that_feel(*equations(state).all, touching(), fallen);
}

bool SwitchedRows::begin(State& state, std::vector<Happened>& log) {
  return begin_some(std::vector<char>(static_cast<std::size_t>(count()), 1), state, log);
}

bool SwitchedRows::begin_some(const std::vector<char>& which, State& state, std::vector<Happened>& log) {
  if (!contacts_.empty()) {
    measure(state);
    for (int k = 0; k < static_cast<int>(contacts_.size()); ++k) {
      if (!which[static_cast<std::size_t>(k)] || gap(k) >= -1e-6 * touch_ / touch) continue;
      problem_ = fmt::format(
          "Contact \"{}\" starts with {:.3g} m of penetration. Change the initial values, or move one of its sides.",
          contact_given(k).name, -gap(k));
      return false;
    }
    std::vector<char> fallen(contacts_.size());
    for (std::size_t k = 0; k < fallen.size(); ++k) fallen[k] = which[k] && gap_[k] <= 10 * touch_;
    if (change_contacts(fallen, state, log) == Outcome::failed) return false;
  }
  return begin_sticks(which, state);
}

SwitchedRows::Outcome SwitchedRows::change_contacts(const std::vector<char>& fallen, State& state,
                                                    std::vector<Happened>& log) {
  if (std::none_of(fallen.begin(), fallen.begin() + static_cast<long>(contacts_.size()), [](char x) { return x != 0; }))
    return Outcome::nothing;
  measure(state);
  const std::vector<int> list = touching_with(fallen, state);
  if (!meet(list, fallen, state, log)) return Outcome::failed;
  return settle(list, fallen, state, log);
}

// A flight of duration T that ends with speed v has reached v T / 4, and the next one e^2 of that. Where the error of the
// integrator is larger it decides about the next impact, and not the motion.
// The same where flights lower than the tolerance do not get slower from impact to impact as the restitution has it: errors lift
// the body as fast as it loses speed, and would do so for ever.
bool SwitchedRows::rebound_is_lost(const Contact& contact, int k, double t) const {
  const double flight = t - contact.last_closing, e = contact_given(k).row->restitution;
  const double speed = std::abs(rate_[static_cast<std::size_t>(k)]), height = flight * speed / 4;
  const bool slows_down = e >= 1 || speed < 0.5 * (1 + e) * contact.closing_speed;
  return flight < 100 * resolution_ && (e * e * height < lowest_ || (!slows_down && height < 100 * lowest_));
}

// The impact of those that close just now with a speed.
bool SwitchedRows::meet(const std::vector<int>& list, const std::vector<char>& fallen, State& state,
                        std::vector<Happened>& log) {
  const double slow = counts_as_none(state.v);
  std::vector<formalism::Touching> touching;
  bool any = false;
  double lost_flight = 0;  // of the contact that comes to rest; 0: none does
  for (const int k : list) {
    Contact& contact = contacts_[static_cast<std::size_t>(k)];
    double restitution = contact_given(k).row->restitution;
    const bool meets = rate_[static_cast<std::size_t>(k)] < -slow;
    any = any || meets;
    if (meets && fallen[static_cast<std::size_t>(k)] && !contact.is_closed) {
      contact.closings.add(state.t);
      if (contact.closings.accumulates(resolution_) || rebound_is_lost(contact, k, state.t)) {
        restitution = 0;
        lost_flight = std::max(lost_flight, state.t - contact.last_closing);
        log.push_back({"comes to rest",
                       contact.closings.limit()
                           ? fmt::format("impacts accumulate at t = {:.9g} s", *contact.closings.limit())
                           : "rebounds are lower than the tolerance shows",
                       contact_given(k).name, "contact"});
        contact.closings.forget();
      }
      contact.last_closing = state.t, contact.closing_speed = std::abs(rate_[static_cast<std::size_t>(k)]);
    }
    touching.push_back({k, restitution});
  }
  if (!any) return true;
  const formalism::Impact impact = formalism::impact(*equations(state).all, state, touching);
  if (!impact.ok) return problem_ = impact.problem, false;
  const std::vector<double> before = rate_;
  state.v = impact.v;
  measure(state);
  const double lost = impact.kinetic_before - impact.kinetic_after;
  for (std::size_t i = 0; i < touching.size(); ++i) {
    if (!(impact.impulses[i] > 0)) continue;
    const auto k = static_cast<std::size_t>(touching[i].contact);
    std::string detail =
        fmt::format("{:.6g} m/s become {:.6g} m/s, impulse {:.6g} N.s, {:.3g} J lost in all", before[k], rate_[k],
                    impact.impulses[i], lost > 1e-12 * impact.kinetic_before ? lost : 0.0);
    if (impact.lowered < 1)
      detail += fmt::format("; restitutions times {:.3g}, as more would gain energy", impact.lowered);
    log.push_back({"impact", detail, contact_given(k).name, "contact"});
  }
  if (lost_flight > 0) seal(list, lost_flight, state);
  return true;
}

// An impact that comes to rest may throw up another contact of the same body, lower than the tolerance shows: a table rocks from
// foot to foot without end. Those that part so slowly rest too. Whether they stay closed the accelerations tell, in settle().
void SwitchedRows::seal(const std::vector<int>& list, double flight, State& state) {
  std::vector<char> was_closed(contacts_.size());
  for (std::size_t k = 0; k < contacts_.size(); ++k) was_closed[k] = contacts_[k].is_closed;
  bool any = false;
  for (const int k : list) {
    const bool rests = flight * std::abs(rate_[static_cast<std::size_t>(k)]) / 4 < lowest_;
    any = any || (rests && rate_[static_cast<std::size_t>(k)] > counts_as_none(state.v));
    contacts_[static_cast<std::size_t>(k)].is_closed = rests;
  }
  if (any && formalism::fit_velocities(*equations(state).all, state, {}).ok) measure(state);
  for (std::size_t k = 0; k < contacts_.size(); ++k) contacts_[k].is_closed = was_closed[k] != 0;
}

// Of those that touch and rest on each other: which are closed from here on.
SwitchedRows::Outcome SwitchedRows::settle(const std::vector<int>& list, const std::vector<char>& fallen, State& state,
                                           std::vector<Happened>& log) {
  const double slow = counts_as_none(state.v);
  std::vector<int> resting;
  for (const int k : list) {
    if (std::abs(rate_[static_cast<std::size_t>(k)]) <= slow) resting.push_back(k);
  }
  std::vector<char> closed(contacts_.size(), 0);
  for (const int k : touching()) closed[static_cast<std::size_t>(k)] = contacts_[static_cast<std::size_t>(k)].is_closed;
  for (const int k : list) closed[static_cast<std::size_t>(k)] = 0;
  if (!resting.empty()) {
    const formalism::Closing closing = formalism::stays_closed(*equations(state).all, state, resting);
    if (!closing.ok) return problem_ = closing.problem, Outcome::failed;
    for (std::size_t i = 0; i < resting.size(); ++i) {
      const auto k = static_cast<std::size_t>(resting[i]);
      const bool lets_go =
          contacts_[k].is_closed && fallen[k] && !(closing.forces[i] > 0);  // its force has fallen to zero
      closed[k] = closing.stays[i] && !lets_go;
    }
  }
  bool changed = false;
  for (std::size_t k = 0; k < closed.size(); ++k) {
    Contact& contact = contacts_[k];
    if (contact.is_closed == (closed[k] != 0)) continue;
    changed = true, contact.is_closed = closed[k] != 0;
    log.push_back({contact.is_closed ? "closes" : "opens", {}, contact_given(k).name, "contact"});
  }
  if (!changed) return log.empty() ? Outcome::nothing : Outcome::state;
  return fit(state) ? Outcome::rows : Outcome::failed;
}

// ---- in general

SwitchedRows::Outcome SwitchedRows::decide_anew(State& state, std::vector<Happened>& log) {
  std::vector<char> fallen(contacts_.size() + sticks_.size(), 1);
  stick_anew(state);
  const Outcome outcome = contacts_.empty() ? Outcome::nothing : change_contacts(fallen, state, log);
  return std::max(outcome, Outcome::rows);
}

void SwitchedRows::pass(const Snapshot& s) {
  for (int k = 0; k < static_cast<int>(contacts_.size()); ++k) {
    Contact& contact = contacts_[static_cast<std::size_t>(k)];
    if (!contact.is_closed) contact.deepest = std::min(contact.deepest, formalism::gap_of(s, k).gap);
  }
  arm(s);
}

void SwitchedRows::arm(const Snapshot& s) {
  for (int k = 0; k < static_cast<int>(contacts_.size()); ++k)
    contacts_[static_cast<std::size_t>(k)].is_clear = formalism::gap_of(s, k).gap > 10 * touch_;
}

std::vector<Warning> SwitchedRows::warnings() const {
  std::vector<Warning> list;
  const double deep = 1e-4 * touch_ / touch;
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    if (contacts_[k].deepest >= -deep) continue;
    list.push_back({"passed_through", contact_given(k).where,
                    fmt::format("Contact \"{}\" was passed through by {:.3g} m while it counted as open: a closing was "
                                "missed between two steps.",
                                contact_given(k).name, -contacts_[k].deepest),
                    "Give the experiment a smaller `largest_step`."});
  }
  return list;
}

// ---- saving and restoring

void SwitchedRows::save(Saving& to) const {
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const Contact& contact = contacts_[k];
    const Owner owner{"contact", contact_given(k).name};
    to.put(owner, "closed", contact.is_closed), to.put(owner, "last closing", contact.last_closing);
    to.put(owner, "closing speed", contact.closing_speed);
    to.put(owner, "largest force", contact.largest_force);
    const std::span<const double> closings = contact.closings.times();
    to.put(owner, "closings", static_cast<double>(closings.size()));
    for (std::size_t i = 0; i < static_cast<std::size_t>(Accumulation::kept); ++i)
      to.put(owner, "closing", i < closings.size() ? closings[i] : 0.0, static_cast<int>(i));
  }
  for (std::size_t k = 0; k < sticks_.size(); ++k) {
    const model::Contribution& given = stick_given(k);
    const Owner owner{"friction", given.name};
    to.put(owner, "mode", held_->modes[model::number_of(model_, given)]);
    to.put(owner, "offset", held_->offsets[static_cast<std::size_t>(sticks_[k].row)]);
  }
}

bool SwitchedRows::resume(Restoring& from, State& state, std::vector<Happened>& log) {
  std::vector<char> is_new(static_cast<std::size_t>(count()), 0);
  const State before = state;
  const auto note = [&](const char* kind, const std::string& name) {
    from.note(fmt::format("{} \"{}\" starts anew: the result has none of that name", kind, name));
  };
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    if (resume_contact(k, from, state.t)) continue;
    is_new[k] = 1, note("contact", contact_given(k).name);
  }
  for (std::size_t k = 0; k < sticks_.size(); ++k) {
    if (resume_stick(static_cast<int>(k), from)) continue;
    is_new[contacts_.size() + k] = 1, note("friction", stick_given(k).name);
  }
  if (any_closed() && !(fit(state) && has_stayed(before, state))) return false;
  return begin_some(is_new, state, log);
}

// What is closed and what sticks belongs to the positions that were saved with it: it does not move them.
bool SwitchedRows::has_stayed(const State& before, const State& state) {
  constexpr double nearly = 1e-3;
  for (std::size_t i = 0; i < state.q.size(); ++i) {
    if (std::abs(state.q[i] - before.q[i]) <= nearly * (1 + std::abs(before.q[i]))) continue;
    problem_ = fmt::format(
        "What is in contact or sticks in the result does not fit its positions here: {} would jump from {:.6g} to "
        "{:.6g}, in SI units. The result is damaged, or that of another model.",
        prepared_.all->position_names()[i], before.q[i], state.q[i]);
    return false;
  }
  return true;
}

bool SwitchedRows::resume_contact(std::size_t k, const Restoring& from, double t) {
  Contact& contact = contacts_[k];
  const Owner owner{"contact", contact_given(k).name};
  const auto closed = from.flag(owner, "closed");
  if (!closed) return false;
  contact.is_closed = *closed;
  contact.last_closing = from.past(owner, "last closing", t).value_or(contact.last_closing);
  contact.closing_speed = std::abs(from.finite(owner, "closing speed").value_or(0));
  contact.largest_force = std::abs(from.finite(owner, "largest force").value_or(0));
  const long closings = from.whole(owner, "closings", 0, Accumulation::kept).value_or(0);
  for (int i = 0; i < closings; ++i) contact.closings.add(from.past(owner, "closing", t, i).value_or(0));
  return true;
}

bool SwitchedRows::resume_stick(int k, const Restoring& from) {
  const Owner owner{"friction", stick_given(k).name};
  const bool may_be_released = stick_given(k).row->hold_ratio > 0;
  const auto saved = from.whole(owner, "mode", Mode::unwatched, may_be_released ? Mode::released : Mode::slips_down);
  const auto offset = from.finite(owner, "offset");
  if (!saved || !offset) return false;
  mode(k) = static_cast<int>(*saved);
  held_->offsets[static_cast<std::size_t>(sticks_[static_cast<std::size_t>(k)].row)] = *offset;
  return true;
}

void SwitchedRows::take_over(const SwitchedRows& before) { contacts_ = before.contacts_; }

}  // namespace skyhook::simulation
