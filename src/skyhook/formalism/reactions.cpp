#include "skyhook/formalism/reactions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "skyhook/formalism/components.h"
#include "skyhook/formalism/recursive/equations.h"
#include "skyhook/formalism/recursive/led_node.h"
#include "skyhook/math/dense.h"
#include "skyhook/math/small_solve.h"

namespace skyhook::formalism {

using recursive::Equations;
using recursive::Node;
using recursive::NodeState;
using recursive::Pair;
using recursive::PairMotion;
using recursive::PairRow;
using recursive::Tree;

namespace {

// The same where one of the nodes follows a guide: what acts along its coordinates is taken for a force along the way, or for a moment
// where a coordinate only turns; so much of it that no work is left.
void remove_guided_motion(const Tree& tree, const std::vector<NodeState>& x, int first, int last, Vec3d& f, Vec3d& n) {
  constexpr int most = 6;
  constexpr double stands = 1e-12;
  std::array<recursive::Twist, most> S;
  int count = 0;
  for (int i = first; i <= last; ++i) {
    for (int k = 0; k < tree.nodes[i].nv() && count < most; ++k)
      S[count++] = recursive::twist_at(tree, x, tree.nodes[i].iv + k, x[last].p);
    if (recursive::is_led(tree.nodes[i]) && count < most) {
      const Vec3d& turn = x[i].guide->turn[0];
      S[count++] = {turn, x[i].guide->shift[0] + cross(turn, x[last].p - x[i].p)};
    }
  }
  std::array<double, static_cast<std::size_t>(most) * most> A;
  std::array<double, most> c;
  const auto slides = [&](int k) { return norm(S[k].shift) > stands; };
  for (int i = 0; i < count; ++i) {
    for (int k = 0; k < count; ++k)
      A[i * count + k] = slides(k) ? dot(S[i].shift, S[k].shift) : dot(S[i].turn, S[k].turn);
    c[i] = dot(S[i].shift, f) + dot(S[i].turn, n);
  }
  if (!solve_small(A, c, count, 1)) return;
  for (int k = 0; k < count; ++k) slides(k) ? f -= c[k] * S[k].shift : n -= c[k] * S[k].turn;
}

// Removes from a joint's wrench what acts along its free motion: drives and forces on coordinates, not reactions.
void remove_free_motion(const Tree& tree, const std::vector<NodeState>& x, int first, int last, Vec3d& f, Vec3d& n) {
  const auto guided = [](const Node& node) { return node.guide != nullptr; };
  if (std::any_of(tree.nodes.begin() + first, tree.nodes.begin() + last + 1, guided))
    return remove_guided_motion(tree, x, first, last, f, n);
  std::array<Vec3d, 3> turns, slides;
  int n_turns = 0, n_slides = 0;
  auto add = [](std::array<Vec3d, 3>& basis, int& count, Vec3d e) {
    for (int k = 0; k < count; ++k) e -= dot(basis[k], e) * basis[k];
    if (count < 3 && norm(e) > 1e-9) basis[count++] = normalized(e);
  };
  for (int i = first; i <= last; ++i) {
    switch (tree.nodes[i].kind) {
      case Node::Kind::turned:
      case Node::Kind::revolute: add(turns, n_turns, x[i].s); break;
      case Node::Kind::slid:
      case Node::Kind::prismatic: add(slides, n_slides, x[i].s); break;
      case Node::Kind::free: f = {}; [[fallthrough]];
      case Node::Kind::ball: n = {}; break;
      case Node::Kind::guided:  // above
      case Node::Kind::modal:   // behind joints
      case Node::Kind::point:
      case Node::Kind::mesh:
      case Node::Kind::station:
      case Node::Kind::fixed: break;
    }
  }
  for (int k = 0; k < n_turns; ++k) n -= dot(turns[k], n) * turns[k];
  for (int k = 0; k < n_slides; ++k) f -= dot(slides[k], f) * slides[k];
}

// Calls act(node, sign) for the nodes between the common ancestor and B (+1) and A (-1).
template <class Act>
void along_path(const Tree& tree, int a, int b, Act&& act) {
  while (a != b) {
    if (a > b)
      act(a, -1.0), a = tree.nodes[a].parent;
    else
      act(b, +1.0), b = tree.nodes[b].parent;
  }
}

}  // namespace

// Of a wrench about the node's origin, what acts on its one coordinate.
double along_coordinate(const Node& node, const NodeState& x, const Vec3d& f, const Vec3d& n) {
  if (recursive::is_led(node)) return dot(x.guide->turn[0], n) + dot(x.guide->shift[0], f);
  return node.kind == Node::Kind::turned ? dot(x.s, n) : dot(x.s, f);
}

Reactions::Reactions(std::shared_ptr<const Equations> active, std::shared_ptr<const Equations> all)
    : active_(std::move(active)),
      all_(std::move(all)),
      ws_all_(*all_),
      place_in_all_(all_->rows().size(), -1),
      joint_of_node_(active_->tree().nodes.size(), -1) {
  std::vector<bool> kept(all_->rows().size(), false);
  for (int k : active_->active()) kept[k] = true;
  for (int k = 0; k < all_->ng(); ++k) {
    const int row = all_->active()[k];
    place_in_all_[row] = k;
    if (!kept[row]) redundant_.push_back(row);
  }
  if (!redundant_.empty()) {
    mass_all_ = Csc(std::make_shared<const Pattern>(all_->mass_pattern()));
    jacobian_all_ = Csc(std::make_shared<const Pattern>(all_->constraint_pattern()));
    find_groups();
  }
  for (std::size_t j = 0; j < active_->model().joints.size(); ++j) {
    if (const int node = active_->tree().last_node_of_joint[j]; node >= 0) joint_of_node_[node] = static_cast<int>(j);
  }
}

void Reactions::measure(Snapshot& snap) {
  joint_reactions(snap);
  if (any_redundant()) least_reactions(snap);
}

bool Reactions::is_reversed(int joint) const {
  return active_->topology().links[active_->topology().link_of_joint[joint]].reversed;
}

// The joint's point on `to`: where `to` is the parent, a slide takes it away from the node's origin.
Vec3d Reactions::reaction_point(int joint, const Snapshot& snap) const {
  const auto& j = active_->model().joints[joint];
  const auto place = active_->tree().place(j.to, j.at_to, Mat3d::identity());
  return snap.nodes[place.node].p + snap.nodes[place.node].R * place.r;
}

void Reactions::joint_reactions(Snapshot& snap) const {
  const auto& tree = active_->tree();
  std::fill(snap.all_multipliers.begin(), snap.all_multipliers.end(), 0.0);
  for (int k = 0; k < active_->ng(); ++k) snap.all_multipliers[active_->active()[k]] = snap.lambda[k];
  auto store = [&](int joint, const Vec3d& f, const Vec3d& n) {
    for (int k = 0; k < 3; ++k) snap.reactions[6 * joint + k] = f[k], snap.reactions[6 * joint + 3 + k] = n[k];
  };
  for (std::size_t j = 0; j < active_->model().joints.size(); ++j) {
    const int last = tree.last_node_of_joint[j];
    if (last < 0) continue;
    Vec3d f = snap.nodes[last].f, n = snap.nodes[last].n;
    remove_free_motion(tree, snap.nodes, tree.first_node_of_joint[j], last, f, n);
    const int joint = static_cast<int>(j);
    if (is_reversed(joint)) f = -f, n = -n + cross(snap.nodes[last].p - reaction_point(joint, snap), f);
    store(joint, f, n);
  }
  PairMotion m;
  for (const auto& c : active_->pair_constraints()) {
    if (c.joint < 0) continue;
    relative_motion(c.pair, snap.nodes, snap.t, m);
    model::Wrench<double> w{};
    for (const PairRow& row : c.rows) {
      if (row.row >= 0) add_row_wrench(row, m.rel, snap.lambda[row.row], w);
    }
    store(c.joint, -(m.R_A * w.f), -(m.R_A * w.n));
  }
}

void Reactions::find_groups() {
  std::vector<char> is_redundant(all_->rows().size(), 0);
  for (const int row : redundant_) is_redundant[row] = 1;
  is_in_group_.assign(all_->rows().size(), 0);
  std::vector<std::vector<int>> columns(all_->ng());
  const Pattern& pattern = *jacobian_all_.pattern;
  for (int j = 0; j < pattern.cols; ++j) {
    for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k) columns[pattern.row[k]].push_back(j);
  }
  for (const auto& [places, parts] : row_components(*all_)) {
    Group group;
    for (const int place : places) {
      const int row = all_->active()[place];
      (is_redundant[row] ? group.redundant : group.kept).push_back(row);
      group.columns.insert(group.columns.end(), columns[place].begin(), columns[place].end());
    }
    if (group.redundant.empty()) continue;
    std::sort(group.columns.begin(), group.columns.end());
    group.columns.erase(std::unique(group.columns.begin(), group.columns.end()), group.columns.end());
    for (const int place : places) is_in_group_[all_->active()[place]] = 1;
    groups_.push_back(std::move(group));
  }
}

