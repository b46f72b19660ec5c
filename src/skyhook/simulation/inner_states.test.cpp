// Runs with inner states. References: exact solutions of linear equations (exponential of a matrix), agreement of all solvers,
// the books of energy.
#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "skyhook/formalism/plane_linkage.testing.h"
#include "skyhook/simulation/memory_sink.h"
#include "skyhook/simulation/simulate.h"
#include "skyhook/simulation/snapshot.h"
#include "skyhook/simulation/solvers.h"

using namespace skyhook;
using namespace skyhook::simulation;
using formalism::testing::Linkage;

namespace {

constexpr double stiffness = 50, damping = 8, mass = 2;

// F = k (x - s), s' = k (x - s) / c; as the element maxwell does.
struct Maxwell : model::StateLaw<Maxwell> {
  double free = 0;
  explicit Maxwell(double length) : free(length) {}
  std::vector<model::InnerState> states() const override { return {{"damper_length", "m"}}; }
  template <class T>
  T law(const model::Stroke<T>& s, std::span<const T> c, std::span<T> rates) const {
    const T pull = T(stiffness) * (s.x - T(free) - c[0]);
    rates[0] = pull / T(damping);
    return pull;
  }
  double energy(double x, std::span<const double> c) const override {
    return 0.5 * stiffness * (x - free - c[0]) * (x - free - c[0]);
  }
};

model::Contribution on_joint(int joint) {
  model::Contribution f;
  f.name = "mount", f.type = "maxwell", f.joint = joint, f.inner = std::make_shared<Maxwell>(0.0);
  return f;
}
model::Contribution on_line(int body, const Vec3d& from, const Vec3d& to) {
  model::Contribution f;
  f.name = "mount", f.type = "maxwell", f.inner = std::make_shared<Maxwell>(norm(to - from));
  f.from = {"", {}, model::ground, from, Mat3d::identity()}, f.to = {"", {}, body, to, Mat3d::identity()};
  return f;
}

// A mass of 2 kg that slides along x, drawn out by 0.1 m; the mount on its coordinate or along a line.
Linkage slider(bool line) {
  Linkage l;
  l.model->gravity = {};
  l.rod("block", {0, 0, 0}, {mass, 0, 0});
  l.slide("guide", model::ground, 0, {0, 0, 0}, {1, 0, 0}).position = {0.1};
  l.model->contributions.push_back(line ? on_line(0, {-1, 0, 0}, {0, 0, 0}) : on_joint(0));
  return l;
}

using State = std::array<double, 3>;  // x, x', s

State slope(const State& y) {
  const double pull = stiffness * (y[0] - y[2]);
  return {y[1], -pull / mass, pull / damping};
}

// The exponential series of a linear equation, in steps short enough for all digits.
State exact(double t) {
  State y{0.1, 0, 0};
  const int steps = 200;
  for (int n = 0; n < steps; ++n) {
    State term = y;
    for (int k = 1; k < 15; ++k) {
      term = slope(term);
      for (std::size_t i = 0; i < 3; ++i) term[i] *= t / steps / k, y[i] += term[i];
    }
  }
  return y;
}

model::Experiment experiment(const std::string& solver, double until, double tolerance) {
  model::Experiment e;
  e.name = "test", e.solver = solver, e.until = until, e.output_step = until / 10, e.tolerance = tolerance;
  return e;
}
MemorySink run(const Linkage& l, const model::Experiment& e) {
  MemorySink sink;
  simulate(prepare(l.model, e), e, sink);
  REQUIRE_MESSAGE(sink.summary.status == RunStatus::finished, e.solver, ": ", sink.summary.reason);
  return sink;
}
bool is_for_all_models(const GradedSolver& g) { return g.grade != Grade::refused; }

}  // namespace

