// Construction of Equations: which elements and constraints act between which nodes. Where their derivatives go: equations_patterns.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "skyhook/formalism/joint_motion.h"
#include "skyhook/formalism/recursive/cut_coordinate.h"
#include "skyhook/formalism/recursive/equations.h"

namespace skyhook::formalism::recursive {
namespace {

// "x" or a vector, for messages.
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

// A plain row of a contribution (plane, profile or distance) as a law over the relative motion of its frames.
PairRow pair_row(const model::Row& given, int row) {
  using Kind = model::Row::Kind;
  const auto kind = given.kind == Kind::plane     ? PairRow::Kind::translation
                    : given.kind == Kind::profile ? PairRow::Kind::profile
                                                  : PairRow::Kind::distance;
  PairRow out{kind, {0, 0, 1}, {}};
  if (given.kind == Kind::distance) out.length = given.length;
  out.motion = given.drive ? &*given.drive : nullptr;
  out.row_all = row;
  out.offset = given.radius;
  out.surface = given.surface.get();
  return out;
}

// What a plain row holds, for messages.
const char* direction_of(const model::Row& row) {
  using Holds = model::Row::Holds;
  if (row.holds != Holds::always) return row.holds == Holds::pressed ? "contact" : "sticks";
  return row.kind == model::Row::Kind::sum ? "coupling" : "length";
}

// Cuts the coordinates of a path into stretches of neighbours, which kernels pass over without looking up places.
std::vector<Pair::Run> runs_of(const Tree& tree, const Pair& pair) {
  std::vector<Pair::Run> runs;
  for (int k = 0; k < pair.n(); ++k) {
    const int dof = pair.dofs[k], axis = tree.axis_of[dof];
    if (!runs.empty() && runs.back().side == pair.side[k] && runs.back().first + runs.back().count == axis)
      ++runs.back().count;
    else
      runs.push_back({axis, 1, k, pair.side[k], tree.root[tree.node_of_v[dof]]});
  }
  return runs;
}

}  // namespace

Pair make_pair(const Tree& tree, const Place& A, const Place& B) {
  Pair pair{A, B, A.axes == Mat3d::identity(), B.axes == Mat3d::identity(), {}, {}, {}, {}};
  // what both paths from the ground have in common moves A and B alike and drops out
  const int common = tree.common_node(A.node, B.node);
  for (const int dof : tree.path(A.node, common)) pair.dofs.push_back(dof), pair.side.push_back(-1.0);
  for (const int dof : tree.path(B.node, common)) pair.dofs.push_back(dof), pair.side.push_back(+1.0);
  pair.runs = runs_of(tree, pair);
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
  // what acts and what holds, each in the flat list of its shape
  add_joint_rows();
  add_drive_rows();
  add_contributions();
  add_signals();
  // which rows hold now, and their numbers
  choose_active(std::move(active));
  number_inputs();
  // where they reach in the tree and in the matrices
  find_loop_nodes();
  find_guided_nodes();
  build_constraint_pattern();
  note_nominals();
}

// Each joint that closes a loop becomes the rows of its shape between its two frames.
void Equations::add_joint_rows() {
  for (int j : topology_.cuts) {
    const model::Joint& joint = model_->joints[j];
    add_cut_hinges(j);
    PairConstraint c{pair_of(joint), {}, j, nullptr};
    for (const model::ConstraintRow& row : joint.shape.rows) {
      const bool slide = row.kind == model::ConstraintRow::Kind::translation;
      c.rows.push_back({slide ? PairRow::Kind::translation : PairRow::Kind::perpendicular, row.a, row.b, 1, nullptr, -1,
                        static_cast<int>(rows_.size())});
      rows_.push_back(describe_row(joint, j, row));
    }
    if (!c.rows.empty()) pair_constraints_.push_back(std::move(c));
  }
}

// Where the joint is cut its coordinate is measured from the frames.
void Equations::add_term(int joint, int scalar, double ratio, LinearConstraint& c) {
  if (c.terms.empty() && (measured_terms_.empty() || measured_terms_.back().row_all != c.row_all))
    c.turns = is_angle(model_->joints[joint], scalar);
  if (is_cut(joint)) return measured_terms_.push_back(measured_term(joint, scalar, ratio, c.row_all));
  const Coordinate& at = tree_.coordinates[joint][scalar];
  c.terms.push_back({at.iq, at.iv, ratio, -1});
}

// Of coordinates that are unknowns although they are driven, and of those of cut joints.
void Equations::add_drive_rows() {
  for (int j = 0; j < static_cast<int>(model_->joints.size()); ++j) {
    const model::Joint& joint = model_->joints[j];
    for (std::size_t k = 0; k < joint.drive.size(); ++k) {
      if (!joint.drive[k]) continue;
      const int scalar = static_cast<int>(k), row = static_cast<int>(rows_.size());
      if (!is_cut(j) && tree_.coordinates[j][k].is_driven()) continue;
      LinearConstraint c{{}, joint.reference[k], &*joint.drive[k], -1, row, j, scalar, nullptr};
      add_term(j, scalar, 1.0, c);
      rows_.push_back(
          {joint.name, "drive of " + coordinate_name(joint, scalar, false).substr(joint.name.size() + 1), c.turns, -1});
      linear_constraints_.push_back(std::move(c));
    }
  }
}

// Each part of a contribution goes to the flat list of its shape. Rows that come and go stand last: of contacts, then of what sticks.
void Equations::add_contributions() {
  int state = tree_.nv, unknown = 0;  // where the next inner state, the next own unknown goes
  for (const model::Contribution& what : model_->contributions) {
    if (what.counts_turns()) turning_.push_back({&what, tree_.place(what.from), tree_.place(what.to)});
    if (what.wrench) add_frame_force(what);
    if (what.coordinate) add_coordinate_force(what);
    if (what.inner) add_state_force(what, state), state += state_forces_.back().count;
    if (what.law) {
      const ContributionItem& item = add_item(what, state, unknown);
      state += item.states, unknown += item.unknowns();
    }
    if (what.friction && is_cut(what.joint)) add_friction(what);  // else they are equations to start from
    if (what.holds(model::Row::Holds::always)) add_plain_row(what);
  }
  nz_ = unknown;
  number_places_on_lines();
  // rows that switch
  first_contact_ = static_cast<int>(pair_constraints_.size());
  contacts_ = model::those_that_hold(*model_, model::Row::Holds::pressed);
  for (const auto when : {model::Row::Holds::pressed, model::Row::Holds::stuck}) {
    for (const model::Contribution* what : model::those_that_hold(*model_, when)) {
      switch_rows_.push_back({what, static_cast<int>(rows_.size())});
      add_plain_row(*what);
    }
  }
}

Pair Equations::pair_of(const model::Joint& joint) const {
  const Mat3d design = Mat3d::identity();
  return make_pair(tree_, tree_.place(joint.from, joint.at_from, design), tree_.place(joint.to, joint.at_to, design));
}

Pair Equations::pair_of(const model::Contribution& what) const {
  if (model::on_line(what.law.get())) return pair_on_line(what);
  return make_pair(tree_, tree_.place(what.from), tree_.place(what.to));
}

void Equations::add_frame_force(const model::Contribution& what) {
  forces_.push_back({pair_of(what), &what, what.wrench, what.wrench->between_points(), {}});
}

// On a coordinate of the tree. Where the joint is cut its coordinate is measured from the frames.
void Equations::add_coordinate_force(const model::Contribution& what) {
  const model::Joint& joint = model_->joints[what.joint];
  if (is_cut(what.joint)) {
    forces_.push_back({pair_of(joint), &what, cut_coordinate(joint, what.dof, what.coordinate), false, {}});
    return;
  }
  const Coordinate& c = tree_.coordinates[what.joint][what.dof];
  coordinate_forces_.push_back({c.iq, c.iv, -1, joint.reference[what.dof], &what});
}

// A row that a contribution states without a law of its own: a sum of coordinates, or a condition between two frames.
void Equations::add_plain_row(const model::Contribution& what) {
  const int row = static_cast<int>(rows_.size());
  rows_.push_back({what.name, direction_of(*what.row), false, -1});
  if (what.row->kind == model::Row::Kind::sum) {
    LinearConstraint c = linear_row(what, row);
    rows_.back().is_moment = c.turns;
    return linear_constraints_.push_back(std::move(c));
  }
  pair_constraints_.push_back({pair_of(what), {pair_row(*what.row, row)}, -1, &what});
}

// Sum of ratio times coordinate, equal to zero or to a motion; a motion counts from the design position.
Equations::LinearConstraint Equations::linear_row(const model::Contribution& what, int row) {
  const model::Row& given = *what.row;
  LinearConstraint c{{}, 0.0, given.drive ? &*given.drive : nullptr, -1, row, -1, -1, &what};
  for (const auto& term : given.terms) {
    add_term(term.joint, term.dof, term.ratio, c);
    if (given.drive) c.offset += term.ratio * model_->joints[term.joint].reference[term.dof];
  }
  return c;
}

// Friction reads the multipliers of its joint, which is always cut for that reason.
void Equations::add_friction(const model::Contribution& what) {
  const auto c = std::ranges::find(pair_constraints_, what.joint, &PairConstraint::joint);
  c->friction = static_cast<int>(frictions_.size());
  frictions_.emplace_back(what, model_->joints[what.joint], static_cast<int>(c - pair_constraints_.begin()));
}

// Numbers the rows that hold now. row_all counts all rows, row the active ones (-1: not active).
void Equations::choose_active(std::optional<std::vector<int>> active) {
  // unless told: all that do not switch
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
  for (MeasuredTerm& term : measured_terms_) term.row = row_of[term.row_all];
  for (ContributionItem& item : contributions_) {
    for (std::size_t k = 0; k < item.rows.size(); ++k) {
      item.rows[k] = row_of[item.rows_all[k]];
      item.active_rows += item.rows[k] >= 0;
    }
  }
}

// The nodes that feel G^T lambda, children first. Above the node where the two paths meet the wrenches on A and B cancel.
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
  for (const MeasuredTerm& term : measured_terms_) {
    if (term.row >= 0) mark(term.pair);
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

// Excitations u: value, rate and acceleration of each prescribed motion, first those of driven nodes, then those of rows.
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

void Equations::find_guided_nodes() {
  for (int i = 0; i < static_cast<int>(tree_.nodes.size()); ++i) {
    // one that follows its drive has no columns
    if (tree_.nodes[i].guide && tree_.nodes[i].columns() > 0) guided_.push_back({i, {}, {}});
  }
}

Equations::Workspace Equations::workspace() const {
  Workspace ws;
  // of the tree
  ws.nodes.resize(tree_.nodes.size());
  ws.articulated.resize(tree_.nodes.size());
  ws.tangent.resize(nv());
  ws.levels.resize(ng());
  if (std::ranges::any_of(contributions_, &ContributionItem::has_conditions)) ws.found.resize(contributions_.size());
  mass_matrix_.resize(ws.mass);
  // of elements and constraints: `most` coordinates on a path
  std::size_t most = 0;
  for (const ForceItem& f : forces_) most = std::max(most, f.pair.dofs.size());
  for (const PairConstraint& c : pair_constraints_) most = std::max(most, c.pair.dofs.size());
  for (const StateItem& s : state_forces_) most = std::max(most, s.pair.dofs.size());
  for (const MeasuredTerm& term : measured_terms_) most = std::max(most, term.pair.dofs.size());
  for (const ContributionItem& item : contributions_) {
    most = std::max(most, item.pair.dofs.size());
    ws.loads.reserve(item.declared());
    const std::size_t owns = std::max(ws.own.size(), item.nodes.size());
    ws.own.resize(owns), ws.own_rate.resize(owns);
  }
  most = std::max(most, static_cast<std::size_t>(longest_signal_path()));
  ws.signals = signal_work();
  ws.pulls.resize(state_forces_.size());
  ws.rates.resize(tree_.states.size());
  ws.strokes.resize(state_forces_.empty() ? 0 : most);
  ws.eta.resize(tree_.nodes.size());
  ws.carried.resize(tree_.nodes.size());
  ws.local = seeds();
  for (const MeshNode& m : tree_.meshes) {
    const auto entries = static_cast<std::size_t>(m.mesh->pattern.nonzeros());
    if (ws.mesh_stiffness.size() < entries) ws.mesh_stiffness.resize(entries), ws.mesh_damping.resize(entries);
  }
  ws.path.resize(most);
  ws.block.resize(static_cast<int>(most));
  return ws;
}

}  // namespace skyhook::formalism::recursive
