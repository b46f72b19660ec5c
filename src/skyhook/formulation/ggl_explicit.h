// The equations of Ggl with the dynamics of an explicit formalism, [Arnold 2006] (10):
//
//   v' = M^-1 (f - G^T lambda)
//
// by the O(N) recursion, all else as there. dF/dy' is constant, which makes updates of the iteration matrix exact in
// it, [Arnold 2006] (24) and (26). The price is M^-1 in the Jacobian: its rows of the dynamics are full within each part of the tree
// that hangs on the ground by itself. Solutions are those of Ggl. Names no integrator.
#pragma once
#include <memory>
#include <vector>

#include "skyhook/formalism/equations_of_motion.h"
#include "skyhook/formalism/mass_factor.h"
#include "skyhook/formulation/ggl.h"

namespace skyhook::formulation {

class GglExplicit : public DaeProblem {
 public:
  explicit GglExplicit(formalism::EquationsOfMotion equations);

  void fill_unknowns(double, Span, Workspace&) const {}  // of contributions: they are found inside
  const Structure& structure() const override { return structure_; }
  std::unique_ptr<Workspace> workspace() const override;
  Eval residual(const Point&, Span F, Workspace&) const override;
  // With tau = M a - f + G^T lambda of the residual form, at the a that makes it vanish: da/dx = -M^-1 dtau/dx.
  Eval derivatives(const Point&, Csc& dF_dy, Csc& dF_dyp, Workspace&) const override;
  bool mass(const Point&, Csc& dF_dyp, Workspace&) const override;
  void inputs(double t, Span u) const override { ggl_.inputs(t, u); }

 private:
  struct Work;
  // An entry of ours and where it stands in the matrices of Ggl.
  struct Entry {
    int ours, theirs;
  };
  // Dynamics rows of one part of the tree in one column: all of them, in a row.
  struct Segment {
    int start, part;
  };
  void build_pattern();
  void find_entries();
  Eval blame(Eval, const std::string& why, Workspace&) const;

  Ggl ggl_;
  formalism::MassFactor factor_;
  Structure structure_;
  std::vector<Entry> entries_;
  std::vector<Segment> segments_;
  std::vector<int> mass_at_;   // values of M among those of dF/dy' of Ggl
  std::vector<int> identity_;  // of q' and v'
};

}  // namespace skyhook::formulation
