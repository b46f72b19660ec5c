#include <map>
#include <memory>

#include "model_point.h"
#include "our_tree.h"
#include "tables.h"
#include "timing.h"

namespace skyhook::bench {
namespace {

struct Row {
  std::string name, size;
  Call residual, derivatives, mass;
};

Row row_of(const Workload& w) {
  auto tree = std::make_shared<OurTree>(w);
  return {w.name, tree->size(), [tree] { tree->residual(); }, [tree] { tree->derivatives(); }, {}};
}
Row row_of(const ModelChoice& choice) {
  auto point = std::make_shared<ModelPoint>(choice);
  return {choice.title, point->size(), [point] { point->residual(); }, [point] { point->derivatives(); },
          [point] { point->mass(); }};
}

std::vector<Row> all_rows() {
  std::vector<Row> rows;
  for (const ModelChoice& choice : jacobian_models()) rows.push_back(row_of(choice));
  for (const Workload& w : all_workloads()) {
    if (w.size() >= 7 && w.size() <= 128) rows.push_back(row_of(w));
  }
  return rows;
}

}  // namespace

void jacobian(Report& report) {
  const std::map<std::string, double> goals{
      {"rear axle on a stamp", 8}, {"five-link suspension", 8}, {"chain of 16", 5}, {"chain of 64", 8}};
  Table table;
  table.add_column("workload");
  table.add_column("coordinates, constraints");
  table.add_column("residual", "us", 4);
  table.add_column("Jacobian", "us", 4);
  table.add_column("dF/dy' alone", "us", 4);
  table.add_column("Jacobian / residual", "", 3);
  table.add_column("goal");
  const std::vector<Row> rows = all_rows();
  std::vector<Call> calls;
  for (const Row& row : rows) calls.insert(calls.end(), {row.residual, row.derivatives, row.mass});
  const auto seconds = least_seconds(calls);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const double* const s = &seconds[3 * k];
    const double ratio = s[1] / s[0];
    const auto goal = goals.find(rows[k].name);
    table.add_row(
        {rows[k].name, rows[k].size, 1e6 * s[0], 1e6 * s[1], 1e6 * s[2], ratio,
         goal == goals.end() ? "" : report.judge("Jacobian, " + rows[k].name, ratio, goal->second, "a residual")});
  }
  report.add("jacobian", "Exact Jacobian of the whole DAE (both matrices) in residuals", table);
}

}  // namespace skyhook::bench