// Errors of a tolerance of 1e-8 over some hundred steps; a wrong term would show in the second digit.
TEST_CASE("A mass on a spring in series with a damper moves as it must, with every solver") {
  const State end = exact(0.6);
  CHECK(std::abs(end[2]) > 0.01);  // the damper has moved
  int count = 0;
  for (const GradedSolver& g : all_solvers()) {
    if (!is_for_all_models(g)) continue;
    const MemorySink r = run(slider(count % 2 == 0), experiment(g.solver.name(), 0.6, 1e-8));
    CAPTURE(g.solver.name());
    REQUIRE(r.states.back().size() == 3);
    for (std::size_t i = 0; i < 3; ++i) CHECK(std::abs(r.states.back()[i] - end[i]) < 2e-6);
    ++count;
  }
  CHECK(count > 15);
}

TEST_CASE("States, channels and names of an element with inner states") {
  const MemorySink r = run(slider(true), experiment("ida", 0.6, 1e-8));
  REQUIRE(r.info.states.size() == 3);
  CHECK(r.info.states[2].name == "mount.damper_length");
  const State end = exact(0.6);
  CHECK(r.last("mount.force") == doctest::Approx(stiffness * (end[0] - end[2])).epsilon(1e-4));
  CHECK(r.last("mount.length") == doctest::Approx(1 + end[0]).epsilon(1e-6));
  CHECK(r.last("mount.damper_length") == doctest::Approx(end[2]).epsilon(1e-5));
  CHECK(run(slider(false), experiment("ida", 0.6, 1e-8)).last("mount.force") ==
        doctest::Approx(-stiffness * (end[0] - end[2])).epsilon(1e-4));  // drives the coordinate down
}

// What the damper turns into heat is work; the books close like those of a parallel damper. Without the part of the state in
// dU/dt they would miss the energy of the spring.
TEST_CASE("The books of energy close with inner states") {
  for (const bool line : {true, false}) {
    const MemorySink r = run(slider(line), experiment("ida", 3, 1e-8));
    CHECK(r.summary.energy_closure < 1e-5);
    CHECK(r.last("energy.work") < -0.2);  // of 0.25 J
    CHECK(r.channels.front().at(static_cast<std::size_t>(r.find("energy.potential"))) == doctest::Approx(0.25));
  }
}

// s' = k (x - s) / c with x = X sin(w t): s = X (cos f sin(w t - f) + sin f cos f e^(-t/T)), tan f = w T, T = c / k.
TEST_CASE("A driven Maxwell element answers a sine in closed form: inner states are the only unknowns") {
  Linkage l = slider(true);
  l.model->joints[0].position = {{}};
  Linkage::drive(l.model->joints[0], "0.1*sin(7*t)");
  const double T = damping / stiffness, f = std::atan(7 * T), t = 1.3;
  const double s = 0.1 * (std::cos(f) * std::sin(7 * t - f) + std::sin(f) * std::cos(f) * std::exp(-t / T));
  for (const char* solver : {"bdf", "ida", "radau5", "dopri5", "adams", "hem5"}) {
    CAPTURE(solver);
    const MemorySink r = run(l, experiment(solver, t, 1e-9));
    REQUIRE(r.states.back().size() == 1);
    CHECK(std::abs(r.states.back()[0] - s) < 1e-7);
    CHECK(r.summary.energy_closure < 1e-4);
  }
}

// Two routes and more to one motion: closed loops, the mount on a line inside of the loop.
TEST_CASE("All solvers find the same motion of a closed loop with an inner state") {
  Linkage l = formalism::testing::four_bar();
  const auto& p = l.model->joints[2].at_from;
  l.model->contributions.push_back(on_line(1, p + Vec3d{0.3, -1, 0}, p));
  const MemorySink reference = run(l, experiment("radau5/ggl", 0.6, 1e-11));
  const std::size_t n = reference.states.back().size();
  REQUIRE(reference.info.states.back().name == "mount.damper_length");
  CHECK(std::abs(reference.states.back()[n - 1]) > 1e-3);
  for (const GradedSolver& g : all_solvers()) {
    if (g.grade != Grade::recommended && g.grade != Grade::works) continue;
    const MemorySink r = run(l, experiment(g.solver.name(), 0.6, 1e-8));
    CAPTURE(g.solver.name());
    for (std::size_t i = 0; i < n; ++i) CHECK(std::abs(r.states.back()[i] - reference.states.back()[i]) < 2e-5);
    CHECK(r.summary.energy_closure < 1e-4);
  }
}
