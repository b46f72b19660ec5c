// Calls sampled controllers at their times and holds what they say in between ([Arnold 2004] (17), (18), (31)).
//
// Controller i samples at offset + k sample_time, k = 0, 1, ..., computed by multiplication, so that no error builds up; what
// it says holds from offset + k sample_time + delay on. Times that differ by rounding alone (instant.h) are one instant: rates
// in a ratio of whole numbers meet whenever they should.
//
// At one instant, in this order:
//   1. outputs whose delay is over are taken over;
//   2. the controllers that are due read their inputs and are updated. Channels are those of the snapshot: the state with the
//      signals as held before the instant, its left limit. An input that names a controller reads its signal: of one without
//      delay that is due as well the new one, whoever is read being updated first (controller_order.h), else the held one.
//      So a delay of one sample time is the delay by one sample of discrete control.
// Outputs of a law that does not feed through are there before any input is read; its memory follows last.
#pragma once
#include <string>
#include <vector>

#include "skyhook/simulation/channels.h"
#include "skyhook/simulation/run_state.h"
#include "skyhook/simulation/table_excursions.h"

namespace skyhook::simulation {

class Sampler {
 public:
  // All that changes along a run: a copy brings it back.
  struct State {
    struct Clock {
      long next = 0;     // number k of the next sample
      long arrived = 0;  // outputs up to this number (excluded) have been taken over
      long samples = 0;  // taken so far
      bool on = true;
    };
    std::vector<Clock> clocks;    // by controller
    std::vector<double> memory;   // of all controllers
    std::vector<double> pending;  // outputs that are on their way
    long instants = 0;            // at which some controller was sampled
    TableExcursions tables;       // of controllers, that were left
  };

  // Throws ModelError that names controller, line and near names for an input that is no channel and no signal, and for an
  // algebraic loop. Samples before `start` are left out; one at `start` is taken. The model must live on.
  Sampler(const model::Model& model, const std::vector<Channel>& all_channels, double start = 0);

  double next() const;  // the next time at which something happens; infinity: never
  // Does all that is due at t, which should be next(). True: some signal has changed its value. Nothing is allocated. What was
  // due before t is made up for at t.
  bool act(double t, const Snapshot& snapshot, const Running& running, model::Held& held);
  // Who said what is no number in the last act(), and why that may be; empty: nobody. The signal then is as before.
  const std::string& problem() const { return problem_; }
  // Whether act(t) will read the snapshot; otherwise it may be an old one.
  bool samples_at(double t) const;
  bool reads_reactions() const { return reads_reactions_; }

  // Switched off, a controller is not sampled, its outputs return to their start values and those on their way are lost.
  // Switched on, it begins with its memory as at the start, at the next of its sampling times (t included).
  // True: some signal has changed its value.
  bool switch_controller(int index, bool on, double t, model::Held& held);
  int find(const std::string& name) const;  // -1: no controller of this name

  std::size_t size() const { return units_.size(); }
  bool empty() const { return units_.empty(); }
  const std::string& name(std::size_t controller) const { return units_[controller].controller->name; }
  long samples(std::size_t controller) const { return state_.clocks[controller].samples; }
  long instants() const { return state_.instants; }
  const State& state() const { return state_; }
  void restore(const State& state) { state_ = state; }
  // From the same controllers with other parameters. Where sample time, offset or delay have changed it samples next at the
  // first of its new times behind t, and what was on its way is lost.
  void take_over(const Sampler& before, double t);
  void save(Saving& to, const model::Held& held) const;
  // Clocks, memory, what is on its way and signals, of every controller that is known there with the same times and as much
  // memory. The others start anew at t, and a note tells.
  void restore(Restoring& from, double t, model::Held& held);

 private:
  struct Input {
    int signal = -1;  // or else the channel
    std::function<double(const Snapshot&, const Running&)> channel;
  };
  struct Unit {
    const model::Controller* controller;
    const model::TabulatedSampling* tables = nullptr;  // none: it has no tables
    std::vector<Input> inputs = {};
    std::vector<double> start_memory = {}, start_outputs = {};
    std::size_t memory = 0;   // where its part of State::memory begins
    std::size_t pending = 0;  // the same
    long slots = 0;           // outputs that can be on their way at once; 0: no delay
    bool feeds_through = true;
    bool is_due = false;  // while acting
  };

  Unit unit_of(const model::Controller& controller, const model::Model& model);
  Input input_of(const model::Controller& controller, const model::Output& input, const model::Model& model,
                 const std::vector<Channel>& all_channels, Findings& findings);
  double sample_time(std::size_t i) const;
  double arrival_time(std::size_t i) const;
  long first_at(const model::Controller& controller, double t) const;
  void restart(std::size_t i, double t);
  bool restore(std::size_t i, const Restoring& from, double t, model::Held& held);
  void leave_out(std::size_t i, double t, model::Held& held, Restoring& notes);
  void take_over(std::size_t i, double t, model::Held& held);
  void foretell(std::size_t i, double t, model::Held& held);
  void update(std::size_t i, double t, const Snapshot& snapshot, const Running& running, model::Held& held);
  void say(std::size_t i, double t, model::Held& held);
  void blame(const Unit& unit, std::size_t output, double t);
  std::span<double> memory_of(std::size_t i);

  const model::Model* model_;
  std::vector<Unit> units_;
  std::vector<int> order_;
  State state_;
  bool reads_reactions_ = false;
  std::string problem_;
  std::vector<double> inputs_, outputs_, scratch_, before_;
  model::TableLooks looks_;
};

}  // namespace skyhook::simulation
