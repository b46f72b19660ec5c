// Brings positions and velocities back to their constraints, to the nearest point in the mass metric or in the
// Euclidean one ([Simeon 1996] (12), (13)):
//
//   min |step|^2  with  G step = -g (repeated, Newton's way),   then  G step = -(G v + gI)
//
// Scratch memory of one thread, like the AccelerationSolver whose factorisations it shares.
#pragma once
#include <string>
#include <vector>

#include "skyhook/formalism/acceleration_solver.h"
#include "skyhook/formalism/equations_of_motion.h"
#include "skyhook/problem/problem.h"

namespace skyhook::formulation {

using Metric = formalism::AccelerationSolver::Metric;

void normalise_quaternions(const formalism::EquationsOfMotion& eq, Span q);

class Projection {
 public:
  Projection(const formalism::EquationsOfMotion& eq, Metric metric);

  formalism::AccelerationSolver& solver() { return solver_; }
  const formalism::AccelerationSolver& solver() const { return solver_; }
  formalism::EquationsOfMotion::Workspace& workspace() { return workspace_; }

  void normalise_quaternions(Span q) const { formulation::normalise_quaternions(eq_, q); }
  // With the matrix last factored, of a place nearby; `weight` are the reciprocal tolerances of q. Fails at a singular
  // position, unless nothing is to be done; workspace().blame() says why.
  Eval positions(double t, Span q, CSpan v, CSpan weight, Repair&);
  // Factors at q: what is evaluated there afterwards needs no other factorisation.
  Eval velocities(double t, CSpan q, Span v);
  // With the matrix last factored, of a place nearby.
  Eval velocities_nearby(double t, CSpan q, Span v);

  void evaluate(double t, CSpan q, CSpan v);
  void factor_and_evaluate(double t, CSpan q, CSpan v);      // the solver factors there, in the same pass
  const std::vector<double>& g() const { return g_; }        // of the last evaluate()
  const std::vector<double>& rate() const { return rate_; }  // G v + gI

 private:
  Eval undone(const std::vector<double>& residual);
  double weighted_size(CSpan weight) const;

  formalism::EquationsOfMotion eq_;
  Metric metric_;
  formalism::AccelerationSolver solver_;
  formalism::EquationsOfMotion::Workspace workspace_;
  std::vector<double> g_, rate_, step_;
  std::vector<std::size_t> q_of_v_;  // whose tolerance a tangent coordinate has
};

}  // namespace skyhook::formulation