// Self-stresses: one for each redundant row d, with the active rows k that balance it: G^T (e_d - sum c_k e_k) = 0. Those of one
// component balance each other within it: with the rows kept of others the c would be zero.
std::vector<Reactions::Mode> Reactions::find_modes(const Group& group, double size) const {
  const int nv = static_cast<int>(group.columns.size());
  const auto column_of = [&](int row) {  // of the transposed matrix
    Vector out(nv);
    for (int j = 0; j < nv; ++j) out[j] = jacobian_all_.at(place_in_all_[row], group.columns[j]);
    return out;
  };
  std::vector<Mode> modes;
  std::unique_ptr<LeastNorm> qr;  // only if a redundant row is not simply zero
  for (const int redundant : group.redundant) {
    Mode& mode = modes.emplace_back();
    mode.rows.assign(1, {redundant, 1.0});
    const Vector row = column_of(redundant);
    if (largest(row) <= 1e-11 * size) continue;
    if (!qr) {
      DenseMatrix kept(nv, static_cast<int>(group.kept.size()));
      for (int i = 0; i < kept.cols; ++i)
        std::ranges::copy(column_of(group.kept[i]), kept.value.begin() + i * long{nv});
      qr = std::make_unique<LeastNorm>(kept, 1e-12);
    }
    const Vector c = qr->solve(row);
    for (std::size_t i = 0; i < c.size(); ++i) {
      if (std::abs(c[i]) > 1e-13) mode.rows.push_back({group.kept[i], -c[i]});
    }
  }
  return modes;
}

