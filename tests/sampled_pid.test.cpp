// Reference: the exact discrete solution. Between two instants an oscillator with a force that is held is linear with constant
// coefficients; the matrix exponential takes its state over each interval without any error but rounding.
#include <array>
#include <cmath>

#include "run_model.testing.h"
#include "skyhook/simulation/sampler.h"

using namespace skyhook;

namespace {

constexpr double mass = 2, damping = 3, stiffness = 400;
constexpr double fast = 0.01, end = 1.0;
constexpr double kp = 250, ki = 900, kd = 8, filter = 0.02, upper = 30;

const std::string text = R"yaml(skyhook: 1
gravity: off
bodies: {block: {mass: 2}}
joints: {guide: {type: prismatic, from: ground, to: block, axis: x, displacement: 0.1, rate: -0.3}}
controllers:
  servo: {type: pid, sample_time: 0.01, delay: 0.004, input: guide.displacement, setpoint_input: plan, kp: 250, ki: 900, kd: 8,
          derivative_filter: 0.02, lower: -30, upper: 30, unit: N, initial: 5}
  plan: {type: expression, sample_time: 0.025, inputs: {v: guide.displacement_rate}, memory: {r: 0.02},
         next: {r: "=0.9*r - 0.01*v"}, outputs: {x: "=r + 0.1*sin(5*t)"
}
}
forces:
  spring: {type: spring_damper, joint: guide, stiffness: 400, damping: 3, free_length: 0}
  motor: {type: actuator, joint: guide, signal: servo}
outputs: [guide.displacement, guide.displacement_rate, servo, plan]
experiments:
  run: {until: 1.0, output_step: 0.1, tolerance: 1e-10}
)yaml";

using Matrix = std::array<std::array<double, 3>, 3>;

Matrix times(const Matrix& a, const Matrix& b) {
  Matrix c{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      for (std::size_t j = 0; j < 3; ++j) c[i][j] += a[i][k] * b[k][j];
    }
  }
  return c;
}

// exp(M) by its series of M/16, squared four times: |M|/16 < 0.07 for 5 ms, so that ten terms leave nothing. Squaring multiplies
// rounding by 16; a thousand intervals leave 4e-12.
Matrix exponential(Matrix m) {
  for (auto& row : m) {
    for (double& x : row) x /= 16;
  }
  Matrix sum{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, term = sum;
  for (int n = 1; n <= 10; ++n) {
    term = times(term, m);
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) sum[i][j] += (term[i][j] /= n);
    }
  }
  for (int n = 0; n < 4; ++n) sum = times(sum, sum);
  return sum;
}

struct Exact {
  double x = 0.1, v = -0.3, force = 5;
  double r = 0.02, plan = 0, integral = 0, rate = 0, last = 0, pending = 0;
  bool has_last = false;

  void move(double dt) {
    const Matrix e = exponential({{{0, dt, 0}, {-stiffness / mass * dt, -damping / mass * dt, dt / mass}, {0, 0, 0}}});
    const double x0 = x, v0 = v;
    x = e[0][0] * x0 + e[0][1] * v0 + e[0][2] * force;
    v = e[1][0] * x0 + e[1][1] * v0 + e[1][2] * force;
  }
  void sample_plan(double t) {
    plan = r + 0.1 * std::sin(5 * t);
    r = 0.9 * r - 0.01 * v;
  }
  void sample_servo() {
    const double e = plan - x, growth = ki * fast * e;
    rate = has_last ? (filter * rate + kd * (e - last)) / (filter + fast) : 0;
    const double free = kp * e + integral + growth + rate;
    pending = std::clamp(free, -upper, upper);
    if ((free - pending) * growth <= 0) integral += growth;
    last = e, has_last = true;
  }
  // In milliseconds: plan at 25 k, servo at 10 k, its output at 10 k + 4. All that happens at `end` is part of the answer.
  static Exact at_end() {
    Exact s;
    for (int ms = 0;; ++ms) {
      if (ms % 10 == 4) s.force = s.pending;
      if (ms % 25 == 0) s.sample_plan(ms * 1e-3);  // the servo reads it: first
      if (ms % 10 == 0) s.sample_servo();
      if (ms * 1e-3 >= end) return s;
      s.move(1e-3);
    }
  }
};

}  // namespace

