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
    multipliers +=
        fmt::format("{}[{}, {}]", multipliers.empty() ? "" : ", ", json_number(m.real()), json_number(m.imag()));
  return fmt::format(
      "{{\"value\": {}, \"amplitude\": {}, \"low\": {}, \"high\": {}, \"period_s\": {}, \"stable\": {}, \"fold\": {}, "
      "\"multipliers\": [{}]}}",
      json_number(c.parameter), json_number(c.amplitude()), json_number(c.low), json_number(c.high),
      json_number(c.period), c.is_stable, c.is_fold, multipliers);
}

// Where the ramp has lost the cycle: it swings less than any stable cycle does.
std::optional<std::size_t> lost_at(const CriticalSpeed& f) {
  double least = std::numeric_limits<double>::infinity();
  for (const CycleBranch& branch : f.branches) {
    for (const LimitCycle& c : branch.cycles) {
      if (c.is_stable || c.is_fold) least = std::min(least, c.amplitude());
    }
  }
  for (std::size_t k = 1; k < f.ramp.size(); ++k) {
    if (f.ramp[k].problem.empty() && f.ramp[k].amplitude < 0.9 * least) return k;
  }
  return {};
}

// Where it falls from one cycle to a much smaller one.
std::vector<std::size_t> falls_of(const std::vector<RampPoint>& ramp) {
  std::vector<std::size_t> out;
  for (std::size_t k = 1; k < ramp.size(); ++k) {
    if (ramp[k].problem.empty() && ramp[k].amplitude < 0.6 * ramp[k - 1].amplitude) out.push_back(k);
  }
  return out;
}

std::string ends_text(const LimitCycle& c, const CriticalSpeed& f) {
  return fmt::format("{} with an amplitude of {:.4g} {}", value_text(f, c.parameter, 6), c.amplitude(), f.output.unit);
}

std::string branch_text(const CriticalSpeed& f, const CycleBranch& b) {
  if (b.cycles.empty()) return fmt::format("branch from {}: {}", b.start, b.end);
  return fmt::format("branch from {}: {} cycles from {} to {}, found by {} runs; it ends because {}", b.start,
                     b.cycles.size(), ends_text(b.cycles.front(), f), ends_text(b.cycles.back(), f), b.runs, b.end);
}

void add_ramp_verdicts(const CriticalSpeed& f, std::vector<std::string>& out) {
  if (f.ramp.empty()) return;
  const RampPoint& last = f.ramp.back();
  const auto between = [&](std::size_t k) {
    return fmt::format("between {} and {}", value_text(f, f.ramp[k - 1].parameter, 6),
                       value_text(f, f.ramp[k].parameter, 6));
  };
  const auto lost = lost_at(f);
  for (const std::size_t k : falls_of(f.ramp)) {
    if (lost && k >= *lost) break;
    out.push_back(fmt::format("ramp: the oscillation falls from {:.4g} to {:.4g} {} {}", f.ramp[k - 1].amplitude,
                              f.ramp[k].amplitude, f.output.unit, between(k)));
  }
  if (lost)
    out.push_back(fmt::format("ramp: the oscillation is there at {} and gone at {}",
                              value_text(f, f.ramp[*lost - 1].parameter, 6),
                              value_text(f, f.ramp[*lost].parameter, 6)));
  else if (!last.problem.empty())
    out.push_back("ramp: a run fails. " + last.problem);
  else
    out.push_back(f.interrupted ? fmt::format("ramp: interrupted, the oscillation is there as far as {}",
                                              value_text(f, last.parameter, 6))
                                : "ramp: the oscillation does not end in it");
}

std::string nonlinear_text(const CriticalSpeed& f, const CriticalSpeed::Furthest& at) {
  const std::string beyond = f.grows() ? "below" : "above";
  if (!at.is_known)
    return fmt::format(
        "nonlinear: not found: there are cycles as far as {}, where their branch is not followed any further: {}",
        value_text(f, at.value), at.end);
  if (!f.crossings.empty() && !f.is_subcritical())
    return "nonlinear: the same: cycles begin where rest becomes unstable";
  const bool is_whole = f.is_complete() && std::ranges::all_of(f.branches, &CycleBranch::is_whole);
  return fmt::format("nonlinear: {}: {} it no limit cycle of {} exists{}", value_text(f, at.value), beyond,
                     f.branches.size() > 1 ? "these branches" : "this branch",
                     is_whole                ? ""
                     : f.branches.size() > 1 ? ", as far as they were followed"
                                             : ", as far as it was followed");
}

