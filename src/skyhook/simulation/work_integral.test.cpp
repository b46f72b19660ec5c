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
