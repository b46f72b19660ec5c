#include "skyhook/formalism/recursive/tree_derivatives.h"

#include <algorithm>

namespace skyhook::formalism::recursive {
namespace {

using Kind = Node::Kind;

struct Spatial {
  Vec3d w, v;  // angular, linear
};
inline Spatial cross_motion(const Spatial& a, const Spatial& b) {
  return {cross(a.w, b.w), cross(a.w, b.v) + cross(a.v, b.w)};
}
inline Spatial operator+(const Spatial& a, const Spatial& b) { return {a.w + b.w, a.v + b.v}; }

inline Spatial times_inertia(const TreeDerivatives::Composite& c, const Spatial& x) {
  return {c.I * x.w + cross(c.mc, x.v), c.m * x.v - cross(c.mc, x.w)};
}

inline void put(double* column, int width, const Spatial& x) {
  column[0] = x.w.x, column[width] = x.w.y, column[2 * width] = x.w.z;
  column[3 * width] = x.v.x, column[4 * width] = x.v.y, column[5 * width] = x.v.z;
}
inline Spatial get(const double* column, int width) {
  return {{column[0], column[width], column[2 * width]}, {column[3 * width], column[4 * width], column[5 * width]}};
}

// out[i] = a_i . x for the spatial vectors a_i, i < n, stored as six rows
inline void dots(const double* __restrict a, int width, const Spatial& x, int n, double* __restrict out) {
  const double *a1 = a + width, *a2 = a1 + width, *a3 = a2 + width, *a4 = a3 + width, *a5 = a4 + width;
  for (int i = 0; i < n; ++i)
    out[i] = a[i] * x.w.x + a1[i] * x.w.y + a2[i] * x.w.z + a3[i] * x.v.x + a4[i] * x.v.y + a5[i] * x.v.z;
}
// out[i] = a_i . x + b_i . y for b_i stored as three rows
inline void dots(const double* __restrict a, const double* __restrict b, int width, const Spatial& x, const Vec3d& y,
                 int n, double* __restrict out) {
  const double *a1 = a + width, *a2 = a1 + width, *a3 = a2 + width, *a4 = a3 + width, *a5 = a4 + width, *b1 = b + width,
               *b2 = b1 + width;
  for (int i = 0; i < n; ++i) {
    out[i] = a[i] * x.w.x + a1[i] * x.w.y + a2[i] * x.w.z + a3[i] * x.v.x + a4[i] * x.v.y + a5[i] * x.v.z + b[i] * y.x +
             b1[i] * y.y + b2[i] * y.z;
  }
}

}  // namespace

TreeDerivatives::TreeDerivatives(const Tree& tree) : root_(tree.nodes.size(), 0), width_((tree.nv + 7) / 8 * 8) {
  const int count = static_cast<int>(tree.nodes.size());
  std::vector<int> end(count, 0);  // past the last coordinate of each node's subtree
  for (int i = count - 1; i > 0; --i) {
    end[i] = std::max(end[i], tree.nodes[i].iv + tree.nodes[i].nv());
    end[tree.nodes[i].parent] = std::max(end[tree.nodes[i].parent], end[i]);
  }
  for (int i = 1; i < count; ++i) {
    const Node& node = tree.nodes[i];
    root_[i] = node.parent == 0 ? i : root_[node.parent];
    auto add = [&](int offset, int size, bool rotates) {
      Block block{i, node.iv + offset, size, rotates, end[i], tree.path(node.parent), {}, {}};
      for (int k = 0; k < offset; ++k) block.path.push_back(node.iv + k);
      blocks_.push_back(std::move(block));
    };
    switch (node.kind) {
      case Kind::revolute: add(0, 1, true); break;
      case Kind::prismatic: add(0, 1, false); break;
      case Kind::ball: add(0, 3, true); break;
      case Kind::free: add(0, 3, false), add(3, 3, true); break;
      case Kind::fixed: break;
    }
  }
}

void TreeDerivatives::add_pattern(PatternBuilder& builder) const {
  for (const Block& b : blocks_) {
    for (int j = b.iv; j < b.iv + b.count; ++j) {
      for (int i : b.path) builder.add(i, j);
      for (int i = b.iv; i < b.end; ++i) builder.add(i, j);
    }
  }
}

void TreeDerivatives::find_slots(const Pattern& pattern) {
  std::vector<char> in_tree(pattern.nonzeros(), false);
  for (Block& b : blocks_) {
    for (int k = 0; k < b.count; ++k) {
      const int j = b.iv + k;
      b.down[k] = pattern.find(b.iv, j) - pattern.start[j];
      for (int i = b.iv; i < b.end; ++i) in_tree[pattern.find(i, j)] = true;
      b.up[k].clear();
      for (int i : b.path) {
        const int at = pattern.find(i, j), slot = at - pattern.start[j];
        in_tree[at] = true;
        auto& runs = b.up[k];
        if (!runs.empty() && runs.back().first + runs.back().count == i && runs.back().slot + runs.back().count == slot)
          ++runs.back().count;
        else
          runs.push_back({i, 1, slot});
      }
    }
  }
  others_.clear();
  for (int j = 0; j < pattern.cols; ++j) {
    for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k) {
      if (!in_tree[k]) others_.push_back({j, k - pattern.start[j]});
    }
  }
}

void TreeDerivatives::resize(Workspace& ws) const {
  ws.composite.resize(root_.size());
  ws.axes.assign(static_cast<std::size_t>(rows) * width_ + 4, 0.0);  // four may be read from any coordinate on
}

