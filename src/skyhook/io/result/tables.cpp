#include "skyhook/io/result/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "skyhook/base/utf8.h"
#include "skyhook/io/result/signals.h"

namespace skyhook::io {

using simulation::RunInfo;
using simulation::RunSummary;
using simulation::StepLimit;

namespace {

constexpr int value_digits = 7;

std::vector<std::size_t> evenly_chosen(std::size_t count, std::size_t most) {
  const std::size_t rows = most == 0 ? count : std::min(count, std::max<std::size_t>(most, 2));
  std::vector<std::size_t> chosen(rows);
  for (std::size_t i = 0; i < rows; ++i) chosen[i] = rows < 2 ? 0 : (i * (count - 1) + (rows - 1) / 2) / (rows - 1);
  return chosen;
}

std::vector<Series> series_of(const ResultFile& result, const std::vector<std::string>& channels) {
  std::vector<Series> list;
  for (const std::string& name : select_with_formulas(result, channels)) {
    if (name == "time" || name == result.info().abscissa.name) continue;
    if (!is_formula(result, name)) {
      list.push_back(result.series(name));
    } else if (auto s = signal_of(result, name); s.x == result.time()) {
      s.rate.resize(s.x.size(), std::numeric_limits<double>::quiet_NaN());
      list.push_back({s.name, s.unit, std::move(s.x), std::move(s.y), std::move(s.rate)});
    }
  }
  return list;
}

Table empty_value_table(const ResultFile& result, const std::vector<Series>& list) {
  Table table;
  table.add_column(result.info().abscissa.name, result.info().abscissa.unit, value_digits);
  for (const Series& series : list) table.add_column(series.name, series.unit, value_digits);
  return table;
}

// Counted from the recorded steps, for runs that have not ended and so have no table of their own.
std::vector<StepLimit> count_limits(const ResultFile& result) {
  std::map<int, long> steps;
  for (const simulation::StepRecord& step : result.steps()) ++steps[step.dominant];
  std::vector<StepLimit> limits;
  for (const auto& [state, count] : steps) {
    const bool known = state >= 0 && static_cast<std::size_t>(state) < result.states().size();
    if (known) limits.push_back({result.states()[static_cast<std::size_t>(state)].name, "", count});
  }
  std::sort(limits.begin(), limits.end(), [](const StepLimit& a, const StepLimit& b) { return a.steps > b.steps; });
  return limits;
}

}  // namespace

Table run_table(const ResultFile& result) {
  const RunInfo& info = result.info();
  const RunSummary summary = result.summary();
  Table table;
  for (const char* name :
       {"model", "model_file", "experiment", "formulation", "solver", "jacobian", "tolerance", "t_start", "t_end",
        "t_reached", "samples", "status", "reason", "seconds", "created", "skyhook"}) {
    table.add_column(name);
  }
  table.add_row({info.model_name, info.model_file, info.experiment, info.formulation, info.solver, info.jacobian,
                 info.tolerance, info.t_start, info.t_end, summary.t_reached, static_cast<long>(result.samples()),
                 to_text(summary.status), summary.reason, summary.seconds, result.created(), result.skyhook_version()});
  return table;
}

namespace {

// "car, experiment vibration: modes (the equilibrium), finished, 10 samples over mode from 1 to 10"
std::string analysis_text(const ResultFile& result) {
  const RunInfo& info = result.info();
  const std::string unit = info.abscissa.unit == "-" ? "" : " " + info.abscissa.unit;
  std::string text = printable(info.model_name);
  if (!info.experiment.empty()) text += ", experiment " + printable(info.experiment);
  text += ": " + info.analysis + (info.formulation.empty() ? "" : " (" + printable(info.formulation) + ")");
  text += fmt::format(", {}, {} samples", to_text(result.summary().status), result.samples());
  if (!result.time().empty())
    text += fmt::format(" over {} from {:g}{} to {:g}{}", printable(info.abscissa.name), result.time().front(), unit,
                        result.time().back(), unit);
  return text + "\n";
}

}  // namespace

std::string run_text(const ResultFile& result) {
  if (result.info().analysis != "simulate") return analysis_text(result);
  const RunInfo& info = result.info();
  const RunSummary summary = result.summary();
  std::string text =
      fmt::format("{}, experiment {}: {} with {} at {:g}, {}", printable(info.model_name), printable(info.experiment),
                  info.formulation, info.solver, info.tolerance, to_text(summary.status));
  if (summary.t_reached < info.t_end) {
    const std::string& unit = info.abscissa.unit;
    const std::string what = info.abscissa.name == "time" ? "t" : info.abscissa.name;
    text += fmt::format(" at {} = {:g} {} of {:g} {}", what, summary.t_reached, unit, info.t_end, unit);
  }
  text += fmt::format(", {} samples", result.samples());
  if (!result.time().empty())
    text += fmt::format(" from {:g} {} to {:g} {}", result.time().front(), info.abscissa.unit, result.time().back(),
                        info.abscissa.unit);
  if (summary.seconds > 0) text += fmt::format(", took {:.3g} s", summary.seconds);
  if (!summary.reason.empty()) text += "\n" + summary.reason;
  if (summary.status == simulation::RunStatus::running) text += "\nThe run has not ended, or its program died.";
  return text + "\n";
}

Table channel_table(const ResultFile& result) {
  Table table;
  table.add_column("channel");
  table.add_column("unit");
  table.add_column("smallest");
  table.add_column("largest");
  for (const simulation::ChannelInfo& channel : result.channels()) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const double x : result.series(channel.name).values) low = std::min(low, x), high = std::max(high, x);
    const double none = std::numeric_limits<double>::quiet_NaN();
    table.add_row({channel.name, channel.unit, low <= high ? low : none, low <= high ? high : none});
  }
  return table;
}

