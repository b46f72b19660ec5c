#include "skyhook/simulation/hybrid.h"

#include <algorithm>

namespace skyhook::simulation {

Hybrid::Hybrid(const Prepared& prepared, const model::Experiment& experiment)
    : prepared_(prepared),
      held_(std::make_shared<model::Held>(*prepared.active->held())),
      laws_(*prepared.active),
      search_({experiment.tolerance}),
      watch_([this](const formalism::State& s, Span z) { return watch(s, z); }) {
  if (functions() == 0) {
    use(prepared.all, prepared.active);
    return;
  }
  const auto with_ours = [&](const Equations& eq) {
    return std::make_shared<const Equations>(prepared.model, prepared.topology, eq.active(), held_);
  };
  const auto all = with_ours(*prepared.all);
  use(all, prepared.active == prepared.all ? all : with_ours(*prepared.active));
}

void Hybrid::use(std::shared_ptr<const Equations> all, std::shared_ptr<const Equations> active) {
  all_ = std::move(all), active_ = std::move(active);
  if (functions() == 0) return;
  seen_ = std::make_unique<Snapshot>(active_, all_);
  search_.begin(*active_, functions());
  fresh_.assign(functions(), 0);
}

void Hybrid::choose(const std::vector<int>& independent) {
  use(all_, std::make_shared<const Equations>(prepared_.model, prepared_.topology, independent, all_->held()));
}

bool Hybrid::watch(const formalism::State& s, Span z) {
  seen_->evaluate_motion(s.t, s.q, s.v);
  laws_.values(*seen_, z);
  return true;
}

void Hybrid::begin(const formalism::State& state) {
  if (functions() == 0) return;
  std::vector<double> z(functions());
  watch(state, z);
  for (int k = 0; k < laws_.count(); ++k) held_->modes[laws_.force(k)] = laws_.first_mode(k, *seen_);
  search_.start(state, fresh_, watch_);
}

std::optional<formalism::State> Hybrid::first_event(double to, const EventSearch::Interpolate& interpolate) {
  return search_.first(to, interpolate, watch_);
}

Change Hybrid::act(formalism::State& state, std::vector<Happened>& log) {
  std::fill(fresh_.begin(), fresh_.end(), 0);
  const Change change = switch_laws(log);
  search_.start(state, fresh_, watch_);
  return change;
}

Change Hybrid::switch_laws(std::vector<Happened>& log) {
  Change change = Change::none;
  for (int k = 0; k < laws_.count(); ++k) {
    if (!search_.changed()[k]) continue;
    int& mode = held_->modes[laws_.force(k)];
    const int next = laws_.next_mode(k, *seen_);
    if (next == mode) continue;
    log.push_back({laws_.event(k, mode, next), {}});
    mode = next, fresh_[k] = 1, change = Change::mode;
  }
  return change;
}

}  // namespace skyhook::simulation
