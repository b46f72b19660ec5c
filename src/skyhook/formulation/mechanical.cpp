#include "skyhook/formulation/mechanical.h"

#include <algorithm>

#include "skyhook/formalism/recursive/acceleration_solver.h"

namespace skyhook::formulation {

using formalism::recursive::AccelerationSolver;
using formalism::recursive::BlockStore;
using formalism::recursive::Equations;

struct Mechanical::Work : Workspace {
  explicit Work(const Equations& eq)
      : store(eq),
        solver(eq),
        equations(eq.workspace()),
        tau(eq.nv()),
        qdot(eq.nq()),
        rate(eq.ng()),
        lambda(eq.ng()),
        zero_v(eq.nv(), 0.0),
        zero_g(eq.ng(), 0.0) {}
  BlockStore store;
  AccelerationSolver solver;
  Equations::Workspace equations;
  std::vector<double> tau, qdot, rate, lambda, zero_v, zero_g;
  double t_stored = 0;
  std::vector<double> q_stored;  // where the matrices of `store` belong; empty: nowhere
};

Mechanical::Mechanical(std::shared_ptr<const Equations> equations)
    : equations_(std::move(equations)),
      sizes_{equations_->nq(), equations_->nv(), equations_->ng(),
             std::make_shared<const Pattern>(equations_->tangent_pattern()),
             std::make_shared<const Pattern>(equations_->constraint_pattern())} {
  const auto& tree = equations_->tree();
  for (const auto* names : {&tree.q_names, &tree.v_names}) {
    for (const auto& name : *names) structure_.y.push_back({.name = name});
  }
}

std::unique_ptr<Workspace> Mechanical::workspace() const { return std::make_unique<Work>(*equations_); }

Eval Mechanical::terms(double t, CSpan q, CSpan v, MechanicalTerms& out, Workspace& workspace) const {
  auto& work = static_cast<Work&>(workspace);
  const formalism::recursive::Input at_rest{t, q, v, work.zero_v, work.zero_g, work.zero_g};
  // M and G depend on t and q alone; half-explicit methods ask again with other velocities.
  const bool stored = t == work.t_stored && std::ranges::equal(q, work.q_stored);
  Eval e = stored ? Eval::ok : equations_->derivatives(at_rest, work.store.blocks(), work.equations);
  work.t_stored = t;
  e == Eval::ok ? work.q_stored.assign(q.begin(), q.end()) : work.q_stored.clear();
  if (e == Eval::ok) e = equations_->residual(at_rest, {work.tau, work.qdot, out.position, out.drift}, work.equations);
  if (e != Eval::ok) {
    work.blame = work.equations.blame;
    return e;
  }
  out.mass.value = work.store.mass().value;
  out.constraints.value = work.store.jacobian().value;
  for (std::size_t i = 0; i < out.force.size(); ++i) out.force[i] = -work.tau[i];
  multiply_add(out.constraints, v, -1.0, out.drift);  // G v + gI less G v
  return Eval::ok;
}

Eval Mechanical::accelerations(double t, CSpan q, CSpan v, Span a, Workspace& workspace) const {
  auto& work = static_cast<Work&>(workspace);
  const Eval e = work.solver.solve(t, q, v, a, work.lambda, work.equations);
  if (e != Eval::ok) work.blame = work.equations.blame;
  return e;
}

}  // namespace skyhook::formulation
