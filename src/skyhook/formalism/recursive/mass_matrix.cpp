#include "skyhook/formalism/recursive/mass_matrix.h"

namespace skyhook::formalism::recursive {

MassMatrix::MassMatrix(const Tree& tree) : start_(tree.nv + 1, 0), nodes_(tree.nodes.size()) {}

void MassMatrix::build(const Tree& tree) {
  std::vector<std::vector<int>> above(tree.nv);  // and the coordinate itself
  const int nv = tree.nv + static_cast<int>(tree.states.size());
  PatternBuilder builder(nv, nv);
  for (int j = 0; j < tree.nv; ++j) {
    for (const int i : tree.path(tree.node_of_v[j])) {
      if (i <= j) above[j].push_back(i), builder.add(i, j), builder.add(j, i);
    }
  }
  for (int j = tree.nv; j < nv; ++j) builder.add(j, j);
  for (const CoupledNodes& c : tree.coupled) {
    for (int i = c.first_v; i < c.first_v + c.count; ++i) {
      for (int j = c.first_v; j < c.first_v + c.count; ++j) builder.add(i, j);
    }
  }
  pattern_ = builder.build();
  for (int j = tree.nv; j < nv; ++j) states_.push_back({pattern_.find(j, j), -1});
  for (int j = 0; j < tree.nv; ++j) {
    for (const int i : above[j]) entries_.push_back({i, pattern_.find(i, j), pattern_.find(j, i), -1, -1});
    start_[j + 1] = static_cast<int>(entries_.size());
  }
  for (const CoupledNodes& c : tree.coupled) {
    for (int b = 0; b < c.count; ++b) {
      for (int a = 0; a < b; ++a) {
        const int i = c.first_v + a, j = c.first_v + b;
        coupled_.push_back({{i, pattern_.find(i, j), pattern_.find(j, i), -1, -1}, j, c.off_diagonal(a, b)});
      }
    }
  }
}

void MassMatrix::find_slots(const Pattern& wider) {
  const auto slot = [&](int i, int j) { return wider.find(i, j) - wider.start[j]; };
  const int nv = static_cast<int>(start_.size()) - 1;
  for (int j = 0; j < nv; ++j) {
    for (int k = start_[j]; k < start_[j + 1]; ++k) {
      Entry& e = entries_[k];
      e.upper_slot = slot(e.i, j), e.lower_slot = slot(j, e.i);
    }
  }
  for (Coupled& e : coupled_) e.upper_slot = slot(e.i, e.j), e.lower_slot = slot(e.j, e.i);
  for (std::size_t k = 0; k < states_.size(); ++k) {
    const int j = nv + static_cast<int>(k);
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
  for (int i = count - 1; i > 0; --i) {
    const int parent = tree.nodes[i].parent;
    if (parent == 0) continue;
    const Composite& y = ws.composite[i];
    Composite& up = ws.composite[parent];
    up.m += y.m, up.mc += y.mc, up.I += y.I;
  }
}

// put(j, entry, value) for all pairs of a coordinate j and one above it.
template <class Put>
void MassMatrix::entries(const Tree& tree, const std::vector<NodeState>& nodes, Workspace& ws, Put&& put) const {
  composites(tree, nodes, ws);
  for (int j = 0; j < tree.nv; ++j) {
    const int node = tree.node_of_v[j];
    const Composite& c = ws.composite[node];
    const Twist s = ws.axes[j] = twist_at(tree, nodes, j, nodes[tree.root[node]].p);
    const Vec3d n = c.I * s.turn + cross(c.mc, s.shift), f = c.m * s.shift - cross(c.mc, s.turn);
    for (int k = start_[j]; k < start_[j + 1]; ++k) {
      const Entry& e = entries_[k];
      put(j, e, dot(ws.axes[e.i].turn, n) + dot(ws.axes[e.i].shift, f));
    }
  }
  for (const Coupled& e : coupled_) put(e.j, e, e.value);
}

void MassMatrix::evaluate(const Tree& tree, const std::vector<NodeState>& nodes, Span values, Workspace& ws) const {
  entries(tree, nodes, ws, [&](int, const Entry& e, double m) { values[e.upper] = values[e.lower] = m; });
  for (const auto& state : states_) values[state.first] = 1.0;
}

void MassMatrix::evaluate_columns(const Tree& tree, const std::vector<NodeState>& nodes, double* const* columns,
                                  Workspace& ws) const {
  for (const auto& [column, slot] : others_) columns[column][slot] = 0.0;
  entries(tree, nodes, ws,
          [&](int j, const Entry& e, double m) { columns[j][e.upper_slot] = columns[e.i][e.lower_slot] = m; });
  for (std::size_t k = 0; k < states_.size(); ++k) columns[start_.size() - 1 + k][states_[k].second] = 1.0;
}

}  // namespace skyhook::formalism::recursive