Table value_table(const ResultFile& result, const std::vector<std::string>& channels, std::size_t most_rows) {
  const std::vector<Series> list = series_of(result, channels);
  Table table = empty_value_table(result, list);
  for (const std::size_t i : evenly_chosen(result.samples(), most_rows)) {
    std::vector<Cell> row{result.time()[i]};
    for (const Series& series : list) row.emplace_back(series.values[i]);
    table.add_row(std::move(row));
  }
  return table;
}

Table value_table_at(const ResultFile& result, const std::vector<std::string>& channels,
                     const std::vector<double>& times) {
  const std::vector<Series> list = series_of(result, channels);
  Table table = empty_value_table(result, list);
  const auto add = [&](double t, Side side) {
    std::vector<Cell> row{result.value_at("time", t, side)};  // refuses times outside of the run
    const double within = std::clamp(t, result.time().front(), result.time().back());
    for (const Series& series : list) row.emplace_back(series.at(within, side));
    table.add_row(std::move(row));
  };
  for (const double t : times) {
    const auto [first, last] = std::equal_range(result.time().begin(), result.time().end(), t);
    if (last - first > 1) add(t, Side::before);
    add(t, Side::after);
  }
  return table;
}

std::vector<std::string> unresolved_notes(const ResultFile& result, const std::vector<std::string>& channels) {
  std::vector<std::string> out;
  for (const Series& series : series_of(result, channels)) {
    if (series.unresolved > 0)
      out.push_back(
          fmt::format("{}: at {} of {} samples the rate is not borne out by the samples beside it, and the curve "
                      "between these is a line. A smaller output_step shows what passes there.",
                      series.name, series.unresolved, series.values.size()));
  }
  return out;
}

Formulas formula_tables(const ResultFile& result, const std::vector<std::string>& channels) {
  Formulas out;
  out.numbers.add_column("formula"), out.numbers.add_column("value", "", value_digits), out.numbers.add_column("unit");
  for (const std::string& text : channels) {
    if (!is_formula(result, text)) {
      out.any_over_samples = true;
      continue;
    }
    const analysis::Signal s = signal_of(result, text);
    if (s.is_number()) {
      out.numbers.add_row({s.name, s.y[0], s.unit});
    } else if (s.x == result.time()) {
      out.any_over_samples = true;
    } else {
      Table& table = out.others.emplace_back();
      table.add_column(s.abscissa.name, s.abscissa.unit, value_digits), table.add_column(s.name, s.unit, value_digits);
      for (std::size_t k = 0; k < s.x.size(); ++k) table.add_row({s.x[k], s.y[k]});
    }
  }
  return out;
}

