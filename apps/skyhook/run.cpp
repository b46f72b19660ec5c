#include <atomic>
#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <map>

#include "model_commands.h"
#include "skyhook/base/progress.h"
#include "skyhook/base/table.h"
#include "skyhook/io/result/reader.h"
#include "skyhook/io/result/writer.h"
#include "skyhook/simulation/memory_sink.h"
#include "skyhook/simulation/simulate.h"

namespace skyhook::app {
namespace {

std::atomic<bool> stop_requested = false;
extern "C" void on_interrupt(int) { stop_requested = true; }

// "OLD.h5@1.5": the state of an earlier run at a time, by the names of its coordinates.
formalism::State restart_state(const std::string& text, const model::Model& m) {
  const std::size_t at = text.rfind('@');
  char* rest = nullptr;
  const double t = at == std::string::npos ? 0.0 : std::strtod(text.c_str() + at + 1, &rest);
  if (at == std::string::npos || rest == text.c_str() + at + 1 || *rest != '\0') {
    throw ModelError({"command line"}, "--from " + text + " is not of the form FILE@TIME.", "For example --from old.h5@1.5");
  }
  const io::RestartState old = io::ResultFile::open(text.substr(0, at)).state_at(t);
  std::map<std::string, double> value;
  for (std::size_t k = 0; k < old.names.size(); ++k) value[old.names[k]] = old.y[k];
  const formalism::recursive::Equations eq(std::make_shared<model::Model>(m), formalism::choose_tree(m));
  formalism::State s = formalism::initial_guess(eq, t);
  std::vector<std::string> missing;
  auto fill = [&](const std::vector<std::string>& names, std::vector<double>& out) {
    for (std::size_t k = 0; k < names.size(); ++k) {
      if (const auto found = value.find(names[k]); found != value.end()) out[k] = found->second;
      else missing.push_back(names[k]);
    }
  };
  fill(eq.tree().q_names, s.q), fill(eq.tree().v_names, s.v);
  if (!missing.empty()) {
    throw ModelError({text.substr(0, at)}, "it has no coordinate \"" + missing.front() + "\" of this model.", "Start from a result of the same model.");
  }
  return s;
}

void override_experiment(const RunCommand& o, model::Experiment& e) {
  if (o.tolerance < 0 || o.tolerance > 0.1) throw ModelError({"command line"}, "--tolerance must lie between 0 and 0.1.", "Usual are 1e-4 to 1e-8.");
  if (o.until < 0) throw ModelError({"command line"}, "--until must be positive.", "It is the end time in s.");
  if (o.output_step < 0) throw ModelError({"command line"}, "--output-step must be positive.", "It is the time between samples in s.");
  if (o.tolerance > 0) e.tolerance = o.tolerance;
  if (!o.solver.empty()) e.solver = o.solver;
  if (!o.jacobian.empty()) e.jacobian = o.jacobian;
  if (o.until > 0) e.until = o.until;
  if (o.output_step > 0) e.output_step = o.output_step;
  if (e.solver != "ida") throw ModelError(e.where, "there is no solver \"" + e.solver + "\".", suggest(e.solver, {"ida"}, "Solvers"));
  const std::vector<std::string> jacobians{"exact", "grouped", "dense"};
  if (std::find(jacobians.begin(), jacobians.end(), e.jacobian) == jacobians.end()) {
    throw ModelError(e.where, "there is no Jacobian strategy \"" + e.jacobian + "\".", suggest(e.jacobian, jacobians, "Strategies"));
  }
  if (!(e.until > e.from_time)) {
    throw ModelError(e.where, e.name.empty() ? "the model has no experiment that simulates." : "experiment \"" + e.name + "\" does not say when to end.",
                     "Add `until: 10 s` to an experiment of the file, or give --until 10.");
  }
}

// Largest difference of each output between the run and one at a tenth of its tolerance.
Table verification(const simulation::MemorySink& run, const simulation::MemorySink& finer) {
  Table table;
  table.add_column("output");
  table.add_column("estimated error");
  table.add_column("unit");
  table.add_column("relative to its largest value");
  const std::size_t samples = std::min(run.time.size(), finer.time.size());
  for (std::size_t c = 0; c < run.info.channels.size(); ++c) {
    const std::string& name = run.info.channels[c].name;
    if (name == "energy.balance" || name.rfind("constraints.", 0) == 0) continue;  // these are errors themselves
    double error = 0, size = 0;
    for (std::size_t k = 0; k < samples; ++k) {
      error = std::max(error, std::abs(run.channels[k][c] - finer.channels[k][c]));
      size = std::max(size, std::abs(finer.channels[k][c]));
    }
    table.add_row({name, error, run.info.channels[c].unit, size > 0 ? error / size : 0.0});
  }
  return table;
}

Table summary_table(const simulation::RunSummary& s) {
  Table table;
  table.add_column("quantity");
  table.add_column("value", "", 4);
  table.add_row({std::string("simulated time reached [s]"), s.t_reached});
  table.add_row({std::string("wall time [s]"), s.seconds});
  table.add_row({std::string("of this in the integrator [s]"), s.cost.seconds});
  table.add_row({std::string("steps"), s.cost.steps});
  table.add_row({std::string("error test failures"), s.cost.error_test_failures});
  table.add_row({std::string("corrector failures"), s.cost.newton_failures});
  table.add_row({std::string("residuals"), s.cost.residuals});
  table.add_row({std::string("Jacobians"), s.cost.jacobians});
  table.add_row({std::string("factorisations"), s.cost.factorisations});
  table.add_row({std::string("energy balance closes to (relative)"), s.energy_closure});
  table.add_row({std::string("largest position residual"), s.position_residual});
  table.add_row({std::string("largest velocity residual"), s.velocity_residual});
  return table;
}

Table limits_table(const simulation::RunSummary& s) {
  Table table;
  table.add_column("what limited the step");
  table.add_column("element");
  table.add_column("steps");
  for (std::size_t k = 0; k < s.limits.size() && k < 5; ++k) table.add_row({s.limits[k].state, s.limits[k].element, s.limits[k].steps});
  return table;
}

void print_json(const simulation::RunSummary& s, const std::string& out, const std::string& verify) {
  fmt::print("{{\"status\": {}, \"reason\": {}, \"result\": {}, \"t\": {}, \"seconds\": {}, \"integrator_seconds\": {}, \"steps\": {}, \"error_test_failures\": {}, "
             "\"corrector_failures\": {}, \"residuals\": {}, \"jacobians\": {}, \"factorisations\": {}, \"energy_closure\": {}, \"position_residual\": {}, "
             "\"velocity_residual\": {}, \"limits\": {}{}}}\n",
             json_string(s.status), json_string(s.reason), json_string(out), json_number(s.t_reached), json_number(s.seconds), json_number(s.cost.seconds), s.cost.steps,
             s.cost.error_test_failures, s.cost.newton_failures, s.cost.residuals, s.cost.jacobians, s.cost.factorisations, json_number(s.energy_closure),
             json_number(s.position_residual), json_number(s.velocity_residual), limits_table(s).to_json(), verify.empty() ? "" : ", \"verify\": " + verify);
}

}  // namespace

int run(const RunCommand& options) {
  model::Experiment experiment;
  const auto m = std::make_shared<model::Model>(load(options, "simulate", experiment));
  override_experiment(options, experiment);
  std::optional<formalism::State> start;
  if (!options.from.empty()) {
    start = restart_state(options.from, *m);
    experiment.from_time = start->t;
    if (!(experiment.until > start->t)) throw ModelError({"command line"}, fmt::format("--from starts at {} s, the experiment ends at {} s.", start->t, experiment.until), "Give a later --until.");
  }
  for (const auto& w : m->warnings) {
    if (!options.quiet && !options.json) fmt::print(stderr, "warning: {}\n", w);
  }
  const simulation::Prepared p = simulation::prepare(m, experiment, start ? &*start : nullptr);

  const std::string out = options.out.empty() ? std::filesystem::path(options.model).stem().string() + ".h5" : options.out;
  if (!options.from.empty() && std::filesystem::weakly_canonical(out) == std::filesystem::weakly_canonical(options.from.substr(0, options.from.rfind('@')))) {
    throw ModelError({"command line"}, "the result would overwrite the file that --from starts from.", "Give another name with --out.");
  }
  io::ResultWriter writer(out);
  simulation::MemorySink memory;
  simulation::TwoSinks both(writer, memory);
  simulation::Sink& sink = options.verify ? static_cast<simulation::Sink&>(both) : writer;
  Progress progress(std::cerr, Progress::style_of_stderr(options.quiet || options.json), experiment.from_time, experiment.until);
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  simulation::RunOptions o{[&](double t) { progress.update(t); }, [] { return stop_requested.load(); }};
  const simulation::RunSummary s = simulation::simulate(p, experiment, sink, o);
  progress.finish(s.t_reached);

  std::string verified_text, verified_json;
  if (options.verify && s.status == "finished") {
    model::Experiment finer = experiment;
    finer.tolerance /= 10;
    simulation::MemorySink again;
    const auto second = simulation::simulate(p, finer, again, {{}, [] { return stop_requested.load(); }});
    if (second.status == "finished") {
      const Table table = verification(memory, again);
      verified_text = fmt::format("\nestimated errors, from a run at tolerance {:g}:\n{}", finer.tolerance, table.to_text());
      verified_json = table.to_json();
    } else {
      verified_text = "\nthe run at a tenth of the tolerance did not finish: " + (second.reason.empty() ? second.status : second.reason) + "\n";
    }
  }
  if (options.json) print_json(s, out, verified_json);
  else if (!options.quiet && s.cost.steps > 0) fmt::print("{}\n{}{}", summary_table(s).to_text(), s.limits.empty() ? "" : limits_table(s).to_text(), verified_text);
  if (s.status == "failed") fmt::print(stderr, "{}: the run failed. {}\n", options.model, s.reason);
  if (!options.json) fmt::print("{}: result in {}\n", s.status, out);
  return s.status == "failed" ? numerical_failure : s.status == "interrupted" ? interrupted : success;
}

}  // namespace skyhook::app
