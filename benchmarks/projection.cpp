#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "skyhook/formulation/mechanical.h"
#include "skyhook/formulation/projected.h"
#include "skyhook/integrator/dopri5.h"
#include "skyhook/integrator/hem5.h"
#include "skyhook/io/model_file/model_reader.h"
#include "skyhook/simulation/prepare.h"
#include "tables.h"
#include "timing.h"

namespace skyhook::bench {
namespace {

using formulation::Projected;
using formulation::ProjectionOptions;
using Positions = ProjectionOptions::Positions;
using integrator::StepStatus;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
constexpr double tolerance = 1e-4, reference_tolerance = 1e-11;
constexpr TimingOptions timing{.rounds = 61};

// A row of the table, ours or of [Simeon 1996]. Errors and norms are dimensionless or in SI.
struct Row {
  std::string name;
  double steps, projections;
  double position_drift, largest_position_drift, velocity_drift;  // |g|, |G v|; at the end unless it says otherwise
  double error;
  double decompositions;  // a step tried
  double seconds;
};

// [Simeon 1996] §5 and table 1. "6 decompositions" is its average for every step, "8 stages" what it says of HEM5.
const std::vector<Row> rows_of_s4 = {
    {"index 1", 83, 0, 1.8e-2, missing, 1.1e-1, 7.7e-5, 6, 40.1},
    {"velocity projection", 83, 0, 7.4e-4, missing, 8.2e-12, 4.0e-5, 6, 40.8},
    {"projection under control", 83, 12, 1.5e-13, missing, 1.0e-11, 3.9e-5, 6, 41.0},
    {"projection each step", 83, 83, 1.6e-13, missing, 5.1e-12, 3.9e-5, 6, 42.6},
    {"HEM5", missing, missing, missing, missing, missing, 1.7e-5, 8, 49.2},
};

struct Instant {
  double t;
  std::vector<double> y;
};

double size_of(CSpan x) {
  double sum = 0;
  for (const double each : x) sum += each * each;
  return std::sqrt(sum);
}

class Bump {
 public:
  Bump();
  // From its start to its end; `watch` is told of every step.
  template <class Integrator, class Watch>
  void run(Integrator& integrator, Watch&& watch) const {
    for (integrator::StepResult r; r.status == StepStatus::ok;) {
      r = integrator.step(experiment_.until);
      if (r.status == StepStatus::failed) throw std::runtime_error(r.reason);
      watch(integrator);
    }
  }
  template <class Integrator>
  Row measured(const std::string& name, Integrator&& integrator, long (Integrator::*projections)() const) const;

  integrator::Options options(double tol) const {
    return {.relative_tolerance = tol, .absolute_tolerance = tol, .largest_step = experiment_.largest_step};
  }
  const auto& equations() const { return prepared_.active; }
  const std::vector<double>& start() const { return start_; }

 private:
  std::vector<double> linkage(CSpan y) const;
  double error_of(const std::vector<Instant>& instants) const;
  std::array<double, 2> drift(const Instant& at) const;

  model::Experiment experiment_;
  simulation::Prepared prepared_;
  std::vector<double> start_;
};

Bump::Bump() {
  auto model = std::make_shared<const model::Model>(
      io::read_model(SKYHOOK_MODELS "/suspension/five_link.yaml", std::vector<io::Setting>{}, "low_bump"));
  for (const auto& e : model->experiments) {
    if (e.name == "low_bump") experiment_ = e;
  }
  prepared_ = simulation::prepare(model, experiment_);
  if (!prepared_.ok()) throw std::runtime_error(prepared_.problem());
  start_ = prepared_.state.q;
  start_.insert(start_.end(), prepared_.state.v.begin(), prepared_.state.v.end());
}

// The angles p of the joints, without that of the wheel: it turns by 90 rad, beside which no error would be seen.
std::vector<double> Bump::linkage(CSpan y) const {
  const auto& names = equations()->position_names();
  std::vector<double> out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] != "bearing.angle") out.push_back(y[i]);
  }
  return out;
}

// Largest |p - p_ref| over the steps, of the largest |p_ref|.
double Bump::error_of(const std::vector<Instant>& instants) const {
  const Projected problem(equations(), {.positions = Positions::always});
  integrator::Dopri5 reference(problem, options(reference_tolerance), experiment_.from_time, start_);
  double error = 0, size = 0;
  std::size_t next = 0;
  std::vector<double> y(start_.size());
  run(reference, [&](const integrator::Dopri5& now) {
    size = std::max(size, size_of(linkage(now.y())));
    for (; next < instants.size() && instants[next].t <= now.t(); ++next) {
      now.interpolate(instants[next].t, y, {});
      std::vector<double> difference = linkage(y);
      const std::vector<double> p = linkage(instants[next].y);
      for (std::size_t i = 0; i < p.size(); ++i) difference[i] -= p[i];
      error = std::max(error, size_of(difference));
    }
  });
  return error / size;
}

