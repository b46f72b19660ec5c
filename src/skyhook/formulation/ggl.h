// Gear-Gupta-Leimkuhler formulation, stabilised index 2 (Gear, Leimkuhler and Gupta,
// J. Comput. Appl. Math. 12-13 (1985); [Arnold 2004] (37)), with unit quaternions; docs/theory/03_constraints_and_ggl.md:
//
//   q' = H(q) (v - G^T eta) - (dn/dq)^T nu                  (3.6)   kinematics rows
//   M v' = f - G^T lambda                                   (3.7)   dynamics rows
//   0 = G v + gI                                            (3.8)   velocity rows, at the places of lambda
//   0 = g(t, q)                                             (3.9)   position rows, at the places of eta
//   0 = n(q) = (|p|^2 - 1) / 2 for each quaternion p        (3.10)  norm rows
//
// where f may depend on lambda (friction under load): then the columns of lambda are G^T - df/dlambda. Algebraic unknowns w and contact
// variables s of contributions stand behind ([Arnold 2004] §4): z = (w, s), 0 = b, 0 = h(q, s), and G, g, f depend on them.
// Unknowns y = (q, v, lambda, eta, nu, z). Names no integrator.
#pragma once
#include <memory>

#include "skyhook/formalism/equations_of_motion.h"
#include "skyhook/problem/problem.h"

namespace skyhook::formulation {

class Ggl : public DaeProblem {
 public:
  // Unknowns::found: z are found inside the equations and do not appear.
  enum class Unknowns { kept, found };
  // LineRates::by_strain: velocities of beams of nodal coordinates count little (line_rates.h).
  enum class LineRates { alike, by_strain };
  explicit Ggl(formalism::EquationsOfMotion equations, Unknowns z = Unknowns::kept, LineRates rates = LineRates::alike);

  const Structure& structure() const override { return structure_; }
  std::unique_ptr<Workspace> workspace() const override;
  Eval residual(const Point&, Span F, Workspace&) const override;
  Eval derivatives(const Point&, Csc& dF_dy, Csc& dF_dyp, Workspace&) const override;
  bool mass(const Point&, Csc& dF_dyp, Workspace&) const override;
  void inputs(double t, Span u) const override { equations_.inputs(t, u); }

  const formalism::EquationsOfMotion& equations() const { return equations_; }
  // Start of each part of y and of F.
  int q() const { return 0; }
  int v() const { return nq_; }
  int lambda() const { return nq_ + nv_; }
  int eta() const { return nq_ + nv_ + ng_; }
  int nu() const { return nq_ + nv_ + 2 * ng_; }
  int z() const { return nu() + nn_; }
  // z as they follow from q and v.
  void fill_unknowns(double t, Span y, Workspace&) const;
  // For forms that differ in the dynamics alone.
  formalism::Input input(const Point&) const;
  // The kinematic rows from q', which F holds there, and the norms of the quaternions.
  void finish_kinematics(const Point&, Span F) const;

 private:
  struct Work;
  struct Copy {
    int from, to, count = 1;
  };
  // One quaternion: where its columns and rows stand.
  struct QuaternionColumns {
    int iq, iv;
    int stiffness_start[4], rate_start[4], position_start[4];  // segments of the four q columns
    int stiffness_count, rate_count;
    int tangent_start[3], constraint_start[3];  // of the three tangent columns in their own patterns
    int own[16], velocity[12], nu[4], norm[4];  // entries of the kinematics rows; of the norm row
    std::vector<int> eta;                       // 4 x rate_count: (kinematics rows, eta columns)
  };
  // Kinematics rows against q columns where one of them is a quaternion: rows (1 or 4) x columns (1 or 4).
  struct LoopBlock {
    int i, j;                                           // first tangent coordinate of row and column group
    int rows, cols, row_quaternion, column_quaternion;  // sizes in tangent coordinates; quaternion index or -1
    std::vector<int> source, target;
  };

  void build_structure();
  void build_pattern();
  void build_maps();
  void map_column(int j);
  void map_transposed_constraints();
  void map_quaternion(int s);
  void map_loop_blocks();
  void point_columns(Csc& dF_dy, Csc& dF_dyp, Work& work) const;
  void write_identity(Csc& dF_dyp) const;
  void write_constants(Csc& dF_dy, Csc& dF_dyp) const;
  void copy_constraints(Csc& dF_dy, const Work& work) const;
  void quaternion_columns(const Point&, Csc& dF_dy, const Work& work) const;
  void add_unknowns(PatternBuilder& builder) const;
  void map_unknowns();
  void copy_unknowns(Csc& dF_dy, const Work& work) const;

  formalism::EquationsOfMotion equations_;
  int nq_, nv_, ng_, nn_, nz_;        // numbers of q, v, active rows, quaternions, z
  std::vector<int> q_of_v_;           // -1 inside a ball and for inner states
  std::vector<int> quaternion_of_v_;  // index or -1
  Structure structure_;
  // G as derivatives() finds it stands at (velocity rows, v columns). Its further places, but for those of quaternions:
  std::vector<int> transposed_;  // what (dynamics rows, lambda columns) hold one after another
  std::vector<Copy> position_;   // (position rows, q columns), column by column
  std::vector<Copy> friction_;   // from -df/dlambda on the constraint pattern to (dynamics rows, lambda columns)
  std::vector<Copy> eta_;        // (kinematics rows, eta columns), entry by entry
  // Of z: entries of the own pattern and of own rows over q and v that are copied as they are, and those that meet a quaternion.
  std::vector<Copy> own_, own_stiffness_, own_damping_;
  struct QuaternionEntries {
    int quaternion, from[3], to[4];
  };
  std::vector<QuaternionEntries> own_kinematics_, own_turned_;
  std::vector<Copy> loop_entries_;  // from the loop pattern to (kinematics rows, q columns)
  std::vector<QuaternionColumns> quaternions_;
  std::vector<LoopBlock> loop_blocks_;
  std::vector<int> identity_, minus_identity_;  // q' and -v of scalar coordinates
  std::vector<int> stiffness_at_, damping_at_, rate_at_,
      velocity_rows_at_;      // segment starts by tangent column, -1 in a ball
  std::vector<int> loop_at_;  // likewise; -1 where the column or one of its rows belongs to a quaternion
};

}  // namespace skyhook::formulation
