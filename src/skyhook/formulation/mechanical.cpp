#include "skyhook/formulation/mechanical.h"

#include "skyhook/formalism/way.h"
#include "skyhook/formulation/projection.h"

namespace skyhook::formulation {

using formalism::AccelerationSolver;
using formalism::EquationsOfMotion;

struct Mechanical::Work : WorkspaceOf<Mechanical::Work> {
  explicit Work(const EquationsOfMotion& eq)
      : solver(eq.acceleration_solver()), equations(eq.workspace()), lambda(eq.ng()), zero_v(eq.nv(), 0.0) {}
  Eval blamed(Eval e) {
    if (e != Eval::ok) blame = equations.blame();
    return e;
  }
  AccelerationSolver solver;
  EquationsOfMotion::Workspace equations;
  std::vector<double> lambda, zero_v;
};

Mechanical::Mechanical(EquationsOfMotion equations)
    : equations_(std::move(equations)),
      sizes_{equations_.nq(), equations_.nv(), equations_.ng(),
             std::make_shared<const Pattern>(equations_.mass_pattern()),
             std::make_shared<const Pattern>(equations_.constraint_pattern())} {
  const std::vector<bool> ways = formalism::which_count_ways(equations_);
  for (int i = 0; i < equations_.nq(); ++i)
    structure_.y.push_back({.nominal = equations_.position_nominal(i),
                            .counts_way = ways[static_cast<std::size_t>(i)],
                            .name = equations_.position_names()[i]});
  for (int i = 0; i < equations_.nv(); ++i)
    structure_.y.push_back({.nominal = equations_.nominal(i), .name = equations_.velocity_names()[i]});
}

std::unique_ptr<Workspace> Mechanical::workspace() const { return std::make_unique<Work>(equations_); }

bool Mechanical::normalise(Span q) const {
  normalise_quaternions(equations_, q);
  return !equations_.rotations().empty();
}

void Mechanical::matrices(double t, CSpan q, CSpan v, MechanicalTerms& out, Workspace& workspace) const {
  auto& work = static_cast<Work&>(workspace);
  equations_.matrices(t, q, {out.mass.value, out.constraints.value}, work.equations);
  equations_.constraints(t, q, v, out.position, out.velocity, work.equations);
}

Eval Mechanical::force(double t, CSpan q, CSpan v, MechanicalTerms& out, Workspace& workspace) const {
  auto& work = static_cast<Work&>(workspace);
  const Eval e = equations_.dynamics({t, q, v, work.zero_v, {}, {}}, out.force, work.equations);
  for (double& f : out.force) f = -f;  // M a - f for a = 0
  return work.blamed(e);
}

Eval Mechanical::accelerations(double t, CSpan q, CSpan v, Span a, Workspace& workspace) const {
  auto& work = static_cast<Work&>(workspace);
  return work.blamed(work.solver.solve(t, q, v, a, work.lambda, work.equations));
}

}  // namespace skyhook::formulation
