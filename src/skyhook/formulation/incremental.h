// The equations of motion in increments d of one step, q = q0 ⊞ d, for methods of Newmark's family (problem/local_problem.h):
//
//   index 3              d' = v,             M v' = f - G^T lambda,   0 = g(t, q0 ⊞ d)                        lambda of index 3
//   stabilised index 2   d' = v - G^T eta,   M v' = f - G^T lambda,   0 = G v + gI,   0 = g(t, q0 ⊞ d)        both of index 2
//
// Unknowns y = (d, v, lambda, eta, z), without eta in index 3; z as in Ggl. Rows stand in the same order: kinematics, dynamics, then those of
// velocities at the places of lambda and those of positions at the places of eta, in index 3 those of positions at the places of lambda. There are
// no quaternions among the unknowns, and no norms. All derivatives are exact: those by positions, which the equations give for steps away from
// q, are multiplied by the differential of ⊞ (math/rotation_vector.h).
#pragma once
#include <memory>
#include <vector>

#include "skyhook/formalism/equations_of_motion.h"
#include "skyhook/problem/local_problem.h"

namespace skyhook::formulation {

class Incremental : public LocalProblem {
 public:
  enum class Form { index3, stabilised };
  Incremental(formalism::EquationsOfMotion equations, Form form);

  const Structure& structure() const override { return structure_; }
  const LocalSizes& local_sizes() const override { return sizes_; }
  std::unique_ptr<Workspace> workspace() const override;
  Eval residual(const Point&, Span F, Workspace&) const override;
  Eval derivatives(const Point&, Csc& dF_dy, Csc& dF_dyp, Workspace&) const override;
  void inputs(double t, Span u) const override { equations_.inputs(t, u); }
  void begin_step(CSpan q, double stretch, Workspace&) const override;
  void plus(Span q, CSpan step) const override { equations_.plus(q, step); }
  Eval accelerations(double t, CSpan q, CSpan v, Span a, Workspace&) const override;

  // z of contributions as they follow from q and v; here y begins with (q, v).
  void fill_unknowns(double t, Span y, Workspace&) const;
  // Start of each part of y and of F. In index 3 eta() is where lambda stands: the place of the position rows.
  int v() const { return nd_; }
  int lambda() const { return nd_ + nv_; }
  int eta() const { return lambda() + (is_stabilised_ ? ng_ : 0); }
  int z() const { return eta() + ng_; }

 private:
  struct Work;
  struct Copy {
    int from, to;
  };
  void build_structure();
  void build_pattern();
  void build_maps();
  template <class Act>
  void for_own_rows(Act&& act) const;
  formalism::Input input(const Point&, Work&) const;
  void place(const Point&, Work&) const;
  void turn_columns(const Point&, Work&) const;
  void write(Csc& dF_dy, Csc& dF_dyp, const Work&) const;

  formalism::EquationsOfMotion equations_;
  bool is_stabilised_;
  int nd_, nv_, ng_, nz_;
  Structure structure_;
  LocalSizes sizes_;
  // From the blocks of formalism::Blocks to the values of the matrix.
  std::vector<Copy> stiffness_, damping_, loop_, position_rows_, velocity_rows_, velocity_rates_, transposed_, of_eta_,
      friction_, own_, own_stiffness_, own_damping_;
  std::vector<int> minus_identity_, identity_;
};

}  // namespace skyhook::formulation
