#include "skyhook/analysis/critical_speed.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <numbers>

#include "analysis_files.h"
#include "experiment_options.h"
#include "interrupt.h"
#include "linear_commands.h"
#include "linear_point.h"
#include "refuse.h"
#include "skyhook/analysis/sweep.h"
#include "skyhook/base/progress.h"
#include "skyhook/base/utf8.h"
#include "skyhook/formalism/characteristic_length.h"
#include "skyhook/simulation/channels.h"
#include "terminal.h"
#include "write_text.h"

namespace skyhook::app {
namespace {

std::string with_value(const analysis::SweepAxis& axis, double value) {
  return fmt::format("{}={:.17g}{}{}", axis.name, value, axis.unit.empty() ? "" : " ", axis.unit);
}

std::string with_value_shown(const analysis::SweepAxis& axis, double value) {
  return fmt::format("{} = {:.6g}{}{}", axis.name, value, axis.unit.empty() ? "" : " ", axis.unit);
}

// The first pair of neighbours between which an oscillation begins to grow or to decay.
void find_linear(const CriticalSpeedCommand& o, const analysis::SweepAxis& axis, analysis::CriticalSpeed& out,
                 std::string& problem) {
  std::vector<double> values = axis.values;
  std::ranges::sort(values);
  const auto at = [&](double value) {
    LinearPoint point;
    return modes_with(o, with_value(axis, value), point);
  };
  analysis::Modes last;
  for (std::size_t k = 0; k < values.size() && !stop_requested(); ++k) {
    analysis::Modes now = at(values[k]);
    if (stop_requested()) return;
    if (!now.problem.empty()) {
      problem = fmt::format("{}: {}", with_value(axis, values[k]), now.problem);
    } else if (k > 0 && last.problem.empty() && analysis::growing(now) != analysis::growing(last)) {
      analysis::Crossing found = analysis::find_crossing(at, values[k - 1], values[k]);
      if (stop_requested()) return;
      out.crossings.push_back(std::move(found));
    }
    last = std::move(now);
  }
}

// What the user calls an output, or a channel.
model::Output output_of(const CriticalSpeedCommand& o, const model::Model& m) {
  if (o.output.empty() && m.outputs.empty())
    refuse("it is not said whose amplitude is to be followed.", "Name a channel with --output.");
  for (const model::Output& each : m.outputs) {
    if (o.output.empty() || each.name == o.output) return each;
  }
  return {o.output, o.output, {"command line"}};
}

// The last few models that were read: runs of one matrix share them.
analysis::FlowMap::ModelAt reader(const CriticalSpeedCommand& o, const analysis::SweepAxis& axis,
                                  const std::string& experiment) {
  using Known = std::vector<std::pair<double, std::shared_ptr<const model::Model>>>;
  const auto known = std::make_shared<Known>();
  return [=](double value) {
    for (const auto& [at, m] : *known) {
      if (at == value) return m;
    }
    ModelOptions there = o;
    there.set.push_back(with_value(axis, value));
    if (known->size() >= 4) known->erase(known->begin());
    known->emplace_back(value, std::make_shared<const model::Model>(read(there, experiment)));
    return known->back().second;
  };
}

analysis::HopfPoint hopf_of(const analysis::Crossing& crossing, const analysis::FlowMap& flow, double size) {
  analysis::HopfPoint out{crossing.value, crossing.mode.value.imag() / (2 * std::numbers::pi), {}, size};
  for (const int k : flow.kept()) out.mode.push_back(crossing.mode.state[static_cast<std::size_t>(k)]);
  return out;
}

// From the stable cycle that lies deepest where rest is unstable, down to beyond the last of the stable ones.
void add_ramp(const CriticalSpeedCommand& o, const analysis::FlowMap& flow, analysis::CriticalSpeed& out) {
  constexpr int periods = 60, usual = 12;
  const bool grows = out.grows();
  const auto is_beyond = [grows](double a, double b) { return grows ? a > b : a < b; };
  const analysis::LimitCycle *from = nullptr, *to = nullptr;
  for (const auto& branch : out.branches) {
    for (const auto& c : branch.cycles) {
      if (!c.is_stable && !c.is_fold) continue;
      if (!c.is_fold && (!from || is_beyond(c.parameter, from->parameter) ||
                         (c.parameter == from->parameter && c.amplitude() > from->amplitude())))
        from = &c;
      if (!to || is_beyond(to->parameter, c.parameter)) to = &c;
    }
  }
  const int count = o.ramp.value_or(usual);
  if (!from || count == 0) return;
  const double far = to->parameter - 0.2 * (from->parameter - to->parameter);
  std::vector<double> values;
  for (int k = 0; k < count; ++k)
    values.push_back(from->parameter + (far - from->parameter) * k / std::max(1, count - 1));
  out.ramp = analysis::ramp(flow, {from->parameter, from->period, from->amplitude(), from->x, {}}, values, periods,
                            stop_requested);
}

// The cycle that a run of the experiment swings into at that value.
analysis::SettledCycle kicked(const CriticalSpeedCommand& o, const analysis::SweepAxis& axis,
                              const analysis::FlowMap& flow, double value) {
  constexpr int samples = 6000;
  ModelOptions there = o;
  there.set.push_back(with_value(axis, value)), there.experiment = *o.kick;
  model::Experiment e;
  const auto m = std::make_shared<const model::Model>(load(there, "simulate", e));
  return analysis::settled_cycle(flow.run_of(value, simulation::prepare(m, e), e, samples), value);
}

// A cycle that one of the branches passes already: between two neighbours in parameter and, nearly, in amplitude.
bool is_known(const analysis::CriticalSpeed& found, const analysis::SettledCycle& at) {
  constexpr double near = 0.03;
  for (const auto& branch : found.branches) {
    for (std::size_t k = 1; k < branch.cycles.size(); ++k) {
      const auto &a = branch.cycles[k - 1], &b = branch.cycles[k];
      const double part = (at.parameter - a.parameter) / (b.parameter - a.parameter);
      if (part >= 0 && part <= 1 &&
          std::abs(a.amplitude() + part * (b.amplitude() - a.amplitude()) - at.amplitude) < near * at.amplitude)
        return true;
    }
  }
  return false;
}

std::vector<double> kick_values(const CriticalSpeedCommand& o, const analysis::SweepAxis& axis,
                                const analysis::CriticalSpeed& found) {
  return o.kick_at.empty() ? std::vector<double>{found.high}
                           : analysis::parse_sweep(axis.name + "=" + o.kick_at).values;
}

void add_kicked(const CriticalSpeedCommand& o, const analysis::SweepAxis& axis, const analysis::FlowMap& flow,
                const analysis::ContinuationOptions& how, analysis::CriticalSpeed& out) {
  for (const double value : kick_values(o, axis, out)) {
    if (stop_requested()) return;
    const std::string start = fmt::format("a run of {} at {}", *o.kick, with_value_shown(axis, value));
    const analysis::SettledCycle cycle = kicked(o, axis, flow, value);
    if (stop_requested()) return;
    if (!cycle.problem.empty())
      out.branches.push_back({.start = start, .end = "none: " + cycle.problem});
    else if (is_known(out, cycle))
      out.branches.push_back(
          {.start = start,
           .end = fmt::format("it swings by {:.4g} in a cycle that is in the table already", cycle.amplitude)});
    else
      out.branches.push_back(analysis::follow_cycles(flow, cycle, how)), out.branches.back().start = start;
  }
}

void refuse_unknown(const model::Output& output, const model::Model& m, const model::Experiment& e) {
  const simulation::Prepared prepared = simulation::prepare(std::make_shared<const model::Model>(m), e);
  (void)simulation::choose_channels(simulation::all_channels(*prepared.active), {output});
}

void find_cycles(const CriticalSpeedCommand& o, const analysis::SweepAxis& axis, LinearPoint& point,
                 const model::Output& output, analysis::CriticalSpeed& out) {
  const analysis::Linearisation linear = linearise(o, false, point);
  if (!point.problem.empty()) return;
  const bool on_track = analysis::runs_on_track(*point.prepared.model);
  model::Experiment e = point.experiment;
  if (o.solver) e.solver = *o.solver;
  analysis::FlowOptions options{
      .tolerance = o.tolerance.value_or(on_track ? 1e-7 : 1e-10), .output = output, .should_stop = stop_requested};
  if (point.at.is_given_motion) {
    options.state_at = [o, axis](double value) -> std::optional<formalism::State> {
      CriticalSpeedCommand there = o;
      set_swept(with_value(axis, value), there);
      const LinearPoint at = find_linear_point(there, "modes");
      return at.problem.empty() ? std::optional(at.at.state) : std::nullopt;
    };
  }
  const analysis::FlowMap flow(point.prepared, point.at, linear, e, reader(o, axis, point.experiment.name), options);
  const double size =
      o.size.value_or((on_track ? 2e-5 : 1e-3) * formalism::characteristic_length(*point.prepared.model));
  const auto starts =
      static_cast<double>(out.crossings.empty() ? 0 : 1) +
      2 * static_cast<double>(o.kick ? kick_values(o, axis, out).size() : 0);  // a run's branch has two sides
  Progress progress(std::cerr, Progress::style_of_stderr(o.quiet || o.json), starts * o.most_points, {"cycles", true});
  double count = 0;
  analysis::ContinuationOptions how{
      .low = out.low, .high = out.high, .largest_amplitude = o.largest.value_or(0), .most_points = o.most_points};
  how.found = [&](const analysis::LimitCycle&) { progress.update(++count); };
  how.should_stop = stop_requested;
  if (!out.crossings.empty() && out.crossings.front().mode.oscillates)
    out.branches.push_back(analysis::follow_cycles(flow, hopf_of(out.crossings.front(), flow, size), how));
  if (o.kick) add_kicked(o, axis, flow, how, out);
  progress.finish(count);
  for (const auto& branch : out.branches) {
    if (!branch.unit.empty()) out.output.unit = branch.unit;
  }
  add_ramp(o, flow, out);
}

void refuse_bad(const CriticalSpeedCommand& o, const analysis::SweepAxis& axis) {
  if (axis.values.size() < 2)
    refuse("--sweep needs a range to look into.", "For example --sweep \"v=10..100/19 m/s\".");
  if (o.ramp && *o.ramp != 0 && *o.ramp < 3) refuse("--ramp must be 3 or more, or 0 for none.", "Usual are 12.");
  if (!o.kick_at.empty() && !o.kick)
    refuse("--kick-at needs --kick.", "Name the experiment whose run swings into a cycle: --kick NAME.");
  for (const auto& [given, name] : {std::pair(o.kick.has_value(), "--kick"), std::pair(o.ramp.has_value(), "--ramp")}) {
    if (o.linear && given)
      refuse(std::string(name) + " is of limit cycles, and --linear looks for none.", "Leave one of the two out.");
  }
  if (o.most_points < 2) refuse("--points must be 2 or more.", "Usual are 120.");
  if (o.csv) check_writable(*o.csv);
}

}  // namespace

int critical_speed(const CriticalSpeedCommand& given) {
  CriticalSpeedCommand o = given;
  complete(o);
  if (o.sweep.empty()) refuse("it is not said over which parameter.", "Give its range: --sweep \"v=10..100/19 m/s\".");
  const analysis::SweepAxis axis = analysis::parse_sweep(o.sweep);
  refuse_bad(o, axis);
  model::Experiment experiment;
  const model::Model m = load(o, "modes", experiment);
  choose_swept(m, experiment, axis.name, o);
  if (o.kick) {  // before the long search
    ModelOptions there = o;
    there.experiment = *o.kick;
    model::Experiment kick;
    load(there, "simulate", kick);
  }
  if (!o.kick_at.empty()) analysis::parse_sweep(axis.name + "=" + o.kick_at);
  if (!o.sweeps_parameter && !o.linear)
    refuse("the model has no parameter \"speed\", which runs would follow to their limit cycles.",
           "Declare one and let drives and rates follow it, or say --linear.");
  const AnalysisFiles files = analysis_files(o, m.files);
  const model::Output output = output_of(o, m);
  refuse_unknown(output, m, experiment);
  stop_on_signals();
  analysis::CriticalSpeed found{
      .model = m.name, .parameter = axis.name, .unit = axis.unit, .output = {output.name, "-"}};
  found.low = *std::ranges::min_element(axis.values), found.high = *std::ranges::max_element(axis.values);
  std::string problem;
  find_linear(o, axis, found, problem);
  LinearPoint point;
  const bool kicks = o.kick && !o.linear;
  if (!stop_requested() && (!found.crossings.empty() || kicks)) {
    CriticalSpeedCommand there = o;
    set_swept(with_value(axis, found.crossings.empty() ? found.low : found.crossings.front().value), there);
    point = find_linear_point(there, "modes");
    if (point.problem.empty()) found.stand = stand_of(point);
    const bool swings = !found.crossings.empty() && found.crossings.front().mode.oscillates;
    if (!swings && !kicks) problem = "What begins to grow does not oscillate: there is no limit cycle to follow.";
    if ((swings || kicks) && !o.linear && point.problem.empty()) find_cycles(o, axis, point, output, found);
    if (!point.problem.empty()) problem = point.problem;
    found.warnings = without(std::move(point.warnings), m.ignored_warnings);
  }
  found.interrupted = stop_requested();
  print_warnings(found.warnings);
  const auto cycles = table_of(found);
  if (o.csv) write_text(*o.csv, cycles.to_csv());
  if (o.json) fmt::print("{}\n", json_of(found));
  if (!o.json && o.csv != "-" && !o.quiet) {
    fmt::print("{}: critical value of {}\n", printable(m.name), printable(axis.name));
    if (std::ranges::any_of(found.branches, [](const auto& b) { return !b.cycles.empty(); }))
      fmt::print("{}", cycles.to_text());
    for (const std::string& line : verdicts_of(found)) fmt::print("{}\n", printable(line));
  }
  if (!problem.empty() && !found.interrupted) fmt::print(stderr, "{}\n", problem);
  if (found.crossings.empty() && !found.interrupted)
    fmt::print(stderr, "No mode begins or ceases to grow in the range of {}.\n", axis.name);
  if (point.prepared.model)
    write_analysis(files, o, findings_of(found), analysis::info_of(point.prepared, point.experiment));
  if (found.interrupted) return interrupted;
  return !problem.empty() || !found.is_complete() ? numerical_failure : success;
}

}  // namespace skyhook::app
