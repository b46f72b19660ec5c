#include "skyhook/formalism/recursive/tree_derivatives.h"

#include <algorithm>

#include "skyhook/math/lanes.h"

namespace skyhook::formalism::recursive {
namespace {

using Kind = Node::Kind;

// Spatial vectors of four coordinates.
struct Spatial {
  Vec3<Lanes> w, v;  // angular, linear
};
inline Spatial cross_motion(const Spatial& a, const Spatial& b) {
  return {cross(a.w, b.w), cross(a.w, b.v) + cross(a.v, b.w)};
}
inline Spatial operator+(const Spatial& a, const Spatial& b) { return {a.w + b.w, a.v + b.v}; }
inline Lanes dot(const Spatial& a, const Spatial& b) { return skyhook::dot(a.w, b.w) + skyhook::dot(a.v, b.v); }

inline Vec3<Lanes> load_vector(const double* row, int width) {
  return {Lanes::load(row), Lanes::load(row + width), Lanes::load(row + 2 * width)};
}
inline Spatial load(const double* row, int width) {
  return {load_vector(row, width), load_vector(row + 3 * width, width)};
}
inline void store(double* row, int width, const Vec3<Lanes>& x) {
  x.x.store(row), x.y.store(row + width), x.z.store(row + 2 * width);
}
inline void store(double* row, int width, const Spatial& x) {
  store(row, width, x.w), store(row + 3 * width, width, x.v);
}
// One coordinate in all lanes.
inline Vec3<Lanes> spread_vector(const double* row, int width) {
  return {Lanes(row[0]), Lanes(row[width]), Lanes(row[2 * width])};
}
inline Spatial spread(const double* row, int width) {
  return {spread_vector(row, width), spread_vector(row + 3 * width, width)};
}
inline void store_first(const Lanes& x, int count, double* to) {
  if (count >= 4) return x.store(to);
  to[0] = x[0];
  if (count > 1) to[1] = x[1];
  if (count > 2) to[2] = x[2];
}

// The same member of four structs, each in its lane.
template <class X>
struct Four {
  const X* of[4];
  Lanes get(double X::*m) const { return {of[0]->*m, of[1]->*m, of[2]->*m, of[3]->*m}; }
  Vec3<Lanes> get(Vec3d X::*m) const { return lanes(of[0]->*m, of[1]->*m, of[2]->*m, of[3]->*m); }
  Mat3<Lanes> get(Mat3d X::*m) const {
    const Mat3d &a = of[0]->*m, &b = of[1]->*m, &c = of[2]->*m, &d = of[3]->*m;
    return {lanes(a.r0, b.r0, c.r0, d.r0), lanes(a.r1, b.r1, c.r1, d.r1), lanes(a.r2, b.r2, c.r2, d.r2)};
  }

 private:
  static Vec3<Lanes> lanes(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) {
    return {{a.x, b.x, c.x, d.x}, {a.y, b.y, c.y, d.y}, {a.z, b.z, c.z, d.z}};
  }
};

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
      Block block{i, node.iv + offset, size, rotates, end[i], {}, {}};
      block_of_v_.resize(node.iv + offset + size, static_cast<int>(blocks_.size()));
      blocks_.push_back(std::move(block));
    };
    switch (node.kind) {
      case Kind::revolute: add(0, 1, true); break;
      case Kind::prismatic: add(0, 1, false); break;
      case Kind::ball: add(0, 3, true); break;
      case Kind::free: add(0, 3, false), add(3, 3, true); break;
      case Kind::guided: add(0, node.nv(), true), has_guides_ = true; break;
      case Kind::turned:
      case Kind::slid:
      case Kind::fixed: break;
    }
  }
  for (const CoupledNodes& c : tree.coupled) {
    for (int a = 0; a < c.count; ++a) {
      for (int b = 0; b < c.count; ++b) {
        if (a != b) coupled_.push_back({c.first_v + a, c.first_v + b, -1, c.off_diagonal(a, b)});
      }
    }
  }
}

std::vector<int> TreeDerivatives::coordinates_above(const Tree& tree, const Block& b) {
  const Node& node = tree.nodes[b.node];
  std::vector<int> path = tree.path(node.parent);
  for (int j = node.iv; j < b.iv; ++j) path.push_back(j);
  return path;
}

void TreeDerivatives::add_pattern(const Tree& tree, PatternBuilder& builder) const {
  for (const Coupled& e : coupled_) builder.add(e.i, e.j);
  for (const Block& b : blocks_) {
    const std::vector<int> above = coordinates_above(tree, b);
    for (int j = b.iv; j < b.iv + b.count; ++j) {
      for (int i : above) builder.add(i, j);
      for (int i = b.iv; i < b.end; ++i) builder.add(i, j);
    }
  }
}