// Rows of the findings.
struct Rows {
  std::vector<Findings::Point> points;
  std::shared_ptr<const Stand> stand;
  void add(double parameter, double stable, double unstable, double ramp, double frequency, double multiplier) {
    points.push_back(
        {static_cast<double>(points.size()), {parameter, stable, unstable, ramp, frequency, multiplier}, {}, stand});
  }
  void interrupt() { add(gap, gap, gap, gap, gap, gap); }
};

// Rest is stable where no mode grows: each crossing adds one or takes one away.
void add_rest(const CriticalSpeed& f, Rows& rows) {
  int growing = 0, least = 0;
  for (const Crossing& c : f.crossings) growing += c.grows ? 1 : -1, least = std::min(least, growing);
  growing = -least;
  double from = f.low;
  const auto stretch = [&](double to) {
    const double stable = growing == 0 ? 0 : gap, unstable = growing == 0 ? gap : 0;
    rows.add(from, stable, unstable, gap, gap, gap), rows.add(to, stable, unstable, gap, gap, gap), rows.interrupt();
    from = to;
  };
  for (const Crossing& c : f.crossings) stretch(c.value), growing += c.grows ? 1 : -1;
  stretch(f.high);
}

}  // namespace

bool CriticalSpeed::grows() const { return crossings.empty() || crossings.front().grows; }

std::optional<CriticalSpeed::Furthest> CriticalSpeed::furthest() const {
  std::optional<Furthest> out;
  const auto look = [&](double value, bool is_known, const std::string& end) {
    if (!out || (grows() ? value < out->value : value > out->value)) out = Furthest{value, is_known, end};
  };
  for (const CycleBranch& branch : branches) {
    for (std::size_t k = 0; k < branch.cycles.size(); ++k)
      look(branch.cycles[k].parameter,
           branch.cycles[k].is_fold || (k == 0 && branch.from_onset && branch.cycles.size() > 1), branch.end);
  }
  if (out && !crossings.empty()) look(crossings.front().value, true, "");
  return out;
}

std::optional<double> CriticalSpeed::nonlinear() const {
  const auto found = furthest();
  return found && found->is_known ? std::optional(found->value) : std::nullopt;
}

bool CriticalSpeed::is_subcritical() const {
  const auto found = furthest();
  return found && !crossings.empty() &&
         std::abs(found->value - crossings.front().value) > 1e-5 * std::max(std::abs(low), std::abs(high));
}

bool CriticalSpeed::is_complete() const { return std::ranges::all_of(branches, &CycleBranch::is_complete); }

Table table_of(const CriticalSpeed& f) {
  Table table;
  table.add_column(f.parameter, f.unit, 7), table.add_column("amplitude", f.output.unit, 6);
  table.add_column("low", f.output.unit, 5), table.add_column("high", f.output.unit, 5);
  table.add_column("frequency", "Hz", 6), table.add_column("multiplier", "", 5), table.add_column("cycle"),
      table.add_column("branch", "", 3);
  for (std::size_t k = 0; k < f.branches.size(); ++k) {
    for (const LimitCycle& c : f.branches[k].cycles)
      table.add_row({c.parameter, c.amplitude(), c.low, c.high, 1 / c.period, largest_multiplier(c),
                     std::string(c.is_fold     ? "fold"
                                 : c.is_stable ? "stable"
                                               : "unstable"),
                     static_cast<double>(k + 1)});
  }
  return table;
}

std::vector<std::string> verdicts_of(const CriticalSpeed& f) {
  std::vector<std::string> out;
  for (const Crossing& c : f.crossings)
    out.push_back(fmt::format("linear: {}: {} begins to {} as it rises, at {:.6g} Hz", value_text(f, c.value),
                              c.mode.name, c.grows ? "grow" : "decay", c.mode.frequency));
  if (const auto found = f.furthest()) out.push_back(nonlinear_text(f, *found));
  for (const CycleBranch& branch : f.branches) out.push_back(branch_text(f, branch));
  add_ramp_verdicts(f, out);
  if (f.interrupted) out.push_back("interrupted: this is what had been found by then");
  return out;
}

