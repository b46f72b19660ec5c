#include "skyhook/analysis/critical_speed.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace skyhook::analysis {
namespace {

constexpr double gap = std::numeric_limits<double>::quiet_NaN();

double largest_multiplier(const LimitCycle& c) {
  double most = 0;
  for (const Complex& m : c.multipliers) most = std::max(most, std::abs(m));
  return most;
}

std::string value_text(const CriticalSpeed& f, double value, int digits = 7) {
  return fmt::format("{} = {:.{}g}{}{}", f.parameter, value, digits, f.unit.empty() ? "" : " ", f.unit);
}

std::string json_of(const LimitCycle& c) {
  std::string multipliers;
  for (const Complex& m : c.multipliers)
    multipliers += fmt::format("{}[{}, {}]", multipliers.empty() ? "" : ", ", json_number(m.real()), json_number(m.imag()));
  return fmt::format(
      "{{\"value\": {}, \"amplitude\": {}, \"low\": {}, \"high\": {}, \"period_s\": {}, \"stable\": {}, \"fold\": {}, \"multipliers\": [{}]}}",
      json_number(c.parameter), json_number(c.amplitude()), json_number(c.low), json_number(c.high), json_number(c.period), c.is_stable, c.is_fold,
      multipliers);
}

// Where the ramp has lost the cycle: it swings less than any stable cycle does.
std::optional<std::size_t> lost_at(const CycleBranch& branch, const std::vector<RampPoint>& ramp) {
  double least = std::numeric_limits<double>::infinity();
  for (const LimitCycle& c : branch.cycles) {
    if (c.is_stable || c.is_fold) least = std::min(least, c.amplitude());
  }
  for (std::size_t k = 1; k < ramp.size(); ++k) {
    if (ramp[k].problem.empty() && ramp[k].amplitude < 0.9 * least) return k;
  }
  return {};
}

// Rows of the findings.
struct Rows {
  std::vector<Findings::Point> points;
  std::shared_ptr<const Stand> stand;
  void add(double parameter, double stable, double unstable, double ramp, double frequency, double multiplier) {
    points.push_back({static_cast<double>(points.size()), {parameter, stable, unstable, ramp, frequency, multiplier}, {}, stand});
  }
  void interrupt() { add(gap, gap, gap, gap, gap, gap); }
};

}  // namespace

std::optional<double> CriticalSpeed::nonlinear() const {
  if (crossings.empty() || branch.cycles.empty()) return {};
  double out = crossings.front().value;
  for (const LimitCycle& c : branch.cycles) out = crossings.front().grows ? std::min(out, c.parameter) : std::max(out, c.parameter);
  return out;
}

bool CriticalSpeed::is_subcritical() const {
  const auto value = nonlinear();
  return value && std::abs(*value - crossings.front().value) > 1e-5 * std::max(std::abs(low), std::abs(high));
}

Table table_of(const CriticalSpeed& f) {
  Table table;
  table.add_column(f.parameter, f.unit, 7), table.add_column("amplitude", f.output.unit, 6);
  table.add_column("low", f.output.unit, 5), table.add_column("high", f.output.unit, 5);
  table.add_column("frequency", "Hz", 6), table.add_column("multiplier", "", 5), table.add_column("cycle");
  for (const LimitCycle& c : f.branch.cycles)
    table.add_row({c.parameter, c.amplitude(), c.low, c.high, 1 / c.period, largest_multiplier(c),
                   std::string(c.is_fold ? "fold" : c.is_stable ? "stable" : "unstable")});
  return table;
}

std::vector<std::string> verdicts_of(const CriticalSpeed& f) {
  std::vector<std::string> out;
  for (const Crossing& c : f.crossings)
    out.push_back(fmt::format("linear: {}: {} begins to {} as it rises, at {:.6g} Hz", value_text(f, c.value), c.mode.name, c.grows ? "grow" : "decay",
                              c.mode.frequency));
  if (const auto value = f.nonlinear())
    out.push_back(f.is_subcritical() ? fmt::format("nonlinear: {}: {} it no limit cycle of this branch exists", value_text(f, *value),
                                                   f.crossings.front().grows ? "below" : "above")
                                     : "nonlinear: the same: cycles begin where rest becomes unstable");
  if (!f.branch.end.empty()) out.push_back(fmt::format("the branch has {} cycles, found by {} runs; it ends because {}", f.branch.cycles.size(), f.branch.runs, f.branch.end));
  if (const auto k = lost_at(f.branch, f.ramp))
    out.push_back(fmt::format("ramp: the oscillation is there at {} and gone at {}", value_text(f, f.ramp[*k - 1].parameter, 6),
                              value_text(f, f.ramp[*k].parameter, 6)));
  else if (!f.ramp.empty())
    out.push_back(f.ramp.back().problem.empty() ? "ramp: the oscillation does not end in it" : "ramp: a run fails. " + f.ramp.back().problem);
  return out;
}

