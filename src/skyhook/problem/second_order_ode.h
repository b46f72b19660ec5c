// Hinge 1 for implicit methods without a Jacobian of the integrator's own: y' = f(t, y) with y = (x, x') in two halves, and what is known exactly of
// x'' = F(t, x, x') as a preconditioner.
#pragma once
#include "skyhook/problem/ode_problem.h"

namespace skyhook {

struct SecondOrderOde : OdeProblem {
  // So many of the last x' are states of first order: their x stands still.
  virtual int first_order() const { return 0; }
  // Derivatives at (t, y), and factors for respond() with these numbers b and c. Not ok: there are none.
  virtual Eval prepare(double t, CSpan y, double b, double c, Workspace&) const = 0;
  // dF from  dF = dF/dx (dx + b dF) + dF/dx' (dv + c dF),  to first order and but for changes of the constraints' directions.
  virtual void respond(CSpan dx, CSpan dv, Span dF, Workspace&) const = 0;
};

}  // namespace skyhook
