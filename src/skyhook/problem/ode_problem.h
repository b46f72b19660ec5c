// Hinge 1 for explicit integrators: y' = f(t, y), with an invariant manifold that y may be moved back to.
#pragma once
#include "skyhook/problem/problem.h"

namespace skyhook {

struct OdeProblem {
  virtual ~OdeProblem() = default;
  virtual const Structure& structure() const = 0;  // without a pattern
  virtual std::unique_ptr<Workspace> workspace() const = 0;
  virtual Eval rhs(double t, CSpan y, Span yp, Workspace&) const = 0;
  // Moves the end value of a step back to the manifold, before the derivative there is evaluated ([Simeon 1996] §4.2).
  // `weight` are the reciprocal tolerances of y. The step may still be rejected afterwards.
  virtual Eval repair(double, Span /*y*/, CSpan /*weight*/, Repair&, Workspace&) const { return Eval::ok; }
  virtual bool repairs() const { return false; }
  // Decompositions of matrices that this workspace has seen.
  virtual long factorisations(const Workspace&) const { return 0; }
  // The step has been accepted. True: y has been rewritten (another chart), so that the integrator begins anew from it.
  virtual bool accepted(double, Span /*y*/, Workspace&) const { return false; }
};

}  // namespace skyhook
