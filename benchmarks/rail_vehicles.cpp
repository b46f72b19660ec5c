// Rail vehicles: whole runs against real time, what they are spent on, steps a metre, and errors against runs at a tolerance of 1e-9.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "no_sink.h"
#include "skyhook/analysis/start.h"
#include "skyhook/io/model_file/model_reader.h"
#include "skyhook/simulation/memory_sink.h"
#include "skyhook/simulation/simulate.h"
#include "tables.h"
#include "timing.h"

namespace skyhook::bench {
namespace {

using simulation::Part;

constexpr int rounds = 3, wheels = 8;
constexpr double exact_tolerance = 1e-9,
                 compared = 3;  // s, of runs so exact: they take minutes where the track is rough

struct Train {
  std::string name, file, experiment;  // the file below models/rail
  double until, tolerance;
  std::string body, wheelset;  // whose channels are compared
  double way;                  // m/s
  double goal;                 // times real time
  std::vector<io::Setting> set = {};
};

struct Ready {
  model::Experiment experiment;
  simulation::Prepared prepared;
};

Ready ready(const Train& t, double tolerance, double until) {
  const auto model =
      std::make_shared<model::Model>(io::read_model(SKYHOOK_MODELS "/rail/" + t.file, t.set, t.experiment));
  model::Experiment experiment = *std::ranges::find(model->experiments, t.experiment, &model::Experiment::name);
  experiment.tolerance = tolerance, experiment.until = until, experiment.solver = "bdf";
  return {experiment, analysis::prepare(model, experiment)};
}

simulation::RunSummary run(const Train& t, simulation::Sink& sink, double tolerance, double until) {
  const Ready at = ready(t, tolerance, until);
  simulation::RunOptions options;
  options.all_reactions = false;
  simulation::RunSummary summary = simulation::simulate(at.prepared, at.experiment, sink, options);
  if (summary.status != simulation::RunStatus::finished) throw std::runtime_error(t.name + ": " + summary.reason);
  return summary;
}

// Largest and mean square difference of a channel.
struct Difference {
  double largest = 0, mean = 0;
};
Difference difference(const std::string& channel, const simulation::MemorySink& a, const simulation::MemorySink& b) {
  const int k = a.find(channel), other = b.find(channel);
  if (k < 0 || other < 0 || a.time.size() != b.time.size()) throw std::runtime_error("no channel " + channel);
  Difference out;
  for (std::size_t i = 0; i < a.time.size(); ++i) {
    const double off = a.channels[i][static_cast<std::size_t>(k)] - b.channels[i][static_cast<std::size_t>(other)];
    out.largest = std::max(out.largest, std::abs(off)), out.mean += off * off;
  }
  out.mean = std::sqrt(out.mean / static_cast<double>(a.time.size()));
  return out;
}

const std::vector<Train>& trains() {
  static const std::string coach = "coach", first = "coach.front.front", axle = "metro.front.front";
  static const std::vector<Train> all{
      Train{"coach on the S-line, quasi-elastic", "s_line_coach.yaml", "change", 15, 1e-4, coach, first, 18, 100},
      Train{"Manchester on ERRI-low, multi-Hertz, FASTSIM", "manchester/erri_low.yaml", "ride", 5, 1e-4, coach, first,
            40, 10},
      Train{"the same with the table of FASTSIM",
            "manchester/erri_low.yaml",
            "ride",
            5,
            1e-4,
            coach,
            first,
            40,
            50,
            {{"creep", "fastsim_table"}}},
      Train{"GZ18 on FRA class 5, multi-Hertz, FASTSIM", "gz18.yaml", "ride", 10, 1e-4, "metro", axle, 25, 15},
      Train{"the same at 1e-3", "gz18.yaml", "ride", 10, 1e-3, "metro", axle, 25, 15}};
  return all;
}

// Each row as it is had: all together take minutes.
void tell(const std::string& line) {
  fmt::print("{}\n", line);
  std::fflush(stdout);
}

void measure_speed(Report& report) {
  Table speed;
  speed.add_column("vehicle"), speed.add_column("tolerance", "", 1), speed.add_column("processor", "ms", 3),
      speed.add_column("times real time", "", 3);
  for (const Part part : {Part::set_up, Part::integration, Part::output, Part::energy})
    speed.add_column(simulation::part_names[static_cast<std::size_t>(part)].text, "ms", 3);
  speed.add_column("steps a metre", "", 2), speed.add_column("integration a residual and wheel", "us", 2),
      speed.add_column("energy closes to", "", 2);
  for (const Train& t : trains()) {
    double least = 1e9;
    simulation::RunSummary best;
    for (int k = 0; k < rounds; ++k) {
      const double begin = processor_now();
      NoSink sink;
      simulation::RunSummary next = run(t, sink, t.tolerance, t.until);
      if (const double seconds = processor_now() - begin; seconds < least) least = seconds, best = std::move(next);
    }
    const auto steps = static_cast<double>(best.cost.steps), residuals = static_cast<double>(best.cost.residuals);
    speed.add_row({t.name, t.tolerance, 1e3 * least, t.until / least, 1e3 * best.parts[Part::set_up],
                   1e3 * best.parts[Part::integration], 1e3 * best.parts[Part::output], 1e3 * best.parts[Part::energy],
                   steps / (t.way * t.until), 1e6 * best.parts[Part::integration] / (residuals * wheels),
                   best.energy_closure});
    report.judge(fmt::format("rail, {} at {:.0e}: processor time [ms]", t.name, t.tolerance), 1e3 * least,
                 1e3 * t.until / t.goal);
    tell(fmt::format("  {} at {:.0e}: {:.3g} times real time, {:.0f} steps", t.name, t.tolerance, t.until / least,
                     steps));
  }
  report.add("rail_vehicles", "Rail vehicles: whole runs against real time, samples and books included", speed);
}

void measure_errors(Report& report) {
  Table error;
  error.add_column("vehicle"), error.add_column("tolerance", "", 1), error.add_column("body across", "mm", 2),
      error.add_column("wheelset across", "mm", 2), error.add_column("Q, largest", "N", 2),
      error.add_column("Q, root mean square", "N", 2);
  simulation::MemorySink exact;
  std::string exact_of;  // the same run serves rows that differ by tolerance
  for (const Train& t : trains()) {
    tell(fmt::format("  errors of {} at {:.0e}: against {} s at {:.0e}, which takes up to some minutes", t.name,
                     t.tolerance, compared, exact_tolerance));
    simulation::MemorySink rough;
    run(t, rough, t.tolerance, compared);
    std::string settings = t.file;
    for (const io::Setting& each : t.set) settings += each.name + each.value;
    if (settings != exact_of) exact = {}, run(t, exact, exact_tolerance, compared), exact_of = settings;
    const Difference across = difference(t.body + ".lateral", rough, exact),
                     wheelset = difference(t.wheelset + ".lateral", rough, exact);
    const Difference load = difference(t.wheelset + ".left.Q", rough, exact);
    error.add_row({t.name, t.tolerance, 1e3 * across.largest, 1e3 * wheelset.largest, load.largest, load.mean});
    tell(fmt::format("    body {:.2g} mm, wheelset {:.2g} mm, Q {:.2g} N", 1e3 * across.largest, 1e3 * wheelset.largest,
                     load.largest));
  }
  report.add("rail_errors",
             fmt::format("Rail vehicles: errors in the first {} s against runs at {:.0e}", compared, exact_tolerance),
             error);
}

}  // namespace

void rail_vehicles(Report& report) {
  measure_speed(report);
  measure_errors(report);
}

}  // namespace skyhook::bench
