// Vehicles with bodies that bend: whole runs against real time, and their errors against runs at a tolerance of 1e-9.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "skyhook/analysis/start.h"
#include "skyhook/io/model_file/model_reader.h"
#include "skyhook/simulation/memory_sink.h"
#include "skyhook/simulation/simulate.h"
#include "tables.h"

namespace skyhook::bench {
namespace {

struct Vehicle {
  std::string name, file, experiment;  // the file below models/
  std::vector<io::Setting> set;
  std::vector<std::string> channels;  // whose errors count
  double speed = 0;                   // times real time: the goal; 0: there is none
};

simulation::MemorySink ride(const Vehicle& v, double tolerance) {
  const auto model = std::make_shared<model::Model>(io::read_model(SKYHOOK_MODELS "/" + v.file, v.set, v.experiment));
  model::Experiment experiment = *std::ranges::find(model->experiments, v.experiment, &model::Experiment::name);
  if (tolerance > 0) experiment.tolerance = tolerance;
  simulation::RunOptions options;
  options.all_reactions = false;
  const simulation::Prepared prepared = analysis::prepare(model, experiment);
  simulation::MemorySink sink;
  const simulation::RunSummary summary = simulation::simulate(prepared, experiment, sink, options);
  if (summary.status != simulation::RunStatus::finished) throw std::runtime_error(v.name + ": " + summary.reason);
  sink.summary = summary;
  return sink;
}

// The largest of the chosen channels, relative to the largest value of each.
double error_of(const Vehicle& v, const simulation::MemorySink& run, const simulation::MemorySink& exact) {
  double worst = 0;
  for (const std::string& channel : v.channels) {
    const int k = run.find(channel);
    if (k < 0 || run.time.size() != exact.time.size()) throw std::runtime_error(v.name + ": no channel " + channel);
    double most = 0, off = 0;
    for (std::size_t i = 0; i < run.time.size(); ++i) {
      const double a = run.channels[i][static_cast<std::size_t>(k)], b = exact.channels[i][static_cast<std::size_t>(k)];
      most = std::max(most, std::abs(b)), off = std::max(off, std::abs(a - b));
    }
    worst = std::max(worst, off / most);
  }
  return worst;
}

}  // namespace

void flexible_vehicles(Report& report) {
  const std::vector<std::string> handling{"roll", "yaw_rate", "lateral_acceleration"};
  Table table;
  table.add_column("vehicle"), table.add_column("wall", "ms", 3), table.add_column("times real time", "", 3),
      table.add_column("steps", "", 0), table.add_column("error at 1e-9", "", 2);
  for (const Vehicle& v :
       {Vehicle{"sedan, rigid", "road/sedan/sedan.yaml", "lane_changes", {}, handling},
        Vehicle{"sedan, bars", "road/sedan/sedan.yaml", "lane_changes", {{"flexible_bars", "true"}}, handling, 20},
        Vehicle{"sedan, body and bars",
                "road/sedan/sedan.yaml",
                "lane_changes",
                {{"flexible_bars", "true"}, {"flexible_body", "true"}},
                handling,
                20},
        Vehicle{
            "four_post, body", "car/four_post.yaml", "shake", {{"flexible_body", "true"}}, {"car_heave", "car_roll"}},
        Vehicle{"wheelset, elastic axle", "rail/wheelset/elastic_axle.yaml", "run", {}, {"left.Q", "way.lateral"}}}) {
    simulation::MemorySink best = ride(v, 0);
    for (int k = 1; k < 5; ++k) {
      simulation::MemorySink next = ride(v, 0);
      if (next.summary.seconds < best.summary.seconds) best = std::move(next);
    }
    const double speed = best.summary.t_reached / best.summary.seconds;
    table.add_row({v.name, 1e3 * best.summary.seconds, speed, static_cast<long>(best.steps.size()),
                   error_of(v, best, ride(v, 1e-9))});
    if (v.speed > 0)
      report.judge(fmt::format("flexible, {}: wall time [ms]", v.name), 1e3 * best.summary.seconds,
                   1e3 * best.summary.t_reached / v.speed);
  }
  report.add("flexible vehicles", "Whole runs of vehicles with bodies that bend", table);
}

}  // namespace skyhook::bench
