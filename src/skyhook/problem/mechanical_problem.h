// Hinge 1 for half-explicit integrators, which use the structure of constrained mechanics:
//
//   q' = H(q) v,   M(t, q) v' = f(t, q, v) - G(t, q)^T lambda,   0 = G v + gI(t, q),   0 = g(t, q)
#pragma once
#include "skyhook/problem/problem.h"

namespace skyhook {

struct MechanicalSizes {
  int nq = 0, nv = 0, ng = 0;
  std::shared_ptr<const Pattern> mass, constraints;  // of M, of G
};

struct MechanicalTerms {
  Csc mass, constraints;
  std::vector<double> position, velocity;  // g, G v + gI
  std::vector<double> force;               // f
  explicit MechanicalTerms(const MechanicalSizes& s)
      : mass(s.mass), constraints(s.constraints), position(s.ng), velocity(s.ng), force(s.nv) {}
};

struct MechanicalProblem {
  virtual ~MechanicalProblem() = default;
  virtual const MechanicalSizes& sizes() const = 0;
  virtual const Structure& structure() const = 0;  // of (q, v), without a pattern
  virtual std::unique_ptr<Workspace> workspace() const = 0;
  virtual void kinematics(CSpan q, CSpan v, Span qdot) const = 0;  // q' = H(q) v, H affine in q
  virtual void plus(Span q, CSpan step) const = 0;                 // q ⊞ step, a step of velocity coordinates
  virtual bool normalise(Span /*q*/) const { return false; }       // quaternions to size 1; false: there are none
  // Everything but the forces.
  virtual void matrices(double t, CSpan q, CSpan v, MechanicalTerms&, Workspace&) const = 0;
  virtual Eval force(double t, CSpan q, CSpan v, MechanicalTerms&, Workspace&) const = 0;
  // v' that keeps the constraints ([Simeon 1996] (4)).
  virtual Eval accelerations(double t, CSpan q, CSpan v, Span a, Workspace&) const = 0;
};

}  // namespace skyhook
