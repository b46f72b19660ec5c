// References: the power of a shaker by Newton's law, the energy that a run can have at most, and a count of evaluations.
#include "skyhook/simulation/work_integral.h"

#include <doctest/doctest.h>

#include <array>
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

namespace {

// The rod of shaker(), on a table that moves evenly: theta'' = -3/2 g sin(theta), by Runge and Kutta.
formalism::State swung(formalism::State from, double t) {
  const int steps = 1 + static_cast<int>(t / 2e-3);
  const double h = t / steps;
  double q = from.q[0], v = from.v[0];
  const auto bend = [](double x) { return -1.5 * 9.81 * std::sin(x); };
  for (int k = 0; k < steps; ++k) {
    const double v1 = v, a1 = bend(q), v2 = v + h / 2 * a1, a2 = bend(q + h / 2 * v1), v3 = v + h / 2 * a2,
                 a3 = bend(q + h / 2 * v2), v4 = v + h * a3, a4 = bend(q + h * v3);
    q += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4), v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return from.t = t, from.q[0] = q, from.v[0] = v, from;
}

}  // namespace

// A drive at constant speed carries a rod that swings: its force, and so its power, follow the state alone. References: energy is conserved, and the count of evaluations of a
// run whose drive has an acceleration that nobody feels, 1e-12 m/s^2, so that steps are looked at in their middles too.
TEST_CASE("Where drives keep their rates the ends of steps tell the work") {
  std::array<long, 2> evaluations{};
  for (const bool keeps : {false, true}) {
    const Linkage l = shaker(keeps ? "0.5*t" : "0.5*t + 1e-12*t^2", true);
    const Prepared p = prepare(l.model, {});
    REQUIRE(p.state.q.size() == 1);
    Evaluator evaluator(p.active, p.all);
    formalism::State state = p.state;
    long looks = 0;
    const auto at = [&](double t) -> const formalism::State& { return ++looks, state = swung(p.state, t), state; };
    WorkIntegral integral(1e-7, at);
    REQUIRE(evaluator.evaluate(0, state.q, state.v) == Eval::ok);
    integral.begin(evaluator.now());
    const double before = evaluator.now().kinetic + evaluator.now().potential;
    double work = 0;
    for (int k = 1; k <= 200; ++k) integral.open(0.005 * k), work += integral.until(0.005 * k, evaluator);
    const formalism::State end = swung(p.state, 1.0);
    REQUIRE(evaluator.evaluate(1.0, end.q, end.v) == Eval::ok);
    CHECK(std::abs(work - (evaluator.now().kinetic + evaluator.now().potential - before)) < 1e-8);
    evaluations[keeps] = looks;
  }
  CHECK(evaluations[true] < 0.6 * evaluations[false]);
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

// Steps of a little more than a fifth of the way between samples: one of their ends is taken for each sample, and none of the others is looked at.
TEST_CASE("Books that ride take some ends of steps where these are shorter than a fourth of the way between samples") {
  constexpr double h = 0.0011, spacing = 0.005;
  Ride r;
  for (int k = 1; k <= 24; ++k) r.step(spacing * k);
  REQUIRE(r.integral.rides());
  const int before = r.looks, steps = 400;
  int next = 25, ends = 0;
  for (int step = 1; step <= steps; ++step) {
    const double t = 24 * spacing + step * h;
    r.integral.open(t);
    if (next * spacing <= t) r.sample(next++ * spacing);
    REQUIRE(r.integral.rides());
    if (!r.integral.wants_end()) continue;
    const auto since = r.integral.take_end(r.evaluator, 1.0);
    REQUIRE(since);
    r.work += *since, ++ends;
  }
  CHECK(r.looks - before == ends);
  CHECK(ends > 0.9 * (next - 25));
  CHECK(ends < 1.1 * (next - 25));
  const double end = 24 * spacing + steps * h;
  r.work += r.integral.until(end, r.evaluator);
  CHECK(r.work == doctest::Approx(Ride::exact(end)).epsilon(1e-6));
}

TEST_CASE("A step far shorter than samples are apart ends the ride") {
  Ride r;
  for (int k = 1; k <= 24; ++k) r.step(0.005 * k);
  REQUIRE(r.integral.rides());
  r.integral.open(0.12005);
  CHECK_FALSE(r.integral.rides());
  r.work += r.integral.until(0.12005, r.evaluator);
  CHECK(r.work == doctest::Approx(Ride::exact(0.12005)).epsilon(1e-6));
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
