// How time and memory grow with the model: chains in absolute coordinates (every joint cut), chains in joint coordinates that are only
// checked, and balls that land one after the other. Times are those of the processor: another program beside this one does not count.
// Behind the caches a linear algorithm takes longer for each link than within them, so counts stand beside the times.
#include <fmt/format.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "no_sink.h"
#include "skyhook/analysis/start.h"
#include "skyhook/formalism/consistency.h"
#include "skyhook/formulation/ggl.h"
#include "skyhook/io/model_file/model_reader.h"
#include "skyhook/math/klu.h"
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

double processor_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double least_of(int times, const Call& call) {
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < times; ++k) {
    const double begin = processor_seconds();
    call();
    least = std::fmin(least, processor_seconds() - begin);
  }
  return least;
}

// The matrix of Newton's method of bdf/ggl, in steps of 1 ms, at the start of a model but with velocities, multipliers and corrections such that
// nothing is zero by chance.
Csc newton_matrix(const Ready& r) {
  constexpr double alpha = 2e3;
  const formulation::Ggl problem{formalism::EquationsOfMotion(r.prepared.active)};
  const Structure& s = problem.structure();
  std::vector<double> y(s.y.size()), yp(s.y.size(), 0.0);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = 0.1 * std::sin(static_cast<double>(i + 1));
  std::ranges::copy(r.prepared.state.q, y.begin());
  Csc J(s.pattern), dF_dyp(s.pattern);
  const auto workspace = problem.workspace();
  if (problem.derivatives({0.0, y, yp}, J, dF_dyp, *workspace) != Eval::ok)
    throw std::runtime_error("the derivatives of a chain cannot be evaluated");
  for (int j = 0; j < s.pattern->cols; ++j) {
    const double scale = s.y[static_cast<std::size_t>(j)].index >= 2 ? alpha : 1.0;
    for (int k = s.pattern->start[j]; k < s.pattern->start[j + 1]; ++k)
      J.value[k] = scale * (J.value[k] + alpha * dF_dyp.value[k]);
  }
  return J;
}

constexpr std::array sizes_of_chains{64, 256, 1024, 4096};

std::string cut_chain(int links, const char* output_step) {
  return fmt::format(chain_of_links, links, ", cut: true", output_step);
}

struct Costs {
  std::vector<std::string> name;
  std::vector<double> links;
  std::vector<std::vector<double>> cost;  // by name, by links
};

// Least squares over all sizes, and from the last size but one to the last, where nothing is in the nearest cache any more.
void print(Report& report, const Costs& costs, const std::string& key, const std::string& title) {
  Table table;
  table.add_column("links");
  for (const std::string& name : costs.name) table.add_column(name);
  for (std::size_t k = 0; k < costs.links.size(); ++k) {
    std::vector<Cell> row{static_cast<long>(costs.links[k])};
    for (const auto& c : costs.cost) row.push_back(c[k]);
    table.add_row(std::move(row));
  }
  std::vector<Cell> all{"exponent"}, last{"of the last two"};
  for (const auto& c : costs.cost) {
    all.push_back(exponent(costs.links, c));
    last.push_back(exponent({costs.links.end() - 2, costs.links.end()}, {c.end() - 2, c.end()}));
  }
  table.add_row(std::move(all)), table.add_row(std::move(last));
  report.add(key, title, table);
}

void chains(Report& report) {
  Costs costs{{"check", "rank", "run", "recording"}, {}, std::vector<std::vector<double>>(4)};
  long steps = 0;
  for (const int links : sizes_of_chains) {
    const int times = links > 2000 ? 3 : 5;
    const std::string few = cut_chain(links, "50 ms"), often = cut_chain(links, "1 ms");
    const Ready once = ready(few), many_samples = ready(often);
    const double run_alone = least_of(times, [&] { steps = run(once).cost.steps; });
    costs.links.push_back(links);
    costs.cost[0].push_back(least_of(times, [&] { std::ignore = simulation::describe(ready(few).prepared).size(); }));
    costs.cost[1].push_back(
        least_of(times, [&] { std::ignore = formalism::find_rank(*once.prepared.all, once.prepared.state).rank; }));
    costs.cost[2].push_back(run_alone);
    costs.cost[3].push_back(std::fmax(least_of(times, [&] { run(many_samples); }) - run_alone, 1e-6));
  }
  print(report, costs, "growth_chains",
        fmt::format(
            "Chains in absolute coordinates, s: check, rank, 50 ms of motion ({} steps), and 50 more samples of it",
            steps));
  for (std::size_t k = 0; k < costs.name.size(); ++k)
    report.judge(fmt::format("growth of {} with the links of a chain in absolute coordinates", costs.name[k]),
                 exponent(costs.links, costs.cost[k]), most_growth);
}

