// States that events set and drives make jump, see hybrid.h: in the coordinates of joints, whatever those of the run are.
#include <algorithm>
#include <cmath>

#include "skyhook/formalism/transfer.h"
#include "skyhook/simulation/hybrid.h"

namespace skyhook::simulation {

const Equations& Hybrid::lasting() {
  if (!prepared_.in_joints && !prepared_.all->counts_turns()) return *prepared_.all;
  if (!lasting_) lasting_ = prepared_.for_start().holding(held_);
  return *lasting_;
}

formalism::State Hybrid::in_joints(const formalism::State& state) {
  return prepared_.in_joints ? formalism::transfer(*all_, state, lasting()) : state;
}

// Turns that a jump has made count.
formalism::State Hybrid::from_joints(const formalism::State& state) {
  if (prepared_.in_joints || prepared_.all->counts_turns()) held_->angles = formalism::angles_at(lasting(), state);
  return prepared_.in_joints ? formalism::transfer(lasting(), state, *all_) : state;
}

void Hybrid::compare(int rule, const EventRules::Changes& asked, const formalism::State& state) {
  constexpr double noticed = 1e-6;
  EventRules::Changes used = asked;
  rules_.read_back(rule, state, used);
  for (std::size_t k = 0; k < asked.list.size(); ++k) {
    const auto& [name, before, value] = asked.list[k];
    if (std::abs(used.list[k].after - value) <= noticed * (1 + std::abs(value))) continue;
    const model::EventRule& event = rules_[rule];
    const auto known =
        std::ranges::find_if(unmet_, [&](const Unmet& u) { return u.event == event.name && u.state == name; });
    if (known != unmet_.end()) {
      ++known->times;
      continue;
    }
    const auto action = std::ranges::find(event.actions, name, &model::Action::target);
    unmet_.push_back({action->where, event.name, name, state.t, value, used.list[k].after});
  }
}

// Rates that an event sets may mean far larger ones elsewhere.
void Hybrid::look_for_dead_centre(int rule, const EventRules::Changes& asked, const formalism::State& state) {
  const Equations& all = lasting();
  formalism::GivenValues rates;
  for (int j = 0; j < static_cast<int>(prepared_.model->joints.size()); ++j) {
    const auto scalars = static_cast<int>(prepared_.model->joints[static_cast<std::size_t>(j)].reference.size());
    for (int k = 0; k < scalars; ++k) {
      const formalism::JointCoordinate at = all.coordinate(j, k);
      if (at.in_rotation || at.iv < 0) continue;
      const auto i = static_cast<std::size_t>(at.iv);
      if (std::ranges::count(asked.list, all.velocity_names()[i], &EventRules::Change::state) > 0)
        rates.push_back({j, k, state.v[i], true, rules_[rule].where});
    }
  }
  if (rates.empty() || all.ng() == 0) return;
  const auto found = formalism::find_dead_centre(all, state, rates);
  if (!found) return;
  Warning told = event_near_dead_centre(rules_[rule].name, *found, state.t);
  told.where = rules_[rule].where;
  const auto is_known = [&](const Warning& w) {
    return w.where.line == told.where.line && w.where.file == told.where.file;
  };
  if (std::ranges::none_of(near_dead_centres_, is_known)) near_dead_centres_.push_back(std::move(told));
}

// Back onto the constraints, with the values that were set held if that is possible.
bool Hybrid::fit(const formalism::State& before, formalism::State& state) {
  std::vector<int> positions, velocities;
  const Equations& all = lasting();  // contacts and what sticks are decided anew
  for (int iv = 0; iv < all.moving(); ++iv) {
    const int iq = all.position_of(iv);
    if (iq >= 0 && state.q[static_cast<std::size_t>(iq)] != before.q[static_cast<std::size_t>(iq)])
      positions.push_back(iv);
  }
  for (std::size_t i = 0; i < state.v.size(); ++i) {
    if (state.v[i] != before.v[i]) velocities.push_back(static_cast<int>(i));
  }
  formalism::State wished = state;
  auto fitted = formalism::assemble(all, state, positions);
  if (!fitted.ok) state.q = wished.q, fitted = formalism::assemble(all, state, {});
  if (fitted.ok) {
    wished.q = state.q;
    fitted = formalism::fit_velocities(all, state, velocities);
    if (!fitted.ok) state = wished, fitted = formalism::fit_velocities(all, state, {});
  }
  if (!fitted.ok) problem_ = "After an event had set states: " + fitted.problem;
  return fitted.ok;
}

}  // namespace skyhook::simulation
