// What a restart costs each integrator. Figures without goals: ida begins with the starter of bdf, so that their steps are alike.
#include <fmt/format.h>

#include <limits>

#include "dae_run.h"
#include "skyhook/integrator/adams.h"
#include "skyhook/integrator/bdf.h"
#include "skyhook/integrator/dopri5.h"
#include "skyhook/integrator/held_force.testing.h"
#include "skyhook/integrator/hem5.h"
#include "skyhook/integrator/ida.h"
#include "skyhook/integrator/radau5.h"
#include "tables.h"

namespace skyhook::bench {
namespace {

using namespace integrator;
using test_problems::HeldForce;
using test_problems::QuarterCar;

constexpr double sample_time = 0.005;  // s: 200 Hz
constexpr double missing = std::numeric_limits<double>::quiet_NaN();

struct PerSample {
  std::string integrator;
  double steps, rejected, evaluations, jacobians, factorisations, error;  // error in tolerances; NaN: not known
};

PerSample per_sample(const std::string& name, const Cost& cost, double samples, double error) {
  const auto mean = [&](long count) { return static_cast<double>(count) / samples; };
  return {name,
          mean(cost.steps),
          mean(cost.error_test_failures + cost.newton_failures),
          mean(cost.residuals),
          mean(cost.jacobians),
          mean(cost.factorisations),
          error};
}

// ---- a quarter car with an actuator

template <class Integrator>
PerSample on_quarter_car(const std::string& name, const QuarterCar& car, double tolerance) {
  const Options options{.relative_tolerance = tolerance, .absolute_tolerance = tolerance};
  const auto run = test_problems::run_sampled<Integrator>(HeldForce(car), options, sample_time, 400);
  if (run.failed) return {name, missing, missing, missing, missing, missing, missing};
  return per_sample(name, run.cost, static_cast<double>(run.samples), run.error / tolerance);
}

std::vector<PerSample> all_on_quarter_car(const QuarterCar& car, double tolerance) {
  return {on_quarter_car<Bdf>("bdf", car, tolerance),       on_quarter_car<Ida>("ida", car, tolerance),
          on_quarter_car<Radau5>("radau5", car, tolerance), on_quarter_car<Dopri5>("dopri5", car, tolerance),
          on_quarter_car<Adams>("adams", car, tolerance),   on_quarter_car<Hem5>("hem5", car, tolerance)};
}

// ---- a model, restarted from where it is

template <class Integrator>
PerSample on_model(const std::string& name, const DaeCase& c, double tolerance) {
  Integrator run(*c.problem, c.options(tolerance), c.t, c.y, c.yp);
  std::vector<double> y = c.y, yp = c.yp;
  const int samples = static_cast<int>((c.until - c.t) / sample_time);
  for (int k = 1; k <= samples; ++k) {
    StepStatus status;
    while ((status = run.step(c.t + k * sample_time).status) == StepStatus::ok) {}
    if (status == StepStatus::failed) return {name, missing, missing, missing, missing, missing, missing};
    y.assign(run.y().begin(), run.y().end()), yp.assign(run.yp().begin(), run.yp().end());
    run.restart(Jump::input, run.t(), y, yp);
  }
  return per_sample(name, run.cost(), samples, missing);
}

std::vector<PerSample> implicit_on_model(const DaeCase& c, double tolerance) {
  return {on_model<Bdf>("bdf", c, tolerance), on_model<Ida>("ida", c, tolerance),
          on_model<Radau5>("radau5", c, tolerance)};
}

// ---- tables

Table empty_table() {
  Table table;
  table.add_column("tolerance", "", 2);
  table.add_column("integrator");
  table.add_column("steps", "", 3);
  table.add_column("rejected", "", 2);
  table.add_column("evaluations", "", 3);
  table.add_column("Jacobians", "", 3);
  table.add_column("factorisations", "", 3);
  table.add_column("error/tolerance", "", 2);
  return table;
}

void add_rows(Table& table, double tolerance, const std::vector<PerSample>& rows) {
  for (const PerSample& r : rows)
    table.add_row(
        {tolerance, r.integrator, r.steps, r.rejected, r.evaluations, r.jacobians, r.factorisations, r.error});
}

void quarter_car(Report& report, const std::string& key, const std::string& title, const QuarterCar& car) {
  Table table = empty_table();
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) add_rows(table, tolerance, all_on_quarter_car(car, tolerance));
  report.add("restarts_" + key, fmt::format("{}, 200 Hz, a held force jumps: per sample", title), table);
}

void model(Report& report, const CaseInput& input) {
  const DaeCase c = make_case(input);
  Table table = empty_table();
  for (const double tolerance : {1e-4, 1e-6}) add_rows(table, tolerance, implicit_on_model(c, tolerance));
  report.add("restarts_" + input.name, fmt::format("{}, restarted at 200 Hz where it is: per sample", input.name),
             table);
}

}  // namespace

void restarts(Report& report) {
  quarter_car(report, "quarter_car", "Quarter car", {});
  quarter_car(report, "stiff_quarter_car", "Stiff quarter car", test_problems::stiff_quarter_car());
  model(report, {"five-link bump", "suspension/five_link.yaml", "bump"});
  model(report, {"axle on stamp", "suspension/axle_on_stamp.yaml", "bump"});
}

}  // namespace skyhook::bench
