#include "skyhook/formalism/consistency.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <random>

#include "skyhook/formalism/constrained_steps.h"
#include "skyhook/formalism/linearised.h"
#include "skyhook/math/dense.h"

namespace skyhook::formalism {

using recursive::Equations;

namespace {

// A random motion that the constraints leave, so long that the largest of its coordinates changes by 0.05.
Vector motion_left(const Equations& eq, const Linearised& lin, ConstrainedSteps& steps, std::mt19937& engine) {
  std::normal_distribution<> normal;
  Vector x(eq.nv(), 0.0), force(eq.nv(), 0.0);
  for (int i = 0; i < eq.tree().nv; ++i) x[i] = normal(engine) / std::sqrt(lin.inertia(i));
  multiply_add(lin.sparse_mass(), x, 1.0, force);
  const Vector step = steps.nearest(force, Vector(lin.rows(), 0.0));
  return largest(step) > 1e-9 ? scaled_by(0.05 / largest(step), step) : Vector();
}

// Group by group, where its rank is largest.
void take_larger(const RowRank& there, RowRank& best) {
  for (std::size_t k = 0; k < best.groups.size(); ++k) {
    if (there.groups[k].independent.size() > best.groups[k].independent.size()) best.groups[k] = there.groups[k];
  }
}

Rank find_rank_by_component(const Equations& eq, const State& state, Storage storage) {
  Rank out;
  Linearised lin(eq, Trace::rank, nullptr, storage);
  if (!lin.evaluate(state)) return out;
  RowRank best = rank_by_component(lin);
  out.here = best.count();
  std::optional<ConstrainedSteps> steps;
  std::mt19937 engine(7);
  for (int k = 0; k < 2 && best.count() < eq.ng(); ++k) {  // more than all there cannot be
    lin.evaluate(state);
    if (!steps) steps.emplace(lin, best);
    const Vector step = motion_left(eq, lin, *steps, engine);
    if (step.empty()) break;
    State near = state;
    eq.plus(near.q, step);
    Consistency ignored;
    if (close_loops(eq, lin, near, {}, ignored)) take_larger(rank_by_component(lin), best);
  }
  out.rank = best.count();
  for (const auto& group : best.groups) {
    for (const int row : group.rows)
      (std::ranges::binary_search(group.independent, row) ? out.independent : out.redundant)
          .push_back(eq.active()[row]);
    out.condition = std::max(out.condition, group.condition);
  }
  std::sort(out.independent.begin(), out.independent.end());
  std::sort(out.redundant.begin(), out.redundant.end());
  return out;
}

}  // namespace

Rank find_rank(const Equations& eq, const State& state, Storage storage) {
  Rank out;
  if (eq.ng() == 0) return out;
  if (eq.nv() == 0) return out.redundant = eq.active(), out;  // nothing can move: no row is needed
  if (is_sparse(eq, storage)) return find_rank_by_component(eq, state, storage);
  Linearised lin(eq, Trace::rank, nullptr, storage);
  auto pivot = [&](const State& s) {
    lin.evaluate(s);
    return pivot_columns(lin.scaled(), rank_threshold);
  };
  PivotedColumns best = pivot(state);
  out.here = out.rank = best.rank;
  const int neighbours = best.rank < eq.ng() ? 2 : 0;  // more than all there cannot be
  const DenseMatrix here = transpose(lin.scaled());
  const Cholesky metric(lin.M);
  const LeastNorm onto(here, rank_threshold);
  std::mt19937 engine(7);
  std::normal_distribution<> normal;
  for (int k = 0; k < neighbours; ++k) {  // along the motion that is left they tell redundancy from a singular position
    Vector z(eq.nv(), 0.0);
    for (int i = 0; i < eq.tree().nv; ++i) z[i] = normal(engine);
    const Vector constrained = onto.solve(here * z);
    for (std::size_t i = 0; i < z.size(); ++i) z[i] -= constrained[i];
    const Vector step = metric.solve_upper(z);
    if (largest(step) < 1e-9) break;
    State near = state;
    eq.plus(near.q, scaled_by(0.05 / largest(step), step));
    Consistency ignored;
    if (!close_loops(eq, lin, near, {}, ignored)) continue;
    const PivotedColumns there = pivot(near);
    if (there.rank > best.rank) best = there;
  }
  out.rank = best.rank;
  for (int k = 0; k < eq.ng(); ++k)
    (k < out.rank ? out.independent : out.redundant).push_back(eq.active()[best.order[k]]);
  std::sort(out.independent.begin(), out.independent.end());
  std::sort(out.redundant.begin(), out.redundant.end());
  out.condition = best.condition;
  return out;
}

Partition choose_dependent(const Equations& eq, const State& state) {
  Partition out;
  std::vector<int> order(eq.nv());
  std::iota(order.begin(), order.end(), 0);
  if (eq.ng() > 0) {
    Linearised lin(eq, Trace::rank, nullptr, Storage::dense);
    if (lin.evaluate(state)) {
      for (int j = 0; j < lin.G.cols; ++j) {
        for (int i = 0; i < lin.G.rows; ++i) lin.G(i, j) /= std::sqrt(lin.M(j, j));
      }
      const PivotedColumns pivots = pivot_columns(lin.G, rank_threshold);
      order = pivots.order, out.rank = pivots.rank, out.condition = pivots.condition;
    }
  }
  out.dependent.assign(order.begin(), order.begin() + eq.ng());
  out.independent.assign(order.begin() + eq.ng(), order.end());
  std::sort(out.dependent.begin(), out.dependent.end());
  std::sort(out.independent.begin(), out.independent.end());
  return out;
}

}  // namespace skyhook::formalism
