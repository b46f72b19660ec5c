#include "skyhook/simulation/simulation.h"

#include <fmt/format.h>

#include "skyhook/model/signals.h"
#include "skyhook/simulation/run.h"

namespace skyhook::simulation {
namespace {

struct Silence : Sink {
  void begin(const RunInfo&) override {}
  void sample(const Sample&) override {}
  void step(const StepRecord&) override {}
  void event(const EventRecord&) override {}
  void end(const RunSummary&) override {}
};

}  // namespace

struct Simulation::Saved::Contents {
  Run::Saved run;
  std::shared_ptr<const char> whose;
};

Simulation::Simulation(const Prepared& prepared, const model::Experiment& experiment, const RunOptions& options)
    : silence_(std::make_unique<Silence>()), run_(std::make_unique<Run>(prepared, experiment, *silence_, options)) {
  run_->begin();
}

Simulation::Simulation(const Prepared& prepared, const model::Experiment& experiment, Sink& sink,
                       const RunOptions& options)
    : run_(std::make_unique<Run>(prepared, experiment, sink, options)) {
  run_->begin();
}

Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

bool Simulation::advance(double t) {
  if (!(t >= run_->t()))
    throw ModelError({},
                     fmt::format("the simulation stands at t = {:.9g} s and cannot go back to {:.9g} s.", run_->t(), t),
                     "Save it before, and restore it.");
  run_->advance(t);
  return !run_->is_over() || run_->t() >= t;
}

double Simulation::t() const { return run_->t(); }
bool Simulation::is_over() const { return run_->is_over(); }
double Simulation::channel(const std::string& name) const { return run_->channel(name); }
const formalism::State& Simulation::state() const { return run_->look().state; }
Prepared Simulation::prepared() const { return run_->prepared_now(); }
const RunSummary& Simulation::summary() const { return run_->summary(); }
RunSummary Simulation::finish() { return run_->finish(); }

void Simulation::set(const std::string& signal, double value) {
  const int index = model::find_signal(run_->model(), signal);
  if (index < 0)
    throw ModelError({}, "the model has no signal \"" + signal + "\".",
                     suggest(signal, model::signal_names(run_->model()), "Signals"));
  run_->set_signal(index, value);
}

Simulation::Saved Simulation::save() const {
  Saved saved;
  saved.contents_ = std::make_shared<const Saved::Contents>(Saved::Contents{run_->save(), run_->identity()});
  return saved;
}

void Simulation::restore(const Saved& saved) {
  if (!saved.contents_ || saved.contents_->whose != run_->identity())
    throw ModelError({}, "what is to be restored was saved by another simulation.",
                     "Its equations point to what that one holds: restore it there.");
  run_->restore(saved.contents_->run);
}

RunSummary simulate(const Prepared& prepared, const model::Experiment& experiment, Sink& sink,
                    const RunOptions& options) {
  Simulation simulation(prepared, experiment, sink, options);
  simulation.advance(experiment.until);
  return simulation.finish();
}

}  // namespace skyhook::simulation
