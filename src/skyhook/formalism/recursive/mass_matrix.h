// The mass matrix of a tree by itself, on demand: the composite-rigid-body recursion in global axes,
//
//   M_ij = S_i . I_j S_j,   i on the path to j,
//
// with S the motion per unit of a coordinate and I_j the inertia of all that j carries, both about the origin of the
// tree's root. Sparser than the tangent pattern: forces and constraints add nothing. Inner states have the mass 1.
#pragma once
#include <utility>
#include <vector>

#include "skyhook/formalism/recursive/pair.h"
#include "skyhook/math/csc.h"

namespace skyhook::formalism::recursive {

class MassMatrix {
 public:
  struct Composite {
    double m = 0;
    Vec3d mc;  // mass times centre
    Mat3d I;
  };
  struct Workspace {
    std::vector<Composite> composite;
    std::vector<Twist> axes;
  };

  MassMatrix() = default;
  explicit MassMatrix(const Tree& tree);
  // The pattern: of long chains it is large, and who needs no M does without. Before all that follows but resize().
  void build(const Tree& tree);
  const Pattern& pattern() const { return pattern_; }
  void resize(Workspace& ws) const;
  // Prepares evaluate_columns() for a pattern that holds this one.
  void find_slots(const Pattern& wider);
  // All values on the pattern. The nodes hold their positions.
  void evaluate(const Tree& tree, const std::vector<NodeState>& nodes, Span values, Workspace& ws) const;
  // The same on the pattern of find_slots(), column j from columns[j] on; entries outside of ours become zero.
  void evaluate_columns(const Tree& tree, const std::vector<NodeState>& nodes, double* const* columns,
                        Workspace& ws) const;

 private:
  void composites(const Tree& tree, const std::vector<NodeState>& nodes, Workspace& ws) const;
  template <class Put>
  void entries(const Tree& tree, const std::vector<NodeState>& nodes, Workspace& ws, Put&& put) const;

  struct Modal;
  void add_modal_pattern(const Tree& tree, PatternBuilder& builder);
  double modal_entry(const Tree& tree, const Modal& e, const std::vector<NodeState>& nodes, const Workspace& ws) const;

  struct Entry {
    int i;                       // axis above j, or j itself
    int upper, lower;            // where (i, j) and (j, i) stand
    int upper_slot, lower_slot;  // in both columns of the wider pattern
    int row, column;             // of the upper one
  };
  Pattern pattern_;
  std::vector<Entry> entries_;  // of all axes j in turn
  std::vector<int> start_;      // of j in entries_
  std::size_t nodes_ = 0;
  int first_state_ = 0;
  struct Coupled : Entry {
    double value;
  };
  std::vector<Coupled> coupled_;  // of own coordinates: constant
  struct Modal : Entry {
    int modal, mode;  // its column; i: -1 where its row is another mode
  };
  std::vector<Modal> modal_;
  std::vector<std::pair<int, int>> states_;  // inner ones: where they stand, slot in the column of the wider pattern
  std::vector<std::pair<int, int>> others_;  // column and slot of entries of the wider pattern alone
};

}  // namespace skyhook::formalism::recursive
