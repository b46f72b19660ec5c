// Whole models with sampled controllers and with events, as `skyhook run` integrates them: what a sample and an event cost.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>

#include "no_sink.h"
#include "skyhook/analysis/compare.h"
#include "skyhook/analysis/start.h"
#include "skyhook/io/model_file/model_reader.h"
#include "tables.h"

namespace skyhook::bench {
namespace {

constexpr double tolerance = 1e-6;

struct Case {
  std::string name, file, experiment;  // the file below models/
  std::vector<io::Setting> set = {};
  std::vector<std::pair<std::string, std::string>> edits =
      {};  // of the file's text: what is there, what comes behind it
};

std::string edited_text(const Case& c, const std::string& path) {
  std::ifstream in(path);
  std::stringstream buffer;
  buffer << in.rdbuf();
  std::string text = buffer.str();
  for (const auto& [mark, added] : c.edits) {
    const std::size_t at = text.find(mark);
    if (at == std::string::npos) throw std::runtime_error(path + " has no line " + mark);
    text.insert(at + mark.size(), added);
  }
  return text;
}

struct Ready {
  simulation::Prepared prepared;
  model::Experiment experiment;
};

Ready ready(const Case& c) {
  const std::string path = SKYHOOK_MODELS "/" + c.file;
  auto model = std::make_shared<model::Model>(io::read_model_text(edited_text(c, path), path, c.set, c.experiment));
  const auto chosen = std::ranges::find(model->experiments, c.experiment, &model::Experiment::name);
  Ready out{{}, *chosen};
  model::set_tolerance(out.experiment, tolerance);
  out.prepared = analysis::prepare(model, out.experiment);
  if (!out.prepared.ok()) throw std::runtime_error(c.name + ": " + out.prepared.problem());
  return out;
}

// The fastest of some runs with next to no output.
simulation::RunSummary fastest_run(const Ready& r, const std::string& solver, int runs = 5) {
  model::Experiment e = r.experiment;
  e.solver = solver, e.output_step = e.until, e.outputs = {{"energy.kinetic", "energy.kinetic", {}}};
  simulation::RunSummary best;
  best.seconds = std::numeric_limits<double>::infinity();
  for (int k = 0; k < runs; ++k) {
    NoSink sink;
    const simulation::RunSummary s = simulation::simulate(r.prepared, e, sink, {});
    if (s.seconds < best.seconds) best = s;
  }
  return best;
}

// ---- samples

// The PID of a cylinder beside the shock: bench only, the suspension itself is passive.
std::vector<std::pair<std::string, std::string>> levelling() {
  return {{"\nforces:\n",
           "  cylinder: {type: actuator, from: ground, to: lower_rear.rod, from_at: [-0.05387, -0.49195, 0.19286],\n"
           "             to_at: [-0.053587, -0.716, -0.18], signal: levelling}\n"},
          {"energy_balance: energy.balance",
           "\ncontrollers:\n  levelling: {type: pid, sample_time: 5 ms, input: wheel.z, setpoint: 0, kp: -10 kN/m,\n"
           "              kd: -300 N.s/m, derivative_filter: 10 ms, lower: -3 kN, upper: 3 kN, unit: N}\n#"}};
}

void sampled(Report& report, const std::string& key, const Case& c) {
  const Ready r = ready(c);
  const std::vector<std::string> solvers{"bdf", "ida", "radau5", "dopri5", "adams", "hem5"};
  const analysis::Comparison compared = analysis::compare(
      r.prepared, r.experiment, {.solvers = solvers, .tolerances = {tolerance}, .reference = {"radau5", 1e-9}});
  Table table;
  table.add_column("integrator");
  for (const char* column : {"steps", "rejected", "evaluations", "Jacobians", "factorisations", "time", "error"})
    table.add_column(column, std::string(column) == "time" ? "us" : "", 3);
  for (std::size_t k = 0; k < compared.runs.size(); ++k) {
    const analysis::ComparedRun& run = compared.runs[k];
    const auto mean = [&](double x) { return x / static_cast<double>(run.samples); };
    const auto each = [&](long n) { return mean(static_cast<double>(n)); };
    const double seconds = fastest_run(r, solvers[k]).seconds;
    table.add_row({run.solver, each(run.cost.steps), each(run.rejected()), each(run.cost.residuals),
                   each(run.cost.jacobians), each(run.cost.factorisations), 1e6 * mean(seconds), run.error.positions});
  }
  report.add("sampled_" + key, fmt::format("{}, tolerance {:g}: per sample", c.name, tolerance), table);
}

// ---- events

void events(Report& report) {
  Table table;
  table.add_column("model");
  table.add_column("integrator");
  table.add_column("events");
  table.add_column("steps");
  table.add_column("run", "us", 4);
  table.add_column("integrator alone", "us", 4);
  table.add_column("all of the rest, per event", "us", 3);
  const std::vector<Case> cases{{"block on a belt", "mechanisms/belt.yaml", "stick_slip"},
                                {"bouncing ball", "mechanisms/bouncing_ball.yaml", "bounce"},
                                {"five-link stair", "suspension/five_link.yaml", "stair"}};
  for (const Case& c : cases) {
    const Ready r = ready(c);
    for (const char* solver : {"bdf", "radau5", "dopri5", "adams"}) {
      const simulation::RunSummary s = fastest_run(r, solver);
      table.add_row({c.name, solver, s.events, s.cost.steps, 1e6 * s.seconds, 1e6 * s.cost.seconds,
                     1e6 * (s.seconds - s.cost.seconds) / static_cast<double>(s.events)});
    }
  }
  report.add("events", fmt::format("Runs with events, tolerance {:g}", tolerance), table);
}

// ---- contacts with and without events

void contacts(Report& report) {
  Table table;
  table.add_column("integrator");
  for (const char* column : {"events", "steps", "Jacobians", "run"})
    table.add_column(std::string(column) + " with events", std::string(column) == "run" ? "s" : "", 3);
  for (const char* column : {"steps", "Jacobians", "run"})
    table.add_column(std::string(column) + " without", std::string(column) == "run" ? "s" : "", 3);
  const Case chain{"falling chain", "bench/falling_chain.yaml", "fall", {{"touches", "on"}}};
  const Ready with = ready(chain), without = ready({chain.name, chain.file, chain.experiment});
  for (const char* solver : {"bdf", "ida", "dopri5"}) {
    const simulation::RunSummary on = fastest_run(with, solver, 1), off = fastest_run(without, solver, 1);
    table.add_row({solver, on.events, on.cost.steps, on.cost.jacobians, on.seconds, off.cost.steps, off.cost.jacobians,
                   off.seconds});
    report.judge(fmt::format("128 links falling on the ground, {}: time without events", solver),
                 off.seconds / on.seconds, 0.7, "with events");
  }
  report.add("contacts", fmt::format("A chain of 128 links falling on the ground, tolerance {:g}", tolerance), table);
}

}  // namespace

void sampled_models(Report& report) {
  const Case quarter{"semi-active quarter car, 200 Hz", "car/semi_active.yaml", "skyhook"};
  sampled(report, "200", quarter);
  Case fast = quarter;
  fast.name = "semi-active quarter car, 1 kHz", fast.set = {{"sample_time", "1 ms"}};
  sampled(report, "1000", fast);
  Case stiff = quarter;
  stiff.name = "stiff semi-active quarter car, 200 Hz";
  stiff.set = {{"tyre_rate", "2 MN/m"}, {"tyre_damping", "100 kN.s/m"}};
  sampled(report, "stiff", stiff);
  sampled(report, "five_link",
          {"five-link suspension with PID, 200 Hz", "suspension/five_link.yaml", "bump", {}, levelling()});
  events(report);
  contacts(report);
}

}  // namespace skyhook::bench
