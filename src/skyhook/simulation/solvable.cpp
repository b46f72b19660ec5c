#include "skyhook/simulation/solvable.h"

#include "skyhook/formalism/acceleration_solver.h"
#include "skyhook/formalism/transfer.h"

namespace skyhook::simulation {
namespace {

std::string blame_at(const Equations& eq, const formalism::State& s) {
  std::vector<double> a(eq.nv()), lambda(eq.ng());
  auto ws = eq.workspace();
  formalism::AccelerationSolver solver = eq.acceleration_solver();
  return solver.solve(s.t, s.q, s.v, a, lambda, ws) == Eval::ok ? "" : ws.blame();
}

}  // namespace

std::string why_not_solvable(const Prepared& p) {
  const std::string why = blame_at(*p.active, p.state);
  if (why.empty() || !p.in_joints) return why;
  const std::string told = blame_at(*p.in_joints, formalism::transfer(*p.all, p.state, *p.in_joints));
  return told.empty() ? why : told;
}

}  // namespace skyhook::simulation
