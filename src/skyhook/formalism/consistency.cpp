#include "skyhook/formalism/consistency.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "skyhook/formalism/linearised.h"
#include "skyhook/math/dense.h"

namespace skyhook::formalism {

using recursive::Equations;

Rank find_rank(const Equations& eq, const State& state) {
  Rank out;
  if (eq.ng() == 0) return out;
  if (eq.nv() == 0) return out.redundant = eq.active(), out;  // nothing can move: no row is needed
  Linearised lin(eq, Trace::rank);
  auto pivot = [&](const State& s) {
    lin.evaluate(s);
    return pivot_columns(lin.scaled(), rank_threshold);
  };
  PivotedColumns best = pivot(state);
  out.here = out.rank = best.rank;
  const DenseMatrix here = transpose(lin.scaled());
  const Cholesky metric(lin.M);
  const LeastNorm onto(here, rank_threshold);
  std::mt19937 engine(7);
  std::normal_distribution<> normal;
  for (int k = 0; k < 2;
       ++k) {  // two neighbours along the motion that is left tell redundancy from a singular position
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
    Linearised lin(eq, Trace::rank);
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
