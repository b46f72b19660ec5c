#include "skyhook/formalism/recursive/mass_matrix.h"

#include "skyhook/formalism/recursive/completed_moments.h"

namespace skyhook::formalism::recursive {

MassMatrix::MassMatrix(const Tree& tree)
    : start_(tree.column_of_axis.size() + 1, 0), nodes_(tree.nodes.size()), first_state_(tree.nv) {}

namespace {

// By node: stations have what bodies that stand on them give; that of the line itself is the mesh's.
std::vector<char> nodes_with_inertia(const Tree& tree) {
  std::vector<char> has(tree.nodes.size(), 0);
  for (std::size_t i = tree.nodes.size() - 1; i > 0; --i) {
    if (tree.nodes[i].kind != Node::Kind::station) has[i] = 1;
    if (has[i]) has[static_cast<std::size_t>(tree.nodes[i].parent)] = 1;
  }
  return has;
}

}  // namespace

void MassMatrix::build(const Tree& tree) {
  const std::vector<char> has_inertia = nodes_with_inertia(tree);
  const int axes = static_cast<int>(tree.column_of_axis.size());
  std::vector<int> above;  // of all axes j in turn: axes, and the axis itself
  const int nv = tree.first_waist;
  PatternBuilder builder(tree.columns, tree.columns);
  std::vector<int> path;
  int path_of = -1;  // node
  for (int j = 0; j < axes; ++j) {
    const int column = tree.column_of_axis[j], node = tree.node_of_v[column];
    start_[j + 1] = static_cast<int>(above.size());
    if (!has_inertia[static_cast<std::size_t>(node)]) continue;
    if (node != path_of) path = tree.path(path_of = node);
    for (const int other : path) {
      const int i = tree.axis_of[other];
      if (i <= j) above.push_back(i), builder.add(other, column), builder.add(column, other);
    }
    start_[j + 1] = static_cast<int>(above.size());
  }
  for (int j = tree.nv; j < nv; ++j) builder.add(j, j);
  add_modal_pattern(tree, builder);
  for (const CoupledNodes& c : tree.coupled) {
    for (int i = c.first_v; i < c.first_v + c.count; ++i) {
      for (int j = c.first_v; j < c.first_v + c.count; ++j) builder.add(i, j);
    }
  }
  for (const MeshNode& m : tree.meshes) {
    const Pattern& p = *m.mesh->mass.pattern;
    for (int j = 0; j < p.cols; ++j) {
      for (int k = p.start[j]; k < p.start[j + 1]; ++k) builder.add(m.iv + p.row[k], m.iv + j);
    }
  }
  pattern_ = builder.build();
  for (int j = tree.nv; j < nv; ++j) states_.push_back({pattern_.find(j, j), -1});
  entries_.reserve(above.size());
  for (int j = 0; j < axes; ++j) {
    const int column = tree.column_of_axis[j];
    for (int k = start_[j]; k < start_[j + 1]; ++k) {
      const int i = above[static_cast<std::size_t>(k)], other = tree.column_of_axis[i];
      entries_.push_back({i, pattern_.find(other, column), pattern_.find(column, other), -1, -1, other, column});
    }
  }
  for (Modal& e : modal_) e.upper = pattern_.find(e.row, e.column), e.lower = pattern_.find(e.column, e.row);
  for (const CoupledNodes& c : tree.coupled) {
    for (int b = 0; b < c.count; ++b) {
      for (int a = 0; a < b; ++a) {
        const int i = c.first_v + a, j = c.first_v + b;
        coupled_.push_back({{i, pattern_.find(i, j), pattern_.find(j, i), -1, -1, i, j}, c.off_diagonal(a, b)});
      }
    }
  }
  for (const MeshNode& m : tree.meshes) {
    const Pattern& p = *m.mesh->mass.pattern;
    for (int b = 0; b < p.cols; ++b) {
      for (int k = p.start[b]; k < p.start[b + 1] && p.row[k] <= b; ++k) {
        const int i = m.iv + p.row[k], j = m.iv + b;
        coupled_.push_back({{i, pattern_.find(i, j), pattern_.find(j, i), -1, -1, i, j}, m.mesh->mass.value[k]});
      }
    }
  }
}

void MassMatrix::find_slots(const Pattern& wider) {
  const auto slot = [&](int i, int j) { return wider.find(i, j) - wider.start[j]; };
  const auto find = [&](Entry& e) { e.upper_slot = slot(e.row, e.column), e.lower_slot = slot(e.column, e.row); };
  for (Entry& e : entries_) find(e);
  for (Coupled& e : coupled_) find(e);
  for (Modal& e : modal_) find(e);
  for (std::size_t k = 0; k < states_.size(); ++k) {
    const int j = first_state_ + static_cast<int>(k);
    states_[k].second = slot(j, j);
  }
  others_.clear();
  for (int j = 0; j < wider.cols; ++j) {
    for (int k = wider.start[j]; k < wider.start[j + 1]; ++k) {
      if (pattern_.find(wider.row[k], j) < 0) others_.push_back({j, k - wider.start[j]});
    }
  }
}

void MassMatrix::resize(Workspace& ws) const {
  ws.composite.resize(nodes_);
  ws.axes.resize(start_.size() - 1);
}

void MassMatrix::composites(const Tree& tree, const std::vector<NodeState>& nodes, Workspace& ws) const {
  const int count = static_cast<int>(tree.nodes.size());
  for (int i = 1; i < count; ++i) {
    const Node& node = tree.nodes[i];
    const NodeState& x = nodes[i];
    Composite& y = ws.composite[i];
    if (node.massless) {
      y = {};
      continue;
    }
    const Vec3d c = x.p - nodes[tree.root[i]].p + x.R * node.com;
    y.m = node.mass;
    y.mc = node.mass * c;
    const double mcc = dot(y.mc, c);
    y.I = x.R * node.inertia * transpose(x.R) - outer(y.mc, c);
    y.I.r0.x += mcc, y.I.r1.y += mcc, y.I.r2.z += mcc;
  }
  for (const ModalNode& modal : tree.modal) {
    const Node& node = tree.nodes[modal.node];
    const NodeState& x = nodes[modal.node];
    Composite& y = ws.composite[modal.node];
    const Vec3d r = x.p - nodes[tree.root[modal.node]].p, first = modal_first_moment(node, x);
    y.m = node.moments->mass, y.mc = y.m * r + first;
    const double square = dot(y.mc, r) + dot(first, r);
    y.I = modal_inertia(node, x) - outer(y.mc, r) - outer(r, first);
    y.I.r0.x += square, y.I.r1.y += square, y.I.r2.z += square;
  }
  for (int i = count - 1; i > 0; --i) {
    const int parent = tree.nodes[i].parent;
    if (parent == 0) continue;
    const Composite& y = ws.composite[i];
    Composite& up = ws.composite[parent];
    up.m += y.m, up.mc += y.mc, up.I += y.I;
  }
}

// put(entry, value) for all pairs of an axis and one above it.
template <class Put>
void MassMatrix::entries(const Tree& tree, const std::vector<NodeState>& nodes, Workspace& ws, Put&& put) const {
  composites(tree, nodes, ws);
  for (std::size_t j = 0; j < tree.column_of_axis.size(); ++j) {
    const int column = tree.column_of_axis[j], node = tree.node_of_v[column];
    const Composite& c = ws.composite[node];
    const Twist s = ws.axes[j] = twist_at(tree, nodes, column, nodes[tree.root[node]].p);
    const Vec3d n = c.I * s.turn + cross(c.mc, s.shift), f = c.m * s.shift - cross(c.mc, s.turn);
    for (int k = start_[j]; k < start_[j + 1]; ++k) {
      const Entry& e = entries_[k];
      put(e, dot(ws.axes[e.i].turn, n) + dot(ws.axes[e.i].shift, f));
    }
  }
  for (const Coupled& e : coupled_) put(e, e.value);
  for (const Modal& e : modal_) put(e, modal_entry(tree, e, nodes, ws));
}

void MassMatrix::add_modal_pattern(const Tree& tree, PatternBuilder& builder) {
  for (std::size_t m = 0; m < tree.modal.size(); ++m) {
    const ModalNode& modal = tree.modal[m];
    for (int k = 0; k < modal.modes; ++k) {
      const int column = modal.iv + k;
      const auto add = [&](int axis, int row) {
        modal_.push_back({{axis, -1, -1, -1, -1, row, column}, static_cast<int>(m), k});
        builder.add(row, column), builder.add(column, row);
      };
      for (const int row : tree.path(modal.node)) add(tree.axis_of[row], row);
      for (int l = 0; l <= k; ++l) add(-1, modal.iv + l);
    }
  }
}

// H_k . S_i with H_k = (e_k, c_k) about the origin of the tree's root; or between two modes.
double MassMatrix::modal_entry(const Tree& tree, const Modal& e, const std::vector<NodeState>& nodes,
                               const Workspace& ws) const {
  const ModalNode& modal = tree.modal[e.modal];
  const ModalMoments& moments = *tree.nodes[modal.node].moments;
  const NodeState& x = nodes[modal.node];
  if (e.i < 0) return modal_mass(moments, *x.guide->modal, e.mode, e.row - modal.iv);
  const Mat3d axes = x.R * moments.axes;
  const Vec3d c = axes * x.guide->modal->ck[e.mode],
              h = axes * x.guide->modal->ek[e.mode] + cross(x.p - nodes[tree.root[modal.node]].p, c);
  return dot(ws.axes[e.i].turn, h) + dot(ws.axes[e.i].shift, c);
}

void MassMatrix::evaluate(const Tree& tree, const std::vector<NodeState>& nodes, Span values, Workspace& ws) const {
  entries(tree, nodes, ws, [&](const Entry& e, double m) { values[e.upper] = values[e.lower] = m; });
  for (const auto& state : states_) values[state.first] = 1.0;
}

void MassMatrix::evaluate_columns(const Tree& tree, const std::vector<NodeState>& nodes, double* const* columns,
                                  Workspace& ws) const {
  for (const auto& [column, slot] : others_) columns[column][slot] = 0.0;
  entries(tree, nodes, ws,
          [&](const Entry& e, double m) { columns[e.column][e.upper_slot] = columns[e.row][e.lower_slot] = m; });
  for (std::size_t k = 0; k < states_.size(); ++k)
    columns[static_cast<std::size_t>(first_state_) + k][states_[k].second] = 1.0;
}

}  // namespace skyhook::formalism::recursive
