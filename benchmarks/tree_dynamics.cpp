#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "our_tree.h"
#include "peers/peer_mujoco.h"
#include "peers/peer_simbody.h"
#include "tables.h"
#include "timing.h"

namespace skyhook::bench {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
constexpr double agreement = 1e-8;  // relative: the peers compute the same, up to rounding

// All simulators on one workload; index 0 is ours, then Simbody, MuJoCo. A peer may be missing.
struct Contest {
  Workload workload;
  std::vector<std::unique_ptr<TreeSimulator>> simulators;
};

// One function of theirs.
struct Measured {
  std::string workload;
  int bodies = 0;
  std::vector<double> seconds, difference;
  double per_body(int k) const { return 1e9 * seconds[k] / bodies; }
  double ratio(int k) const { return seconds[0] / seconds[k]; }
};

struct Function {
  const char *key, *title;
  void (TreeSimulator::*call)();
  std::vector<double> (TreeSimulator::*result)();
};
constexpr Function residual{"residual", "Residual M a - f", &TreeSimulator::residual, &TreeSimulator::residual_forces};
constexpr Function forward{"forward", "Forward dynamics a = M^-1 f", &TreeSimulator::forward,
                           &TreeSimulator::accelerations};

struct Goal {
  const char *function, *workload, *peer;
  double limit;
};
constexpr Goal goals[] = {{"residual", "chain of 64", "Simbody", 0.12},
                          {"forward", "chain of 64", "Simbody", 0.17},
                          {"residual", "seven free bodies", "MuJoCo", 0.28},
                          {"forward", "seven free bodies", "MuJoCo", 0.65}};
constexpr double exponent_goal = 1.05;

// Largest difference of the results relative to the largest result.
double difference(const std::vector<double>& ours, const std::vector<double>& theirs) {
  double most = 0, size = 0;
  if (ours.size() != theirs.size()) return INFINITY;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const double d = std::abs(ours[i] - theirs[i]);
    most = d <= most ? most : d;  // keeps a NaN
    size = std::max(size, std::abs(theirs[i]));
  }
  return most / size;
}

std::vector<Contest> contests() {
  std::vector<Contest> all;
  for (Workload& w : all_workloads()) {
    Contest c{std::move(w), {}};
    c.simulators.push_back(std::make_unique<OurTree>(c.workload));
    c.simulators.push_back(simbody_tree(c.workload));
    c.simulators.push_back(mujoco_tree(c.workload));
    all.push_back(std::move(c));
  }
  return all;
}

// Evaluates once, and says how far the results lie from ours.
std::vector<double> differences(const Function& f, const Contest& c) {
  std::vector<double> ours, out;
  for (const auto& s : c.simulators) {
    if (s) (s.get()->*f.call)();
    if (out.empty()) ours = (s.get()->*f.result)();
    out.push_back(s ? difference(ours, (s.get()->*f.result)()) : missing);
  }
  return out;
}

std::vector<Measured> measure(const Function& f, const std::vector<Contest>& contests) {
  std::vector<Measured> all;
  std::vector<Call> calls;
  for (const Contest& c : contests) {
    all.push_back({c.workload.name, c.workload.size(), {}, differences(f, c)});
    for (const auto& s : c.simulators) calls.push_back(s ? Call([x = s.get(), &f] { (x->*f.call)(); }) : Call{});
  }
  const auto seconds = least_seconds(calls);
  for (std::size_t k = 0; k < calls.size(); ++k) all[k / 3].seconds.push_back(seconds[k]);
  return all;
}

std::string judge(const Function& f, const Measured& m, Report& report) {
  for (const Goal& g : goals) {
    if (g.function != std::string(f.key) || g.workload != m.workload) continue;
    return report.judge(fmt::format("{}, {}", f.key, g.workload), m.ratio(g.peer == std::string("Simbody") ? 1 : 2),
                        g.limit, g.peer);
  }
  return "";
}

void print(const Function& f, const std::vector<Measured>& all, Report& report) {
  Table table;
  table.add_column("workload");
  for (const char* who : {"Skyhook", "Simbody", "MuJoCo"}) table.add_column(who, "ns/body", 4);
  for (const char* to : {"of Simbody", "of MuJoCo"}) table.add_column(to, "", 3);
  for (const char* to : {"Simbody differs", "MuJoCo differs"}) table.add_column(to, "", 2);
  table.add_column("goal");
  double most = missing;
  for (const Measured& m : all) {
    table.add_row({m.workload, m.per_body(0), m.per_body(1), m.per_body(2), m.ratio(1), m.ratio(2), m.difference[1],
                   m.difference[2], judge(f, m, report)});
    for (const int k : {1, 2}) {
      if (!std::isnan(m.seconds[k])) most = m.difference[k] <= most ? most : m.difference[k];
    }
  }
  report.add(f.key,
             fmt::format("{}: least time per body, and the largest relative difference of a peer's result", f.title),
             table);
  report.judge(fmt::format("{}, difference to the peers' results", f.key), most, agreement);
}

// Slope of log(time) over log(bodies), least squares, over the chains from 16 on.
double growth(const std::vector<Measured>& all) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (const Measured& m : all) {
    if (!m.workload.starts_with("chain") || m.bodies < 16) continue;
    const double x = std::log(m.bodies), y = std::log(m.seconds[0]);
    n += 1, sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

}  // namespace

void tree_dynamics(Report& report) {
  const auto all = contests();
  const auto residuals = measure(residual, all), forwards = measure(forward, all);
  print(residual, residuals, report);
  print(forward, forwards, report);

  Table table;
  table.add_column("function");
  table.add_column("exponent", "", 3);
  table.add_column("goal");
  for (const auto& [f, measured] : {std::pair{residual, residuals}, std::pair{forward, forwards}}) {
    const double exponent = growth(measured);
    table.add_row({std::string(f.key), exponent,
                   report.judge(fmt::format("{}, growth exponent", f.key), exponent, exponent_goal)});
  }
  report.add("growth", "Growth of a call of Skyhook with the bodies, chains of 16 to 256: time ~ N^exponent", table);
}

}  // namespace skyhook::bench