// What does not depend on caches: entries and operations of the matrix of Newton's method.
void counts(Report& report) {
  Costs costs{
      {"unknowns", "entries", "of them not 0", "in factors", "operations"}, {}, std::vector<std::vector<double>>(5)};
  for (const int links : sizes_of_chains) {
    const Csc J = newton_matrix(ready(cut_chain(links, "50 ms")));
    Klu lu(J.pattern);
    if (!lu.factor(J.value)) throw std::runtime_error("the matrix of a chain is singular");
    const double alive = static_cast<double>(std::ranges::count_if(J.value, [](double x) { return x != 0; }));
    const std::array<double, 5> count{static_cast<double>(J.pattern->cols), static_cast<double>(J.pattern->nonzeros()),
                                      alive, lu.work().entries, lu.work().operations};
    costs.links.push_back(links);
    for (std::size_t k = 0; k < count.size(); ++k) costs.cost[k].push_back(count[k]);
  }
  print(report, costs, "growth_counts", "The same chains, counted: the matrix of Newton's method and its factors");
  report.judge("growth of the entries of the factors with the links", exponent(costs.links, costs.cost[3]),
               most_growth);
}

// Before models could choose, a chain of 1000 links took 30 s for the 63 factorisations of its run: in the coordinates of joints one
// coordinate meets all others. That matrix is factored here too.
void chain_of_1000(Report& report) {
  constexpr int links = 1000;
  constexpr double before = 30;  // s
  Table table;
  for (const char* column : {"coordinates", "unknowns", "entries in factors"}) table.add_column(column);
  for (const char* column : {"first factorisation", "63 further ones", "50 ms of motion"})
    table.add_column(column, "s");
  table.add_column("factorisations of it");
  double seconds = 0;
  for (const char* cut : {"", ", cut: true"}) {
    const Ready r = ready(fmt::format(chain_of_links, links, cut, "50 ms"));
    const Csc J = newton_matrix(r);
    Klu lu(J.pattern);
    const double first = least_of(1, [&] { lu.factor(J.value); });
    const double further = 63 * least_of(3, [&] { lu.factor(J.value); });
    long factorisations = 0;
    seconds = least_of(*cut ? 3 : 1, [&] { factorisations = run(r).cost.factorisations; });
    table.add_row({*cut ? "absolute" : "of joints", static_cast<long>(J.pattern->cols), lu.work().entries, first,
                   further, seconds, factorisations});
  }
  report.add("growth_1000", "A chain of 1000 links in both choices of coordinates", table);
  report.judge("a run of a chain of 1000 links over the 30 s it took before", seconds / before, 1.0 / 50);
}

// Each landing is an event that all balls wait for: N landings of N balls are N^2 states to be found, whatever a landing costs.
void balls(Report& report) {
  Table table;
  for (const char* column : {"balls", "events", "steps"}) table.add_column(column);
  table.add_column("run", "s");
  table.add_column("per landing", "ms");
  table.add_column("per landing and ball", "us");
  std::vector<double> sizes, all, each;
  for (const int count : {48, 96, 384}) {
    const Ready r = ready(fmt::format(landing_balls, count));
    simulation::RunSummary summary;
    const double seconds = least_of(count > 100 ? 1 : 3, [&] { summary = run(r); });
    sizes.push_back(count), all.push_back(seconds), each.push_back(seconds / count);
    table.add_row({static_cast<long>(count), static_cast<long>(summary.events), summary.cost.steps, seconds,
                   1e3 * each.back(), 1e6 * each.back() / count});
  }
  table.add_row({"exponent", "", "", exponent(sizes, all), exponent(sizes, each), exponent(sizes, each) - 1});
  report.judge("growth of a landing with the number of balls", exponent(sizes, each), most_growth);
  report.judge("growth of the whole run with the number of balls", exponent(sizes, all), most_growth);
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
  counts(report);
  chain_of_1000(report);
  balls(report);
}

}  // namespace skyhook::bench