std::string json_of(const CriticalSpeed& f) {
  std::string crossings, cycles, ramp, branches;
  long runs = 0;
  for (const Crossing& c : f.crossings)
    crossings += fmt::format("{}{{\"value\": {}, \"width\": {}, \"grows\": {}, \"frequency_hz\": {}, \"name\": {}}}",
                             crossings.empty() ? "" : ", ", json_number(c.value), json_number(c.width), c.grows,
                             json_number(c.mode.frequency), json_string(c.mode.name));
  for (const CycleBranch& b : f.branches) {
    branches +=
        fmt::format("{}{{\"start\": {}, \"cycles\": {}, \"end\": {}, \"complete\": {}}}", branches.empty() ? "" : ", ",
                    json_string(b.start), b.cycles.size(), json_string(b.end), b.is_complete);
    for (const LimitCycle& c : b.cycles) cycles += (cycles.empty() ? "\n" : ",\n") + json_of(c);
    runs += b.runs;
  }
  for (const RampPoint& r : f.ramp)
    ramp += fmt::format("{}{{\"value\": {}, \"amplitude\": {}}}", ramp.empty() ? "" : ", ", json_number(r.parameter),
                        json_number(r.amplitude));
  const auto value = f.nonlinear();
  return fmt::format(
      "{{\"parameter\": {}, \"unit\": {}, \"output\": {}, \"output_unit\": {}, \"linear\": {}, \"nonlinear\": {}, "
      "\"subcritical\": {}, \"branches\": [{}], "
      "\"runs\": {}, \"interrupted\": {}, \"verdicts\": {}, \"crossings\": [{}],\n\"cycles\": [{}],\n\"ramp\": [{}], "
      "\"warnings\": {}}}",
      json_string(f.parameter), json_string(f.unit), json_string(f.output.name), json_string(f.output.unit),
      f.crossings.empty() ? "null" : json_number(f.crossings.front().value), value ? json_number(*value) : "null",
      f.is_subcritical(), branches, runs, f.interrupted, json_list(verdicts_of(f)), crossings, cycles, ramp,
      to_json(f.warnings));
}

Findings findings_of(const CriticalSpeed& f) {
  const std::string unit = f.unit.empty() ? "-" : f.unit;
  Findings out{.analysis = "critical_speed", .method = "continuation", .abscissa = {"row", "-"}};
  out.channels = {{f.parameter, unit},     {"stable", f.output.unit}, {"unstable", f.output.unit},
                  {"ramp", f.output.unit}, {"frequency", "Hz"},       {"multiplier", "-"}};
  Rows rows{{}, f.stand};
  if (!f.crossings.empty()) {
    add_rest(f, rows);
    const Crossing& c = f.crossings.front();
    if (!f.branches.empty() && f.branches.front().from_onset && !f.branches.front().cycles.empty()) {
      const bool is_stable = f.branches.front().cycles.front().is_stable;
      rows.add(c.value, is_stable ? 0 : gap, is_stable ? gap : 0, gap, gap, gap);
    }
    out.events.push_back({c.value, "linear", value_text(f, c.value), c.mode.name, "crossing"});
  }
  for (const CycleBranch& branch : f.branches) {
    if (&branch != f.branches.data()) rows.interrupt();
    for (std::size_t k = 0; k < branch.cycles.size(); ++k) {
      const LimitCycle& c = branch.cycles[k];
      const bool joins = c.is_fold || (k > 0 && branch.cycles[k - 1].is_stable != c.is_stable);  // both lines reach it
      rows.add(c.parameter, c.is_stable || joins ? c.amplitude() : gap, !c.is_stable || joins ? c.amplitude() : gap,
               gap, 1 / c.period, largest_multiplier(c));
    }
  }
  rows.interrupt();
  for (const RampPoint& r : f.ramp) rows.add(r.parameter, gap, gap, r.amplitude, gap, gap);
  out.points = std::move(rows.points), out.warnings = f.warnings, out.json = json_of(f),
  out.interrupted = f.interrupted;
  return out;
}

}  // namespace skyhook::analysis
