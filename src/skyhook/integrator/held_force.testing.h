// Linear oscillators under a force that a controller holds from sample to sample, with their exact solution: for tests and
// figures of restarts. One class for all kinds of integrators.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <type_traits>
#include <vector>

#include "skyhook/integrator/step.h"
#include "skyhook/problem/mechanical_problem.h"
#include "skyhook/problem/ode_problem.h"

namespace skyhook::test_problems {

// m_i x_i'' = sum of spring and damper forces + place_i force, for a quarter car: x_0 the body, x_1 the wheel.
struct QuarterCar {
  double body = 400, wheel = 40;                     // kg
  double spring = 2e4, tyre = 1.8e5;                 // N/m
  double damper = 1.5e3, tyre_damper = 0;            // N s/m
  double amplitude = 1000, f_low = 1.3, f_high = 9;  // N, Hz: the force a controller holds
};
// What is stiff decays within a fraction of a sample: 3700/s.
inline QuarterCar stiff_quarter_car() { return {.damper = 3e3, .tyre_damper = 1.5e5}; }

class HeldForce : public DaeProblem, public OdeProblem, public MechanicalProblem {
 public:
  static constexpr int n = 4;
  using Vector = std::array<double, n>;
  double held = 0;  // N, between body and wheel

  explicit HeldForce(const QuarterCar& c = {}) : car_(c) {
    for (const char* name : {"body.z", "wheel.z", "body.vz", "wheel.vz"}) {
      structure_.y.push_back({.name = name});
      structure_.rows.push_back(std::string("equation of ") + name);
    }
    const auto full = [](int rows, int columns) {
      PatternBuilder builder(rows, columns);
      for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) builder.add(i, j);
      return std::make_shared<const Pattern>(builder.build());
    };
    structure_.pattern = full(n, n);
    sizes_ = {.nq = 2, .nv = 2, .ng = 0, .mass = full(2, 2), .constraints = full(0, 2)};
    for (int j = 0; j < n; ++j) {
      Vector unit{}, column{};
      unit[static_cast<std::size_t>(j)] = 1;
      rate(unit, 0, column);
      for (int i = 0; i < n; ++i)
        matrix_[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = column[static_cast<std::size_t>(i)];
    }
  }

  void hold(double t) {
    constexpr double turn = 2 * std::numbers::pi;
    held = car_.amplitude * (std::sin(turn * car_.f_low * t) + 0.5 * std::sin(turn * car_.f_high * t));
  }
  // y' = A y + b u
  void rate(CSpan y, double u, Span yp) const {
    const double strut = car_.spring * (y[0] - y[1]) + car_.damper * (y[2] - y[3]) - u;
    yp[0] = y[2], yp[1] = y[3];
    yp[2] = -strut / car_.body;
    yp[3] = (strut - car_.tyre * y[1] - car_.tyre_damper * y[3]) / car_.wheel;
  }
  // y after `time` with the force held: the Taylor series of the exponential, over parts so short that 20 terms are exact.
  Vector exact(Vector y, double time) const {
    constexpr int terms = 20;
    const int parts = 1 + static_cast<int>(2e4 * time);
    for (int part = 0; part < parts; ++part) {
      Vector term = y, next{};
      for (int k = 1; k <= terms; ++k) {
        rate(term, k == 1 ? held : 0, next);
        for (std::size_t i = 0; i < n; ++i) term[i] = next[i] * time / (parts * k), y[i] += term[i];
      }
    }
    return y;
  }

  const Structure& structure() const override { return structure_; }
  std::unique_ptr<Workspace> workspace() const override { return std::make_unique<Workspace>(); }

