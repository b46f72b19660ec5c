// References: the power of a shaker by Newton's law, the energy that a run can have at most, and a count of evaluations.
#include "skyhook/simulation/work_integral.h"

#include <doctest/doctest.h>

#include <cmath>

#include "skyhook/formalism/energy.h"
#include "skyhook/formalism/plane_linkage.testing.h"
#include "skyhook/simulation/memory_sink.h"
#include "skyhook/simulation/simulate.h"

using namespace skyhook;
using namespace skyhook::simulation;
using formalism::testing::Linkage;

namespace {

// A table that a drive moves along x, and a rod that swings on it or beside it.
Linkage shaker(const std::string& drive, bool carries) {
  Linkage l;
  const int table = l.rod("table", {0, 0, 0}, {1, 0, 0}, 3), rod = l.rod("rod", {0, 0, 0}, {0, -1, 0});
  Linkage::drive(l.slide("lift", model::ground, table, {0, 0, 0}, {1, 0, 0}), drive);
  l.hinge("swing", carries ? table : model::ground, rod, {0, 0, 0});
  l.model->joints[1].position = {0.5};
  return l;
}

model::Experiment experiment(double tolerance) {
  model::Experiment e;
  e.name = "test", e.until = 3, e.output_step = 0.007, e.tolerance = tolerance;
  e.outputs = {{"", "energy.*", {}}};
  return e;
}

double worst_balance(const MemorySink& run) {
  double worst = 0;
  const auto at = static_cast<std::size_t>(run.find("energy.balance"));
  for (const auto& row : run.channels) worst = std::max(worst, std::abs(row[at]));
  return worst;
}

}  // namespace

TEST_CASE("The force of a drive that leads its load alone is known without accelerations, that of another with them") {
  for (const bool carries : {false, true}) {
    const Linkage l = shaker("0.1*sin(7*t)", carries);
    const Prepared p = prepare(l.model, {});
    Evaluator full(p.active, p.all), drives(p.active, p.all);
    const double t = 0.3;
    REQUIRE(full.evaluate(t, p.state.q, p.state.v) == Eval::ok);
    REQUIRE(drives.evaluate_drives(t, p.state.q, p.state.v) == Eval::ok);
    REQUIRE(drives.now().drives.size() == 1);
    CHECK(drives.now().drives[0] == doctest::Approx(full.now().drives[0]).epsilon(1e-13));
    const double alone = -3 * 0.1 * 49 * std::sin(7 * t);  // m x''
    CHECK((std::abs(drives.now().drives[0] - alone) < 1e-12) == !carries);
    CHECK(formalism::power(drives.now(), drives.now().lambda) ==
          doctest::Approx(formalism::power(full.now(), full.now().lambda)).epsilon(1e-12));
  }
}

// Kinetic energy of the table alone is what its drive has put in: samples within steps show the work as it is there.
TEST_CASE("Work at samples within steps is as good as at their ends") {
  for (const bool carries : {false, true}) {
    for (const double tolerance : {1e-5, 1e-8}) {
      const Linkage l = shaker("0.1*sin(7*t)", carries);
      const auto e = experiment(tolerance);
      MemorySink sink;
      const RunSummary s = simulate(prepare(l.model, e), e, sink);
      REQUIRE(s.status == RunStatus::finished);
      CHECK(s.energy_closure < 100 * tolerance);
      CHECK(worst_balance(sink) < 200 * tolerance);  // in J, of 5 J that are exchanged
    }
  }
}

// Where a drive sets in abruptly the curve does not settle: pieces do.
TEST_CASE("Work of a drive with corners") {
  const Linkage l = shaker("if(t < 1, 0, if(t < 2, 0.2*(t-1)^2, 0.2 + 0.4*(t-2)))", false);
  const auto e = experiment(1e-7);
  MemorySink sink;
  const RunSummary s = simulate(prepare(l.model, e), e, sink);
  REQUIRE(s.status == RunStatus::finished);
  CHECK(worst_balance(sink) < 2e-5);
  CHECK(sink.last("energy.work") == doctest::Approx(0.5 * 3 * 0.4 * 0.4).epsilon(1e-5));
}

