// Where the matrices of Equations may differ from zero, and the slots of each element and constraint in them, so that the step loop adds
// without searching.
#include <algorithm>
#include <numeric>

#include "skyhook/formalism/recursive/equations.h"
#include "skyhook/math/elimination.h"

namespace skyhook::formalism::recursive {
namespace {

// Both are angles of one ball or free body, whose axes turn with the node: each carries the axis of the other along.
bool turn_together(const Tree& tree, int i, int j) {
  if (tree.node_of_v[i] != tree.node_of_v[j]) return false;
  const Node& node = tree.nodes[tree.node_of_v[i]];
  const int first_angle = node.kind == Node::Kind::free ? node.iv + 3 : node.iv;
  return i >= first_angle && j >= first_angle;
}

// The table (2.14): coordinate j carries the axis of i along if it is nearer to the ground or turns with it.
bool takes_carried(const Tree& tree, const Pair& pair, int i, int j) {
  const bool carries =
      tree.axis_of[pair.dofs[j]] < tree.axis_of[pair.dofs[i]] || turn_together(tree, pair.dofs[i], pair.dofs[j]);
  if (pair.side[i] > 0) return pair.side[j] < 0 || carries;
  return pair.side[j] < 0 && !carries;
}

}  // namespace

// Where the block dofs x dofs, column by column, stands in `pattern`, counted from the start of each column.
std::vector<int> block_slots(const Pattern& pattern, const std::vector<int>& dofs) {
  std::vector<int> slots;
  for (int j : dofs) {
    for (int i : dofs) slots.push_back(pattern.find(i, j) - pattern.start[j]);
  }
  return slots;
}

// The table (2.14), padded with zeros to whole groups of four lanes.
void find_carried(const Tree& tree, Pair& pair) {
  for (int j = 0; j < pair.n(); ++j) {
    for (int i = 0; i < pair.padded_n(); ++i)
      pair.carried.push_back(i < pair.n() && takes_carried(tree, pair, i, j) ? 1.0 : 0.0);
  }
}

// Where entries of G may differ from zero: a row reads the coordinates of its path. Then each item learns its slots, so that
// the step loop adds without searching.
void Equations::build_constraint_pattern() {
  PatternBuilder rows(ng(), columns());
  // contributions with rows of their own: the path between their frames, and their own coordinates
  for (const ContributionItem& item : contributions_) {
    for (const int row : item.rows) {
      for (const int j : item.in_rows()) {
        if (row >= 0) rows.add(row, j);
      }
    }
  }
  // cut joints and plain rows between frames: the path
  for (const PairConstraint& c : pair_constraints_) {
    for (const PairRow& row : c.rows) {
      for (int j : c.pair.dofs) {
        if (row.row >= 0) rows.add(row.row, j);
      }
    }
  }
  // sums of coordinates: those of the tree, and the paths of those that are measured
  for (const LinearConstraint& c : linear_constraints_) {
    for (const auto& term : c.terms) {
      if (c.row >= 0) rows.add(c.row, term.iv);
    }
  }
  for (const MeasuredTerm& term : measured_terms_) {
    for (const int j : term.pair.dofs) {
      if (term.row >= 0) rows.add(term.row, j);
    }
  }
  constraint_pattern_ = rows.build();

  // the same lists again: the slot of each entry, counted from the start of its column
  auto row_slot = [&](int row, int j) {
    return row < 0 ? -1 : constraint_pattern_.find(row, j) - constraint_pattern_.start[j];
  };
  for (PairConstraint& c : pair_constraints_) {
    if (c.active_rows == 0) continue;
    for (const PairRow& row : c.rows) {
      for (int j : c.pair.dofs) c.row_slots.push_back(row_slot(row.row, j));
    }
  }
  for (LinearConstraint& c : linear_constraints_) {
    for (auto& term : c.terms) term.slot = row_slot(c.row, term.iv);
  }
  for (MeasuredTerm& term : measured_terms_) {
    if (term.row < 0) continue;
    for (const int j : term.pair.dofs) term.row_slots.push_back(row_slot(term.row, j));
  }
  find_contribution_row_slots();
  build_own_patterns();
  if (!is_wide()) return;
  const Expansion columns = Expansion::columns(tree_);
  narrow_->constraint = Contraction(constraint_pattern_, Expansion::same(ng()), columns);
  Expansion own = columns;  // rows of tau, of G^T eta, of g_rate, of h
  own.append(columns), own.append(Expansion::same(ng() + nz()));
  narrow_->own = Contraction(own_pattern_, own, Expansion::same(nz()));
  narrow_->own_rows = Contraction(own_rows_pattern_, Expansion::same(nz()), columns);
}

namespace {

// What eliminating M from the last coordinate to the first puts where nothing stands: bodies on nodes of a line couple coordinates across it.
std::vector<std::pair<int, int>> fill_beyond(const Pattern& mass) {
  const Pattern closed = closed_under_elimination(mass);
  std::vector<std::pair<int, int>> out;
  for (int j = 0; j < closed.cols; ++j) {
    for (int k = closed.start[j]; k < closed.start[j + 1]; ++k) {
      if (mass.find(closed.row[k], j) < 0) out.push_back({closed.row[k], j});
    }
  }
  return out;
}

}  // namespace

void Equations::need_mass() const {
  std::call_once(needs_->mass, [this] {
    mass_matrix_.build(tree_);
    if (!is_wide()) return;
    const Expansion columns = Expansion::columns(tree_);
    narrow_->mass = Contraction(mass_matrix_.pattern(), columns, columns);
    const std::vector<std::pair<int, int>> filled = fill_beyond(narrow_->mass.pattern());
    if (!filled.empty()) narrow_->mass = Contraction(mass_matrix_.pattern(), columns, columns, filled);
  });
}

void Equations::need_derivatives() const {
  need_mass();
  std::call_once(needs_->derivatives, [this] { build_derivatives(); });
}

// The same for `tangent`, d(M a - f + G^T lambda)/d(q, v, a), and `loop`, the part that G^T lambda has in it.
void Equations::build_derivatives() const {
  PatternBuilder tangent(columns(), columns()), loop(columns(), columns());
  // the tree: a coordinate meets those between it and the ground, and those that stand on it
  tree_derivatives_.add_pattern(tree_, tangent);
  auto add_block = [](PatternBuilder& to, const std::vector<int>& dofs) {
    for (int i : dofs) {
      for (int j : dofs) to.add(i, j);
    }
  };
  // forces: all coordinates of a path meet each other
  for (const ForceItem& f : forces_) add_block(tangent, f.pair.dofs);
  for (const StateItem& s : state_forces_) add_block(tangent, s.coordinates());
  for (const ContributionItem& item : contributions_) {
    add_block(tangent, item.coordinates());
    if (item.active_rows > 0) add_block(loop, item.moving());
    if (item.line) add_line_pattern(item, tangent);
    if (item.line && item.active_rows > 0) add_line_pattern(item, loop);
  }
  // constraints: the same for the derivative of G^T lambda
  for (const PairConstraint& c : pair_constraints_) {
    if (c.active_rows == 0) continue;
    add_block(tangent, c.pair.dofs), add_block(loop, c.pair.dofs);
  }
  for (const MeasuredTerm& term : measured_terms_) {
    if (term.row >= 0) add_block(tangent, term.pair.dofs), add_block(loop, term.pair.dofs);
  }
  std::vector<std::pair<int, int>> of_meshes;  // over coordinates from the first: not contracted
  for (const MeshNode& m : tree_.meshes) {
    for (int j = 0; j < m.mesh->coordinates; ++j) {
      for (int k = m.mesh->pattern.start[j]; k < m.mesh->pattern.start[j + 1]; ++k)
        of_meshes.push_back({m.iv + m.mesh->pattern.row[k], m.iv + j});
    }
  }
  if (!is_wide()) {
    for (const auto& [i, j] : of_meshes) tangent.add(i, j);
  }
  add_signal_pattern(tangent);
  tangent_pattern_ = tangent.build(), loop_pattern_ = loop.build();
  if (is_wide()) {
    const Expansion columns = Expansion::columns(tree_);
    narrow_->tangent = Contraction(tangent_pattern_, columns, columns, of_meshes);
    narrow_->loop = Contraction(loop_pattern_, columns, columns);
  }

  // where each of them will add: the tree and M, then forces and states, then constraints, which have slots in both patterns
  tree_derivatives_.find_slots(tree_, tangent_pattern_);
  mass_matrix_.find_slots(tangent_pattern_);
  for (ForceItem& f : forces_) f.slots = block_slots(tangent_pattern_, f.pair.dofs), find_carried(tree_, f.pair);
  for (CoordinateItem& c : coordinate_forces_)
    c.slot = tangent_pattern_.find(c.iv, c.iv) - tangent_pattern_.start[c.iv];
  find_state_slots();
  find_contribution_slots();
  find_guided_slots();
  find_modal_slots();
  find_mesh_slots();
  find_signal_slots();
  for (StateItem& s : state_forces_) {
    if (!s.on_coordinate()) find_carried(tree_, s.pair);
  }
  for (ContributionItem& item : contributions_) find_carried(tree_, item.pair);
  for (MeasuredTerm& term : measured_terms_) {
    if (term.row < 0) continue;
    term.slots = block_slots(tangent_pattern_, term.pair.dofs);
    term.loop_slots = block_slots(loop_pattern_, term.pair.dofs);
    find_carried(tree_, term.pair);
  }
  for (PairConstraint& c : pair_constraints_) {
    if (c.active_rows == 0) continue;
    c.slots = block_slots(tangent_pattern_, c.pair.dofs);
    c.loop_slots = block_slots(loop_pattern_, c.pair.dofs);
    find_carried(tree_, c.pair);
  }
}

// The motion subspace of a guide depends on its own coordinates: one more dense block for each such node.
void Equations::find_guided_slots() const {
  for (GuidedBlock& block : guided_) {
    const Node& node = tree_.nodes[block.node];
    std::vector<int> dofs(static_cast<std::size_t>(node.columns()));
    std::iota(dofs.begin(), dofs.end(), node.iv);
    block.slots = block_slots(tangent_pattern_, dofs);
    if (loop_pattern_.find(node.iv, node.iv) >= 0) block.loop_slots = block_slots(loop_pattern_, dofs);
  }
}

void Equations::find_modal_slots() const {
  for (const ModalNode& modal : tree_.modal) {
    std::vector<int> dofs(static_cast<std::size_t>(modal.modes));
    std::iota(dofs.begin(), dofs.end(), modal.iv);
    modal_slots_.push_back(block_slots(tangent_pattern_, dofs));
  }
}

void Equations::find_mesh_slots() const {
  const Pattern& to = is_wide() ? narrow_->tangent.pattern() : tangent_pattern_;
  for (const MeshNode& m : tree_.meshes) {
    std::vector<int>& slots = mesh_slots_.emplace_back();
    const Pattern& p = m.mesh->pattern;
    for (int j = 0; j < p.cols; ++j) {
      for (int k = p.start[j]; k < p.start[j + 1]; ++k)
        slots.push_back(to.find(m.iv + p.row[k], m.iv + j) - to.start[m.iv + j]);
    }
  }
}

}  // namespace skyhook::formalism::recursive