std::array<double, 2> Bump::drift(const Instant& at) const {
  const auto nq = static_cast<std::size_t>(equations()->nq()), nv = static_cast<std::size_t>(equations()->nv());
  const auto ng = static_cast<std::size_t>(equations()->ng());
  auto workspace = equations()->workspace();
  const std::vector<double> no_a(nv, 0.0), no_force(ng, 0.0);
  std::vector<double> tau(nv), qdot(nq), g(ng), rate(ng);
  const CSpan y = at.y;
  equations()->residual({at.t, y.first(nq), y.subspan(nq, nv), no_a, no_force, no_force}, {tau, qdot, g, rate},
                        workspace);
  return {size_of(g), size_of(rate)};
}

template <class Integrator>
Row Bump::measured(const std::string& name, Integrator&& integrator, long (Integrator::*projections)() const) const {
  std::vector<Instant> steps;
  run(integrator, [&](const Integrator& now) { steps.push_back({now.t(), {now.y().begin(), now.y().end()}}); });
  double largest = 0;
  for (const Instant& each : steps) largest = std::max(largest, drift(each)[0]);
  const auto [position, velocity] = drift(steps.back());
  const Cost& cost = integrator.cost();
  return {.name = name,
          .steps = static_cast<double>(cost.steps),
          .projections = static_cast<double>((integrator.*projections)()),
          .position_drift = position,
          .largest_position_drift = largest,
          .velocity_drift = velocity,
          .error = error_of(steps),
          .decompositions = static_cast<double>(cost.factorisations) /
                            static_cast<double>(cost.steps + cost.error_test_failures + cost.newton_failures),
          .seconds = missing};
}

std::vector<Row> rows_of_ours() {
  const Bump bump;
  const auto nothing = [](const auto&) {};
  const std::vector<std::pair<std::string, ProjectionOptions>> variants = {
      {rows_of_s4[0].name, {.positions = Positions::never, .velocities = false}},
      {rows_of_s4[1].name, {.positions = Positions::never, .velocities = true}},
      {rows_of_s4[2].name, {.positions = Positions::controlled, .velocities = true}},
      {rows_of_s4[3].name, {.positions = Positions::always, .velocities = true}}};
  std::vector<Row> rows;
  std::vector<Call> calls;
  for (const auto& [name, projection] : variants) {
    const Projected problem(bump.equations(), projection);
    const auto made = [&bump](const Projected& p) {
      return integrator::Dopri5(p, bump.options(tolerance), 0, bump.start());
    };
    rows.push_back(bump.measured(name, made(problem), &integrator::Dopri5::repairs));
    calls.emplace_back([=, &bump] {
      auto dopri = made(problem);
      bump.run(dopri, nothing);
    });
  }
  const formulation::Mechanical mechanical(bump.equations());
  const auto hem5 = [&] { return integrator::Hem5(mechanical, bump.options(tolerance), 0, bump.start()); };
  rows.push_back(bump.measured(rows_of_s4[4].name, hem5(), &integrator::Hem5::repairs));
  calls.emplace_back([&] {
    auto run = hem5();
    bump.run(run, nothing);
  });
  const std::vector<double> seconds = least_seconds(calls, timing);
  for (std::size_t k = 0; k < rows.size(); ++k) rows[k].seconds = seconds[k];
  return rows;
}

Table table_of(const std::vector<Row>& rows, const char* unit_of_time, double unit) {
  Table table;
  table.add_column("variant");
  table.add_column("steps");
  table.add_column("position projections");
  table.add_column("|g| at the end", "", 2);
  table.add_column("largest |g|", "", 2);
  table.add_column("|G v| at the end", "", 2);
  table.add_column("relative error of p", "", 2);
  table.add_column("decompositions / step", "", 3);
  table.add_column("time", unit_of_time, 3);
  table.add_column("time / index 1", "", 3);
  for (const Row& r : rows) {
    table.add_row({r.name, r.steps, r.projections, r.position_drift, r.largest_position_drift, r.velocity_drift,
                   r.error, r.decompositions, r.seconds / unit, r.seconds / rows[0].seconds});
  }
  return table;
}

}  // namespace

void projection(Report& report) {
  const std::vector<Row> ours = rows_of_ours();
  report.add(
      "projection",
      fmt::format("Five-link suspension over the low bump, Dormand-Prince at {:g}: what projection does", tolerance),
      table_of(ours, "ms", 1e-3));
  report.add(
      "projection_s4",
      "The same in Simeon's paper (1996, table 1). Its suspension has other hard points, masses and forces, which "
      "are not public:\nonly ratios between rows and the order of things compare",
      table_of(rows_of_s4, "s", 1));
  const Row &none = ours[0], &controlled = ours[2], &always = ours[3];
  report.judge("position projections under control, of the steps", controlled.projections / controlled.steps, 0.2);
  report.judge("error under control, of that with projection each step", controlled.error / always.error, 1.1);
  report.judge("largest |g| with projection each step, of that without",
               always.largest_position_drift / none.largest_position_drift, 1e-3);
}

}  // namespace skyhook::bench