// Response of every joint on the loop to a unit multiplier of each row that self-stresses may have. The numbers of joints are followed
// by those of rows, and of drives.
std::vector<Reactions::Shares> Reactions::row_shares(const Snapshot& snap) {
  const auto& tree = all_->tree();
  const int joints = static_cast<int>(all_->model().joints.size()), rows = static_cast<int>(all_->rows().size());
  std::vector<Shares> response(all_->rows().size());
  PairMotion m;
  std::vector<int> drive_of_node(tree.nodes.size(), -1);
  for (std::size_t k = 0; k < snap.drives.size(); ++k) drive_of_node[tree.driven[k].node] = static_cast<int>(k);
  auto put = [](Shares& to, int on, const Vec3d& f, const Vec3d& n) {
    to.push_back({on, {f.x, f.y, f.z, n.x, n.y, n.z}});
  };
  // A wrench on B at its point and the opposite on A: what the joints and snap.drives between them bear of it.
  const auto spread = [&](Shares& to, const Pair& pair, const Vec3d& at, const Vec3d& f, const Vec3d& n) {
    along_path(tree, pair.A.node, pair.B.node, [&](int node, double sign) {
      if (const int drive = drive_of_node[node]; drive >= 0) {
        const Vec3d n_node = n + cross(at - snap.nodes[node].p, f);
        const recursive::DrivenNode& driven = tree.driven[drive];
        const bool turns = all_->model().joints[driven.joint].shape.dofs[driven.dof].is_angle();
        const double part = sign * along_coordinate(tree.nodes[node], snap.nodes[node], f, n_node);
        put(to, joints + rows + drive, {turns ? 0.0 : part, 0, 0}, {turns ? part : 0.0, 0, 0});
      }
      const int joint = joint_of_node_[node];
      if (joint < 0) return;
      const bool reversed = is_reversed(joint);
      const double s = reversed ? -sign : sign;
      Vec3d f_joint = f, n_joint = n + cross(at - snap.nodes[node].p, f);
      remove_free_motion(tree, snap.nodes, tree.first_node_of_joint[joint], node, f_joint, n_joint);
      if (reversed) n_joint += cross(snap.nodes[node].p - reaction_point(joint, snap), f_joint);
      put(to, joint, s * f_joint, s * n_joint);
    });
  };
  for (const auto& c : all_->pair_constraints()) {
    if (c.active_rows == 0) continue;
    relative_motion(c.pair, snap.nodes, snap.t, m);
    for (const PairRow& row : c.rows) {
      if (row.row < 0 || !is_in_group_[row.row_all]) continue;
      model::Wrench<double> w{};
      add_row_wrench(row, m.rel, 1.0, w);
      const Vec3d f = m.R_A * w.f, n = m.R_A * w.n;
      auto& to = response[row.row_all];
      if (c.joint >= 0)
        put(to, c.joint, -f, -n);
      else
        put(to, joints + row.row_all, {1, 0, 0}, {});
      spread(to, c.pair, m.p_B, f, n);
    }
  }
  for (std::size_t k = 0; k < all_->contributions().size(); ++k) {
    const auto& item = all_->contributions()[k];
    const auto& now = snap.contributions[k];
    for (std::size_t r = 0; r < now.rows.size(); ++r) {
      if (item.rows[r] < 0 || !is_in_group_[item.rows_all[r]]) continue;
      auto& to = response[item.rows_all[r]];
      put(to, joints + item.rows_all[r], {1, 0, 0}, {});
      spread(to, item.pair, now.at, now.to_global * now.rows[r].f, now.to_global * now.rows[r].n);
    }
  }
  for (const auto& c : all_->linear_constraints()) {  // a force, or a moment if it acts on an angle
    if (c.row < 0) continue;
    put(response[c.row_all], joints + c.row_all, c.turns ? Vec3d{} : Vec3d{1, 0, 0},
        c.turns ? Vec3d{1, 0, 0} : Vec3d{});
  }
  for (const auto& term : all_->measured_terms()) {
    if (term.row < 0 || !is_in_group_[term.row_all]) continue;
    all_->look_at(term, snap.t, false, snap.nodes, m, ws_all_->conditions);
    spread(response[term.row_all], term.pair, m.p_B, m.R_A * ws_all_->conditions.force(0),
           m.R_A * ws_all_->conditions.moment(0));
  }
  return response;
}

