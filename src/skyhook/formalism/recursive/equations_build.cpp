// Construction of Equations: which elements and constraints act between which nodes, and where their derivatives go.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "skyhook/formalism/recursive/cut_coordinate.h"
#include "skyhook/formalism/recursive/equations.h"

namespace skyhook::formalism::recursive {
namespace {

std::string direction_name(const Vec3d& a) {
  const char* axes[] = {"x", "y", "z"};
  for (int k = 0; k < 3; ++k) {
    if (std::abs(std::abs(a[k]) - 1.0) < 1e-12) return axes[k];
  }
  return fmt::format("({:.3g}, {:.3g}, {:.3g})", a.x, a.y, a.z);
}

RowInfo describe_row(const model::Joint& joint, int index, const model::ConstraintRow& row) {
  if (row.kind == model::ConstraintRow::Kind::translation) {
    return {joint.name, "displacement along " + direction_name(row.a), false, index};
  }
  return {joint.name, "rotation about " + direction_name(cross(row.a, row.b)), true, index};
}

PairRow contact_law(const model::Contact& contact) {
  using With = model::Contact::With;
  PairRow row{contact.with == With::plane     ? PairRow::Kind::translation
              : contact.with == With::profile ? PairRow::Kind::profile
                                              : PairRow::Kind::distance,
              {0, 0, 1},
              {}};
  row.offset = contact.radius;
  row.surface = contact.surface.get();
  if (contact.with == With::sphere) row.length = contact.radius + contact.other_radius;
  return row;
}

bool turn_together(const Tree& tree, int i, int j) {
  if (tree.node_of_v[i] != tree.node_of_v[j]) return false;
  const Node& node = tree.nodes[tree.node_of_v[i]];
  const int first = node.kind == Node::Kind::free ? node.iv + 3 : node.iv;
  return i >= first && j >= first;
}

int root_of(const Tree& tree, int node) {
  while (tree.nodes[node].parent != 0) node = tree.nodes[node].parent;
  return node;
}

std::vector<Pair::Run> runs_of(const Tree& tree, const Pair& pair) {
  std::vector<Pair::Run> runs;
  for (int k = 0; k < pair.n(); ++k) {
    const int dof = pair.dofs[k];
    if (!runs.empty() && runs.back().side == pair.side[k] && runs.back().first + runs.back().count == dof)
      ++runs.back().count;
    else
      runs.push_back({dof, 1, k, pair.side[k], root_of(tree, tree.node_of_v[dof])});
  }
  return runs;
}

// The table (2.14): coordinate j carries the axis of i along if it is nearer to the ground or turns with it.
bool takes_carried(const Tree& tree, const Pair& pair, int i, int j) {
  const bool carries = pair.dofs[j] < pair.dofs[i] || turn_together(tree, pair.dofs[i], pair.dofs[j]);
  if (pair.side[i] > 0) return pair.side[j] < 0 || carries;
  return pair.side[j] < 0 && !carries;
}

}  // namespace

std::vector<int> block_slots(const Pattern& pattern, const std::vector<int>& dofs) {
  std::vector<int> slots;
  for (int j : dofs) {
    for (int i : dofs) slots.push_back(pattern.find(i, j) - pattern.start[j]);
  }
  return slots;
}

Pair make_pair(const Tree& tree, const Place& A, const Place& B) {
  Pair pair{A, B, A.axes == Mat3d::identity(), B.axes == Mat3d::identity(), {}, {}, {}, {}};
  const std::vector<int> a = tree.path(A.node), b = tree.path(B.node);
  const std::size_t common = std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin();
  for (std::size_t k = common; k < a.size(); ++k) pair.dofs.push_back(a[k]), pair.side.push_back(-1.0);
  for (std::size_t k = common; k < b.size(); ++k) pair.dofs.push_back(b[k]), pair.side.push_back(+1.0);
  pair.runs = runs_of(tree, pair);
  for (int j = 0; j < pair.n(); ++j) {
    for (int i = 0; i < pair.padded_n(); ++i)
      pair.carried.push_back(i < pair.n() && takes_carried(tree, pair, i, j) ? 1.0 : 0.0);
  }
  return pair;
}

Equations::Equations(std::shared_ptr<const model::Model> model, const Topology& topology,
                     std::optional<std::vector<int>> active, std::shared_ptr<const model::Held> held)
    : model_(std::move(model)),
      held_(held ? std::move(held) : std::make_shared<const model::Held>(model::held_at_start(*model_))),
      topology_(topology),
      tree_(build_tree(*model_, topology)),
      tree_derivatives_(tree_),
      mass_matrix_(tree_) {
  add_forces();
  add_constraints();
  add_frictions();
  choose_active(std::move(active));
  number_inputs();
  find_loop_nodes();
  build_patterns();
}

void Equations::add_forces() {
  int state = tree_.nv;
  for (const model::Force& force : model_->forces) {
    if (force.inner) {
      add_state_force(force, state);
      state += state_forces_.back().count;
    } else if (force.wrench) {
      forces_.push_back({make_pair(tree_, tree_.place(force.from), tree_.place(force.to)),
                         &force,
                         force.wrench,
                         force.wrench->between_points(),
                         {}});
    } else if (tree_.last_node_of_joint[force.joint] < 0) {
      const model::Joint& joint = model_->joints[force.joint];
      const Place A = tree_.place(joint.from, joint.at_from, Mat3d::identity()),
                  B = tree_.place(joint.to, joint.at_to, Mat3d::identity());
      forces_.push_back({make_pair(tree_, A, B),
                         &force,
                         cut_coordinate(joint.shape.dofs[0], joint.reference[0], force.coordinate),
                         false,
                         {}});
    } else {
      const Coordinate& c = tree_.coordinates[force.joint][force.dof];
      coordinate_forces_.push_back({c.iq, c.iv, -1, model_->joints[force.joint].reference[force.dof], &force});
    }
  }
}

void Equations::add_constraints() {
  for (int j : topology_.cuts) {
    const model::Joint& joint = model_->joints[j];
    const Mat3d design = Mat3d::identity();
    PairConstraint c{
        make_pair(tree_, tree_.place(joint.from, joint.at_from, design), tree_.place(joint.to, joint.at_to, design)),
        {},
        j,
        0,
        {},
        {},
        {}};
    for (const model::ConstraintRow& row : joint.shape.rows) {
      const bool slide = row.kind == model::ConstraintRow::Kind::translation;
      c.rows.push_back({slide ? PairRow::Kind::translation : PairRow::Kind::perpendicular, row.a, row.b, 1, nullptr, -1,
                        static_cast<int>(rows_.size())});
      rows_.push_back(describe_row(joint, j, row));
    }
    if (!c.rows.empty()) pair_constraints_.push_back(std::move(c));
  }
  for (const model::Rod& rod : model_->rods) {
    PairConstraint c{make_pair(tree_, tree_.place(rod.from), tree_.place(rod.to)), {}, -1, 0, {}, {}, {}};
    c.rows.push_back({PairRow::Kind::distance,
                      {},
                      {},
                      rod.length,
                      rod.drive ? &*rod.drive : nullptr,
                      -1,
                      static_cast<int>(rows_.size())});
    rows_.push_back({rod.name, "length", false, -1});
    pair_constraints_.push_back(std::move(c));
  }
  for (int j = 0; j < static_cast<int>(model_->joints.size()); ++j) {
    const model::Joint& joint = model_->joints[j];
    for (std::size_t k = 0; k < joint.drive.size(); ++k) {
      if (!joint.drive[k]) continue;
      const Coordinate& at = tree_.coordinates[j][k];
      if (at.is_driven()) continue;
      linear_constraints_.push_back({{{at.iq, at.iv, 1.0, -1}},
                                     joint.reference[k],
                                     &*joint.drive[k],
                                     -1,
                                     static_cast<int>(rows_.size()),
                                     j,
                                     static_cast<int>(k)});
      rows_.push_back({joint.name, "drive of " + tree_.q_names[at.iq].substr(joint.name.size() + 1), false, -1});
    }
  }
  for (const model::Coupler& coupler : model_->couplers) {
    LinearConstraint c{{}, 0.0, coupler.drive ? &*coupler.drive : nullptr, -1, static_cast<int>(rows_.size()), -1, -1};
    for (const auto& term : coupler.terms) {
      const Coordinate& at = tree_.coordinates[term.joint][term.dof];
      c.terms.push_back({at.iq, at.iv, term.ratio, -1});
      if (coupler.drive) c.offset += term.ratio * model_->joints[term.joint].reference[term.dof];
    }
    linear_constraints_.push_back(std::move(c));
    rows_.push_back({coupler.name, "coupling", false, -1});
  }
  add_contributions();
  add_switching_rows();
}

void Equations::add_switching_rows() {
  first_contact_ = static_cast<int>(pair_constraints_.size());
  const auto begin_row = [&](SwitchRow::Of of, std::size_t index, const std::string& name, const char* what) {
    const int row = static_cast<int>(rows_.size());
    switch_rows_.push_back({of, static_cast<int>(index), row});
    rows_.push_back({name, what, false, -1});
    return row;
  };
  for (std::size_t k = 0; k < model_->contacts.size(); ++k) {
    const model::Contact& contact = model_->contacts[k];
    PairConstraint c{make_pair(tree_, tree_.place(contact.from), tree_.place(contact.to)), {}, -1, 0, {}, {}, {}};
    c.contact = static_cast<int>(k);
    c.rows.push_back(contact_law(contact));
    c.rows[0].row_all = begin_row(SwitchRow::Of::contact, k, contact.name, "contact");
    pair_constraints_.push_back(std::move(c));
  }
  for (std::size_t k = 0; k < model_->stick_slips.size(); ++k) {
    const model::StickSlip& stick = model_->stick_slips[k];
    const Coordinate& at = tree_.coordinates[stick.joint][stick.dof];
    const int row = begin_row(SwitchRow::Of::stick_slip, k, stick.name, "sticks");
    linear_constraints_.push_back({{{at.iq, at.iv, 1.0, -1}}, 0.0, nullptr, -1, row, -1, -1});
    linear_constraints_.back().stick_slip = static_cast<int>(k);
  }
}

void Equations::add_frictions() {
  for (const model::JointFriction& friction : model_->joint_frictions) {
    const auto c = std::ranges::find(pair_constraints_, friction.joint, &PairConstraint::joint);
    c->friction = static_cast<int>(frictions_.size());
    frictions_.emplace_back(friction, model_->joints[friction.joint], static_cast<int>(c - pair_constraints_.begin()));
  }
}

void Equations::choose_active(std::optional<std::vector<int>> active) {
  if (!active) {
    active.emplace(rows_.size() - switch_rows_.size());
    for (std::size_t k = 0; k < active->size(); ++k) (*active)[k] = static_cast<int>(k);
  }
  active_ = std::move(*active);
  std::vector<int> row_of(rows_.size(), -1);
  for (std::size_t k = 0; k < active_.size(); ++k) row_of[active_[k]] = static_cast<int>(k);
  for (PairConstraint& c : pair_constraints_) {
    for (PairRow& row : c.rows) row.row = row_of[row.row_all], c.active_rows += row.row >= 0;
  }
  for (LinearConstraint& c : linear_constraints_) c.row = row_of[c.row_all];
  for (ContributionItem& item : contributions_) {
    for (std::size_t k = 0; k < item.rows.size(); ++k) {
      item.rows[k] = row_of[item.rows_all[k]];
      item.active_rows += item.rows[k] >= 0;
    }
  }
}

// Above the node where the two paths meet the wrenches on A and B cancel.
void Equations::find_loop_nodes() {
  std::vector<char> marked(tree_.nodes.size(), false);
  const auto mark = [&](const Pair& pair) {
    int a = pair.A.node, b = pair.B.node;
    while (a != b) {  // parents come before their children
      int& later = a > b ? a : b;
      marked[later] = true;
      later = tree_.nodes[later].parent;
    }
  };
  for (const PairConstraint& c : pair_constraints_) {
    if (c.active_rows > 0) mark(c.pair);
  }
  for (const ContributionItem& item : contributions_) {
    if (item.active_rows == 0) continue;
    mark(item.pair);
    for (const int node : item.nodes) marked[node] = true;
  }
  for (int i = static_cast<int>(marked.size()) - 1; i > 0; --i) {
    if (marked[i]) loop_nodes_.push_back(i);
  }
}

void Equations::number_inputs() {
  for (const DrivenNode& driven : tree_.driven) motions_.push_back(tree_.nodes[driven.node].drive);
  const auto number = [&](const model::Motion* motion, int row) {
    if (!motion || row < 0) return -1;
    motions_.push_back(motion);
    return inputs() - 3;
  };
  for (PairConstraint& c : pair_constraints_) {
    for (PairRow& row : c.rows) row.input = number(row.motion, row.row);
  }
  for (LinearConstraint& c : linear_constraints_) c.input = number(c.motion, c.row);
}

void Equations::inputs(double t, Span u) const {
  for (std::size_t k = 0; k < motions_.size(); ++k) {
    const model::Motion2 motion = motions_[k]->at(t);
    u[3 * k] = motion.value, u[3 * k + 1] = motion.rate, u[3 * k + 2] = motion.acceleration;
  }
}

void Equations::build_patterns() {
  PatternBuilder tangent(nv(), nv()), loop(nv(), nv()), rows(ng(), nv());
  tree_derivatives_.add_pattern(tangent);
  auto add_block = [](PatternBuilder& to, const std::vector<int>& dofs) {
    for (int i : dofs) {
      for (int j : dofs) to.add(i, j);
    }
  };
  for (const ForceItem& f : forces_) add_block(tangent, f.pair.dofs);
  for (const StateItem& s : state_forces_) add_block(tangent, s.coordinates());
  for (const ContributionItem& item : contributions_) {
    add_block(tangent, item.coordinates());
    if (item.active_rows > 0) add_block(loop, item.moving());
    for (const int row : item.rows) {
      for (const int j : item.moving()) {
        if (row >= 0) rows.add(row, j);
      }
    }
  }
  for (const PairConstraint& c : pair_constraints_) {
    if (c.active_rows == 0) continue;
    add_block(tangent, c.pair.dofs), add_block(loop, c.pair.dofs);
    for (const PairRow& row : c.rows) {
      for (int j : c.pair.dofs) {
        if (row.row >= 0) rows.add(row.row, j);
      }
    }
  }
  for (const LinearConstraint& c : linear_constraints_) {
    for (const auto& term : c.terms) {
      if (c.row >= 0) rows.add(c.row, term.iv);
    }
  }
  build_own_patterns();
  tangent_pattern_ = tangent.build(), loop_pattern_ = loop.build(), constraint_pattern_ = rows.build();

  tree_derivatives_.find_slots(tangent_pattern_);
  mass_matrix_.find_slots(tangent_pattern_);
  for (ForceItem& f : forces_) f.slots = block_slots(tangent_pattern_, f.pair.dofs);
  for (CoordinateItem& c : coordinate_forces_)
    c.slot = tangent_pattern_.find(c.iv, c.iv) - tangent_pattern_.start[c.iv];
  find_state_slots();
  find_contribution_slots();
  auto row_slot = [&](int row, int j) {
    return row < 0 ? -1 : constraint_pattern_.find(row, j) - constraint_pattern_.start[j];
  };
  for (PairConstraint& c : pair_constraints_) {
    if (c.active_rows == 0) continue;
    c.slots = block_slots(tangent_pattern_, c.pair.dofs);
    c.loop_slots = block_slots(loop_pattern_, c.pair.dofs);
    for (const PairRow& row : c.rows) {
      for (int j : c.pair.dofs) c.row_slots.push_back(row_slot(row.row, j));
    }
  }
  for (LinearConstraint& c : linear_constraints_) {
    for (auto& term : c.terms) term.slot = row_slot(c.row, term.iv);
  }
}

Equations::Workspace Equations::workspace() const {
  Workspace ws;
  ws.nodes.resize(tree_.nodes.size());
  ws.articulated.resize(tree_.nodes.size());
  ws.tangent.resize(nv());
  tree_derivatives_.resize(ws.derivatives);
  mass_matrix_.resize(ws.mass);
  std::size_t most = 0;
  for (const ForceItem& f : forces_) most = std::max(most, f.pair.dofs.size());
  for (const PairConstraint& c : pair_constraints_) most = std::max(most, c.pair.dofs.size());
  for (const StateItem& s : state_forces_) most = std::max(most, s.pair.dofs.size());
  for (const ContributionItem& item : contributions_) {
    most = std::max(most, item.pair.dofs.size());
    ws.loads.reserve(item.declared());
    const std::size_t owns = std::max(ws.own.size(), item.nodes.size());
    ws.own.resize(owns), ws.own_rate.resize(owns);
  }
  ws.pulls.resize(state_forces_.size());
  ws.rates.resize(tree_.states.size());
  ws.strokes.resize(state_forces_.empty() ? 0 : most);
  ws.eta.resize(tree_.nodes.size());
  ws.local = seeds();
  ws.path.resize(most);
  ws.block.resize(static_cast<int>(most));
  return ws;
}

}  // namespace skyhook::formalism::recursive
