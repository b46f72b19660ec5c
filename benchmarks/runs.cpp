// Whole runs as `skyhook run` does them, with reading, samples, books and the result file: what they cost beside their integration.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <stdexcept>

#include "skyhook/analysis/start.h"
#include "skyhook/io/model_file/model_reader.h"
#include "skyhook/io/result/writer.h"
#include "skyhook/simulation/simulate.h"
#include "tables.h"

namespace skyhook::bench {
namespace {

using simulation::Part;
using simulation::RunSummary;

constexpr int samples = 1000, rounds = 7;
constexpr double none = std::numeric_limits<double>::infinity();

struct Case {
  std::string name, file, experiment;  // the file below models/
  double most;                         // whole run over integration: the goal; none: there is none
  std::vector<io::Setting> set = {};
  double speed = 0;  // times real time: the goal; 0: there is none
};

RunSummary run(const Case& c, const std::string& result) {
  simulation::RunOptions options;
  options.all_reactions = false;
  const auto model = std::make_shared<model::Model>(io::read_model(SKYHOOK_MODELS "/" + c.file, c.set, c.experiment));
  model::Experiment experiment = *std::ranges::find(model->experiments, c.experiment, &model::Experiment::name);
  experiment.output_step = (experiment.until - experiment.from_time) / samples;
  const simulation::Prepared prepared = analysis::prepare(model, experiment);
  io::ResultWriter writer(result);
  const RunSummary summary = simulation::simulate(prepared, experiment, writer, options);
  if (summary.status != simulation::RunStatus::finished) throw std::runtime_error(c.name + ": " + summary.reason);
  return summary;
}

// The quickest of some: a busy machine only adds time.
RunSummary quickest(const Case& c, const std::string& result) {
  RunSummary least = run(c, result);
  for (int k = 1; k < rounds; ++k) {
    RunSummary next = run(c, result);
    if (next.seconds < least.seconds) least = std::move(next);
  }
  return least;
}

}  // namespace

void runs(Report& report) {
  const std::string result = (std::filesystem::temp_directory_path() / "skyhook_bench_runs.h5").string();
  Table table;
  table.add_column("model");
  table.add_column("whole", "ms", 3);
  for (const simulation::PartName& part : simulation::part_names) table.add_column(part.text, "ms", 3);
  table.add_column("whole/integration", "", 3);
  table.add_column("without set-up", "", 3);
  for (const Case& c :
       {Case{"four_post shake", "car/four_post.yaml", "shake", 2},
        Case{"five_link bump", "suspension/five_link.yaml", "bump", 2},
        Case{"n_four_bar N=40", "mechanisms/n_four_bar.yaml", "turn", 2, {{"N", "40"}}},
        Case{"valve_train", "mechanisms/valve_train.yaml", "turns", none},
        Case{"iltis ramp_30", "road/iltis/iltis.yaml", "ramp_30", none, {}, 150},
        Case{"sedan lane_changes", "road/sedan/sedan.yaml", "lane_changes", none, {}, 150},
        Case{"sedan with bushings", "road/sedan/sedan.yaml", "lane_changes", none, {{"compliant", "true"}}, 50}}) {
    const RunSummary s = quickest(c, result);
    std::vector<Cell> row{c.name, 1e3 * s.seconds};
    for (const double seconds : s.parts.seconds) row.emplace_back(1e3 * seconds);
    const double integration = s.parts[Part::integration], ratio = s.seconds / integration;
    row.emplace_back(ratio), row.emplace_back((s.seconds - s.parts[Part::set_up]) / integration);
    table.add_row(row);
    if (c.most < none) report.judge(fmt::format("runs, {}: whole run", c.name), ratio, c.most, "its integration");
    if (c.speed > 0)
      report.judge(fmt::format("runs, {}: wall time [ms]", c.name), 1e3 * s.seconds, 1e3 * s.t_reached / c.speed);
  }
  std::filesystem::remove(result);
  report.add("runs", fmt::format("Whole runs at {} samples, result file included", samples), table);
}

}  // namespace skyhook::bench
