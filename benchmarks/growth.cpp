// How time and memory grow with the model: chains in absolute coordinates (every joint cut), chains in joint coordinates that are only
// checked, and balls that land one after the other.
#include <fmt/format.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "skyhook/analysis/start.h"
#include "skyhook/formalism/consistency.h"
#include "skyhook/io/model_file/model_reader.h"
#include "skyhook/simulation/describe.h"
#include "skyhook/simulation/memory_sink.h"
#include "skyhook/simulation/simulate.h"
#include "tables.h"
#include "timing.h"

namespace skyhook::bench {
namespace {

constexpr double most_growth = 1.1;

// The joints of `cut` are constraints, the bodies float: absolute coordinates.
constexpr const char* chain_of_links = R"(skyhook: 1
name: chain
parameters: {{N: {0}, h: 0.1}}
bodies:
  link[i=1..N]: {{mass: 0.1 kg, inertia: [1e-4, 1e-4, 1e-5], at: [0, 0, =-(i-1)*h], com: [0, 0, =-(i-0.5)*h]}}
joints:
  hinge[1]: {{type: revolute, from: ground, to: "link[1]", axis: y, at: [0, 0, 0]{1}}}
  hinge[i=2..N]: {{type: revolute, from: "link[i-1]", to: "link[i]", axis: y{1}}}
forces:
  push: {{type: spring_damper, from: ground, to: "link[N]", from_at: [0.3, 0, =-N*h], to_at: [0, 0, =-N*h], stiffness: 1 N/m, free_length: 0.2 m}}
outputs: ["link[*].x"]
experiments: {{run: {{until: 50 ms, output_step: {2}, solver: bdf/ggl}}}}
)";

constexpr const char* landing_balls = R"(skyhook: 1
name: balls
parameters: {{N: {0}}}
bodies:
  ball[i=1..N]: {{mass: 1 kg, inertia: [0.001, 0.001, 0.001], at: [=0.2*i, 0, "=0.3+0.5*i/N"]}}
joints:
  f[i=1..N]: {{type: free, from: ground, to: "ball[i]"}}
forces:
  c[i=1..N]: {{type: rigid_contact, from: ground, to: "ball[i]", radius: 50 mm, restitution: 0}}
outputs: [energy.balance]
experiments: {{run: {{until: 1 s}}}}
)";

struct NoSink : simulation::Sink {
  void begin(const simulation::RunInfo&) override {}
  void sample(const simulation::Sample&) override {}
  void step(const simulation::StepRecord&) override {}
  void event(const simulation::EventRecord&) override {}
  void end(const simulation::RunSummary&) override {}
};

struct Ready {
  simulation::Prepared prepared;
  model::Experiment experiment;
};

Ready ready(const std::string& text) {
  auto model = std::make_shared<model::Model>(io::read_model_text(text, "growth.yaml", {}, "run"));
  Ready out{{}, model->experiments.at(0)};
  out.prepared = analysis::prepare(model, out.experiment);
  if (!out.prepared.ok()) throw std::runtime_error(out.prepared.problem());
  return out;
}

simulation::RunSummary run(const Ready& r) {
  NoSink sink;
  const simulation::RunSummary summary = simulation::simulate(r.prepared, r.experiment, sink);
  if (!summary.reason.empty()) throw std::runtime_error(summary.reason);
  return summary;
}

// Slope of the logarithms by least squares.
double exponent(const std::vector<double>& n, const std::vector<double>& cost) {
  double x = 0, y = 0, xx = 0, xy = 0;
  const double count = static_cast<double>(n.size());
  for (std::size_t k = 0; k < n.size(); ++k) {
    const double a = std::log(n[k]), b = std::log(cost[k]);
    x += a, y += b, xx += a * a, xy += a * b;
  }
  return (count * xy - x * y) / (count * xx - x * x);
}

double least_of(int times, const Call& call) {
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < times; ++k) least = std::fmin(least, seconds_of(call, 1));
  return least;
}