  Eval residual(const Point& p, Span F, Workspace&) const override {
    rate(p.y, held, F);
    for (std::size_t i = 0; i < n; ++i) F[i] = p.yp[i] - F[i];
    return Eval::ok;
  }
  Eval derivatives(const Point&, Csc& dF_dy, Csc& dF_dyp, Workspace&) const override {
    const Pattern& pattern = *structure_.pattern;
    for (int j = 0; j < n; ++j)
      for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k) {
        dF_dy.value[k] = -matrix_[pattern.row[k]][j];
        dF_dyp.value[k] = pattern.row[k] == j ? 1 : 0;
      }
    return Eval::ok;
  }

  Eval rhs(double, CSpan y, Span yp, Workspace&) const override { return rate(y, held, yp), Eval::ok; }

  const MechanicalSizes& sizes() const override { return sizes_; }
  void kinematics(CSpan, CSpan v, Span qdot) const override { std::copy(v.begin(), v.end(), qdot.begin()); }
  void plus(Span q, CSpan step) const override { q[0] += step[0], q[1] += step[1]; }
  void matrices(double, CSpan, CSpan, MechanicalTerms& terms, Workspace&) const override {
    terms.mass.value = {car_.body, 0, 0, car_.wheel};
  }
  Eval force(double t, CSpan q, CSpan v, MechanicalTerms& terms, Workspace& workspace) const override {
    accelerations(t, q, v, terms.force, workspace);
    terms.force[0] *= car_.body, terms.force[1] *= car_.wheel;
    return Eval::ok;
  }
  Eval accelerations(double, CSpan q, CSpan v, Span a, Workspace&) const override {
    Vector yp;
    rate(Vector{q[0], q[1], v[0], v[1]}, held, yp);
    a[0] = yp[2], a[1] = yp[3];
    return Eval::ok;
  }

 private:
  QuarterCar car_;
  Structure structure_;
  MechanicalSizes sizes_;
  std::array<Vector, n> matrix_{};
};

// The six integrators alike.
template <class Integrator>
Integrator begin_at(const HeldForce& problem, const integrator::Options& options, double t,
                    const HeldForce::Vector& y) {
  HeldForce::Vector yp;
  problem.rate(y, problem.held, yp);
  if constexpr (std::is_constructible_v<Integrator, const DaeProblem&, integrator::Options, double, CSpan, CSpan>)
    return Integrator(problem, options, t, y, yp);
  else
    return Integrator(problem, options, t, y);
}
template <class Integrator>
void restart_at(Integrator& run, const HeldForce& problem, integrator::Jump jump, double t,
                const HeldForce::Vector& y) {
  HeldForce::Vector yp;
  problem.rate(y, problem.held, yp);
  if constexpr (requires { run.restart(jump, t, y, yp); })
    run.restart(jump, t, y, yp);
  else
    run.restart(jump, t, y);
}

inline double distance(const HeldForce::Vector& a, CSpan b) {
  double out = 0;
  for (std::size_t i = 0; i < a.size(); ++i) out = std::max(out, std::abs(a[i] - b[i]));
  return out;
}

struct Sampled {
  double error = 0;  // the largest at a sample
  Cost cost;
  long samples = 0;
  bool failed = false;
};
// From rest, with a new force at each of the samples and a restart there.
template <class Integrator>
Sampled run_sampled(HeldForce problem, const integrator::Options& options, double sample_time, int samples) {
  HeldForce::Vector y{}, exact{};
  problem.hold(0);
  auto run = begin_at<Integrator>(problem, options, 0, y);
  Sampled out;
  for (int k = 0; k < samples && !out.failed; ++k) {
    if (k > 0) {
      problem.hold(k * sample_time);
      restart_at(run, problem, integrator::Jump::input, run.t(), y);
    }
    integrator::StepStatus status;
    while ((status = run.step((k + 1) * sample_time).status) == integrator::StepStatus::ok) {}
    out.failed = status == integrator::StepStatus::failed;
    std::copy(run.y().begin(), run.y().end(), y.begin());
    exact = problem.exact(exact, sample_time);
    out.error = std::max(out.error, distance(exact, y));
  }
  out.cost = run.cost(), out.samples = samples;
  return out;
}

}  // namespace skyhook::test_problems
