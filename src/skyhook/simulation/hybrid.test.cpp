// A mass that falls on a spring which only pushes. Reference: parabolas in the air, x'' = -g - w^2 x on the spring: from x = 0
// with speed -v it comes back after (2/w) (pi - atan(w v / g)), and flies for 2 v / g.
#include "skyhook/simulation/hybrid.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "skyhook/formalism/plane_linkage.testing.h"
#include "skyhook/simulation/memory_sink.h"
#include "skyhook/simulation/simulate.h"
#include "skyhook/simulation/solvers.h"

using namespace skyhook;
using namespace skyhook::simulation;
using formalism::testing::Linkage;

namespace {

constexpr double g = 9.81, stiffness = 4e3, mass = 2.0, height = 0.2;

// Modes: 1 free, 2 touching.
struct Buffer final : model::CoordinateElement, model::SwitchingCoordinate {
  template <class T>
  static T pushed(const T& x, const model::Setting& set) {
    const bool touches = set.mode == 0 ? value_of(x) < 0 : set.mode == 2;
    return touches ? T(-stiffness) * x : T(0.0);
  }
  double force(double x, double, double, const model::Setting& set) const override { return pushed(x, set); }
  Dual<2> force(const Dual<2>& x, const Dual<2>&, double, const model::Setting& set) const override {
    return pushed(x, set);
  }
  double energy(double x) const override { return x < 0 ? 0.5 * stiffness * x * x : 0.0; }
  int first_mode(const model::Stroke<double>& s) const override { return s.x < 0 ? 2 : 1; }
  double watch(const model::Stroke<double>& s) const override { return s.set.mode == 2 ? -s.x : s.x; }
  int next_mode(const model::Stroke<double>& s) const override { return s.set.mode == 2 ? 1 : 2; }
  std::string event(int, int to) const override { return to == 2 ? "touches" : "leaves"; }
};

Linkage falling() {
  Linkage l;
  const int block = l.rod("block", {0, 0, 0}, {1, 0, 0}, mass);
  l.slide("guide", model::ground, block, {0, 0, 0}, {0, 1, 0}).position = {height};
  model::Contribution buffer;
  buffer.name = "buffer", buffer.joint = 0;
  buffer.coordinate = std::make_shared<Buffer>();
  l.model->contributions.push_back(buffer);
  return l;
}

std::vector<double> exact_times(double until) {
  const double speed = std::sqrt(2 * g * height), w = std::sqrt(stiffness / mass);
  std::vector<double> times;
  for (double t = speed / g;; t += 2 * speed / g) {
    if (t > until) return times;
    times.push_back(t);
    t += 2 / w * (std::numbers::pi - std::atan(w * speed / g));
    if (t > until) return times;
    times.push_back(t);
  }
}

MemorySink run(const std::string& solver, double output_step, double tolerance = 1e-10) {
  const Linkage l = falling();
  model::Experiment e;
  e.name = "fall", e.until = 3, e.output_step = output_step, e.tolerance = tolerance, e.solver = solver;
  MemorySink sink;
  simulate(prepare(l.model, e), e, sink);
  REQUIRE(sink.summary.status == RunStatus::finished);
  return sink;
}

std::vector<double> times_of(const MemorySink& sink) {
  std::vector<double> times;
  for (const EventRecord& e : sink.events) times.push_back(e.t);
  return times;
}

}  // namespace

TEST_CASE("Events lie where they should with every integrator, and energy is kept across them") {
  const std::vector<double> exact = exact_times(3);
  REQUIRE(exact.size() > 10);
  for (const char* solver : {"ida", "bdf", "radau5", "dopri5", "adams", "hem5", "dopri5/partitioning"}) {
    CAPTURE(solver);
    const MemorySink sink = run(solver, 0.1);
    const std::vector<double> times = times_of(sink);
    REQUIRE(times.size() == exact.size());
    for (std::size_t k = 0; k < exact.size(); ++k) {
      CHECK(std::abs(times[k] - exact[k]) < 2e-7);
      CHECK(sink.events[k].element == "buffer");
      CHECK(sink.events[k].name == (k % 2 == 0 ? "touches" : "leaves"));
    }
    CHECK(sink.summary.energy_closure < 1e-6);
  }
}

TEST_CASE("Events do not depend on the output times, bit for bit") {
  for (const char* solver : {"ida", "bdf", "radau5", "dopri5", "adams", "hem5"})
    CHECK(times_of(run(solver, 0.1, 1e-6)) == times_of(run(solver, 0.05, 1e-6)));
}

// A step that crosses a kink has an error of its own; smaller steps until it is small cost more than a restart.
TEST_CASE("Events save steps: the law that is not watched costs more of them") {
  Linkage l = falling();
  const auto watched = run("bdf", 0.1, 1e-8).summary.cost;
  model::Experiment e;
  e.name = "fall", e.until = 3, e.output_step = 0.1, e.tolerance = 1e-8, e.solver = "bdf";
  struct Unwatched final : model::CoordinateElement {
    Buffer buffer;
    double force(double x, double v, double t, const model::Setting&) const override {
      return buffer.force(x, v, t, model::Setting{});
    }
    Dual<2> force(const Dual<2>& x, const Dual<2>& v, double t, const model::Setting&) const override {
      return buffer.force(x, v, t, model::Setting{});
    }
  };
  l.model->contributions[0].coordinate = std::make_shared<Unwatched>();
  MemorySink sink;
  simulate(prepare(l.model, e), e, sink);
  CHECK(sink.events.empty());
  MESSAGE("steps watched " << watched.steps << ", not watched " << sink.summary.cost.steps);
  CHECK(watched.steps < sink.summary.cost.steps);
}
