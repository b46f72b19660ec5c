#include "skyhook/formulation/projected.h"

#include <algorithm>
#include <cmath>

#include "skyhook/formalism/way.h"
#include "skyhook/math/dense.h"

namespace skyhook::formulation {
namespace {

using formalism::EquationsOfMotion;

// [Simeon 1996] (16): how many steps go by between projections of the positions.
constexpr int first_interval = 4, longest_interval = 8, shortest_interval = 1;
constexpr double small_move = 0.009, large_move = 0.02;

int next_interval(int interval, double moved) {
  if (moved < small_move) return std::min(2 * interval, longest_interval);
  return moved < large_move ? interval : std::max(interval / 2, shortest_interval);
}

}  // namespace

struct Projected::Work : WorkspaceOf<Projected::Work> {
  Work(const EquationsOfMotion& eq, Metric metric) : projection(eq, metric), lambda(eq.ng()) {}
  Eval blamed(Eval e) {
    if (e != Eval::ok) blame = projection.workspace().blame();
    return e;
  }
  Projection projection;
  std::vector<double> lambda;
  int interval = first_interval, since = 0;  // of the control; change on accepted steps only
  bool was_due = false;
  double moved = 0;
};

Projected::Projected(EquationsOfMotion equations, ProjectionOptions options)
    : equations_(std::move(equations)), options_(options) {
  const std::vector<bool> ways = formalism::which_count_ways(equations_);
  for (int i = 0; i < equations_.nq(); ++i)
    structure_.y.push_back({.nominal = equations_.position_nominal(i),
                            .counts_way = ways[static_cast<std::size_t>(i)],
                            .name = equations_.position_names()[i]});
  for (int i = 0; i < equations_.nv(); ++i)
    structure_.y.push_back({.nominal = equations_.nominal(i), .name = equations_.velocity_names()[i]});
  for (const auto& name : equations_.position_names()) structure_.rows.push_back("kinematics of " + name);
  for (const auto& name : equations_.velocity_names()) structure_.rows.push_back("dynamics of " + name);
}

std::unique_ptr<Workspace> Projected::workspace() const { return std::make_unique<Work>(equations_, options_.metric); }

long Projected::factorisations(const Workspace& workspace) const {
  return static_cast<const Work&>(workspace).projection.solver().factorisations();
}

bool Projected::repairs() const {
  const bool projects = options_.velocities || options_.positions != ProjectionOptions::Positions::never;
  return !equations_.rotations().empty() || (projects && equations_.ng() > 0);
}

Eval Projected::rhs(double t, CSpan y, Span yp, Workspace& workspace) const {
  auto& work = static_cast<Work&>(workspace);
  const auto nq = static_cast<std::size_t>(equations_.nq());
  const CSpan q = y.first(nq), v = y.subspan(nq);
  equations_.kinematics(q, v, yp.first(nq));
  return work.blamed(work.projection.solver().solve(t, q, v, yp.subspan(nq), work.lambda, work.projection.workspace(),
                                                    options_.alpha));
}

Projected::Drift Projected::drift(double t, CSpan y, Workspace& workspace) const {
  auto& work = static_cast<Work&>(workspace);
  const auto nq = static_cast<std::size_t>(equations_.nq());
  work.projection.evaluate(t, y.first(nq), y.subspan(nq));
  return {largest(work.projection.g()), largest(work.projection.rate())};
}

Eval Projected::repair(double t, Span y, CSpan weight, Repair& repair, Workspace& workspace) const {
  auto& work = static_cast<Work&>(workspace);
  const auto nq = static_cast<std::size_t>(equations_.nq());
  const Span q = y.first(nq), v = y.subspan(nq);
  work.projection.normalise_quaternions(q);
  if (equations_.ng() == 0) return Eval::ok;
  using Positions = ProjectionOptions::Positions;
  work.was_due = options_.positions == Positions::always ||
                 (options_.positions == Positions::controlled && work.since + 1 >= work.interval);
  if (work.was_due) {
    const Eval e = work.projection.positions(t, q, v, weight.first(nq), repair);
    if (e != Eval::ok) return work.blamed(e);
    work.moved = repair.moved;
  }
  return options_.velocities ? work.blamed(work.projection.velocities(t, q, v)) : Eval::ok;
}

bool Projected::accepted(double, Span, Workspace& workspace) const {
  auto& work = static_cast<Work&>(workspace);
  ++work.since;
  if (work.was_due) work.since = 0, work.interval = next_interval(work.interval, work.moved);
  work.was_due = false;
  return false;
}

}  // namespace skyhook::formulation
