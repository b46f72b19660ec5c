// The second derivative of independent coordinates by central differences of accelerations: what a linearisation is tested against.
#pragma once
#include <algorithm>
#include <cmath>

#include "skyhook/analysis/linearisation.h"
#include "skyhook/formalism/acceleration_solver.h"

namespace skyhook::analysis::testing {

struct Compared {
  bool ok = true;
  double error = 0;  // largest difference of a column of A, relative to its largest entry or to that of A's block
};

// Each column of A from motions beside the state, as a run would begin there: states move along `shape` and `drift` and are off the
// constraints in second order only, which central differences do not see.
inline Compared compare_with_motion(const simulation::Equations& eq, const OperatingPoint& at,
                                    const Linearisation& linear, double size = 2e-5) {
  Compared out;
  const int n = linear.coordinates, nx = linear.A.rows, nv = eq.nv();
  auto ws = eq.workspace();
  auto solver = eq.acceleration_solver();
  using Block = MovingAxes::Block;
  const MovingAxes axes(eq, at);
  double most = 1;
  for (const double x : linear.A.value) most = std::max(most, std::abs(x));
  for (int j = 0; j < nx; ++j) {
    Vector dq(nv), dv(nv), a(nv), change(nv), lambda(eq.ng());
    for (int i = 0; i < nv; ++i) {
      if (j < n) dq[i] = linear.shape(i, j), dv[i] = linear.drift(i, j);
      if (j >= n && j < 2 * n) dv[i] = linear.shape(i, j - n);
    }
    if (j >= 2 * n) dv[eq.moving() + j - 2 * n] = eq.nominal(eq.moving() + j - 2 * n);
    const double scale = j < 2 * n ? 1.0 : eq.nominal(eq.moving() + j - 2 * n);
    const double h = size / std::max(1.0, largest(dq));
    for (const int side : {1, -1, 2, -2}) {
      Vector q = at.state.q, v = at.state.v, step = dq;
      for (double& x : step) x *= side * h;
      eq.plus(q, step);
      for (int i = 0; i < nv; ++i) v[i] += side * h * dv[i];
      if (solver.solve(at.state.t, q, v, a, lambda, ws) != Eval::ok) return out.ok = false, out;
      const double weight = (side == 1 ? 8 : side == -1 ? -8 : side == 2 ? -1 : 1) / (12 * h);
      for (int i = 0; i < nv; ++i) change[i] += weight * a[i];
    }
    DenseMatrix da(nv, 1), v(nv, 1), q(nv, 1);  // p'' = T^T (da - V p' - C p) with p' = T^T (dv - U p)
    da.value = change, v.value = dv, q.value = dq;
    for (int i = eq.moving(); i < nv; ++i) v(i, 0) = 0;
    const DenseMatrix p = axes.back(q), rate = axes.back(sum(v, axes.times(&Block::U, p), -1));
    const Vector found = axes.back(sum(sum(da, axes.times(&Block::V, rate), -1), axes.times(&Block::C, p), -1)).value;
    for (int i = 0; i < n; ++i)
      out.error = std::max(out.error, std::abs(linear.A(n + i, j) - found[linear.independent[i]] / scale) / most);
    for (int i = 0; i < linear.inner; ++i) {
      const int state = eq.moving() + i;
      const double usual = eq.nominal(state) / scale;
      out.error =
          std::max(out.error, std::abs(linear.A(2 * n + i, j) - found[state] / scale) / std::max(usual, 1.0) / most);
    }
  }
  return out;
}

}  // namespace skyhook::analysis::testing