void TreeDerivatives::composites(const Tree& tree, const std::vector<NodeState>& nodes, Workspace& ws) const {
  const int count = static_cast<int>(tree.nodes.size());
  for (int i = 1; i < count; ++i) {
    const Node& node = tree.nodes[i];
    const NodeState& x = nodes[i];
    Composite& y = ws.composite[i];
    if (node.massless) {
      y = {};
      continue;
    }
    const Vec3d reach = x.R * node.com, c = x.p - nodes[root_[i]].p + reach;
    const Mat3d J = x.R * node.inertia * transpose(x.R);
    const double m = node.mass;
    y.m = m;
    y.mc = m * c;
    y.p = m * (x.v + cross(x.w, reach));
    const double mcc = dot(y.mc, c), cp = 2 * dot(c, y.p);
    y.I = J - outer(y.mc, c);
    y.I.r0.x += mcc, y.I.r1.y += mcc, y.I.r2.z += mcc;
    // N = 2 (c.p) 1 - 2 p c^T - [J w]x + K + K^T with K = [w]x J
    const Mat3d K{x.w.y * J.r2 - x.w.z * J.r1, x.w.z * J.r0 - x.w.x * J.r2, x.w.x * J.r1 - x.w.y * J.r0};
    y.N = K + transpose(K) - skew(J * x.w) - outer(2.0 * y.p, c);
    y.N.r0.x += cp, y.N.r1.y += cp, y.N.r2.z += cp;
    y.f = x.f;
    y.n = x.n + cross(c - reach, x.f);  // c - reach: the node's origin from O
  }
  for (int i = count - 1; i > 0; --i) {
    const int parent = tree.nodes[i].parent;
    if (parent == 0) continue;
    const Composite& y = ws.composite[i];
    Composite& up = ws.composite[parent];
    up.m += y.m, up.mc += y.mc, up.p += y.p, up.I += y.I, up.N += y.N, up.f += y.f, up.n += y.n;
  }
}

void TreeDerivatives::fill_axes(const Tree& tree, const std::vector<NodeState>& nodes, Workspace& ws) const {
  const int W = width_;
  for (const Block& b : blocks_) {
    const Node& node = tree.nodes[b.node];
    const NodeState &x = nodes[b.node], &before = nodes[node.parent];
    const Composite& c = ws.composite[b.node];
    const Vec3d rho = x.p - nodes[root_[b.node]].p, w = before.w;
    const Spatial V{w, x.v + cross(rho, w)}, A{before.al, x.a - cross(w, x.v) + cross(rho, before.al)};
    auto velocity_product = [&](const Spatial& y) { return Spatial{c.N * y.w, 2.0 * cross(y.w, c.p)}; };  // 2B y
    for (int k = 0; k < b.count; ++k) {
      const bool one = node.kind == Kind::revolute || node.kind == Kind::prismatic;
      const Vec3d axis = one ? x.s : b.rotates ? x.R.column(k) : before.R.column(k);
      const Spatial s = b.rotates ? Spatial{axis, cross(rho, axis)} : Spatial{{}, axis};
      const Spatial sd = cross_motion(V, s), sdd = cross_motion(A, s) + cross_motion(V, sd);
      const Vec3d relative =
          b.count == 3 && b.rotates ? cross(x.w - w, axis) : Vec3d{};  // a ball's axes turn with the body
      const Spatial q = sd + sd + Spatial{relative, cross(rho, relative)};
      const Spatial force{cross(s.w, c.n) + cross(s.v, c.f), cross(s.w, c.f)};     // S x* F
      const Vec3d transposed = transpose_times(c.N, s.w) + 2.0 * cross(c.p, s.v);  // angular part of (2B)^T S
      double* const at = ws.axes.data() + b.iv + k;
      put(at + S * W, W, s), put(at + Sd * W, W, sd), put(at + Sdd * W, W, sdd), put(at + Q * W, W, q);
      put(at + R * W, W, times_inertia(c, s));
      put(at + P * W, W, force + times_inertia(c, sdd) + velocity_product(sd));
      put(at + D * W, W, times_inertia(c, q) + velocity_product(s));
      at[B * W] = transposed.x, at[(B + 1) * W] = transposed.y, at[(B + 2) * W] = transposed.z;
    }
  }
}

void TreeDerivatives::evaluate(const Tree& tree, const std::vector<NodeState>& nodes, double* const* stiffness,
                               double* const* damping, double* const* mass, Workspace& ws) const {
  composites(tree, nodes, ws);
  fill_axes(tree, nodes, ws);
  for (const auto& [column, slot] : others_) stiffness[column][slot] = damping[column][slot] = mass[column][slot] = 0.0;
  const int W = width_;
  const double* const axes = ws.axes.data();
  for (const Block& b : blocks_) {
    for (int k = 0; k < b.count; ++k) {
      const int j = b.iv + k;
      const double* const at = axes + j;
      const Spatial s = get(at + S * W, W), sd = get(at + Sd * W, W), r = get(at + R * W, W);
      // rows of the subtree: neighbours in memory, as coordinates are numbered depth first
      const int n = b.end - b.iv, slot = b.down[k];
      const double *const sub_r = axes + R * W + b.iv, *const sub_b = axes + B * W + b.iv;
      dots(sub_r, sub_b, W, get(at + Sdd * W, W), sd.w, n, stiffness[j] + slot);
      dots(sub_r, sub_b, W, get(at + Q * W, W), s.w, n, damping[j] + slot);
      dots(sub_r, W, s, n, mass[j] + slot);
      // rows of the ancestors
      const Spatial p = get(at + P * W, W), d = get(at + D * W, W);
      for (const Block::Run& run : b.up[k]) {
        const double* const above = axes + S * W + run.first;
        dots(above, W, p, run.count, stiffness[j] + run.slot);
        dots(above, W, d, run.count, damping[j] + run.slot);
        dots(above, W, r, run.count, mass[j] + run.slot);
      }
    }
  }
}

}  // namespace skyhook::formalism::recursive
