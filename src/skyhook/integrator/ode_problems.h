// Explicit problems with known answers for the tests of integrators.
#pragma once
#include <cmath>
#include <functional>
#include <vector>

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
