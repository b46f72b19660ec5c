#include "skyhook/simulation/plausibility.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "skyhook/model/nodal_mesh.h"
#include "skyhook/simulation/channels.h"
#include "skyhook/simulation/frame_doubts.h"
#include "skyhook/simulation/hybrid.h"
#include "skyhook/simulation/recorder.h"
#include "skyhook/simulation/road_doubts.h"
#include "skyhook/simulation/run_info.h"
#include "skyhook/simulation/run_warnings.h"
#include "skyhook/simulation/stiffness_doubts.h"
#include "skyhook/simulation/table_excursions.h"

namespace skyhook::simulation {
namespace {

using model::Experiment;
using Warnings = std::vector<Warning>;

double span_of(const Experiment& e) { return e.until - e.from_time; }

void doubt_output_step(const Experiment& e, Warnings& out) {
  if (e.output_step <= span_of(e)) return;
  out.push_back({"output_step", line_of(e, "output_step"),
                 fmt::format("The output step, {:.6g} s, is longer than the run, {:.6g} s: only its begin and end are "
                             "recorded.",
                             e.output_step, span_of(e)),
                 "Choose a shorter one; it counts in s."});
}

std::size_t numbers_of_sample(const Prepared& p, const Experiment& e) {
  struct Nowhere : Sink {
    void begin(const RunInfo&) override {}
    void sample(const Sample&) override {}
    void step(const StepRecord&) override {}
    void event(const EventRecord&) override {}
    void end(const RunSummary&) override {}
  } nowhere;
  const auto channels = choose_channels(*p.channels(), e.outputs.empty() ? p.model->outputs : e.outputs);
  RunInfo info = contents_of(p, channels);
  const Recorder recorder(*p.all, channels, nowhere, true);
  RunState state;
  save_run(p.state.t, e.from_time, recorder, *p.model, Hybrid(p, e, recorder.running(), e.from_time), state);
  info.run_state = state.names;
  return numbers_a_sample(info);
}

void doubt_size_of_result(const Prepared& p, const Experiment& e, Warnings& out) {
  constexpr double largest = 1e9, few = 5000;
  const double samples = e.output_step > 0 ? span_of(e) / e.output_step : 1000;
  if (samples < few) return;
  double bytes = 0;
  try {
    bytes = 8 * samples * static_cast<double>(numbers_of_sample(p, e));
  } catch (const ModelError&) {}  // told where the run begins
  if (bytes <= largest) return;
  out.push_back({"large_result", line_of(e, "output_step"),
                 fmt::format("The result will have {:.2g} samples and about {:.2g} GB.", samples, bytes / 1e9),
                 "Choose a longer output_step, or fewer outputs."});
}

void doubt_sample_times(const Prepared& p, const Experiment& e, Warnings& out) {
  constexpr double most = 1e6;
  const auto doubt = [&](const std::string& what, double period, const Location& where) {
    if (!(period > 0) || span_of(e) / period <= most) return;
    out.push_back({"many_restarts", where,
                   fmt::format("{} every {:.3g} s: the integrator begins anew {:.2g} times in this run.", what, period,
                               span_of(e) / period),
                   "Choose a longer time; it counts in s."});
  };
  for (const model::Controller& c : p.model->controllers)
    doubt("Controller \"" + c.name + "\" samples", c.sample_time, c.where);
  for (const model::EventRule& rule : p.model->events)
    if (rule.at) doubt("Event \"" + rule.name + "\" happens", rule.every, rule.where);
}

// bdf/ggl counts errors of lines by strain; other methods of differences see each change of a step as a vibration of them, and orders from 3 on enlarge it.
void doubt_lines(const Prepared& p, const Solver& solver, const Experiment& e, Warnings& out) {
  constexpr double many = 1000;  // passes of waves along a line within the run
  const bool is_suspect = solver.integrator == Integrator::ida ||
                          (solver.integrator == Integrator::bdf && solver.formulation != Formulation::ggl);
  if (!is_suspect) return;
  for (const model::Body& body : p.model->bodies) {
    const model::NodalMesh* line = model::mesh_of(body);
    if (!line || line->wave_rate * span_of(e) < many) continue;
    out.push_back({"lines_vibrate", body.where,
                   fmt::format("The solver {} follows the vibrations of beam \"{}\", along which waves pass {:.3g} "
                               "times a second, or enlarges them: the run may take steps without end, or be wrong.",
                               solver.name(), body.name, line->wave_rate),
                   "Take radau5, bdf/ggl, hht or generalised_alpha."});
    return;
  }
}

}  // namespace

Location line_of(const Experiment& e, const std::string& field) {
  const auto found = std::ranges::find(e.given, field, [](const auto& g) { return g.first; });
  return found == e.given.end() ? e.where : found->second;
}

std::vector<Warning> doubts(const Prepared& p, const Experiment& e) {
  Warnings out;
  if (e.analysis != "simulate") return options_without_effect(e);
  if (!(span_of(e) > 0)) return out;
  doubt_output_step(e, out);
  doubt_sample_times(p, e, out);
  std::ranges::move(motions_beyond_tables(p.model->time_tables, e.from_time, e.until), std::back_inserter(out));
  if (p.ok()) doubt_size_of_result(p, e, out);
  if (p.ok()) std::ranges::move(doubts_of_stiffness(p, e), std::back_inserter(out));
  std::ranges::move(doubts_of_frames(*p.model), std::back_inserter(out));
  std::ranges::move(doubts_of_roads(*p.model), std::back_inserter(out));
  if (e.solver != "auto")
    std::ranges::move(options_without_effect(find_solver(e.solver, line_of(e, "solver")), e), std::back_inserter(out));
  return out;
}

std::vector<Warning> doubts_of_solver(const Prepared& p, const Solver& solver, const Experiment& e) {
  Warnings out;
  const GradedSolver g = graded(solver);
  if (g.grade == Grade::study_only && p.active->ng() > 0) out.push_back(study_only(g));
  doubt_lines(p, solver, e, out);
  if (e.solver == "auto")  // else told in preparing
    std::ranges::move(options_without_effect(solver, e), std::back_inserter(out));
  return out;
}

}  // namespace skyhook::simulation
