// Coordinates that stick and slip, see switched_rows.h.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "skyhook/simulation/at_rest.h"
#include "skyhook/simulation/instant.h"
#include "skyhook/simulation/switched_rows.h"

namespace skyhook::simulation {

using formalism::State;
using Mode = model::Stick::Mode;

namespace {

constexpr double still_pressed = 0.5;  // of what it takes to press: so that it is not released and pressed in turns

int mode_of(double direction) { return direction > 0 ? Mode::slips_up : Mode::slips_down; }

}  // namespace

// `signals`: the continuous ones.
double SwitchedRows::most_of(int k, double t, CSpan signals) const {
  const model::Contribution& given = stick_given(k);
  const auto index = static_cast<std::size_t>(given.signal.index);
  const double signal = given.signal.index < 0       ? 0.0
                        : given.signal.is_continuous ? signals[index]
                                                     : held_->signals[index];
  return model::largest_hold(given, t, signal);
}

// In no mode it rests because others do not let it move. Elsewhere `still` keeps rounding from reversing such a coordinate.
double SwitchedRows::stick_value(int k, const Snapshot& s, double lambda, double still) const {
  const model::Contribution& given = stick_given(k);
  const int mode = held_->modes[model::number_of(model_, given)];
  const double rate = sticks_[static_cast<std::size_t>(k)].motion.rate(s);
  const double most = most_of(k, s.t, s.signals);
  if (mode == Mode::released) return given.row->hold - most;
  if (mode == Mode::sticks) return most - std::abs(lambda);
  if (mode == Mode::unwatched) return still - std::abs(rate);
  const double goes_on = (mode == Mode::slips_up ? rate : -rate) + still;
  return given.row->hold_ratio > 0 ? std::min(goes_on, most - still_pressed * given.row->hold) : goes_on;
}

bool SwitchedRows::begin_sticks(const std::vector<char>& which, State& state) {
  for (int k = 0; k < static_cast<int>(sticks_.size()); ++k) {
    if (!which[contacts_.size() + static_cast<std::size_t>(k)]) continue;
    const double most = most_of(k, state.t, lasting_->signals_at(state));
    mode(k) = is_released(stick_given(k), most) ? static_cast<int>(Mode::released) : mode_of(rate_of(k, state));
    if (mode(k) == Mode::released || std::abs(rate_of(k, state)) > counts_as_none(state.v)) continue;
    try_to_stick(k, state, most);
    if (!problem_.empty()) return false;
  }
  return true;
}

// Its row follows from those that act already: drives, joints and what sticks or is closed decide how the coordinate moves, and
// no force can hold it. In a driven mechanism that is so everywhere, in a free one at its dead positions.
bool SwitchedRows::is_decided_by_others(int k, const State& state) const {
  const auto rank = [&](const std::vector<int>& rows) {
    if (rows.empty()) return 0;
    return formalism::find_rank(Equations(prepared_.model, prepared_.topology, rows, held_), state).here;
  };
  std::vector<int> rows = rows_now();
  const int row = sticks_[static_cast<std::size_t>(k)].row;
  std::erase(rows, row);
  const int without = rank(rows);
  rows.insert(std::ranges::lower_bound(rows, row), row);
  return rank(rows) == without;
}

// The force that holds the coordinate, with its row among those that act. Absent: no force does. A rocker next to its dead
// position rests while its mechanism moves on: to hold it would take an impulse.
std::optional<double> SwitchedRows::holding_force(int k, State& held) {
  constexpr double no_impulse = 1e-6;  // of the speeds: what fitting a rate of rounding size to zero may change
  const Stick& stick = sticks_[static_cast<std::size_t>(k)];
  const std::vector<double> v = held.v;
  if (!fit(held)) return {};
  for (std::size_t i = 0; i < v.size(); ++i) {
    if (std::abs(held.v[i] - v[i]) > no_impulse * fastest(held.v)) return {};
  }
  const Pair pair = equations(held);
  Evaluator evaluator(pair.active, pair.all);
  if (evaluator.evaluate(held.t, held.q, held.v, false) != Eval::ok) return {};
  const Snapshot& s = evaluator.now();
  const auto at = std::ranges::lower_bound(pair.active->active(), stick.row);
  const bool counts = at != pair.active->active().end() && *at == stick.row;
  return counts ? s.lambda[static_cast<std::size_t>(at - pair.active->active().begin())] : 0.0;
}

// Holds the coordinate where it is, if the force that this takes is at most `most`. Otherwise it slips the way it wants to move:
// that of the force, or, where none can hold it, that in which it is moved.
bool SwitchedRows::try_to_stick(int k, State& state, double most) {
  const Stick& stick = sticks_[static_cast<std::size_t>(k)];
  const int before = mode(k);
  std::optional<double> force;
  if (!is_decided_by_others(k, state)) {
    State held = state;
    mode(k) = Mode::sticks;
    held_->offsets[static_cast<std::size_t>(stick.row)] = place_of(k, state);
    force = holding_force(k, held);
    if (force && std::abs(*force) <= most) return state = held, true;
    if (force && *force * rate_of(k, state) < 0) state.v = held.v;  // it starts from rest, or would turn round for ever
    if (!force)  // its independent rows are those of a singular position
      std::erase_if(known_, [now = rows_now()](const Known& one) { return one.rows == now; });
  }
  problem_.clear();
  mode(k) = before == Mode::sticks ? Mode::unwatched : before;
  mode(k) = force ? mode_of(*force) : moved_by_others(k, state);
  return false;
}

// The mode of a coordinate that cannot be held: its direction, or none where the others keep it at rest.
int SwitchedRows::moved_by_others(int k, const State& state) {
  constexpr double nothing = 1e-8;  // of the accelerations
  if (std::abs(rate_of(k, state)) > rests_below(state.v)) return mode_of(rate_of(k, state));
  const Pair pair = equations(state);
  Evaluator evaluator(pair.active, pair.all);
  const Snapshot& s = evaluator.now();
  if (evaluator.evaluate(state.t, state.q, state.v, false) != Eval::ok) {
    problem_ = fmt::format("\"{}\" can neither be held nor let go: {}.", stick_given(k).name, evaluator.blame());
    return Mode::unwatched;
  }
  const double a = sticks_[static_cast<std::size_t>(k)].motion.acceleration(s);
  return std::abs(a) > nothing * fastest(s.a) ? mode_of(a) : Mode::unwatched;
}

SwitchedRows::Outcome SwitchedRows::change_sticks(const std::vector<char>& fallen, State& state,
                                                  std::vector<Happened>& log) {
  Outcome outcome = Outcome::nothing;
  bool any_broke_away = false;
  for (int k = 0; k < static_cast<int>(sticks_.size()); ++k) {
    if (!fallen[contacts_.size() + static_cast<std::size_t>(k)]) continue;
    const bool breaks_away = sticks(k);
    if (breaks_away) sticks_[static_cast<std::size_t>(k)].broke_away = state.t, any_broke_away = true;
    outcome = std::max(outcome, change_stick(k, breaks_away, state, log));
  }
  return any_broke_away ? std::max(outcome, hold_others(state, log)) : outcome;
}

SwitchedRows::Outcome SwitchedRows::change_stick(int k, bool breaks_away, State& state, std::vector<Happened>& log) {
  const model::Contribution& given = stick_given(k);
  const int before = mode(k);
  const double rate = rate_of(k, state), most = most_of(k, state.t, lasting_->signals_at(state));
  if (is_released(given, (before == Mode::released ? 1.0 : 1.0 / (still_pressed + 1e-3)) * most))
    mode(k) = Mode::released;
  else if (std::abs(rate) > counts_as_none(state.v))
    mode(k) = mode_of(rate);  // it has jumped past zero
  else
    try_to_stick(k, state, breaks_away ? -1.0 : most);
  if (!problem_.empty()) return Outcome::failed;
  if (mode(k) == before) return rate_of(k, state) == rate ? Outcome::nothing : Outcome::state;
  const bool stood = before == Mode::sticks || before == Mode::unwatched;
  const bool rests = mode(k) == Mode::unwatched, is_free = mode(k) == Mode::released;
  const bool begins = stood || before == Mode::released;
  log.push_back({sticks(k) ? "sticks"
                 : is_free ? "is released"
                 : rests   ? "rests"
                 : begins  ? "slips"
                           : "reverses",
                 {},
                 given.name,
                 "friction"});
  return Outcome::rows;
}

// Where one breaks away, others that it has kept at rest may hold: two frictions in one mechanism carry more than each alone. One that
// has just broken away is let go.
SwitchedRows::Outcome SwitchedRows::hold_others(State& state, std::vector<Happened>& log) {
  Outcome outcome = Outcome::nothing;
  for (int k = 0; k < static_cast<int>(sticks_.size()); ++k) {
    if (sticks(k) || mode(k) == Mode::released ||
        same_instant(sticks_[static_cast<std::size_t>(k)].broke_away, state.t))
      continue;
    if (std::abs(rate_of(k, state)) > rests_below(state.v)) continue;
    outcome = std::max(outcome, change_stick(k, false, state, log));
  }
  return outcome;
}

// After the state was set: what sticks sticks where it is now, unless it moves.
void SwitchedRows::stick_anew(const State& state) {
  for (int k = 0; k < static_cast<int>(sticks_.size()); ++k) {
    const Stick& stick = sticks_[static_cast<std::size_t>(k)];
    if (!sticks(k)) continue;
    if (std::abs(rate_of(k, state)) > counts_as_none(state.v))
      mode(k) = mode_of(rate_of(k, state));
    else
      held_->offsets[static_cast<std::size_t>(stick.row)] = place_of(k, state);
  }
}

}  // namespace skyhook::simulation