namespace {

// The table alone, and how often somebody looks at the motion.
struct Ride {
  static constexpr double mass = 3, amplitude = 0.1, omega = 7;
  Linkage l = shaker("0.1*sin(7*t)", false);
  Prepared p = prepare(l.model, {});
  Evaluator evaluator{p.active, p.all};
  formalism::State state = p.state;
  int looks = 0;
  double work = 0;
  WorkIntegral integral{1e-6, [this](double t) -> const formalism::State& { return ++looks, state.t = t, state; }};

  Ride() {
    REQUIRE(evaluator.evaluate(0, state.q, state.v) == Eval::ok);
    integral.begin(evaluator.now());
  }
  static double speed(double t) { return amplitude * omega * std::cos(omega * t); }
  static double power(double t) { return -mass * amplitude * omega * omega * std::sin(omega * t) * speed(t); }
  static double exact(double t) { return 0.5 * mass * (std::pow(speed(t), 2) - std::pow(speed(0), 2)); }

  std::optional<double> take(double t, double watts) {
    Snapshot s = evaluator.now();
    return s.t = t, integral.take(s, watts, 1.0);
  }
  void step(double t) {
    integral.open(t);
    sample(t);
    if (!integral.rides()) work += integral.until(t, evaluator);
  }
  // As a run does at a sample in the open step.
  void sample(double t) {
    if (!integral.rides()) work += integral.catch_up(evaluator);
    const bool has_ridden = integral.rides();
    const auto since = take(t, power(t));
    if (since) work += *since;
    if (has_ridden && !since) work += integral.until(t, evaluator);
    if (!has_ridden && integral.may_ride()) work += integral.until(t, evaluator), integral.ride();
  }
};

}  // namespace

// Against the kinetic energy of the table. Steps end between samples, so that each ride leaves something behind.
TEST_CASE("Books that ride on samples look nowhere else, and lose nothing where the ride ends") {
  constexpr double h = 0.0065, spacing = 0.005;
  Ride r;
  int next = 1, on_the_way = 0;
  for (int step = 1; step <= 120; ++step) {
    r.integral.open(step * h);
    const int before = r.looks;
    const bool rides = r.integral.rides();
    for (; next * spacing <= step * h; ++next) r.sample(next * spacing);
    if (rides && r.integral.rides()) CHECK(r.looks == before), ++on_the_way;
    if (!r.integral.rides()) r.work += r.integral.until(step * h, r.evaluator);
  }
  CHECK(on_the_way > 100);
  CHECK(r.work == doctest::Approx(Ride::exact((next - 1) * spacing)).epsilon(1e-6));
  r.work += r.integral.until(120 * h, r.evaluator);
  CHECK_FALSE(r.integral.rides());
  CHECK(r.work == doctest::Approx(Ride::exact(120 * h)).epsilon(1e-6));
}

TEST_CASE("A step far shorter than samples are apart ends the ride") {
  Ride r;
  for (int k = 1; k <= 24; ++k) r.step(0.005 * k);
  REQUIRE(r.integral.rides());
  r.integral.open(0.121);
  CHECK_FALSE(r.integral.rides());
  r.work += r.integral.until(0.121, r.evaluator);
  CHECK(r.work == doctest::Approx(Ride::exact(0.121)).epsilon(1e-6));
}

TEST_CASE("Samples whose curve does not settle are left") {
  Ride r;
  for (int k = 1; k <= 24; ++k) r.step(0.005 * k);
  REQUIRE(r.integral.rides());
  r.integral.open(0.125);
  CHECK_FALSE(r.take(0.125, 100.0));
  CHECK_FALSE(r.integral.rides());
  r.work += r.integral.until(0.125, r.evaluator);  // from what the motion tells
  CHECK(r.work == doctest::Approx(Ride::exact(0.125)).epsilon(1e-6));
}

// One run with samples closer than steps, one with hardly any: the books go different ways.
TEST_CASE("The work does not depend on how many samples there are") {
  for (const double tolerance : {1e-5, 1e-8}) {
    double work[2];
    for (const bool fine : {false, true}) {
      const Linkage l = shaker("0.1*sin(7*t)", true);
      auto e = experiment(tolerance);
      e.output_step = fine ? 0.003 : 1.5;
      MemorySink sink;
      REQUIRE(simulate(prepare(l.model, e), e, sink).status == RunStatus::finished);
      work[fine] = sink.last("energy.work");
    }
    CHECK(std::abs(work[0] - work[1]) < 5 * tolerance);  // of 5 J that are exchanged
  }
}
