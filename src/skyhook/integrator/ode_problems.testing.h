// Explicit problems with known answers for the tests of integrators.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include "skyhook/integrator/step.h"
#include "skyhook/problem/ode_problem.h"

namespace skyhook::test_problems {

// y' = f(t, y) from a function.
struct Explicit : OdeProblem {
  using Rhs = std::function<void(double t, CSpan y, Span yp)>;
  Explicit(int n, Rhs f) : rhs_(std::move(f)) {
    for (int i = 0; i < n; ++i) structure_.y.push_back({.name = "y" + std::to_string(i)});
  }
  const Structure& structure() const override { return structure_; }
  std::unique_ptr<Workspace> workspace() const override { return std::make_unique<Workspace>(); }
  Eval rhs(double t, CSpan y, Span yp, Workspace&) const override {
    rhs_(t, y, yp);
    return Eval::ok;
  }

 protected:
  Structure structure_;
  Rhs rhs_;
};

inline Explicit circle() {
  return {2, [](double, CSpan y, Span yp) { yp[0] = y[1], yp[1] = -y[0]; }};
}

// Motion on the unit circle that is moved back to it after each step; counts.
struct RepairedCircle : Explicit {
  RepairedCircle() : Explicit(circle()) {}
  bool repairs() const override { return true; }
  Eval repair(double, Span y, CSpan, Repair& r, Workspace&) const override {
    const double size = std::hypot(y[0], y[1]);
    y[0] /= size, y[1] /= size;
    r.iterations = 1;
    return Eval::ok;
  }
};

// Motion on the unit circle in charts: y is the distance from an origin, which every twentieth step moves to where y is.
struct ChartedCircle : Explicit {
  struct Charts : WorkspaceOf<Charts> {
    double origin[2] = {1, 0}, before[2] = {1, 0};  // of the next step, and of the last one
    int steps = 0;
  };
  static constexpr int period = 20;
  ChartedCircle() : Explicit(circle()) {}
  std::unique_ptr<Workspace> workspace() const override { return std::make_unique<Charts>(); }
  Eval rhs(double, CSpan y, Span yp, Workspace& ws) const override {
    const double* const origin = static_cast<Charts&>(ws).origin;
    yp[0] = origin[1] + y[1], yp[1] = -origin[0] - y[0];
    return Eval::ok;
  }
  bool accepted(double, Span y, Workspace& ws) const override {
    auto& c = static_cast<Charts&>(ws);
    for (int i = 0; i < 2; ++i) c.before[i] = c.origin[i];
    if (++c.steps % period != 0) return false;
    for (int i = 0; i < 2; ++i) c.origin[i] += y[i], y[i] = 0;
    return true;
  }
};

// Runs it to t = 6 and returns the largest error at the ends of steps, within them, and of the derivative within.
template <class Integrator>
std::array<double, 3> errors_in_charts(Integrator run) {
  std::array<double, 3> worst{};
  const auto error = [](double t, const double* origin, CSpan y) {
    return std::hypot(origin[0] + y[0] - std::cos(t), origin[1] + y[1] + std::sin(t));
  };
  for (bool more = true; more;) {
    const double t0 = run.t();
    const integrator::StepResult r = run.step(6);
    if (r.status == integrator::StepStatus::failed) return {1, 1, 1};
    more = r.status == integrator::StepStatus::ok;
    const auto& c = static_cast<const ChartedCircle::Charts&>(run.workspace());
    worst[0] = std::max(worst[0], error(run.t(), c.origin, run.y()));
    for (const double part : {0.3, 0.7, 1.0}) {
      const double t = part == 1 ? run.t() : t0 + part * (run.t() - t0);
      std::array<double, 2> y, yp;
      run.interpolate(t, y, yp);
      worst[1] = std::max(worst[1], error(t, c.before, y));
      worst[2] = std::max(worst[2], std::hypot(yp[0] + std::sin(t), yp[1] + std::cos(t)));
    }
  }
  return worst;
}

// The Arenstorf orbit of the restricted three-body problem (Hairer, Norsett, Wanner I, II (0.1)): closed after `period`.
struct Arenstorf {
  static constexpr double period = 17.0652165601579625588917206249;
  static Explicit problem() {
    return {4, [](double, CSpan y, Span yp) {
              constexpr double mu = 0.012277471, nu = 1 - mu;
              const double d1 = std::pow((y[0] + mu) * (y[0] + mu) + y[1] * y[1], 1.5);
              const double d2 = std::pow((y[0] - nu) * (y[0] - nu) + y[1] * y[1], 1.5);
              yp[0] = y[2], yp[1] = y[3];
              yp[2] = y[0] + 2 * y[3] - nu * (y[0] + mu) / d1 - mu * (y[0] - nu) / d2;
              yp[3] = y[1] - 2 * y[2] - nu * y[1] / d1 - mu * y[1] / d2;
            }};
  }
  static std::vector<double> start() { return {0.994, 0, 0, -2.00158510637908252240537862224}; }
};

}  // namespace skyhook::test_problems
