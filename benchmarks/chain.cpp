#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dae_run.h"
#include "tables.h"

namespace skyhook::bench {
namespace {

constexpr double reference_tolerance = 1e-7;  // its errors are below 1e-7 rad here

struct Excitation {
  std::string experiment, title;
  double error_goal;
};

// From phase 0 the chain follows the suspension as if at rest. From the others it starts beside its equilibrium and swings
// freely, without damping, by more than the tolerance: no method can pass over that in large steps.
struct Worst {
  double error = 0, error_swinging = 0;
  long steps_of_16 = 0, steps_of_16_swinging = 0;
  void add(int n, int phase, const Cost& cost, double at_end) {
    double& worst = phase == 0 ? error : error_swinging;
    worst = std::isnan(at_end) || at_end > worst ? at_end : worst;
    long& steps = phase == 0 ? steps_of_16 : steps_of_16_swinging;
    if (n == 16) steps = std::max(steps, cost.steps);
  }
};

void judge(Report& report, const Excitation& e, const Worst& ours) {
  const std::string who = fmt::format("chain, omega = {}: worst error of bdf at the end [rad], ", e.title);
  report.judge(who + "from phase 0", ours.error, e.error_goal);
  report.judge(who + "from 45 and 90 deg", ours.error_swinging, e.error_goal);
  if (e.experiment != "slow") return;
  report.judge("chain of 16, omega = 0.05 rad/s: most steps of bdf from phase 0", static_cast<double>(ours.steps_of_16),
               150);
  report.judge("chain of 16, omega = 0.05 rad/s: most steps of bdf from 45 and 90 deg",
               static_cast<double>(ours.steps_of_16_swinging), 150);
}

Table columns() {
  Table table;
  table.add_column("N");
  table.add_column("amplitude");
  table.add_column("phase", "deg");
  for (const char* name : {"bdf", "ida"}) {
    table.add_column(fmt::format("{} steps", name));
    table.add_column(fmt::format("{} error at the end", name), "rad", 2);
    table.add_column(fmt::format("{} largest error", name), "rad", 2);
  }
  return table;
}

}  // namespace

// [Arnold 2006] §4.2.1 at its tolerances, from any phase of the excitation. ida's figures stand beside ours.
void chain(Report& report) {
  for (const Excitation& e : {Excitation{"slow", "0.05 rad/s", 5e-6}, Excitation{"fast", "2 pi 0.05 rad/s", 1e-5}}) {
    Table table = columns();
    Worst ours;
    for (const int n : {8, 12, 16, 20, 24}) {
      for (const int amplitude : {1, 3}) {
        for (const int phase : {0, 45, 90}) {
          const DaeCase c = make_case({"chain",
                                       "mechanisms/pendulum_chain.yaml",
                                       e.experiment,
                                       {{"N", std::to_string(n)},
                                        {"amplitude", std::to_string(amplitude)},
                                        {"phase", fmt::format("{} deg", phase)}}});
          const DaeRun reference = integrate(c, Method::radau5, c.options(reference_tolerance), {.samples = true});
          std::vector<Cell> row{static_cast<long>(n), static_cast<long>(amplitude), static_cast<long>(phase)};
          for (const Method method : {Method::bdf, Method::ida}) {
            const DaeRun run = integrate(c, method, c.options(c.tolerance), {.samples = true});
            const PositionError error = error_of(run, reference);
            row.insert(row.end(), {run.cost.steps, error.at_end, error.largest});
            if (method == Method::bdf) ours.add(n, phase, run.cost, error.at_end);
          }
          table.add_row(row);
        }
      }
    }
    report.add(
        "chain_" + e.experiment,
        fmt::format("Chain of N pendulums [Arnold 2006], omega = {}, 200 s at its tolerances 1e-4 and 1e-6", e.title),
        table);
    judge(report, e, ours);
  }
}

}  // namespace skyhook::bench