// Without any integrator: the sampler with the laws and channels of the model, between its instants the matrix exponential.
TEST_CASE("The sampler gives the signals of the exact discrete solution") {
  const auto loaded = testing::load_text(text);
  const auto p = simulation::prepare(loaded.model, loaded.experiment);
  simulation::Evaluator snapshot_at(p.active, p.all);
  const simulation::Snapshot& snapshot = snapshot_at.now();
  simulation::Running running;
  model::Held held = model::held_at_start(*p.model);
  simulation::Sampler sampler(*p.model, simulation::all_channels(*p.active));
  Exact s;  // its motion
  std::array<double, 1> x, v;
  double t = 0;
  for (; sampler.next() < end + 1e-9; t = sampler.next(), sampler.act(t, snapshot, running, held)) {
    s.force = held.signals[0];
    s.move(sampler.next() - t);
    x[0] = s.x, v[0] = s.v;
    snapshot_at.evaluate(sampler.next(), x, v);
  }
  const Exact exact = Exact::at_end();
  CHECK(std::abs(s.x - exact.x) < 1e-12);
  CHECK(std::abs(s.v - exact.v) < 1e-11);
  CHECK(std::abs(held.signals[0] - exact.force) < 1e-9);
  CHECK(std::abs(held.signals[1] - exact.plan) < 1e-12);
  CHECK(sampler.samples(0) == 101);
  CHECK(sampler.samples(1) == 41);
}

// Tolerance 1e-10: errors of about a hundred steps between samples add up to some hundred tolerances at most.
TEST_CASE(
    "A sampled PID with a second rate beside it moves an oscillator as the exact discrete solution, by every "
    "integrator") {
  const Exact exact = Exact::at_end();
  for (const std::string solver : {"ida", "bdf", "radau5", "dopri5", "adams", "hem5"}) {
    CAPTURE(solver);
    auto loaded = testing::load_text(text);
    loaded.experiment.solver = solver;
    const auto run = testing::run(loaded);
    CHECK(std::abs(run.last("guide.displacement") - exact.x) < 1e-7);
    CHECK(std::abs(run.last("guide.displacement_rate") - exact.v) < 1e-6);
    CHECK(std::abs(run.last("servo") - exact.force) < 1e-4);  // kp and kd/(filter + fast) times the error of x
  }
}

// The limit matters in this run, else its anti-windup would go untested.
TEST_CASE("The exact solution reaches the limit and comes back") {
  Exact s;
  int limited = 0, free = 0;
  for (int ms = 0; ms < 1000; ++ms) {
    if (ms % 10 == 4) s.force = s.pending;
    if (ms % 25 == 0) s.sample_plan(ms * 1e-3);
    if (ms % 10 == 0) s.sample_servo(), std::abs(s.pending) == upper ? ++limited : ++free;
    s.move(1e-3);
  }
  CHECK(limited > 5);
  CHECK(free > 30);
}

// Found among random models. Its 300 restarts in 3 s cost bdf 1500 tolerances at 1e-8 when each was followed by several steps of the
// starter, whose stages are of order 2 on index 2. Two methods of one step, tight, agree on the reference.
TEST_CASE("Sampled PID on a closed loop: a restart costs a tolerance or so") {
  const std::string loop = R"yaml(skyhook: 1
bodies:
  b0: {mass: 1, inertia: [0.018, 0.019, 0.018], at: [0, 0, 0], com: [0.109, 0, 0.125]}
  b2: {mass: 1.6, inertia: [0.073, 0.0916, 0.069], at: [0.218, 0, 0.25], com: [0.3955, 0, -0.1013]}
  b4: {mass: 0.726, inertia: [0.027, 0.034, 0.032], at: [0.573, 0, -0.4526], com: [0.654, 0, -0.219]}
joints:
  j1: {type: revolute, from: ground, to: b0, at: [0, 0, 0], axis: y, rate: -3.245}
  j3: {type: revolute, from: b0, to: b2, at: [0.218, 0, 0.25], axis: y}
  j5: {type: revolute, from: b2, to: b4, at: [0.573, 0, -0.4526], axis: y}
  j6: {type: revolute, from: b4, to: ground, at: [0.7353, 0, 0.0147], axis: y, cut: true}
forces:
  f7: {type: spring_damper, joint: j5, angular_stiffness: 5, angular_damping: 0.376}
  f10: {type: actuator, joint: j5, signal: c9}
controllers:
  c9: {type: pid, sample_time: 0.01, input: j5.angle, setpoint: 0.098, kp: 6.92, kd: 0.159, derivative_filter: 0.02, ki: 3.46}
outputs: [j1.angle, j3.angle, j5.angle]
experiments: {run: {until: 3, output_step: 0.15}}
)yaml";
  const auto run_at = [&](const std::string& solver, double tolerance) {
    testing::Loaded loaded = testing::load_text(loop, {.tolerance = tolerance});
    loaded.experiment.solver = solver;
    return testing::run(loaded);
  };
  const auto difference = [](const testing::Run& a, const testing::Run& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.sink.time.size(); ++i) {
      for (std::size_t k = 0; k < a.sink.channels[i].size(); ++k)
        most = std::max(most, std::abs(a.sink.channels[i][k] - b.sink.channels[i][k]));
    }
    return most;
  };
  const testing::Run exact = run_at("radau5", 1e-11);
  CHECK(difference(run_at("dopri5", 1e-11), exact) < 1e-9);
  for (const std::string solver : {"bdf", "ida"}) {
    CAPTURE(solver);
    for (const double tolerance : {1e-6, 1e-8}) CHECK(difference(run_at(solver, tolerance), exact) < 500 * tolerance);
  }
}
