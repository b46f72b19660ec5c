#include "skyhook/simulation/crossing.h"

#include <algorithm>
#include <cmath>

#include "skyhook/formalism/fit_velocities.h"

namespace skyhook::simulation {

formalism::State runge_kutta(const formalism::State& s, double h, Evaluator& evaluator) {
  const Equations& eq = evaluator.equations();
  const int nv = eq.nv();
  std::vector<std::vector<double>> v(4, s.v), a(4, std::vector<double>(nv));
  constexpr double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  for (int k = 0; k < 4; ++k) {
    formalism::State x = s;
    std::vector<double> dq(nv, 0.0);
    for (int i = 0; i < nv && k > 0; ++i) dq[i] = at[k] * h * v[k - 1][i], v[k][i] = s.v[i] + at[k] * h * a[k - 1][i];
    eq.plus(x.q, dq);
    if (evaluator.evaluate(s.t + at[k] * h, x.q, v[k], false) != Eval::ok) return {};
    a[k] = evaluator.now().a;
  }
  formalism::State out = s;
  std::vector<double> dq(nv, 0.0);
  for (int k = 0; k < 4; ++k) {
    for (int i = 0; i < nv; ++i) dq[i] += h * weight[k] * v[k][i], out.v[i] += h * weight[k] * a[k][i];
  }
  eq.plus(out.q, dq);
  out.t = s.t + h;
  return out;
}

std::optional<Crossing> cross(const formalism::State& origin, double width, double speed, const Equations& all,
                              Evaluator& evaluator) {
  constexpr int parts = 8;
  if (origin.q.empty()) return std::nullopt;
  Crossing out{{origin}, {}};
  for (int k = 0; k < parts; ++k) {
    out.path.push_back(runge_kutta(out.path.back(), width / parts, evaluator));
    if (out.path.back().q.empty()) return std::nullopt;
  }
  out.end = out.path.back();
  if (!formalism::assemble(all, out.end, {}).ok || !formalism::fit_velocities(all, out.end, {}).ok) return std::nullopt;
  double moved = 0;
  for (std::size_t i = 0; i < out.end.q.size(); ++i)
    moved = std::max(moved, std::abs(out.end.q[i] - out.path.back().q[i]));
  if (moved > 1e-2 * width * speed) return std::nullopt;
  return out;
}

}  // namespace skyhook::simulation
