#include <map>
#include <memory>

#include "our_tree.h"
#include "tables.h"
#include "timing.h"

namespace skyhook::bench {

void jacobian(Report& report) {
  const std::map<std::string, double> goals{{"chain of 16", 5}, {"chain of 64", 8}};
  Table table;
  table.add_column("workload");
  table.add_column("residual", "us", 4);
  table.add_column("Jacobian", "us", 4);
  table.add_column("Jacobian / residual", "", 3);
  table.add_column("goal");
  std::vector<std::string> names;
  std::vector<std::unique_ptr<OurTree>> trees;
  std::vector<Call> calls;
  for (const Workload& w : all_workloads()) {
    if (w.size() < 7 || w.size() > 128) continue;
    names.push_back(w.name);
    trees.push_back(std::make_unique<OurTree>(w));
    calls.push_back([tree = trees.back().get()] { tree->residual(); });
    calls.push_back([tree = trees.back().get()] { tree->derivatives(); });
  }
  const auto seconds = least_seconds(calls);
  for (std::size_t k = 0; k < names.size(); ++k) {
    const double ratio = seconds[2 * k + 1] / seconds[2 * k];
    const auto goal = goals.find(names[k]);
    table.add_row(
        {names[k], 1e6 * seconds[2 * k], 1e6 * seconds[2 * k + 1], ratio,
         goal == goals.end() ? "" : report.judge("Jacobian, " + names[k], ratio, goal->second, "a residual")});
  }
  report.add("jacobian", "Exact Jacobian of the whole DAE (both matrices) in residuals", table);
}

}  // namespace skyhook::bench
