#include "skyhook/simulation/simulation.h"

#include <doctest/doctest.h>

#include <cmath>

#include "skyhook/formalism/plane_linkage.testing.h"
#include "skyhook/simulation/memory_sink.h"

using namespace skyhook;
using namespace skyhook::simulation;
using formalism::testing::Linkage;

namespace {

struct Push : model::CoordinateElement {  // of the signal that it listens to
  double force(double, double, double, const model::Setting& set) const override { return set.signal; }
  Dual<2> force(const Dual<2>&, const Dual<2>&, double, const model::Setting& set) const override {
    return Dual<2>(set.signal);
  }
};

// 2 kg on a guide without friction, pushed by an input that no controller says.
Linkage pushed() {
  Linkage l;
  l.model->gravity = {};
  l.rod("block", {0, 0, 0}, {2, 0, 0});
  l.slide("guide", model::ground, 0, {0, 0, 0}, {1, 0, 0});
  l.model->signals.push_back({"push", "N"});
  model::Contribution force;
  force.name = "motor", force.type = "push", force.joint = 0, force.signal = {0};
  force.coordinate = std::make_shared<Push>();
  l.model->contributions.push_back(force);
  return l;
}

model::Experiment experiment(const std::string& solver, double until = 1) {
  model::Experiment e;
  e.name = "test", e.until = until, e.output_step = until / 50, e.tolerance = 1e-7, e.solver = solver;
  return e;
}

bool says(const ModelError& error, const std::string& what) {
  return std::string(error.what()).find(what) != std::string::npos;
}

}  // namespace

// Exact: a is 2 m/s^2 from 0.3 s on, -1 m/s^2 from 0.7 s on; x = 0.16 + 0.24 - 0.045 at 1 s, and the push has worked 2 v^2 / 2.
TEST_CASE("An input that is set holds from there on, whatever step the integrator is in") {
  for (const char* solver : {"ida", "bdf", "radau5", "dopri5", "adams", "hem5"}) {
    CAPTURE(solver);
    const Linkage l = pushed();
    const model::Experiment e = experiment(solver);
    const Prepared prepared = prepare(l.model, e);
    Simulation run(prepared, e);
    run.advance(0.3);
    CHECK(run.channel("push") == 0);
    run.set("push", 4);
    CHECK(run.channel("push") == 4);
    CHECK(run.channel("guide.displacement_acceleration") == doctest::Approx(2));
    CHECK(run.advance(0.7));
    CHECK(run.state().q[0] == doctest::Approx(0.16).epsilon(1e-6));
    run.set("push", -2);
    CHECK(run.advance(1));
    CHECK(run.t() == 1);
    CHECK(run.is_over());
    CHECK(run.channel("guide.displacement") == doctest::Approx(0.355).epsilon(1e-6));
    CHECK(run.channel("energy.work") == doctest::Approx(0.25).epsilon(1e-5));
    CHECK(run.finish().status == RunStatus::finished);
  }
}

TEST_CASE("What is set is taken back by restore() too, and the same value changes nothing") {
  const Linkage l = pushed();
  const model::Experiment e = experiment("adams");
  const Prepared prepared = prepare(l.model, e);
  Simulation run(prepared, e);
  run.set("push", 1);  // at the start
  run.advance(0.5);
  const auto saved = run.save();
  const double x = run.state().q[0];
  CHECK(x == doctest::Approx(0.0625));
  run.set("push", -7);
  run.advance(0.9);
  run.restore(saved);
  CHECK(run.t() == 0.5);
  CHECK(run.channel("push") == 1);
  CHECK(run.state().q[0] == x);
  run.set("push", 1);
  run.advance(1);
  CHECK(run.state().q[0] == doctest::Approx(0.25));
  const long steps = run.finish().cost.steps;
  Simulation whole(prepared, e);
  whole.set("push", 1);
  whole.advance(1);
  CHECK(whole.finish().cost.steps == steps);
}

TEST_CASE("A simulation says what it cannot do") {
  const Linkage l = pushed();
  const model::Experiment e = experiment("ida");
  const Prepared prepared = prepare(l.model, e);
  Simulation run(prepared, e);
  run.advance(0.5);
  const auto refused = [&](auto&& action, const std::string& why) {
    try {
      action();
    } catch (const ModelError& error) {
      return says(error, why);
    }
    return false;
  };
  CHECK(refused([&] { run.advance(0.4); }, "stands at t = 0.5 s and cannot go back to 0.4 s"));
  CHECK(refused([&] { run.advance(NAN); }, "cannot go back"));
  CHECK(refused([&] { run.channel("guide.displacment"); }, "guide.displacement"));
  CHECK(refused([&] { run.set("pusch", 1); }, "Did you mean \"push\"?"));
  CHECK(refused([&] { run.save(); }, "the solver ida/ggl cannot be saved"));
  CHECK(refused([&] { run.save(); }, "Choose bdf, radau5, dopri5, adams or hem5."));
  CHECK(refused([&] { run.restore({}); }, "saved by another simulation"));
  const model::Experiment other = experiment("bdf");
  const Simulation one(prepared, other);
  Simulation two(prepared, other);
  CHECK(refused([&] { two.restore(one.save()); }, "saved by another simulation"));
  CHECK_FALSE(run.advance(2));  // beyond the end of the experiment
  CHECK(run.t() == 1);
}

TEST_CASE("A simulation that is left before its end counts as interrupted, and its sink is closed") {
  const Linkage l = pushed();
  const model::Experiment e = experiment("bdf");
  const Prepared prepared = prepare(l.model, e);
  MemorySink sink;
  Simulation run(prepared, e, sink);
  run.advance(0.41);
  CHECK(sink.time.back() == doctest::Approx(0.4));  // no sample beyond
  CHECK(run.finish().status == RunStatus::interrupted);
  CHECK(sink.summary.status == RunStatus::interrupted);
}
