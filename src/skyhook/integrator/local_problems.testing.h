// Test problems in increments of one step: the quarter car of held_force.testing.h, and a pendulum as a point that a rod holds at distance 1 from
// the origin, r = q0 + d, M = 1, g = (|r|^2 - 1) / 2, with the exact rows of problem/local_problem.h in both forms.
#pragma once
#include <array>
#include <cmath>

#include "skyhook/integrator/held_force.testing.h"
#include "skyhook/problem/local_problem.h"

namespace skyhook::test_problems {

struct LocalWork : WorkspaceOf<LocalWork> {
  std::array<double, 2> origin{};
  double stretch = 1;
};

class LocalCar : public LocalProblem {
 public:
  HeldForce car;
  explicit LocalCar(const QuarterCar& c = {}) : car(c) { sizes_ = {2, 2, 2, {0, 1}, {0, 1}}; }
  const Structure& structure() const override { return car.structure(); }
  const LocalSizes& local_sizes() const override { return sizes_; }
  std::unique_ptr<Workspace> workspace() const override { return std::make_unique<LocalWork>(); }
  Eval residual(const Point& p, Span F, Workspace& ws) const override {
    const auto& work = static_cast<LocalWork&>(ws);
    car.rate(HeldForce::Vector{work.origin[0] + p.y[0], work.origin[1] + p.y[1], p.y[2], p.y[3]}, car.held, F);
    for (std::size_t i = 0; i < 4; ++i) F[i] = (i < 2 ? work.stretch : 1.0) * p.yp[i] - F[i];
    return Eval::ok;
  }
  Eval derivatives(const Point& p, Csc& dF_dy, Csc& dF_dyp, Workspace& ws) const override {
    car.derivatives(p, dF_dy, dF_dyp, ws);
    const Pattern& pattern = *structure().pattern;
    for (int j = 0; j < 2; ++j) dF_dyp.value[pattern.find(j, j)] = static_cast<LocalWork&>(ws).stretch;
    return Eval::ok;
  }
  void begin_step(CSpan q, double stretch, Workspace& ws) const override {
    auto& work = static_cast<LocalWork&>(ws);
    work.origin = {q[0], q[1]}, work.stretch = stretch;
  }
  void plus(Span q, CSpan step) const override { q[0] += step[0], q[1] += step[1]; }
  Eval accelerations(double t, CSpan q, CSpan v, Span a, Workspace& ws) const override {
    return car.accelerations(t, q, v, a, ws);
  }

 private:
  LocalSizes sizes_;
};

class LocalPendulum : public LocalProblem {
 public:
  static constexpr double g = 9.81;
  explicit LocalPendulum(bool stabilised) : stabilised_(stabilised) {
    sizes_ = {2, 2, 2, {0, 1}, {0, 1}};
    const int of_v = stabilised ? 0 : 2, of_lambda = stabilised ? 2 : 3;
    structure_.y = {{.name = "x"}, {.name = "y"}, {.index = of_v, .name = "vx"}, {.index = of_v, .name = "vy"}};
    structure_.y.push_back({.index = of_lambda, .in_error_test = false, .name = "force"});
    if (stabilised) structure_.y.push_back({.index = 2, .in_error_test = false, .name = "correction"});
    for (const Variable& v : structure_.y) structure_.rows.push_back("row of " + v.name);
    PatternBuilder builder(structure_.size(), structure_.size());
    for (int i = 0; i < structure_.size(); ++i)
      for (int j = 0; j < structure_.size(); ++j) builder.add(i, j);
    structure_.pattern = std::make_shared<const Pattern>(builder.build());
  }
  const Structure& structure() const override { return structure_; }
  const LocalSizes& local_sizes() const override { return sizes_; }
  std::unique_ptr<Workspace> workspace() const override { return std::make_unique<LocalWork>(); }
  Eval residual(const Point& p, Span F, Workspace& ws) const override {
    const auto& work = static_cast<LocalWork&>(ws);
    const double x = work.origin[0] + p.y[0], y = work.origin[1] + p.y[1], eta = stabilised_ ? p.y[5] : 0.0;
    F[0] = work.stretch * p.yp[0] - p.y[2] + x * eta, F[1] = work.stretch * p.yp[1] - p.y[3] + y * eta;
    F[2] = p.yp[2] + x * p.y[4], F[3] = p.yp[3] + g + y * p.y[4];
    if (stabilised_) F[4] = x * p.y[2] + y * p.y[3];
    F[stabilised_ ? 5 : 4] = 0.5 * (x * x + y * y - 1);
    return Eval::ok;
  }
  Eval derivatives(const Point& p, Csc& dF_dy, Csc& dF_dyp, Workspace& ws) const override {
    const auto& work = static_cast<LocalWork&>(ws);
    const double x = work.origin[0] + p.y[0], y = work.origin[1] + p.y[1], lambda = p.y[4];
    const auto put = [&](Csc& m, int i, int j, double value) { m.value[structure_.pattern->find(i, j)] = value; };
    std::ranges::fill(dF_dy.value, 0.0), std::ranges::fill(dF_dyp.value, 0.0);
    for (int i = 0; i < 2; ++i) {
      put(dF_dyp, i, i, work.stretch), put(dF_dyp, 2 + i, 2 + i, 1);
      put(dF_dy, i, 2 + i, -1), put(dF_dy, 2 + i, i, lambda), put(dF_dy, 2 + i, 4, i == 0 ? x : y);
      put(dF_dy, stabilised_ ? 5 : 4, i, i == 0 ? x : y);
      if (!stabilised_) continue;
      put(dF_dy, i, i, p.y[5]), put(dF_dy, i, 5, i == 0 ? x : y);
      put(dF_dy, 4, i, p.y[static_cast<std::size_t>(2 + i)]), put(dF_dy, 4, 2 + i, i == 0 ? x : y);
    }
    return Eval::ok;
  }
  void begin_step(CSpan q, double stretch, Workspace& ws) const override {
    auto& work = static_cast<LocalWork&>(ws);
    work.origin = {q[0], q[1]}, work.stretch = stretch;
  }
  void plus(Span q, CSpan step) const override { q[0] += step[0], q[1] += step[1]; }
  Eval accelerations(double, CSpan q, CSpan v, Span a, Workspace&) const override {
    const double lambda = force(q, v);
    a[0] = -q[0] * lambda, a[1] = -g - q[1] * lambda;
    return Eval::ok;
  }
  // r r'' + v^2 = 0 with r'' = (0, -g) - r lambda.
  static double force(CSpan q, CSpan v) { return (v[0] * v[0] + v[1] * v[1] - g * q[1]) / (q[0] * q[0] + q[1] * q[1]); }

  // (x, y, vx, vy) on the circle at the angle phi from below.
  static std::array<double, 4> state(double phi, double rate) {
    return {std::sin(phi), -std::cos(phi), rate * std::cos(phi), rate * std::sin(phi)};
  }

 private:
  bool stabilised_;
  Structure structure_;
  LocalSizes sizes_;
};

}  // namespace skyhook::test_problems