std::string json_of(const CriticalSpeed& f) {
  std::string crossings, cycles, ramp;
  for (const Crossing& c : f.crossings)
    crossings += fmt::format("{}{{\"value\": {}, \"width\": {}, \"grows\": {}, \"frequency_hz\": {}, \"name\": {}}}", crossings.empty() ? "" : ", ",
                             json_number(c.value), json_number(c.width), c.grows, json_number(c.mode.frequency), json_string(c.mode.name));
  for (const LimitCycle& c : f.branch.cycles) cycles += (cycles.empty() ? "\n" : ",\n") + json_of(c);
  for (const RampPoint& r : f.ramp)
    ramp += fmt::format("{}{{\"value\": {}, \"amplitude\": {}}}", ramp.empty() ? "" : ", ", json_number(r.parameter), json_number(r.amplitude));
  const auto value = f.nonlinear();
  return fmt::format(
      "{{\"parameter\": {}, \"unit\": {}, \"output\": {}, \"output_unit\": {}, \"linear\": {}, \"nonlinear\": {}, \"subcritical\": {}, \"end\": {}, "
      "\"runs\": {}, \"verdicts\": {}, \"crossings\": [{}],\n\"cycles\": [{}],\n\"ramp\": [{}], \"warnings\": {}}}",
      json_string(f.parameter), json_string(f.unit), json_string(f.output.name), json_string(f.output.unit),
      f.crossings.empty() ? "null" : json_number(f.crossings.front().value), value ? json_number(*value) : "null", f.is_subcritical(), json_string(f.branch.end),
      f.branch.runs, json_list(verdicts_of(f)), crossings, cycles, ramp, to_json(f.warnings));
}

Findings findings_of(const CriticalSpeed& f) {
  const std::string unit = f.unit.empty() ? "-" : f.unit;
  Findings out{.analysis = "critical_speed", .method = "continuation", .abscissa = {"row", "-"}};
  out.channels = {{f.parameter, unit}, {"stable", f.output.unit}, {"unstable", f.output.unit}, {"ramp", f.output.unit}, {"frequency", "Hz"}, {"multiplier", "-"}};
  Rows rows{{}, f.stand};
  if (!f.crossings.empty()) {
    const Crossing& c = f.crossings.front();
    const double end = c.grows ? f.high : f.low;
    rows.add(c.grows ? f.low : f.high, 0, gap, gap, gap, gap), rows.add(c.value, 0, gap, gap, gap, gap);
    rows.interrupt();
    rows.add(end, gap, 0, gap, gap, gap), rows.add(c.value, gap, 0, gap, gap, gap);
    if (!f.branch.cycles.empty() && f.branch.cycles.front().is_stable) rows.add(c.value, 0, gap, gap, gap, gap);
    out.events.push_back({c.value, "linear", value_text(f, c.value), c.mode.name, "crossing"});
  }
  for (std::size_t k = 0; k < f.branch.cycles.size(); ++k) {
    const LimitCycle& c = f.branch.cycles[k];
    const bool joins = c.is_fold || (k > 0 && f.branch.cycles[k - 1].is_stable != c.is_stable);  // both lines reach it
    rows.add(c.parameter, c.is_stable || joins ? c.amplitude() : gap, !c.is_stable || joins ? c.amplitude() : gap, gap, 1 / c.period, largest_multiplier(c));
  }
  rows.interrupt();
  for (const RampPoint& r : f.ramp) rows.add(r.parameter, gap, gap, r.amplitude, gap, gap);
  out.points = std::move(rows.points), out.warnings = f.warnings, out.json = json_of(f);
  return out;
}

}  // namespace skyhook::analysis
