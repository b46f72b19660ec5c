// Least displacement of mass on the constraints, by Newton's method along the motion that they leave.
#pragma once
#include "skyhook/formalism/assembly.h"
#include "skyhook/formalism/constrained_steps.h"
#include "skyhook/formalism/linearised.h"

namespace skyhook::formalism {

// What is made small: the mass distance from `reference`, and from `start` for masses that are no bodies; for coordinates that move no
// mass their change from `start`; and, `weight` times, half the sum of squares of what the released values differ from what was asked for.
class Displacement {
 public:
  Displacement(const recursive::Equations& eq, const Poses& reference, const State& start, const Conditions* released);
  double value(const State& s, Linearised& lin) const;   // after lin.evaluate(s)
  double misfit(const State& s, Linearised& lin) const;  // what the released values have in it
  Vector gradient(const State& s, Linearised& lin) const;
  void add_metric(Linearised& lin, DenseMatrix& metric) const;
  SoftRows springs(Linearised& lin) const;  // the same for many coordinates

 private:
  Vector inertia(const Linearised& lin) const;  // of changes from `start`

  const recursive::Equations& eq_;
  const Poses& reference_;
  const State& start_;
  const Conditions* released_;
  double weight_ = 0;
};

// `s` is on the constraints and stays there. The Hessian of the Lagrangian is differenced, so that the end is the true minimum,
// not only that of the linearised constraints. Returns how far, rad or m, the minimum still was where the search gave up; 0: it is there.
double minimise(const recursive::Equations& eq, const Displacement& displacement, Linearised& lin, State& s,
                const std::vector<int>& held);

// q ⊟ p in tangent coordinates
Vector difference(const recursive::Equations& eq, const std::vector<double>& q, const std::vector<double>& p);

}  // namespace skyhook::formalism
