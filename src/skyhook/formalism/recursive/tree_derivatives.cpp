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

}  // namespace

TreeDerivatives::TreeDerivatives(const Tree& tree) : root_(tree.nodes.size(), 0) {
  for (int i = 1; i < static_cast<int>(tree.nodes.size()); ++i) {
    const Node& node = tree.nodes[i];
    root_[i] = node.parent == 0 ? i : root_[node.parent];
    auto add = [&](int offset, int count, bool rotates) {
      Block block{i, node.iv + offset, count, rotates, 0, {}, {}, tree.path(node.parent)};
      for (int k = 0; k < offset; ++k) block.path.push_back(node.iv + k);
      block.depth = static_cast<int>(block.path.size());
      for (int k = 0; k < count; ++k) block.path.push_back(block.iv + k);
      width_ = std::max(width_, block.depth + count);
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
  width_ = (width_ + 7) / 8 * 8;  // whole vectors
}

void TreeDerivatives::add_pattern(PatternBuilder& builder) const {
  for (const Block& b : blocks_) {
    for (int j = b.iv; j < b.iv + b.count; ++j) {
      for (int i : b.path) builder.add(i, j), builder.add(j, i);
    }
  }
}

void TreeDerivatives::find_slots(const Pattern& pattern) {
  for (Block& b : blocks_) {
    b.up.clear(), b.down.clear();
    for (int j = b.iv; j < b.iv + b.count; ++j) {
      for (int k = 0; k < b.depth; ++k) b.up.push_back(pattern.find(b.path[k], j) - pattern.start[j]);
      for (int i : b.path) b.down.push_back(pattern.find(j, i) - pattern.start[i]);
    }
  }
}

void TreeDerivatives::resize(Workspace& ws) const {
  ws.composite.resize(root_.size());
  ws.stack.assign(24 * static_cast<std::size_t>(width_), 0.0);
  ws.result.assign(5 * static_cast<std::size_t>(width_), 0.0);
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

void TreeDerivatives::evaluate(const Tree& tree, const std::vector<NodeState>& nodes, double* const* stiffness,
                               double* const* damping, double* const* mass, Workspace& ws) const {
  composites(tree, nodes, ws);
  const int W = width_;
  double* const S = ws.stack.data();
  double *const Sd = S + 6 * W, *const Sdd = S + 12 * W, *const Q = S + 18 * W;
  double *const up_k = ws.result.data(), *const up_d = up_k + W, *const m_row = up_k + 2 * W, *const low_k = up_k + 3 * W,
                *const low_d = up_k + 4 * W;
  for (const Block& b : blocks_) {
    const Node& node = tree.nodes[b.node];
    const NodeState &x = nodes[b.node], &before = nodes[node.parent];
    const Composite& c = ws.composite[b.node];
    const Vec3d rho = x.p - nodes[root_[b.node]].p, w = before.w;
    const Vec3d u = x.v + cross(rho, w), acc = x.a - cross(w, x.v) + cross(rho, before.al);
    const Spatial V{w, u}, A{before.al, acc};
    Spatial s[3], sd[3], sdd[3], q[3];
    for (int k = 0; k < b.count; ++k) {
      const Vec3d axis = node.kind == Kind::revolute || node.kind == Kind::prismatic ? x.s
                         : b.rotates                                                 ? x.R.column(k)
                                                                                     : before.R.column(k);
      s[k] = b.rotates ? Spatial{axis, cross(rho, axis)} : Spatial{{}, axis};
      sd[k] = cross_motion(V, s[k]);
      sdd[k] = cross_motion(A, s[k]) + cross_motion(V, sd[k]);
      const Vec3d relative = b.count == 3 && b.rotates ? cross(x.w - w, axis) : Vec3d{};  // a ball's axes turn with the body
      q[k] = sd[k] + sd[k] + Spatial{relative, cross(rho, relative)};
      const int at = b.depth + k;
      put(S + at, W, s[k]), put(Sd + at, W, sd[k]), put(Sdd + at, W, sdd[k]), put(Q + at, W, q[k]);
    }
    for (int k = 0; k < b.count; ++k) {
      const int j = b.iv + k, n = b.depth + b.count;
      auto velocity_product = [&](const Spatial& y) { return Spatial{c.N * y.w, 2.0 * cross(y.w, c.p)}; };  // 2B y
      const Spatial R = times_inertia(c, s[k]);
      const Spatial force{cross(s[k].w, c.n) + cross(s[k].v, c.f), cross(s[k].w, c.f)};  // S x* F
      const Spatial P = force + times_inertia(c, sdd[k]) + velocity_product(sd[k]);
      const Spatial D = times_inertia(c, q[k]) + velocity_product(s[k]);
      const Vec3d B = transpose_times(c.N, s[k].w) + 2.0 * cross(c.p, s[k].v);  // angular part of (2B)^T S
      for (int i = 0; i < n; ++i) {
        const double sx = S[i], sy = S[W + i], sz = S[2 * W + i], tx = S[3 * W + i], ty = S[4 * W + i], tz = S[5 * W + i];
        up_k[i] = sx * P.w.x + sy * P.w.y + sz * P.w.z + tx * P.v.x + ty * P.v.y + tz * P.v.z;
        up_d[i] = sx * D.w.x + sy * D.w.y + sz * D.w.z + tx * D.v.x + ty * D.v.y + tz * D.v.z;
        m_row[i] = sx * R.w.x + sy * R.w.y + sz * R.w.z + tx * R.v.x + ty * R.v.y + tz * R.v.z;
        low_k[i] = Sdd[i] * R.w.x + Sdd[W + i] * R.w.y + Sdd[2 * W + i] * R.w.z + Sdd[3 * W + i] * R.v.x +
                   Sdd[4 * W + i] * R.v.y + Sdd[5 * W + i] * R.v.z + Sd[i] * B.x + Sd[W + i] * B.y + Sd[2 * W + i] * B.z;
        low_d[i] = Q[i] * R.w.x + Q[W + i] * R.w.y + Q[2 * W + i] * R.w.z + Q[3 * W + i] * R.v.x + Q[4 * W + i] * R.v.y +
                   Q[5 * W + i] * R.v.z + sx * B.x + sy * B.y + sz * B.z;
      }
      double *const column_k = stiffness[j], *const column_d = damping[j], *const column_m = mass[j];
      const int* const up = b.up.data() + static_cast<std::size_t>(k) * b.depth;
      for (int i = 0; i < b.depth; ++i) {
        column_k[up[i]] = up_k[i];
        column_d[up[i]] = up_d[i];
        column_m[up[i]] = m_row[i];
      }
      const int* const down = b.down.data() + static_cast<std::size_t>(k) * n;
      for (int i = 0; i < n; ++i) {
        const int col = b.path[i];
        stiffness[col][down[i]] = low_k[i];
        damping[col][down[i]] = low_d[i];
        mass[col][down[i]] = m_row[i];
      }
    }
  }
}

}  // namespace skyhook::formalism::recursive
