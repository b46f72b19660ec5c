// Hinge 1: what stands between mechanics and numerics. A formulation implements DaeProblem and names no
// integrator; an integrator consumes it and names no mechanics.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "skyhook/math/csc.h"

namespace skyhook {

using Span = std::span<double>;
using CSpan = std::span<const double>;

// One unknown of a problem. `index` is the differential index of the variable (0 differential, 2 for the
// multipliers of GGL): its error weight is multiplied by h^(index-1). `nominal` scales absolute tolerances.
struct Variable {
  int index = 0;
  double nominal = 1.0;
  bool in_error_test = true;
  bool counts_way = false;  // its size says nothing about what of it must be known: the tolerance is absolute
  std::string name;         // "crank.angle": joint or element, then quantity
};

// Columns of J = dF/dy + alpha dF/dy' that are products of others, so that differences leave them out: in the equations
// [0, equations)
//   column = -sum_j J(row, j) (column j),   j in [first, last),
// and zero in all others. In GGL the columns of eta, [Arnold 2006] §4.1: they are H G^T, where -H stands above in the
// columns of v and G in the rows of the velocity constraints.
struct ProductColumns {
  struct Product {
    int column, row;
  };
  std::vector<Product> list;
  int equations = 0, first = 0, last = 0;
};

// dF/dy and dF/dy' are kept on one common pattern, so that dF/dy + alpha dF/dy' is one pass over the values.
struct Structure {
  std::vector<Variable> y;
  std::shared_ptr<const Pattern> pattern;
  int inputs = 0;                // excitations u(t) that the equations depend on, [Arnold 2006] (8)
  bool dF_dyp_constant = false;  // as in the explicit formalism, [Arnold 2006] (10)
  ProductColumns products;
  std::vector<std::string> rows;  // what each equation says, for messages: "dynamics of crank.angle"
  int size() const { return static_cast<int>(y.size()); }
};

struct Point {
  double t;
  CSpan y, yp;
  CSpan u = {};  // excitations in place of u(t); empty: u(t)
};

enum class Eval { ok, recoverable, fatal };

// Scratch memory of one evaluation thread. The formulation downcasts to its own type. `blame` names the
// element that caused the last non-ok evaluation and why.
struct Workspace {
  virtual ~Workspace() = default;
  virtual std::unique_ptr<Workspace> clone() const { return std::make_unique<Workspace>(*this); }
  std::string blame;
};
// The base of a workspace `Work` that has more: it is copied whole.
template <class Work>
struct WorkspaceOf : Workspace {
  std::unique_ptr<Workspace> clone() const override { return std::make_unique<Work>(static_cast<const Work&>(*this)); }
};

// What a repair did.
struct Repair {
  double moved = 0;    // weighted size of the first increment, 1 = the tolerance ([Simeon 1996] (16) works on it)
  int iterations = 0;  // of Newton on the position constraints; 0: positions were left alone
};

struct DaeProblem {
  virtual ~DaeProblem() = default;
  virtual const Structure& structure() const = 0;
  virtual std::unique_ptr<Workspace> workspace() const = 0;
  virtual Eval residual(const Point&, Span F, Workspace&) const = 0;
  // Both matrices live on structure().pattern.
  virtual Eval derivatives(const Point&, Csc& dF_dy, Csc& dF_dyp, Workspace&) const = 0;
  // dF/dy' alone. False: it comes at the price of both or is not to be had; derivatives() tells it.
  virtual bool mass(const Point&, Csc& /*dF_dyp*/, Workspace&) const { return false; }
  // u(t), structure().inputs of them.
  virtual void inputs(double /*t*/, Span /*u*/) const {}
  // Moves the end value of a step back to an invariant manifold; `weight` are the reciprocal tolerances of y. For
  // methods that begin the next step from y alone, and for bdf, whose history takes the moved value; ida keeps its own
  // and leaves it.
  virtual Eval repair(double, Span /*y*/, CSpan /*weight*/, Repair&, Workspace&) const { return Eval::ok; }
  virtual bool repairs() const { return false; }
};

// What the integrator has spent so far.
struct Cost {
  long steps = 0, error_test_failures = 0, newton_failures = 0;
  long residuals = 0;               // all residual evaluations
  long residuals_for_jacobian = 0;  // of these: by differences
  long jacobians = 0, factorisations = 0, newton_iterations = 0;
  double seconds = 0;    // wall time inside the integrator, user functions included
  long projections = 0;  // onto the position constraints
  long updates = 0;      // of the iteration matrix with dF/dy kept, [Arnold 2006] (24) to (26)
};

}  // namespace skyhook