Table cost_table(const ResultFile& result) {
  const RunSummary summary = result.summary();
  const Cost& cost = summary.cost;
  const std::vector<simulation::StepRecord> steps = result.steps();
  Table table;
  table.add_column("cost");
  table.add_column("value");
  table.add_column("unit");
  const auto add = [&](const std::string& name, Cell value, const char* unit = "") {
    table.add_row({name, std::move(value), unit});
  };
  add("steps", summary.status == simulation::RunStatus::running ? static_cast<long>(steps.size()) : cost.steps);
  add("error test failures", cost.error_test_failures);
  add("Newton failures", cost.newton_failures);
  add("Newton iterations", cost.newton_iterations);
  add("residuals", cost.residuals);
  add("residuals for Jacobians", cost.residuals_for_jacobian);
  add("residuals without these", cost.residuals - cost.residuals_for_jacobian);
  add("Jacobians", cost.jacobians);
  add("Jacobian updates", cost.updates);
  add("factorisations", cost.factorisations);
  add("position projections", cost.projections);
  if (summary.events > 0) add("events", summary.events);
  if (summary.from_curve > 0)
    add("samples recorded", summary.recorded), add("samples from the curve through others", summary.from_curve);
  if (summary.without_rates > 0) add("samples whose rates are differences of samples", summary.without_rates);
  if (summary.samples > 0) {
    const auto per_sample = [&](long count) {
      return static_cast<double>(count) / static_cast<double>(summary.samples);
    };
    add("samples of controllers", summary.samples);
    add("steps per sample", per_sample(cost.steps));
    add("evaluations per sample", per_sample(cost.residuals));
  }
  add("time in the integrator", cost.seconds, "s");
  add("time of the run", summary.seconds, "s");
  for (std::size_t k = 0; k < simulation::part_names.size() && summary.parts.sum() > 0; ++k)
    add(std::string("of this ") + simulation::part_names[k].text, summary.parts.seconds[k], "s");
  add("simulated time", summary.t_reached - result.info().t_start, "s");
  add("energy closure", summary.energy_closure);
  add("largest position residual", summary.position_residual);
  add("largest velocity residual", summary.velocity_residual);
  if (!steps.empty()) {
    const auto [small, large] =
        std::minmax_element(steps.begin(), steps.end(), [](const auto& a, const auto& b) { return a.h < b.h; });
    add("smallest step", small->h, "s");
    add("largest step", large->h, "s");
  }
  return table;
}

Table limit_table(const ResultFile& result) {
  std::vector<StepLimit> limits = result.summary().limits;
  if (limits.empty()) limits = count_limits(result);
  long all = 0;
  for (const StepLimit& limit : limits) all += limit.steps;
  Table table;
  table.add_column("limited by");
  table.add_column("of");
  table.add_column("steps");
  table.add_column("share", "%", 3);
  for (const StepLimit& limit : limits) {
    table.add_row(
        {limit.state, limit.element, limit.steps, 100.0 * static_cast<double>(limit.steps) / static_cast<double>(all)});
  }
  return table;
}

Table event_table(const std::vector<simulation::EventRecord>& events) {
  Table table;
  table.add_column("time", "s", 12);
  for (const char* column : {"event", "element", "kind", "detail"}) table.add_column(column);
  for (const simulation::EventRecord& e : events) table.add_row({e.t, e.name, e.element, e.kind, e.detail});
  return table;
}

Table difference_table(const Difference& difference, double tolerance, const Cell& absent) {
  Table table;
  table.add_column("channel");
  table.add_column("unit");
  table.add_column("largest", "", 4);
  table.add_column("scale", "", 4);
  table.add_column("scaled", "", 4);
  table.add_column("at", "s");
  table.add_column("verdict");
  for (const ChannelDifference& c : difference.channels) {
    table.add_row({c.name, c.unit, c.largest, c.scale, c.scaled, c.at, c.scaled <= tolerance ? "same" : "differs"});
  }
  const auto add = [&](const std::string& name, const char* where) {
    table.add_row({name, "", absent, absent, absent, absent, where});
  };
  for (const std::string& name : difference.only_in_a) add(name, "only in the first");
  for (const std::string& name : difference.only_in_b) add(name, "only in the second");
  return table;
}

}  // namespace skyhook::io
