// How dF/dy follows the excitations u to first order: the sum of the extended partitioned update, [Arnold 2006] (26).
#pragma once
#include <optional>
#include <vector>

#include "skyhook/corrector/differences.h"
#include "skyhook/problem/problem.h"

namespace skyhook {

// The n_u matrices d/du_i dF/dy, by differences of difference Jacobians around one point. dF/dy' must not depend on u: what
// (26) leaves out is alpha dM/du.
class InputExpansion {
 public:
  InputExpansion(const DaeProblem& problem, ColumnGroups groups, std::shared_ptr<const Pattern> pattern);

  // The second derivatives, at this point; F is the residual there.
  Eval build(const Point& point, CSpan F, Workspace& workspace, Cost& cost);
  bool is_built() const { return is_built_; }

  // dF/dy belongs to the excitations of this point.
  void start(const Point& point) { excitations(point, u_); }
  // dF/dy becomes that of the excitations at this point.
  void follow(const Point& point, Csc& dF_dy);

 private:
  struct Entry {
    int at;
    double value;
  };
  Eval evaluate(const Point& point, CSpan F, Csc& dF_dy, Workspace& workspace, Cost& cost);
  void excitations(const Point& point, Span u) const;

  const DaeProblem& problem_;
  DifferenceJacobian differences_;
  Csc here_, moved_;
  std::vector<double> u_, u_new_, F_;
  std::vector<std::vector<Entry>> slope_;  // by excitation
  bool is_built_ = false;
};

}  // namespace skyhook