void TreeDerivatives::find_slots(const Tree& tree, const Pattern& pattern) {
  for (Coupled& e : coupled_) e.slot = pattern.find(e.i, e.j) - pattern.start[e.j];
  std::vector<char> in_tree(pattern.nonzeros(), false);
  for (Block& b : blocks_) {
    const std::vector<int> above = coordinates_above(tree, b);
    for (int k = 0; k < b.count; ++k) {
      const int j = b.iv + k;
      b.down[k] = pattern.find(b.iv, j) - pattern.start[j];
      for (int i = b.iv; i < b.end; ++i) in_tree[pattern.find(i, j)] = true;
      b.up[k].clear();
      for (int i : above) {
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
  ws.motion.resize(blocks_.size());
  ws.axes.assign(
      static_cast<std::size_t>(has_guides_ ? static_cast<int>(all_rows) : static_cast<int>(rows)) * width_ + 4,
      0.0);  // four may be read from any coordinate on
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

// Axes of all coordinates, and of each block the motion before it.
void TreeDerivatives::motions(const Tree& tree, CSpan v, CSpan a, const std::vector<NodeState>& nodes,
                              Workspace& ws) const {
  const int W = width_;
  for (std::size_t at = 0; at < blocks_.size(); ++at) {
    const Block& b = blocks_[at];
    const Node& node = tree.nodes[b.node];
    if (node.kind == Kind::guided) {
      guided_axes(b, tree, v, a, nodes, ws.motion[at], ws);
      continue;
    }
    const NodeState &x = nodes[b.node], &before = nodes[node.parent];
    const Vec3d rho = x.p - nodes[root_[b.node]].p, w = before.w;
    Motion& m = ws.motion[at];
    m.Vw = w, m.Vv = x.v + cross(rho, w);
    m.Aw = before.al, m.Av = x.a - cross(w, x.v) + cross(rho, before.al);
    const Vec3d turning = b.rotates ? x.w : w;  // a ball's axes turn with the body
    m.Uw = w + turning, m.Uv = 2.0 * x.v + cross(rho, m.Uw);
    for (int k = 0; k < b.count; ++k) {
      const bool one = node.kind == Kind::revolute || node.kind == Kind::prismatic;
      const Vec3d axis = one ? x.s : b.rotates ? x.R.column(k) : before.R.column(k);
      const Vec3d turn = b.rotates ? axis : Vec3d{}, shift = b.rotates ? cross(rho, axis) : axis;
      double* const s = ws.axes.data() + S * W + b.iv + k;
      s[0] = turn.x, s[W] = turn.y, s[2 * W] = turn.z, s[3 * W] = shift.x, s[4 * W] = shift.y, s[5 * W] = shift.z;
    }
  }
}

// The axes of a guide turn with the parent and change by themselves; about O, with the origin at rho that moves.
void TreeDerivatives::guided_axes(const Block& b, const Tree& tree, CSpan v, CSpan a,
                                  const std::vector<NodeState>& nodes, Motion& m, Workspace& ws) const {
  const int W = width_;
  const Node& node = tree.nodes[b.node];
  const NodeState &x = nodes[b.node], &before = nodes[node.parent];
  const Vec3d O = nodes[root_[b.node]].p, rho = x.p - O, reach = before.p - O;
  m.Vw = before.w, m.Vv = before.v + cross(reach, before.w);
  m.Aw = before.al, m.Av = before.a - cross(before.w, before.v) + cross(reach, before.al);
  m.Uw = 2.0 * m.Vw, m.Uv = 2.0 * m.Vv;
  const auto put = [&](int row, int k, const Vec3d& turn, const Vec3d& shift) {
    double* const s = ws.axes.data() + row * W + b.iv + k;
    s[0] = turn.x, s[W] = turn.y, s[2 * W] = turn.z, s[3 * W] = shift.x, s[4 * W] = shift.y, s[5 * W] = shift.z;
  };
  const GuideMotion along = guide_motion(node, before, *x.guide, v, a);
  for (int k = 0; k < b.count; ++k) {
    const auto& c = along.columns[k];
    const Vec3d own = c.shift_rate + cross(along.rate, c.turn) + cross(rho, c.turn_rate);
    const Vec3d own_second = c.shift_acceleration + cross(along.acceleration, c.turn) +
                             2.0 * cross(along.rate, c.turn_rate) + cross(rho, c.turn_acceleration);
    put(S, k, c.turn, c.shift + cross(rho, c.turn));
    put(Own, k, c.turn_rate, own);
    put(OwnSdd, k, cross(m.Vw, c.turn_rate) + c.turn_acceleration,
        cross(m.Vw, own) + cross(m.Vv, c.turn_rate) + own_second);
  }
}

void TreeDerivatives::fill_axes(Workspace& ws) const {
  const int W = width_, nv = static_cast<int>(block_of_v_.size());
  for (int j = 0; j < nv; j += 4) {
    Four<Composite> c;
    Four<Motion> m;
    for (int l = 0; l < 4; ++l) {
      const int block = block_of_v_[std::min(j + l, nv - 1)];
      c.of[l] = &ws.composite[blocks_[block].node], m.of[l] = &ws.motion[block];
    }
    double* const at = ws.axes.data() + j;
    const Spatial s = load(at + S * W, W), V{m.get(&Motion::Vw), m.get(&Motion::Vv)};
    Spatial sd = cross_motion(V, s);
    if (has_guides_) sd = sd + load(at + Own * W, W);
    Spatial sdd = cross_motion({m.get(&Motion::Aw), m.get(&Motion::Av)}, s) + cross_motion(V, sd);
    Spatial q = cross_motion({m.get(&Motion::Uw), m.get(&Motion::Uv)}, s);
    if (has_guides_) {
      const Spatial own = load(at + Own * W, W);
      sdd = sdd + load(at + OwnSdd * W, W), q = q + own + own;
    }
    store(at + Sd * W, W, sd), store(at + Sdd * W, W, sdd), store(at + Q * W, W, q);

    const Lanes mass = c.get(&Composite::m);
    const Vec3<Lanes> mc = c.get(&Composite::mc), twice_p = Lanes(2.0) * c.get(&Composite::p);
    const Mat3<Lanes> I = c.get(&Composite::I), N = c.get(&Composite::N);
    const Vec3<Lanes> f = c.get(&Composite::f), n = c.get(&Composite::n);
    auto inertia = [&](const Spatial& x) { return Spatial{I * x.w + cross(mc, x.v), mass * x.v - cross(mc, x.w)}; };
    auto velocity_product = [&](const Spatial& x) { return Spatial{N * x.w, cross(x.w, twice_p)}; };  // 2B x
    const Spatial force{cross(s.w, n) + cross(s.v, f), cross(s.w, f)};                                // S x* F
    store(at + R * W, W, inertia(s));
    store(at + P * W, W, force + inertia(sdd) + velocity_product(sd));
    store(at + D * W, W, inertia(q) + velocity_product(s));
    store(at + B * W, W, transpose_times(N, s.w) + cross(twice_p, s.v));  // angular part of (2B)^T S
  }
}

void TreeDerivatives::evaluate(const Tree& tree, CSpan v, CSpan a, const std::vector<NodeState>& nodes,
                               double* const* stiffness, double* const* damping, double* const* mass,
                               Workspace& ws) const {
  composites(tree, nodes, ws);
  motions(tree, v, a, nodes, ws);
  fill_axes(ws);
  for (const auto& [column, slot] : others_) stiffness[column][slot] = damping[column][slot] = mass[column][slot] = 0.0;
  for (const Coupled& e : coupled_) mass[e.j][e.slot] = e.value;
  for (const Block& b : blocks_) {
    for (int k = 0; k < b.count; ++k) {
      const int j = b.iv + k;
      subtree_rows(b, j, {stiffness[j] + b.down[k], damping[j] + b.down[k], mass[j] + b.down[k]}, ws);
      for (const Block::Run& run : b.up[k])
        ancestor_rows(run, j, {stiffness[j] + run.slot, damping[j] + run.slot, mass[j] + run.slot}, ws);
    }
  }
}

// Neighbours in memory, as coordinates are numbered depth first.
void TreeDerivatives::subtree_rows(const Block& b, int j, const Targets& to, const Workspace& ws) const {
  const int W = width_, n = b.end - b.iv;
  const double *const column = ws.axes.data() + j, *const row = ws.axes.data() + b.iv;
  const Spatial s = spread(column + S * W, W), sdd = spread(column + Sdd * W, W), q = spread(column + Q * W, W);
  const Vec3<Lanes> sd = spread_vector(column + Sd * W, W);
  for (int i = 0; i < n; i += 4) {
    const Spatial r = load(row + i + R * W, W);
    const Vec3<Lanes> bt = load_vector(row + i + B * W, W);
    store_first(dot(r, sdd) + skyhook::dot(bt, sd), n - i, to.stiffness + i);
    store_first(dot(r, q) + skyhook::dot(bt, s.w), n - i, to.damping + i);
    store_first(dot(r, s), n - i, to.mass + i);
  }
}

void TreeDerivatives::ancestor_rows(const Block::Run& run, int j, const Targets& to, const Workspace& ws) const {
  const int W = width_;
  const double *const column = ws.axes.data() + j, *const row = ws.axes.data() + S * W + run.first;
  const Spatial p = spread(column + P * W, W), d = spread(column + D * W, W), r = spread(column + R * W, W);
  for (int i = 0; i < run.count; i += 4) {
    const Spatial s = load(row + i, W);
    store_first(dot(s, p), run.count - i, to.stiffness + i);
    store_first(dot(s, d), run.count - i, to.damping + i);
    store_first(dot(s, r), run.count - i, to.mass + i);
  }
}

}  // namespace skyhook::formalism::recursive
