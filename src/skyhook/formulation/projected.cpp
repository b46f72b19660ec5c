#include "skyhook/formulation/projected.h"

#include <algorithm>
#include <cmath>

#include "skyhook/math/dense.h"

namespace skyhook::formulation {
namespace {

using formalism::recursive::AccelerationSolver;
using formalism::recursive::Equations;

constexpr int most_iterations = 12;
// S4 (16): how many steps go by between projections of the positions.
constexpr int first_interval = 4, longest_interval = 8, shortest_interval = 1;
constexpr double small_move = 0.009, large_move = 0.02;

int next_interval(int interval, double moved) {
  if (moved < small_move) return std::min(2 * interval, longest_interval);
  return moved < large_move ? interval : std::max(interval / 2, shortest_interval);
}

}  // namespace

struct Projected::Work : Workspace {
  explicit Work(const Equations& eq)
      : solver(eq),
        equations(eq.workspace()),
        a(eq.nv()),
        lambda(eq.ng()),
        tau(eq.nv()),
        qdot(eq.nq()),
        g(eq.ng()),
        rate(eq.ng()),
        step(eq.nv()),
        zero_v(eq.nv(), 0.0),
        zero_g(eq.ng(), 0.0) {}
  AccelerationSolver solver;
  Equations::Workspace equations;
  std::vector<double> a, lambda, tau, qdot, g, rate, step, zero_v, zero_g;
  int interval = first_interval, since = 0;  // of the control; change on accepted steps only
  bool was_due = false;
  double moved = 0;
};

Projected::Projected(std::shared_ptr<const Equations> equations, ProjectionOptions options)
    : equations_(std::move(equations)), options_(options) {
  const auto& tree = equations_->tree();
  for (const auto* names : {&tree.q_names, &tree.v_names}) {
    for (const auto& name : *names) structure_.y.push_back({.name = name});
  }
  q_of_v_.resize(static_cast<std::size_t>(equations_->nv()));
  for (const auto& node : tree.nodes) {
    const int count = std::min(node.nq(), node.nv());
    for (int k = 0; k < count; ++k)
      q_of_v_[static_cast<std::size_t>(node.iv + k)] = static_cast<std::size_t>(node.iq + k);
  }
  for (const auto& name : tree.q_names) structure_.rows.push_back("kinematics of " + name);
  for (const auto& name : tree.v_names) structure_.rows.push_back("dynamics of " + name);
}

std::unique_ptr<Workspace> Projected::workspace() const { return std::make_unique<Work>(*equations_); }

long Projected::factorisations(const Workspace& workspace) const {
  return static_cast<const Work&>(workspace).solver.factorisations();
}

bool Projected::repairs() const {
  const bool projects = options_.velocities || options_.positions != ProjectionOptions::Positions::never;
  return !equations_->tree().quaternions.empty() || (projects && equations_->ng() > 0);
}

Eval Projected::rhs(double t, CSpan y, Span yp, Workspace& workspace) const {
  auto& work = static_cast<Work&>(workspace);
  const auto nq = static_cast<std::size_t>(equations_->nq()), nv = static_cast<std::size_t>(equations_->nv());
  const CSpan q = y.first(nq), v = y.subspan(nq, nv);
  const Eval e = work.solver.solve(t, q, v, yp.subspan(nq, nv), work.lambda, work.equations);
  if (e != Eval::ok) work.blame = work.equations.blame;
  equations_->kinematics(q, v, yp.first(nq));
  return e;
}

// g and G v + gI at y.
Eval Projected::constraints(double t, CSpan y, Work& work) const {
  const auto nq = static_cast<std::size_t>(equations_->nq()), nv = static_cast<std::size_t>(equations_->nv());
  const Eval e = equations_->residual({t, y.first(nq), y.subspan(nq, nv), work.zero_v, work.zero_g, work.zero_g},
                                      {work.tau, work.qdot, work.g, work.rate}, work.equations);
  if (e != Eval::ok) work.blame = work.equations.blame;
  return e;
}

Projected::Drift Projected::drift(double t, CSpan y, Workspace& workspace) const {
  auto& work = static_cast<Work&>(workspace);
  if (constraints(t, y, work) != Eval::ok) return {NAN, NAN};
  return {largest(work.g), largest(work.rate)};
}

// S4 (13) with the matrix of the stage before: simplified Newton, converging by about the step size each time.
Eval Projected::project_positions(double t, Span y, CSpan weight, Repair& repair, Work& work) const {
  const auto nq = static_cast<std::size_t>(equations_->nq()), nv = static_cast<std::size_t>(equations_->nv());
  double before = 0;
  for (repair.iterations = 1; repair.iterations <= most_iterations; ++repair.iterations) {
    if (const Eval e = constraints(t, y, work); e != Eval::ok) return e;
    for (double& g : work.g) g = -g;
    if (!work.solver.smallest_step(work.g, work.step, options_.metric)) return Eval::ok;  // singular position: leave it
    equations_->plus(y.first(nq), work.step);
    double sum = 0;
    for (std::size_t i = 0; i < nv; ++i) sum += std::pow(work.step[i] * weight[q_of_v_[i]], 2);
    const double size = std::sqrt(sum / static_cast<double>(nv));
    if (repair.iterations == 1) repair.moved = size;
    if (size < 1e-7 || (repair.iterations > 2 && largest(work.g) < 1e-14)) return Eval::ok;
    if (repair.iterations > 1 && !(size < 0.9 * before)) {
      // The matrix of the last stage is too old, or rounding is reached: try the one of this position once.
      if (size < 1e-3) return Eval::ok;
      if (const Eval e = work.solver.factor(t, y.first(nq), y.subspan(nq, nv), work.equations); e != Eval::ok) return e;
    }
    before = size;
  }
  work.blame = "The projection onto the position constraints did not converge.";
  return Eval::recoverable;
}

// S4 (12b). The factorisation here serves the derivative at the end of the step too.
Eval Projected::project_velocities(double t, Span y, Work& work) const {
  const auto nq = static_cast<std::size_t>(equations_->nq()), nv = static_cast<std::size_t>(equations_->nv());
  if (const Eval e = work.solver.factor(t, y.first(nq), y.subspan(nq, nv), work.equations); e != Eval::ok) return e;
  if (const Eval e = constraints(t, y, work); e != Eval::ok) return e;
  for (double& r : work.rate) r = -r;
  if (!work.solver.smallest_step(work.rate, work.step, options_.metric)) return Eval::ok;
  for (std::size_t i = 0; i < nv; ++i) y[nq + i] += work.step[i];
  return Eval::ok;
}

Eval Projected::repair(double t, Span y, CSpan weight, Repair& repair, Workspace& workspace) const {
  auto& work = static_cast<Work&>(workspace);
  for (const auto& slot : equations_->tree().quaternions) {
    double* const p = y.data() + slot.iq;
    const double size = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
    for (int c = 0; c < 4; ++c) p[c] /= size;
  }
  if (equations_->ng() == 0) return Eval::ok;
  using Positions = ProjectionOptions::Positions;
  work.was_due = options_.positions == Positions::always ||
                 (options_.positions == Positions::controlled && work.since + 1 >= work.interval);
  if (work.was_due) {
    if (const Eval e = project_positions(t, y, weight, repair, work); e != Eval::ok) return e;
    work.moved = repair.moved;
  }
  return options_.velocities ? project_velocities(t, y, work) : Eval::ok;
}

bool Projected::accepted(double, Span, Workspace& workspace) const {
  auto& work = static_cast<Work&>(workspace);
  ++work.since;
  if (work.was_due) work.since = 0, work.interval = next_interval(work.interval, work.moved);
  work.was_due = false;
  return false;
}

}  // namespace skyhook::formulation
