// A run that can be held: led on piece by piece, looked at, told its inputs from outside, saved and taken back. What stands on it:
// simulate(), and programs that use Skyhook as a library (docs/examples/10_embedding.cpp).
//
// No piece changes the run: its steps are those of the run in one piece and go beyond the time asked for, where the state is found
// within the last step, as samples are. Reading leaves no trace either. So all that comes out is the same, bit by bit.
#pragma once
#include <memory>
#include <string>

#include "skyhook/formalism/state.h"
#include "skyhook/simulation/simulate.h"

namespace skyhook::simulation {

class Run;

class Simulation {
 public:
  // From the prepared state at the start of the experiment, to its `until` at most. `prepared` must live on. Throws ModelError as
  // simulate() does; a failure in the numbers is told by summary().
  Simulation(const Prepared& prepared, const model::Experiment& experiment, const RunOptions& options = {});
  // The sink, which must live on, is told all that happens. After restore() it hears of the same times again.
  Simulation(const Prepared& prepared, const model::Experiment& experiment, Sink& sink, const RunOptions& options = {});
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  // Ends at t, behind all that happens at this instant. False: the run has ended before, summary() tells why. t before t() is refused
  // with a ModelError.
  bool advance(double t);
  double t() const;
  bool is_over() const;  // nothing moves any more: the end was reached, an event has stopped the run, or it has failed

  // The value of any channel of the model at t(), in SI units: `skyhook channels` lists them. No number where a failure has left
  // no state. Throws ModelError for a name that is none, with the nearest ones.
  double channel(const std::string& name) const;
  const formalism::State& state() const;  // t, q and v, in the order of RunInfo::states
  // The model as it stands at t(), with the constraint rows that hold there and what is held: for analyses of that instant.
  Prepared prepared() const;

  // A signal of the model (Model::signals) has this value from t() on. One that no controller says is an input: it holds until it is
  // set again. That of a controller holds until the controller next says something. Throws ModelError for a name that is none.
  void set(const std::string& signal, double value);

  // Everything, the integrator's memory included; a value, to be kept and restored any number of times.
  class Saved {
    friend Simulation;
    struct Contents;
    std::shared_ptr<const Contents> contents_;
  };
  // Throws ModelError with `ida`, which cannot be copied.
  Saved save() const;
  // Of this simulation; any other is refused with a ModelError. What follows is what followed, bit by bit.
  void restore(const Saved& saved);

  // So far; complete after finish().
  const RunSummary& summary() const;
  // Closes the books and the sink. A run that was not over counts as interrupted.
  RunSummary finish();

 private:
  std::unique_ptr<Sink> silence_;  // where nobody listens
  std::unique_ptr<Run> run_;
};

}  // namespace skyhook::simulation
