// Jacobians J = dF/dy + alpha dF/dy' by differences of the residual: for comparison with the exact ones (strategies
// "dense" and "grouped"), for problems without exact ones, and to test exact ones.
#pragma once
#include <vector>

#include "skyhook/corrector/column_groups.h"
#include "skyhook/corrector/product_columns.h"
#include "skyhook/problem/problem.h"

namespace skyhook {

// delta_j = relative max(|y_j|, floor nominal_j), where y_j counts a way at most nominal_j
struct Increments {
  double relative, floor;
  double of(double y, const Variable& variable) const;

  static const Increments first_order;   // [Arnold 2006] (17): sqrt(eps) and eps^(1/4), for the values of J
  static const Increments pattern;       // eps^(1/3) and 1: which entries there are. Noise stays four digits lower
  static const Increments second_order;  // eps^(1/4) and 1: for differences of differences
};

// Forward differences, [Arnold 2006] (16); y' moves along by alpha delta_j. A column group shares one residual, [Arnold 2006] (20). Columns
// that are products of others are left out of the groups, [Arnold 2006] §4.1. Allocates only when built.
class DifferenceJacobian {
 public:
  // On the pattern of the problem or another one.
  DifferenceJacobian(const DaeProblem& problem, ColumnGroups groups,
                     const Increments& increments = Increments::first_order);
  DifferenceJacobian(const DaeProblem& problem, ColumnGroups groups, const Pattern& pattern,
                     const Increments& increments = Increments::first_order);

  // F is the residual at the point. Fills J, which lives on the pattern.
  Eval evaluate(const Point& point, CSpan F, double alpha, Csc& J, Workspace& workspace);
  int residuals_per_jacobian() const { return static_cast<int>(groups_.size()); }
  // Made by all evaluations, also by those that failed half way.
  long residuals() const { return residuals_; }

 private:
  void move(const Point& point, int column, double alpha);
  void store(const Point& point, CSpan F, int column, Csc& J);

  const DaeProblem& problem_;
  ColumnGroups groups_;
  Increments increments_;
  ProductEntries products_;
  long residuals_ = 0;
  std::vector<double> y_, yp_, delta_, F_;
};

// Central differences, one column at a time, y and y' moved by cbrt(eps) max(|y_j|, nominal_j): about ten digits of
// smooth residuals. For tests and checks, not for speed. J must live on a pattern of the problem's size.
Eval difference_jacobian(const DaeProblem& problem, const Point& point, double alpha, Csc& J, Workspace& workspace);

// The entry of the exact J that differs most from central differences, relative to the largest entry of its row or of
// its column, whichever is smaller (at least 1). Entries outside of the pattern count too: a missing one shows here.
struct JacobianMismatch {
  double relative = 0;
  int row = -1, column = -1;
  double exact = 0, difference = 0;
};
JacobianMismatch largest_mismatch(const DaeProblem& problem, const Point& point, double alpha, Workspace& workspace);

}  // namespace skyhook
