#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "strategies.h"
#include "tables.h"

namespace skyhook::bench {
namespace {

constexpr double patience = 0.1, patience_on_models = 0.3;  // s for each row
const std::vector<std::string> of_s1 = {"dense", "estimated", "dense+extended", "estimated+extended"};

// Excited fast the chain swings freely, in thousands of steps; long ones do so for a shorter time, to be done in seconds.
DaeCase chain_of(int n, const std::string& experiment, bool explicit_formalism) {
  return make_case({.name = fmt::format("chain of {}", n),
                    .file = "mechanisms/pendulum_chain.yaml",
                    .experiment = experiment,
                    .set = {{"N", std::to_string(n)}},
                    .explicit_formalism = explicit_formalism,
                    .until = experiment == "slow" || n <= 16 ? 200.0
                             : n <= 64                       ? 20.0
                                                             : 1.0});
}

// Table 2 of [Arnold 2006] for ours, and below it what the residual formalism makes of it.
void tables_of_s1(Report& report) {
  for (const auto& [experiment, omega] : {std::pair{"slow", "0.05 rad/s"}, std::pair{"fast", "2 pi 0.05 rad/s"}}) {
    Table table;
    table.add_column("N");
    table.add_column("until", "s");
    table.add_column("formalism");
    table.add_column("Jacobian");
    add_cost_columns(table);
    for (const int n : {12, 14, 16, 64, 256}) {
      const DaeCase with_inverse = chain_of(n, experiment, true), residual = chain_of(n, experiment, false);
      const auto rows = compare_strategies(
          {{&with_inverse, "explicit", of_s1}, {&residual, "residual", {"dense", "grouped", "exact", "auto"}}},
          patience);
      for (const StrategyRow& r : rows) {
        std::vector<Cell> cells{static_cast<long>(n), residual.until, r.formalism, r.strategy};
        add_cost(cells, r, rows[0].seconds);
        table.add_row(cells);
      }
    }
    report.add(
        fmt::format("jacobians_{}", experiment),
        fmt::format("Chain of N pendulums, omega = {}: Jacobians of bdf, as table 2 of [Arnold 2006] (#fc residuals, "
                    "#fcw without those for Jacobians, #Je evaluations)",
                    omega),
        table);
  }
}

struct OnModel {
  std::string name;
  int unknowns;
  std::vector<StrategyRow> rows;
  double seconds(const std::string& strategy) const { return find(rows, strategy).seconds; }
};

const std::vector<std::string> all_strategies = {"dense",     "dense+partitioned",     "grouped", "grouped+partitioned",
                                                 "estimated", "estimated+partitioned", "exact",   "exact+partitioned",
                                                 "auto"};

std::vector<OnModel> on_models() {
  const std::vector<CaseInput> inputs = {{"Andrews", "mechanisms/andrews.yaml", "squeeze"},
                                         {"four-bar, full turns", "mechanisms/four_bar.yaml", "turn"},
                                         {"4 four-bars", "mechanisms/n_four_bar.yaml", "swing", {{"N", "4"}}},
                                         {"chain of 16", "mechanisms/pendulum_chain.yaml", "slow", {{"N", "16"}}},
                                         {"chain of 64", "mechanisms/pendulum_chain.yaml", "slow", {{"N", "64"}}},
                                         {"axle on stamp", "suspension/axle_on_stamp.yaml", "bump"},
                                         {"five-link bump", "suspension/five_link.yaml", "bump"},
                                         {"40 four-bars", "mechanisms/n_four_bar.yaml", "swing", {{"N", "40"}}}};
  std::vector<OnModel> out;
  for (const CaseInput& input : inputs) {
    const DaeCase c = make_case(input);
    out.push_back({c.name, c.unknowns(), compare_strategies({{&c, "residual", all_strategies}}, patience_on_models)});
  }
  return out;
}

Table table_of(const std::vector<OnModel>& models) {
  Table table;
  table.add_column("model");
  table.add_column("unknowns");
  table.add_column("Jacobian");
  add_cost_columns(table);
  for (const OnModel& m : models) {
    for (const StrategyRow& r : m.rows) {
      std::vector<Cell> cells{m.name, static_cast<long>(m.unknowns), r.strategy};
      add_cost(cells, r, m.rows[0].seconds);
      table.add_row(cells);
    }
  }
  return table;
}

void judge_exact(Report& report, const std::vector<OnModel>& models) {
  for (const OnModel& m : models) {
    if (m.unknowns >= 50 && m.unknowns <= 100) continue;
    const double goal = m.unknowns < 50 ? 0.65 : m.unknowns < 322 ? 0.3 : 0.1;
    report.judge(fmt::format("exact Jacobian, {} ({} unknowns): time", m.name, m.unknowns),
                 m.seconds("exact") / m.seconds("dense"), goal, "dense differences");
  }
}

void judge_auto(Report& report, const std::vector<OnModel>& models) {
  double worst = 0;
  std::map<std::string, std::vector<double>> times;
  for (const OnModel& m : models) {
    double best = m.seconds("auto");
    for (const std::string& s : all_strategies) best = std::min(best, m.seconds(s)), times[s].push_back(m.seconds(s));
    worst = std::max(worst, m.seconds("auto") / best);
  }
  double best_mean = 1e300;
  for (const auto& [strategy, seconds] : times) {
    if (strategy != "auto") best_mean = std::min(best_mean, geometric_mean(seconds));
  }
  report.judge("auto: time on the worst model", worst, 1.1, "the best strategy there");
  report.judge("auto: geometric mean of times", geometric_mean(times["auto"]) / best_mean, 1.02,
               "the best other strategy (2 % is the clock)");
}

void judge_partitioned(Report& report, const std::vector<OnModel>& models) {
  for (const char* source : {"exact", "dense"}) {
    const std::string with = fmt::format("{}+partitioned", source);
    const Cost &kept = find(models[1].rows, with).run.cost, &full = find(models[1].rows, source).run.cost;
    const auto ratio = [](long a, long b) { return static_cast<double>(a) / static_cast<double>(b); };
    report.judge(fmt::format("{}, four-bar: evaluations of dF/dy", with), ratio(kept.jacobians, full.jacobians), 0.4,
                 source);
    report.judge(fmt::format("{}, four-bar: steps", with), ratio(kept.steps, full.steps), 1.1, source);
    report.judge(fmt::format("{}, Andrews: time", with), models[0].seconds(with) / models[0].seconds(source), 1.05,
                 source);
  }
}

}  // namespace

void jacobians(Report& report) {
  tables_of_s1(report);
  const std::string picture = report.picture("jacobian_updates.svg");
  draw_jacobian_times(picture);
  report.note(
      "\nWhen Jacobians were evaluated and updated over the excitation (as Fig. 7 of Arnold, Fuchs and Führer 2006): " +
      picture);
  const std::string coach = report.picture("coach_updates.svg");
  draw_coach_updates(coach);
  report.note("The same of the coach on its line change: " + coach);
  const std::vector<OnModel> models = on_models();
  report.add("strategies", "Jacobian strategies of bdf/ggl at the tolerance of each model", table_of(models));
  judge_exact(report, models);
  judge_auto(report, models);
  judge_partitioned(report, models);
}

}  // namespace skyhook::bench
