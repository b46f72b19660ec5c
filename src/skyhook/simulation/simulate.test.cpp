#include "skyhook/simulation/simulate.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "skyhook/formalism/plane_linkage.testing.h"
#include "skyhook/simulation/memory_sink.h"

using namespace skyhook;
using namespace skyhook::simulation;
using formalism::testing::four_bar;
using formalism::testing::Linkage;

namespace {

model::Experiment experiment(double until, double output_step, double tolerance = 1e-8) {
  model::Experiment e;
  e.name = "test", e.until = until, e.output_step = output_step, e.tolerance = tolerance;
  return e;
}
MemorySink run(const Linkage& l, const model::Experiment& e, const RunOptions& o = {}) {
  MemorySink sink;
  simulate(prepare(l.model, e), e, sink, o);
  return sink;
}
Linkage spinning(double rate) {
  Linkage l = four_bar();
  l.model->gravity = {};
  l.model->joints[0].velocity = {rate};
  return l;
}

}  // namespace

TEST_CASE("Samples: the start, every output time, the end, each once") {
  const auto whole = run(spinning(2), experiment(1, 0.25));
  CHECK(whole.time == std::vector<double>{0, 0.25, 0.5, 0.75, 1});
  const auto odd = run(spinning(2), experiment(1, 0.3));
  REQUIRE(odd.time.size() == 5);
  CHECK(odd.time.back() == 1.0);
  CHECK(run(spinning(2), experiment(1, 5)).time == std::vector<double>{0, 1});
  CHECK(run(spinning(2), experiment(1, 0)).time.size() == 1001);  // default: a thousandth of the span
  model::Experiment later = experiment(3, 0.5);
  later.from_time = 2;
  CHECK(run(spinning(2), later).time == std::vector<double>{2, 2.5, 3});
}

TEST_CASE("Where samples are taken does not change the steps") {
  const auto few = run(spinning(2), experiment(2, 2)), many = run(spinning(2), experiment(2, 0.01));
  CHECK(few.summary.cost.steps == many.summary.cost.steps);
  CHECK(few.states.back() == many.states.back());
  CHECK(few.steps.size() == static_cast<std::size_t>(few.summary.cost.steps));
}

TEST_CASE("Summary: finished, with residuals within the tolerance and energy that closes") {
  const auto r = run(spinning(4), experiment(2, 0.1));
  CHECK(r.summary.status == RunStatus::finished);
  CHECK(r.summary.t_reached == 2.0);
  CHECK(r.summary.position_residual < 1e-7);
  CHECK(r.summary.velocity_residual < 1e-6);
  CHECK(r.summary.energy_closure < 1e-5);
  long limited = 0;
  for (const auto& limit : r.summary.limits) limited += limit.steps;
  CHECK(limited <= r.summary.cost.steps);
  CHECK(!r.summary.limits.empty());
}

TEST_CASE("A stop keeps what there is and says so") {
  int steps = 0;
  RunOptions o;
  o.should_stop = [&] { return steps >= 20; };
  double last = 0;
  o.progress = [&](double t) {
    CHECK(t > last);
    last = t;
    ++steps;
  };
  const auto r = run(spinning(2), experiment(100, 0.01), o);
  CHECK(r.summary.status == RunStatus::interrupted);
  CHECK(r.summary.t_reached == last);
  CHECK(r.time.back() == last);
  CHECK(r.steps.size() == 20);
  REQUIRE(r.events.size() == 1);
  CHECK(r.events[0].name == "interrupted");
}

TEST_CASE("A model that cannot be assembled fails with its reason, without a sample") {
  Linkage l = four_bar();
  l.model->joints[3].at_from = {0.05, 0.4, 0}, l.model->joints[3].at_to = {1, 0.05, 0};
  const auto r = run(l, experiment(1, 0.1));
  CHECK(r.summary.status == RunStatus::failed);
  CHECK(r.summary.reason.find("C: displacement") != std::string::npos);
  CHECK(r.time.empty());
  CHECK(r.events.size() == 1);
}

TEST_CASE("The angle of a cut hinge is counted past full turns") {
  Linkage plain = spinning(8), cut = spinning(8);
  cut.model->joints[1].cut = true;  // B turns fully against crank and coupler
  const auto a = run(plain, experiment(3, 0.05)), b = run(cut, experiment(3, 0.05));
  REQUIRE(a.find("B.angle") >= 0);
  REQUIRE(b.find("B.angle") >= 0);
  CHECK(std::abs(a.last("B.angle")) > 2 * std::numbers::pi);
  CHECK(std::abs(a.last("B.angle") - b.last("B.angle")) < 1e-4);  // error of either run at 1e-8, three turns
}

TEST_CASE("Coarse samples cost no more than fine ones") {
  // Constraints are watched at samples; what the watch looks at must be the sample, not the neighbours that give channel rates.
  const auto r = run(spinning(8), experiment(5, 5, 1e-9));
  CHECK(r.events.empty());
  CHECK(r.summary.seconds < 4 * r.summary.cost.seconds + 0.05);
}

TEST_CASE("Rates of channels are their derivatives") {
  struct Rates : MemorySink {
    std::vector<double> rates;
    void sample(const Sample& s) override {
      MemorySink::sample(s);
      rates.assign(s.channel_rates.begin(), s.channel_rates.end());
    }
  } sink;
  auto e = experiment(0.5, 0.1);
  e.outputs = {{"", "rocker.x", {}},     {"", "rocker.vx", {}}, {"", "A.angle", {}},
               {"", "A.angle_rate", {}}, {"", "C.angle", {}},   {"", "C.angle_rate", {}}};
  simulate(prepare(spinning(4).model, e), e, sink);
  const auto& values = sink.channels.back();
  for (int k : {0, 2, 4}) CHECK(std::abs(sink.rates[k] - values[k + 1]) < 1e-6);  // central difference of 1e-4 s
}
