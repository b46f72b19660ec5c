// The equations of motion as they stand, for half-explicit integrators. Names no integrator.
#pragma once
#include "skyhook/formalism/acceleration_solver.h"
#include "skyhook/formalism/equations_of_motion.h"
#include "skyhook/problem/mechanical_problem.h"

namespace skyhook::formulation {

class Mechanical : public MechanicalProblem {
 public:
  explicit Mechanical(formalism::EquationsOfMotion equations);

  const MechanicalSizes& sizes() const override { return sizes_; }
  const Structure& structure() const override { return structure_; }
  std::unique_ptr<Workspace> workspace() const override;
  void kinematics(CSpan q, CSpan v, Span qdot) const override { equations_.kinematics(q, v, qdot); }
  void plus(Span q, CSpan step) const override { equations_.plus(q, step); }
  bool normalise(Span q) const override;
  void matrices(double t, CSpan q, CSpan v, MechanicalTerms&, Workspace&) const override;
  Eval force(double t, CSpan q, CSpan v, MechanicalTerms&, Workspace&) const override;
  Eval accelerations(double t, CSpan q, CSpan v, Span a, Workspace&) const override;

 private:
  struct Work;
  formalism::EquationsOfMotion equations_;
  MechanicalSizes sizes_;
  Structure structure_;
};

}  // namespace skyhook::formulation
