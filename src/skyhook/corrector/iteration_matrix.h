// The matrix J = dF/dy + alpha dF/dy' of Newton's method in an implicit integrator: where it comes from, what is kept of
// it, its factors. When it must be renewed is for the integrator to say.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "skyhook/corrector/differences.h"
#include "skyhook/corrector/strategy.h"
#include "skyhook/math/klu.h"
#include "skyhook/problem/problem.h"

namespace skyhook {

// Unknowns of index k are solved for as h^(k-1) y and rows are scaled by their largest entry: the condition then does not
// grow when h falls. Allocates only when built, and when an estimated pattern grows.
class IterationMatrix {
 public:
  IterationMatrix(const DaeProblem& problem, JacobianStrategy strategy);

  // dF/dy anew; F is the residual at the point.
  Eval evaluate(const Point& point, CSpan F, double alpha, Workspace& workspace, Cost& cost);
  // dF/dy as it was or, by S1 (26), as the excitations have changed it. Only if can_update().
  Eval update(const Point& point, double alpha, Workspace& workspace, Cost& cost);
  bool can_update() const { return has_parts_; }

  // False: singular in the column singular_column().
  bool factor(double h, Cost& cost);
  int singular_column() const { return klu_.singular_column(); }
  // b becomes J^-1 b.
  void solve(Span b);

  double alpha() const { return alpha_; }
  const Csc& value() const { return J_; }

 private:
  Eval exact(const Point& point, Workspace& workspace);
  Eval differences(const Point& point, CSpan F, double alpha, Workspace& workspace, Cost& cost);
  void combine(double alpha);

  const DaeProblem& problem_;
  JacobianStrategy strategy_;
  Csc dF_dy_, dF_dyp_, J_;
  std::optional<DifferenceJacobian> differences_;
  Klu klu_;
  std::vector<double> scaled_, column_scale_;
  double alpha_ = 0, scaled_for_ = 0;
  bool has_parts_ = false;   // dF/dy is known apart from dF/dy'
  bool has_scales_ = false;  // some variable is of index 2 or higher
};

}  // namespace skyhook
