// The matrix J = dF/dy + alpha dF/dy' of Newton's method in an implicit integrator: where it comes from, what is kept of
// it, its factors. When it must be renewed is for the integrator to say.
#pragma once
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "skyhook/corrector/differences.h"
#include "skyhook/corrector/input_expansion.h"
#include "skyhook/corrector/pattern_estimate.h"
#include "skyhook/corrector/strategy.h"
#include "skyhook/math/sparse_lu.h"
#include "skyhook/problem/problem.h"

namespace skyhook {

// Why the strategy does not suit the problem; empty: it does.
std::string why_not(const DaeProblem& problem, const JacobianStrategy& strategy);

// Unknowns of index k are solved for as h^(k-1) y and rows are scaled by their largest entry: the condition then does not
// grow when h falls. Allocates only when built, at the first evaluate() and when an estimated pattern grows.
class IterationMatrix {
 public:
  // Throws std::invalid_argument with why_not().
  IterationMatrix(const DaeProblem& problem, JacobianStrategy strategy);

  // dF/dy anew; F is the residual at the point.
  Eval evaluate(const Point& point, CSpan F, double alpha, Workspace& workspace, Cost& cost);
  // dF/dy as it was or, by [Arnold 2006] (26), as the excitations have changed it. Only if can_update().
  Eval update(const Point& point, double alpha, Workspace& workspace, Cost& cost);
  bool can_update() const { return has_parts_; }
  // With another alpha, dF/dy and dF/dy' as they were evaluated. Only if can_combine(): not where differences gave their sum alone.
  void combine(double alpha);
  bool can_combine() const { return has_both_; }
  // An update alone may make good what excitations have changed.
  bool follows_inputs() const { return has_parts_ && strategy_.update == JacobianStrategy::Update::extended; }

  // [Arnold 2006] §3.1: where Newton's method converges too slowly, or factor() fails, although the matrix was evaluated in this step, the
  // estimated pattern may lack entries. widen() looks for them in a full difference Jacobian and evaluates on what it
  // finds. may_lack_entries() is false once it has looked at this time or later: there are other reasons for failures.
  bool may_lack_entries() const { return estimate_ && evaluated_at_ > scanned_at_; }
  Eval widen(const Point& point, CSpan F, double alpha, Workspace& workspace, Cost& cost);

  // False: singular in the column singular_column().
  bool factor(double h, Cost& cost);
  int singular_column() const { return lu_.singular_column(); }
  // b becomes J^-1 b.
  void solve(Span b);

  double alpha() const { return alpha_; }
  const Csc& value() const { return J_; }

 private:
  ColumnGroups groups() const;
  void live_on(std::shared_ptr<const Pattern> pattern);
  Eval scan(const Point& point, CSpan F, Workspace& workspace, Cost& cost);
  Eval exact(const Point& point, double alpha, Workspace& workspace);
  Eval differences(const Point& point, CSpan F, double alpha, Workspace& workspace, Cost& cost);
  Eval expand(const Point& point, CSpan F, Workspace& workspace, Cost& cost);
  bool renew_mass(const Point& point, Workspace& workspace);

  const DaeProblem& problem_;
  JacobianStrategy strategy_;
  Csc dF_dy_, dF_dyp_, J_;
  std::optional<DifferenceJacobian> differences_;
  std::optional<InputExpansion> expansion_;
  std::optional<PatternEstimate> estimate_;
  Csc mass_;                    // dF/dy' on the problem's pattern where the matrix lives on an estimated one,
  std::vector<int> mass_from_;  // and for each entry of the latter where it stands there, or -1
  SparseLu lu_;
  std::vector<double> column_scale_;
  double alpha_ = 0;
  double evaluated_at_ = 0, scanned_at_ = -std::numeric_limits<double>::infinity();
  bool has_parts_ = false;   // dF/dy is known apart from dF/dy', and the strategy keeps it
  bool has_both_ = false;    // it is known, whatever the strategy
  bool has_scales_ = false;  // some variable is of index 2 or higher
};

}  // namespace skyhook
