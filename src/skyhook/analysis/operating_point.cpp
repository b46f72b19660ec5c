#include "skyhook/analysis/operating_point.h"

#include <algorithm>

#include "skyhook/formalism/acceleration_solver.h"

namespace skyhook::analysis {

OperatingPoint at_rest(const simulation::Equations& eq, const formalism::State& state,
                       const std::vector<double>& lambda) {
  OperatingPoint p;
  p.state = state, p.lambda = lambda, p.stands = true;
  std::fill_n(p.state.v.begin(), eq.moving(), 0.0);
  p.a.assign(eq.nv(), 0.0), p.no_eta.assign(eq.ng(), 0.0), p.u.assign(eq.inputs(), 0.0);
  eq.inputs(state.t, p.u);
  for (std::size_t k = 0; k < p.u.size(); k += 3) p.u[k + 1] = p.u[k + 2] = 0;
  return p;
}

std::optional<OperatingPoint> in_motion(const simulation::Equations& eq, const formalism::State& state,
                                        std::string& problem) {
  OperatingPoint p;
  p.state = state;
  p.a.assign(eq.nv(), 0.0), p.lambda.assign(eq.ng(), 0.0), p.no_eta = p.lambda, p.u.assign(eq.inputs(), 0.0);
  eq.inputs(state.t, p.u);
  auto ws = eq.workspace();
  if (eq.acceleration_solver().solve(state.t, state.q, state.v, p.a, p.lambda, ws) == Eval::ok) return p;
  problem = "The accelerations cannot be found: " + ws.blame() + ".";
  return {};
}

}  // namespace skyhook::analysis
