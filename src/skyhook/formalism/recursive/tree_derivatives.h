// Exact derivatives of the tree's residual with respect to q, v and a (docs/theory/02_exact_jacobian.md): closed form
// over pairs of a coordinate and one of its ancestors, after Carpentier and Mansard 2018 and Singh, Russo and Wensing
// 2022, in global axes.
//
// Notation, all spatial vectors referred to one point O of each tree (its root's origin, held fixed):
//   S_j     axis of coordinate j;  V, A velocity and acceleration of the body before joint j
//   Sd_j  = V x S_j,   Sdd_j = A x S_j + V x Sd_j;  of a guide the whole rates of S_j, its change seen from the parent included
//   C       composite of the subtree: inertia, linear momentum, inertia force F
// With the deeper of i and j carrying the composite:
//   i above j:  d tau_i/d q_j = S_i . (S_j x* F + I Sdd_j + 2B Sd_j)     d tau_i/d v_j = S_i . (I (Sd_j + V_j x S_j) + 2B S_j)
//   i below j:  d tau_i/d q_j = S_i . (I Sdd_j + 2B Sd_j)                 likewise
// Of two coordinates of one guide the axes are not only carried along: what is left, E_ij . F with E_ij = dS_j/dq_i, is linear in the
// wrench, and Equations::derivatives adds it once for all wrenches (guide_curvature).
// Of a body of modes, at node P with velocity v, the same holds with its inertia at z and with p and N that contain its modes' velocities. Its
// own rows and columns, with H_k = (e_k, c_k) about O (modal_node.h):
//   d tau_i/d z_k = S_i . (wrench by z_k)      d tau_k/d q_j = H_k . Sdd_j + K_k . Sd_j      d tau_k/d v_j = H_k . (Sd_j + V_j x S_j) + K_k . S_j
//   K_k = d tau_k/d w + 2 v x c_k + w x e_k   on the angular part
// where 2B x = I (x × V) + x ×* (I V) + V ×* (I x), which for a rigid body reduces to (N w, 2 w × p) with one 3x3 matrix N.
#pragma once
#include <vector>

#include "skyhook/formalism/recursive/passes.h"
#include "skyhook/math/csc.h"

namespace skyhook::formalism::recursive {

class TreeDerivatives {
 public:
  struct Composite {
    double m = 0;
    Vec3d mc, p;  // mass times centre, linear momentum
    Mat3d I, N;
    Vec3d f, n;  // inertia force
  };
  // Of the body before a block's coordinates: velocity, acceleration; and velocity before plus that of the axes themselves.
  struct Motion {
    Vec3d Vw, Vv, Aw, Av, Uw, Uv;
  };
  struct Workspace {
    std::vector<Composite> composite;
    std::vector<Motion> motion;  // of each block
    std::vector<double> axes;    // quantities of all axes, a row each: see Row
    std::vector<ModalColumn> modes;
    std::vector<double> by_z, by_rate;
  };

  TreeDerivatives() = default;
  explicit TreeDerivatives(const Tree& tree);
  // All pairs (i, j) where one coordinate is an ancestor of the other, or both belong to one joint.
  void add_pattern(const Tree& tree, PatternBuilder& builder) const;
  void find_slots(const Tree& tree, const Pattern& pattern);
  void resize(Workspace& ws) const;
  // After evaluate(): axes S and their rates Sd as twelve rows of width(), about their tree's root, in the order of Tree::axis_of.
  const double* axes(const Workspace& ws) const { return ws.axes.data(); }
  int width() const { return width_; }
  // Overwrites the entries of add_pattern() and clears all others; the nodes hold the state of inertia_forces() at v and a before any
  // other force.
  void evaluate(const Tree& tree, CSpan v, CSpan a, const std::vector<NodeState>& nodes, double* const* stiffness,
                double* const* damping, double* const* mass, Workspace& ws) const;

 private:
  // Coordinates of one node that move together: a revolute, a prismatic, a ball, the translations of a free joint, a guide.
  struct Block {
    static constexpr int most = model::most_guide_coordinates;
    int node, axis, count;  // first axis, which Tree numbers depth first
    bool rotates;
    int end;  // [axis, end) are the axes of the subtree
    // Axes that are neighbours, and neighbours in the pattern too: first one, number, slot.
    struct Run {
      int first, count, slot;
    };
    std::vector<Run> up[most], down[most];  // of the path and of the subtree, for each axis of the block
    int column[most];
  };
  static std::vector<int> axes_above(const Tree& tree, const Block& b);
  static void add_run(const Pattern& pattern, int row_axis, int row, int column, std::vector<Block::Run>& runs);
  struct Targets {
    double *stiffness, *damping, *mass;  // of the first row
  };
  void subtree_rows(const Block::Run& run, int j, const Targets& to, const Workspace& ws) const;
  void ancestor_rows(const Block::Run& run, int j, const Targets& to, const Workspace& ws) const;
  // Rows of Workspace::axes; angular part x y z, then linear part x y z, but for B, which has an angular part only.
  enum Row { S = 0, Sd = 6, Sdd = 12, Q = 18, R = 24, P = 30, D = 36, B = 42, rows = 45 };
  // Where there are guides, behind these: change of S seen from the parent, and what that adds to Sdd.
  enum GuidedRow { Own = rows, OwnSdd = rows + 6, all_rows = rows + 12 };
  void composites(const Tree& tree, const std::vector<NodeState>& nodes, Workspace& ws) const;
  void motions(const Tree& tree, CSpan v, CSpan a, const std::vector<NodeState>& nodes, Workspace& ws) const;
  void guided_axes(const Block& b, const Tree& tree, CSpan v, CSpan a, const std::vector<NodeState>& nodes, Motion& m,
                   Workspace& ws) const;
  void fill_axes(Workspace& ws) const;
  void modal_composites(const Tree& tree, const std::vector<NodeState>& nodes, Workspace& ws) const;
  void modal_entries(const Tree& tree, CSpan a, const std::vector<NodeState>& nodes, double* const* stiffness,
                     double* const* damping, double* const* mass, Workspace& ws) const;

  std::vector<Block> blocks_;
  std::vector<int> block_of_axis_;
  std::vector<int> root_;  // of each node
  int width_ = 0;          // of a row of Workspace::axes
  // A body of modes: the axes above it, and slots of (axis, mode) and (mode, axis) for each mode, then of (mode, mode) column by column.
  struct Modes {
    std::size_t count = 0;
    std::vector<int> above;
    std::vector<int> wrench_slots, mode_slots, own_slots;
  };
  std::vector<Modes> modes_;  // by Tree::modal
  bool has_guides_ = false;
  struct Coupled {
    int i, j, slot;
    double value;
  };
  std::vector<Coupled> coupled_;             // inertia between own coordinates: constant
  std::vector<Coupled> meshes_;              // of nodal coordinates likewise
  std::vector<std::pair<int, int>> others_;  // column and slot of entries that belong to no pair of the tree
};

}  // namespace skyhook::formalism::recursive
