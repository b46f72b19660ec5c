// The classical descriptor forms ([Arnold 2004] (20), (21), §4): q' = H(q) v - (dn/dq)^T nu, M v' = f - G^T lambda, 0 =
// n(q), and one of
//
//   index 3      0 = g(t, q)                                              v of index 2, lambda of index 3
//   index 2      0 = G v + gI                                             lambda of index 2
//   index 1      0 = G v' + gII                                           lambda of index 1
//   Baumgarte    0 = G v' + gII + 2 alpha (G v + gI) + alpha^2 g          lambda of index 1
//
// Unknowns y = (q, v, lambda, nu). Names no integrator.
//
// Index 2 and index 1 drift away from what they do not contain. With `project` they are brought back after each step,
// by integrators that repair: quaternions to unit length, positions to g = 0, velocities to theirs.
// Multipliers stay: they are wrong by no more than was moved and enter nothing that follows; those of the norm vanish
// on the solution.
//
// Derivatives: index 3 and index 2 are parts of the GGL system, so all of their rows are exact. In the constraint rows of
// index 1 and Baumgarte the parts of G v', G v + gI and g are exact; those of gII and of G(q) a with respect to q and v are
// forward differences of these rows alone, grouped on the pattern of the constraints.
#pragma once
#include <memory>

#include "skyhook/corrector/column_groups.h"
#include "skyhook/formulation/ggl.h"
#include "skyhook/formulation/projection.h"

namespace skyhook::formulation {

enum class Level { index3, index2, index1, baumgarte };

struct DescriptorOptions {
  Level level = Level::index2;
  // Baumgarte: 1/s; both error modes decay critically damped at this rate. Ten times the motion's frequencies is usual;
  // far larger values make the equations stiff.
  double alpha = 20;
  bool project = false;
  Metric metric = Metric::mass;  // "nearest" means so
};

class Descriptor : public DaeProblem {
 public:
  Descriptor(formalism::EquationsOfMotion equations, DescriptorOptions options);

  const Structure& structure() const override { return structure_; }
  std::unique_ptr<Workspace> workspace() const override;
  Eval residual(const Point&, Span F, Workspace&) const override;
  Eval derivatives(const Point&, Csc& dF_dy, Csc& dF_dyp, Workspace&) const override;
  // Not with accelerations in the constraints: G comes at the price of the derivatives.
  bool mass(const Point&, Csc& dF_dyp, Workspace&) const override;
  void inputs(double t, Span u) const override { ggl_.inputs(t, u); }
  Eval repair(double t, Span y, CSpan weight, Repair&, Workspace&) const override;
  bool repairs() const override { return options_.project && (ng_ > 0 || nn_ > 0); }

  // z of contributions, as they follow from q and v; see Ggl.
  void fill_unknowns(double t, Span y, Workspace&) const;
  int v() const { return ggl_.v(); }
  int lambda() const { return ggl_.lambda(); }
  int nu() const { return ggl_.lambda() + ng_; }

 private:
  struct Work;
  // An entry of ours and where it comes from in the matrices of the GGL system.
  struct Entry {
    int ours, theirs;
  };
  struct ConstraintEntry {
    int ours;                // in the constraint rows, q or v columns
    int velocity, position;  // in GGL: derivative of G v + gI, of g (-1: a v column)
    bool of_v;
  };
  bool has_accelerations() const { return options_.level == Level::index1 || options_.level == Level::baumgarte; }
  int theirs(int ours) const;  // row or column of the GGL system
  void build_structure();
  void build_pattern();
  void widen(const Point&, Work&) const;
  Eval acceleration_rows(const Point&, Span rows, Work&) const;
  Eval difference_rows(const Point&, Csc& dF_dy, Work&) const;

  Ggl ggl_;
  DescriptorOptions options_;
  int ng_, nn_;
  Structure structure_;
  std::vector<Entry> entries_;
  std::vector<ConstraintEntry> constraint_entries_;
  ColumnGroups groups_;  // of q and v columns in the constraint rows
};

}  // namespace skyhook::formulation
