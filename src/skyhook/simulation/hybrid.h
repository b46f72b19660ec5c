// The discrete part of a run (SPEC E5, I7, K10): what holds between events, who watches for them, and what they change.
//
// At one instant things happen in this order, whatever brought the run there: events at given times, sampled controllers,
// switching laws, contacts, stick-slip, events of formulas; in each group as the model file has them.
#pragma once
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "skyhook/simulation/event_search.h"
#include "skyhook/simulation/prepare.h"
#include "skyhook/simulation/switching_laws.h"

namespace skyhook::simulation {

// What an instant has changed, each with all before it.
enum class Change {
  none,
  input,  // a signal that laws read
  mode,   // the law of an element
  state,  // positions or velocities
  rows,   // the constraints
};

struct Happened {
  std::string name, detail;
};

class Hybrid {
 public:
  Hybrid(const Prepared& prepared, const model::Experiment& experiment);

  const std::shared_ptr<const Equations>& active() const { return active_; }  // the independent constraint rows
  const std::shared_ptr<const Equations>& all() const { return all_; }        // and those redundant
  // Other rows of the redundant constraints.
  void choose(const std::vector<int>& independent);

  // Modes at the start.
  void begin(const formalism::State& state);
  double next_time() const { return std::numeric_limits<double>::infinity(); }  // at which something happens for sure
  // The first event behind the last one, or the last call, and not after `to`.
  std::optional<formalism::State> first_event(double to, const EventSearch::Interpolate& interpolate);
  // All that happens at the state, which changes with it.
  Change act(formalism::State& state, std::vector<Happened>& log);
  const EventSearch::Cost& search_cost() const { return search_.cost(); }
  model::Held& held() { return *held_; }

 private:
  std::size_t functions() const { return static_cast<std::size_t>(laws_.count()); }
  bool watch(const formalism::State& state, Span z);
  void use(std::shared_ptr<const Equations> all, std::shared_ptr<const Equations> active);
  Change switch_laws(std::vector<Happened>& log);

  const Prepared& prepared_;
  std::shared_ptr<model::Held> held_;
  std::shared_ptr<const Equations> all_, active_;
  SwitchingLaws laws_;
  std::unique_ptr<Snapshot> seen_;
  EventSearch search_;
  EventSearch::Watch watch_;
  std::vector<char> fresh_;
};

}  // namespace skyhook::simulation