void Reactions::least_reactions(Snapshot& snap) {
  all_->matrices(snap.t, snap.q, {mass_all_.value, jacobian_all_.value}, ws_all_);
  const double size = largest(jacobian_all_.value);
  const std::vector<Shares> shares = row_shares(snap);
  for (const Group& group : groups_) take_least(find_modes(group, size), shares, snap);
}

void Reactions::take_least(const std::vector<Mode>& modes, const std::vector<Shares>& shares, Snapshot& snap) const {
  const int joints = static_cast<int>(all_->model().joints.size()), rows = static_cast<int>(all_->rows().size());
  const int count = static_cast<int>(modes.size());
  std::map<int, std::vector<std::pair<int, std::array<double, 6>>>> by_joint;  // joint -> (mode, response)
  for (int k = 0; k < count; ++k) {
    std::map<int, std::array<double, 6>> sum;
    for (const auto& [row, factor] : modes[k].rows) {
      for (const auto& [joint, w] : shares[row]) {
        auto& s = sum[joint];
        for (int i = 0; i < 6; ++i) s[i] += factor * w[i];
      }
    }
    for (const auto& [joint, w] : sum) by_joint[joint].push_back({k, w});
  }
  const double weight[6] = {
      1, 1, 1, 1 / (snap.length * snap.length), 1 / (snap.length * snap.length), 1 / (snap.length * snap.length)};
  DenseMatrix N(count, count);
  Vector b(count, 0.0);
  for (const auto& [joint, list] : by_joint) {
    for (const auto& [k, wk] : list) {
      for (int i = 0; i < 6; ++i) {
        const double now = joint < joints          ? snap.reactions[6 * joint + i]
                           : wk[i] == 0            ? 0.0
                           : joint < joints + rows ? snap.all_multipliers[joint - joints]
                                                   : snap.drives[joint - joints - rows];
        b[k] -= weight[i] * wk[i] * now;
        for (const auto& [l, wl] : list) N(k, l) += weight[i] * wk[i] * wl[i];
      }
    }
  }
  Vector z = solve_symmetric(N, b);
  Vector left = N * z;
  for (int k = 0; k < count; ++k) left[k] -= b[k];
  if (!(largest(left) <= 1e-9 * largest(b))) z = LeastNorm(N, 1e-12).solve(b);  // modes that do the same
  if (!std::isfinite(largest(z))) return;
  for (const auto& [joint, list] : by_joint) {
    for (const auto& [k, w] : list) {
      for (int i = 0; i < 6 && joint < joints; ++i) snap.reactions[6 * joint + i] += z[k] * w[i];
      if (joint >= joints + rows) snap.drives[joint - joints - rows] += z[k] * (w[0] + w[3]);
    }
  }
  for (int k = 0; k < count; ++k) {
    for (const auto& [row, factor] : modes[k].rows) snap.all_multipliers[row] += factor * z[k];
  }
}

}  // namespace skyhook::formalism
