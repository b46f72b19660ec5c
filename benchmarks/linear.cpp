// Linearisation and modes: what they cost on the car of four_post.yaml, the lowest modes of a long chain, and 200 random models against
// differences of their motion.
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <numbers>
#include <stdexcept>

#include "skyhook/analysis/large_modes.h"
#include "skyhook/analysis/linear_flow.testing.h"
#include "skyhook/analysis/linear_motion.testing.h"
#include "skyhook/analysis/modes.h"
#include "skyhook/analysis/root_locus.h"
#include "skyhook/io/model_file/model_source.h"
#include "skyhook/io/random/random_mechanism.testing.h"
#include "skyhook/simulation/simulation.h"
#include "tables.h"
#include "timing.h"

namespace skyhook::bench {
namespace {

simulation::Prepared prepare(model::Model m) {
  const auto shared = std::make_shared<const model::Model>(std::move(m));
  return simulation::prepare(shared, shared->experiments.empty() ? model::Experiment{} : shared->experiments[0]);
}

void car(Report& report) {
  const simulation::Prepared p = prepare(io::read_model(SKYHOOK_MODELS "/car/four_post.yaml", {}, "heave"));
  const analysis::Equilibrium e = analysis::find_equilibrium(p);
  if (!e.found) throw std::runtime_error(e.problem);
  const analysis::OperatingPoint at = analysis::at_equilibrium(e);
  const analysis::Linearisation linear = analysis::linearise(p, at, {.with_inputs = false});
  const std::vector<Call> calls{[&] { analysis::linearise(p, at, {.with_inputs = false}); },
                                [&] { analysis::linearise(p, at); },
                                [&] { analysis::linearise(p, at, {.differences = true, .with_inputs = false}); },
                                [&] { analysis::find_modes(p, at, linear); },
                                [&] {
                                  const auto again = analysis::linearise(p, at, {.with_inputs = false});
                                  analysis::find_modes(p, at, again);
                                }};
  const std::vector<double> s = least_seconds(calls, {.rounds = 21});
  Table table;
  table.add_column("four_post, 10 degrees of freedom"), table.add_column("time", "ms", 3), table.add_column("goal");
  table.add_row({"linearisation, exact", 1e3 * s[0], report.judge("linearisation of four_post, ms", 1e3 * s[0], 1)});
  table.add_row({"the same with 15 inputs", 1e3 * s[1], ""});
  table.add_row({"the same by grouped differences, without inputs", 1e3 * s[2], ""});
  table.add_row({"modes with shapes and energies", 1e3 * s[3], report.judge("modes of four_post, ms", 1e3 * s[3], 5)});
  table.add_row({"a point of a root locus, without reading and equilibrium", 1e3 * s[4], ""});
  report.add("linear", "Linearisation and modes of a car", table);
}

void long_chain(Report& report) {
  constexpr int N = 2000;
  const simulation::Prepared p = prepare(io::read_model_text(fmt::format(R"(skyhook: 1
gravity: 0
parameters: {{N: {}}}
bodies:
  m[i=1..N]: {{mass: 2 kg, at: [=i, 0, 0]}}
joints:
  j[i=1..N]: {{type: prismatic, from: ground, to: "m[i]", axis: x}}
forces:
  s[1]: {{type: spring_damper, from: ground, to: "m[1]", stiffness: 50}}
  s[i=2..N]: {{type: spring_damper, from: "m[i-1]", to: "m[i]", stiffness: 50}}
)",
                                                                         N),
                                                             "chain.yaml"));
  if (!p.ok()) throw std::runtime_error(p.problem());
  const analysis::OperatingPoint at =
      analysis::at_rest(*p.active, p.state, std::vector<double>(static_cast<std::size_t>(p.active->ng())));
  const double begin = processor_now();
  const analysis::Modes found = analysis::find_lowest_modes(p, at, {.count = 10, .shift = 0.01});
  const double seconds = processor_now() - begin;
  if (!found.problem.empty()) throw std::runtime_error(found.problem);
  double worst = 0;
  for (std::size_t k = 0; k < found.modes.size(); ++k) {
    const double exact =
        2 * std::sqrt(25.0) * std::sin(static_cast<double>(2 * k + 1) * std::numbers::pi / (2 * (2 * N + 1)));
    worst = std::max(worst, std::abs(2 * std::numbers::pi * found.modes[k].frequency / exact - 1));
  }
  Table table;
  table.add_column("masses"), table.add_column("modes"), table.add_column("processor time", "s", 3);
  table.add_column("largest error of a frequency", "", 2);
  table.add_row({static_cast<long>(N), static_cast<long>(found.modes.size()), seconds, worst});
  report.add("linear_chain", "Lowest modes of a chain by shift and invert, against the closed form", table);
}

void random_mechanisms(Report& report) {
  constexpr int wanted = 200;
  int compared = 0, wrong = 0;
  double worst = 0;
  for (unsigned seed = 1; compared < wanted && seed < 3 * wanted; ++seed) {
    const auto p = prepare(io::read_model_text(text_of(io::testing::random_mechanism(seed)), "random.yaml"));
    if (!p.ok()) continue;
    const model::Experiment& e = p.model->experiments[0];
    simulation::Simulation run(p, e);
    if (!run.advance(0.3 * e.until)) continue;
    const formalism::State state = run.state();
    const simulation::Prepared now = run.prepared();
    std::string problem;
    const auto at = analysis::in_motion(*now.active, state, problem);
    if (!at) continue;
    const auto linear = analysis::linearise(now, *at);
    if (!linear.problem.empty()) {
      report.note(fmt::format("random model {}: {}", seed, linear.problem));
      continue;
    }
    double error = 1;
    for (const double size : {2e-5, 1e-6})
      error = std::min(error, analysis::testing::compare_with_motion(*now.active, *at, linear, size).error);
    ++compared, wrong += error > 1e-6, worst = std::max(worst, error);
    if (error > 1e-6) report.note(fmt::format("random model {}: differs by {:.2g}", seed, error));
  }
  Table table;
  table.add_column("random models"), table.add_column("differ by more than 1e-6"), table.add_column("largest", "", 2);
  table.add_row({static_cast<long>(compared), static_cast<long>(wrong), worst});
  report.judge("random linearisations that differ from the motion", wrong, 0);
  report.add("linear_random", "Linearisation against differences of the motion", table);
}

// The same against runs that start beside the state.
void random_runs(Report& report) {
  constexpr int wanted = 200;
  int compared = 0, wrong = 0, rows = 0, redundant = 0, rotations = 0, inner = 0, contacts = 0;
  double worst = 0;
  std::map<std::string, int> skipped;
  for (unsigned seed = 1; compared < wanted && seed < 3 * wanted; ++seed) {
    const auto m = std::make_shared<const model::Model>(
        io::read_model_text(text_of(io::testing::random_mechanism(seed, {.rests = seed % 3 == 0})), "random.yaml"));
    const model::Experiment& e = m->experiments[0];
    const auto start = analysis::testing::flow_start(m, e, 0.30173 * e.until);
    if (!start) {
      ++skipped["the run does not get there"];
      continue;
    }
    const auto found = analysis::testing::compare_with_flow(*start, seed);
    if (!found.skipped.empty()) {
      ++skipped[found.skipped];
      continue;
    }
    ++compared, wrong += found.error > 1e-5, worst = std::max(worst, found.error);
    rows += found.rows > 0, redundant += found.is_redundant, rotations += found.rotations > 0;
    inner += found.inner > 0, contacts += found.contacts > 0;
    if (found.error > 1e-5) report.note(fmt::format("random model {}: runs differ by {:.2g}", seed, found.error));
  }
  for (const auto& [why, count] : skipped) report.note(fmt::format("{} random models left out: {}", count, why));
  Table table;
  table.add_column("random models"), table.add_column("with loops"), table.add_column("redundant");
  table.add_column("quaternions"), table.add_column("inner states"), table.add_column("closed or sticking");
  table.add_column("differ by more than 1e-5"), table.add_column("largest", "", 2);
  table.add_row(
      {long(compared), long(rows), long(redundant), long(rotations), long(inner), long(contacts), long(wrong), worst});
  report.judge("random linearisations that differ from simulated runs", wrong, 0);
  report.add("linear_runs", "Linearisation against central differences of simulated runs", table);
}

// All of it, as `skyhook modes --sweep` does: read, stand, linearise, modes, and branches in the end.
void root_locus(Report& report) {
  constexpr int points = 200;
  double reading = 0, standing = 0, begin = processor_now();
  const double all = begin;
  std::vector<analysis::Modes> found;
  const io::ModelSource source;
  for (int k = 0; k < points; ++k) {
    const std::string rate = fmt::format("{} kN/m", 150 + 150.0 * k / (points - 1));
    begin = processor_now();
    const simulation::Prepared p =
        prepare(source.read(SKYHOOK_MODELS "/car/four_post.yaml", {{"tyre_rate", rate}}, "heave"));
    reading += processor_now() - begin, begin = processor_now();
    const analysis::Equilibrium e = analysis::find_equilibrium(p);
    if (!e.found) throw std::runtime_error(e.problem);
    standing += processor_now() - begin;
    const simulation::Prepared there = analysis::prepared_at(p, e);
    const analysis::OperatingPoint at = analysis::at_equilibrium(e);
    found.push_back(analysis::find_modes(there, at, analysis::linearise(there, at, {.with_inputs = false})));
  }
  const auto branches = analysis::follow(found);
  const double seconds = processor_now() - all, per = 1e3 / points;
  Table table;
  table.add_column("root locus of four_post"), table.add_column("a point", "ms of the processor", 3);
  table.add_row({"reading and preparing", per * reading});
  table.add_row({"equilibrium", per * standing});
  table.add_row(
      {fmt::format("modes, followed along {} branches", branches.size()), per * (seconds - reading - standing)});
  table.add_row({fmt::format("all, {} points", points), per * seconds});
  report.add("linear_locus", "A root locus of 200 points", table);
}

}  // namespace

void linear(Report& report) {
  car(report), long_chain(report), random_mechanisms(report), random_runs(report), root_locus(report);
}

}  // namespace skyhook::bench