void chains(Report& report) {
  struct Cost {
    const char* name;
    std::vector<double> seconds;
  };
  std::array<Cost, 4> costs{{{"check", {}}, {"rank", {}}, {"run", {}}, {"recording", {}}}};
  std::vector<double> sizes;
  Table table;
  table.add_column("links");
  for (const Cost& c : costs) table.add_column(c.name, "s");
  table.add_column("steps");
  for (const int links : {64, 256, 1024, 4096}) {
    const int times = links > 1000 ? 1 : 3;
    const auto text = [&](const char* step) { return fmt::format(chain_of_links, links, ", cut: true", step); };
    const std::string few = text("50 ms"), often = text("1 ms");
    sizes.push_back(links);
    costs[0].seconds.push_back(
        least_of(times, [&] { std::ignore = simulation::describe(ready(few).prepared).size(); }));
    const Ready once = ready(few), many_samples = ready(often);
    costs[1].seconds.push_back(
        least_of(times, [&] { std::ignore = formalism::find_rank(*once.prepared.all, once.prepared.state).rank; }));
    long steps = 0;
    const double alone = least_of(times, [&] { steps = run(once).cost.steps; });
    costs[2].seconds.push_back(alone);
    costs[3].seconds.push_back(std::fmax(least_of(times, [&] { run(many_samples); }) - alone, 1e-6));
    std::vector<Cell> row{static_cast<long>(links)};
    for (const Cost& c : costs) row.push_back(c.seconds.back());
    row.push_back(steps);
    table.add_row(std::move(row));
  }
  std::vector<Cell> last{"exponent"};
  for (const Cost& c : costs) {
    const double p = exponent(sizes, c.seconds);
    last.push_back(p);
    report.judge(fmt::format("growth of {} with the links of a chain in absolute coordinates", c.name), p, most_growth);
  }
  last.push_back("");
  table.add_row(std::move(last));
  report.add("growth_chains", "Chains in absolute coordinates: check, rank, 50 ms of motion, and 50 more samples of it",
             table);
}

// Each landing is an event that all balls wait for: time for each of them, which steps of all cost.
void balls(Report& report) {
  Table table;
  for (const char* column : {"balls", "events", "steps"}) table.add_column(column);
  table.add_column("run", "s");
  table.add_column("per landing", "s");
  std::vector<double> sizes, each;
  for (const int count : {48, 96, 384}) {
    const Ready r = ready(fmt::format(landing_balls, count));
    simulation::RunSummary summary;
    const double seconds = least_of(count > 100 ? 1 : 3, [&] { summary = run(r); });
    sizes.push_back(count), each.push_back(seconds / count);
    table.add_row(
        {static_cast<long>(count), static_cast<long>(summary.events), summary.cost.steps, seconds, each.back()});
  }
  report.judge("growth of a landing with the number of balls", exponent(sizes, each), most_growth);
  report.add("growth_balls", "Balls that land one after the other", table);
}

struct Use {
  double seconds = 0, gigabytes = 0;
};

// In a process of its own, whose memory is its alone.
Use in_child(const Call& call) {
  const double begin = now();
  const pid_t child = fork();
  if (child == 0) {
    call();
    _exit(0);
  }
  rusage usage{};
  int status = 0;
  if (child < 0 || wait4(child, &status, 0, &usage) != child || status != 0)
    throw std::runtime_error("the check of a chain failed");
  return {now() - begin, static_cast<double>(usage.ru_maxrss) * 1024 / 1e9};
}

void checks(Report& report) {
  Table table;
  table.add_column("links");
  table.add_column("check", "s");
  table.add_column("memory", "GB");
  Use last;
  for (const int links : {1000, 4000, 10000}) {
    malloc_trim(0);
    last = in_child([&] {
      std::ignore = simulation::describe(ready(fmt::format(chain_of_links, links, "", "50 ms")).prepared).size();
    });
    table.add_row({static_cast<long>(links), last.seconds, last.gigabytes});
  }
  report.judge("check of a chain of 10 000 links in joint coordinates, s", last.seconds, 3);
  report.judge("the same, GB", last.gigabytes, 0.5);
  report.add("growth_checks", "Chains in joint coordinates, checked", table);
}

}  // namespace

void growth(Report& report) {
  checks(report);
  chains(report);
  balls(report);
}

}  // namespace skyhook::bench
