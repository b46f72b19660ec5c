#include "skyhook/formalism/recursive/tree_derivatives.h"

#include <algorithm>

#include "skyhook/formalism/recursive/completed_moments.h"
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

TreeDerivatives::TreeDerivatives(const Tree& tree)
    : root_(tree.nodes.size(), 0), width_((static_cast<int>(tree.column_of_axis.size()) + 7) / 8 * 8) {
  const int count = static_cast<int>(tree.nodes.size());
  std::vector<int> first(count, 0), end(count, 0);  // of each node's axes; past the last one of its subtree
  int axes = 0;
  for (const int i : tree.depth_first) first[i] = axes, axes += tree.nodes[i].columns();
  for (auto it = tree.depth_first.rbegin(); it != tree.depth_first.rend(); ++it) {
    const int i = *it;
    end[i] = std::max(end[i], first[i] + tree.nodes[i].columns());
    end[tree.nodes[i].parent] = std::max(end[tree.nodes[i].parent], end[i]);
  }
  for (const int i : tree.depth_first) {
    const Node& node = tree.nodes[i];
    root_[i] = node.parent == 0 ? i : root_[node.parent];
    auto add = [&](int offset, int size, bool rotates) {
      Block block{i, first[i] + offset, size, rotates, end[i], {}, {}, {}};
      for (int k = 0; k < size; ++k) block.column[k] = tree.column_of_axis[block.axis + k];
      block_of_axis_.resize(block.axis + size, static_cast<int>(blocks_.size()));
      blocks_.push_back(std::move(block));
    };
    switch (node.kind) {
      case Kind::revolute: add(0, 1, true); break;
      case Kind::prismatic: add(0, 1, false); break;
      case Kind::ball: add(0, 3, true); break;
      case Kind::free: add(0, 3, false), add(3, 3, true); break;
      case Kind::station:
      case Kind::point:
      case Kind::guided: add(0, node.columns(), true), has_guides_ = true; break;
      case Kind::mesh:
      case Kind::modal:
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
  for (const MeshNode& m : tree.meshes) {
    const Pattern& p = *m.mesh->mass.pattern;
    for (int j = 0; j < p.cols; ++j) {
      for (int k = p.start[j]; k < p.start[j + 1]; ++k)
        meshes_.push_back({m.iv + p.row[k], m.iv + j, -1, m.mesh->mass.value[k]});
    }
  }
  for (const ModalNode& m : tree.modal) {
    Modes modes;
    modes.count = static_cast<std::size_t>(m.modes);
    for (const int column : tree.path(m.node)) modes.above.push_back(tree.axis_of[column]);
    modes_.push_back(std::move(modes));
  }
}

std::vector<int> TreeDerivatives::axes_above(const Tree& tree, const Block& b) {
  const Node& node = tree.nodes[b.node];
  std::vector<int> path = tree.path(node.parent);
  for (int& column : path) column = tree.axis_of[column];
  for (int j = tree.axis_of[node.iv]; j < b.axis; ++j) path.push_back(j);
  return path;
}

void TreeDerivatives::add_pattern(const Tree& tree, PatternBuilder& builder) const {
  for (const Coupled& e : coupled_) builder.add(e.i, e.j);
  for (const Coupled& e : meshes_) builder.add(e.i, e.j);
  for (const Block& b : blocks_) {
    const std::vector<int> above = axes_above(tree, b);
    for (int k = 0; k < b.count; ++k) {
      for (int i : above) builder.add(tree.column_of_axis[i], b.column[k]);
      for (int i = b.axis; i < b.end; ++i) builder.add(tree.column_of_axis[i], b.column[k]);
    }
  }
  for (std::size_t m = 0; m < modes_.size(); ++m) {
    const int first = tree.modal[m].iv, end = first + tree.modal[m].modes;
    for (int k = first; k < end; ++k) {
      for (const int i : modes_[m].above)
        builder.add(tree.column_of_axis[i], k), builder.add(k, tree.column_of_axis[i]);
      for (int l = first; l < end; ++l) builder.add(k, l);
    }
  }
}

void TreeDerivatives::add_run(const Pattern& pattern, int row_axis, int row, int column,
                              std::vector<Block::Run>& runs) {
  const int slot = pattern.find(row, column) - pattern.start[column];
  if (!runs.empty() && runs.back().first + runs.back().count == row_axis &&
      runs.back().slot + runs.back().count == slot)
    ++runs.back().count;
  else
    runs.push_back({row_axis, 1, slot});
}

void TreeDerivatives::find_slots(const Tree& tree, const Pattern& pattern) {
  for (Coupled& e : coupled_) e.slot = pattern.find(e.i, e.j) - pattern.start[e.j];
  for (Coupled& e : meshes_) e.slot = pattern.find(e.i, e.j) - pattern.start[e.j];
  std::vector<char> in_tree(pattern.nonzeros(), false);
  for (Block& b : blocks_) {
    const std::vector<int> above = axes_above(tree, b);
    for (int k = 0; k < b.count; ++k) {
      const int j = b.column[k];
      const auto take = [&](int i, std::vector<Block::Run>& runs) {
        in_tree[pattern.find(tree.column_of_axis[i], j)] = true;
        add_run(pattern, i, tree.column_of_axis[i], j, runs);
      };
      b.up[k].clear(), b.down[k].clear();
      for (int i = b.axis; i < b.end; ++i) take(i, b.down[k]);
      for (int i : above) take(i, b.up[k]);
    }
  }
  for (std::size_t m = 0; m < modes_.size(); ++m) {
    Modes& modes = modes_[m];
    const int first = tree.modal[m].iv, end = first + tree.modal[m].modes;
    modes.wrench_slots.clear(), modes.mode_slots.clear(), modes.own_slots.clear();
    const auto take = [&](int i, int j, std::vector<int>& slots) {
      const int at = pattern.find(i, j);
      in_tree[at] = true, slots.push_back(at - pattern.start[j]);
    };
    for (int k = first; k < end; ++k) {
      for (const int i : modes.above)
        take(tree.column_of_axis[i], k, modes.wrench_slots), take(k, tree.column_of_axis[i], modes.mode_slots);
      for (int i = first; i < end; ++i) take(i, k, modes.own_slots);
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
  std::size_t most = 0;
  for (const Modes& modes : modes_) most = std::max(most, modes.count);
  ws.modes.resize(most), ws.by_z.resize(most * most), ws.by_rate.resize(most * most);
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
  if (!tree.modal.empty()) modal_composites(tree, nodes, ws);
  for (int i = count - 1; i > 0; --i) {
    const int parent = tree.nodes[i].parent;
    if (parent == 0) continue;
    const Composite& y = ws.composite[i];
    Composite& up = ws.composite[parent];
    up.m += y.m, up.mc += y.mc, up.p += y.p, up.I += y.I, up.N += y.N, up.f += y.f, up.n += y.n;
  }
}

// As of a rigid body that has just this shape, and beside it the momentum and the change of inertia of its modes.
void TreeDerivatives::modal_composites(const Tree& tree, const std::vector<NodeState>& nodes, Workspace& ws) const {
  for (const ModalNode& modal : tree.modal) {
    const Node& node = tree.nodes[modal.node];
    const NodeState& x = nodes[modal.node];
    const ModalState& own = *x.guide->modal;
    Composite& y = ws.composite[modal.node];
    const Mat3d axes = x.R * node.moments->axes;
    const double m = node.moments->mass;
    const Vec3d origin = x.p - nodes[root_[modal.node]].p, first = axes * own.c, reach = (1 / m) * first,
                c = origin + reach;
    const double square = dot(first, reach);
    Mat3d J = axes * own.I * transpose(axes) + outer(first, reach);
    J.r0.x -= square, J.r1.y -= square, J.r2.z -= square;
    const Vec3d rate = axes * own.cd;
    y.m = m, y.mc = m * c;
    const Vec3d p = m * x.v + cross(x.w, first);
    y.p = p + rate;
    const double mcc = dot(y.mc, c), cp = 2 * dot(c, p) + 2 * dot(origin, rate);
    y.I = J - outer(y.mc, c);
    y.I.r0.x += mcc, y.I.r1.y += mcc, y.I.r2.z += mcc;
    const Mat3d K{x.w.y * J.r2 - x.w.z * J.r1, x.w.z * J.r0 - x.w.x * J.r2, x.w.x * J.r1 - x.w.y * J.r0};
    y.N = K + transpose(K) - skew(J * x.w) - outer(2.0 * p, c) - outer(2.0 * rate, origin) +
          axes * own.Id * transpose(axes) - skew(axes * own.h);
    y.N.r0.x += cp, y.N.r1.y += cp, y.N.r2.z += cp;
    y.f = x.f;
    y.n = x.n + cross(origin, x.f);
  }
}

void TreeDerivatives::modal_entries(const Tree& tree, CSpan a, const std::vector<NodeState>& nodes,
                                    double* const* stiffness, double* const* damping, double* const* mass,
                                    Workspace& ws) const {
  const int W = width_;
  for (std::size_t which = 0; which < modes_.size(); ++which) {
    const ModalNode& modal = tree.modal[which];
    const Modes& modes = modes_[which];
    const Node& node = tree.nodes[modal.node];
    const NodeState& x = nodes[modal.node];
    const Vec3d origin = x.p - nodes[root_[modal.node]].p;
    modal_columns(node, x, a, ws.modes);
    modal_block(node, x, ws.by_z, ws.by_rate);
    const int n = modal.modes;
    const bool varies = completed(*node.moments) != nullptr;
    std::size_t at = 0, own = 0;
    for (int k = 0; k < n; ++k) {
      const ModalColumn& c = ws.modes[k];
      const Vec3d by_z = c.n_z + cross(origin, c.f_z), by_v = c.n_v + cross(origin, c.f_v),
                  by_a = c.n_a + cross(origin, c.f_a);
      const int column = modal.iv + k;
      for (const int axis : modes.above) {
        const double* const s = ws.axes.data() + axis;
        const auto get = [&](int row) { return Vec3d{s[row * W], s[(row + 1) * W], s[(row + 2) * W]}; };
        const Vec3d turn = get(S), shift = get(S + 3);
        const int slot = modes.wrench_slots[at], mode_slot = modes.mode_slots[at], other = tree.column_of_axis[axis];
        ++at;
        stiffness[column][slot] = skyhook::dot(turn, by_z) + skyhook::dot(shift, c.f_z);
        damping[column][slot] = skyhook::dot(turn, by_v) + skyhook::dot(shift, c.f_v);
        mass[column][slot] = skyhook::dot(turn, by_a) + skyhook::dot(shift, c.f_a);
        stiffness[other][mode_slot] =
            skyhook::dot(by_a, get(Sdd)) + skyhook::dot(c.f_a, get(Sdd + 3)) + skyhook::dot(c.by_spin, get(Sd));
        damping[other][mode_slot] =
            skyhook::dot(by_a, get(Q)) + skyhook::dot(c.f_a, get(Q + 3)) + skyhook::dot(c.by_spin, turn);
        mass[other][mode_slot] = mass[column][slot];
      }
      for (int i = 0; i < n; ++i) {
        const auto entry = static_cast<std::size_t>(i * n + k);
        const int slot = modes.own_slots[own++];
        stiffness[column][slot] = ws.by_z[entry], damping[column][slot] = ws.by_rate[entry],
        mass[column][slot] = varies ? modal_mass(*node.moments, *x.guide->modal, i, k) : node.moments->M[entry];
      }
    }
  }
}

// Axes of all coordinates, and of each block the motion before it.
void TreeDerivatives::motions(const Tree& tree, CSpan v, CSpan a, const std::vector<NodeState>& nodes,
                              Workspace& ws) const {
  const int W = width_;
  for (std::size_t at = 0; at < blocks_.size(); ++at) {
    const Block& b = blocks_[at];
    const Node& node = tree.nodes[b.node];
    if (node.guide) {
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
      double* const s = ws.axes.data() + S * W + b.axis + k;
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
    double* const s = ws.axes.data() + row * W + b.axis + k;
    s[0] = turn.x, s[W] = turn.y, s[2 * W] = turn.z, s[3 * W] = shift.x, s[4 * W] = shift.y, s[5 * W] = shift.z;
  };
  std::array<double, 6> own_v{}, own_a{};
  if (node.waist) own_v = node.waist->of(v, node.waist->iv), own_a = node.waist->of(a, node.waist->iv);
  const GuideMotion along = node.waist ? guide_motion(node, before, *x.guide, own_v, own_a)
                                       : guide_motion(node, before, *x.guide, v.subspan(node.iv), a.subspan(node.iv));
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
  const int W = width_, axes = static_cast<int>(block_of_axis_.size());
  for (int j = 0; j < axes; j += 4) {
    Four<Composite> c;
    Four<Motion> m;
    for (int l = 0; l < 4; ++l) {
      const int block = block_of_axis_[std::min(j + l, axes - 1)];
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
      const int j = b.column[k];
      for (const Block::Run& run : b.down[k])
        subtree_rows(run, b.axis + k, {stiffness[j] + run.slot, damping[j] + run.slot, mass[j] + run.slot}, ws);
      for (const Block::Run& run : b.up[k])
        ancestor_rows(run, b.axis + k, {stiffness[j] + run.slot, damping[j] + run.slot, mass[j] + run.slot}, ws);
    }
  }
  for (const Coupled& e : meshes_) mass[e.j][e.slot] += e.value;
  if (!modes_.empty()) modal_entries(tree, a, nodes, stiffness, damping, mass, ws);
}

// Neighbours in memory, as axes are numbered depth first.
void TreeDerivatives::subtree_rows(const Block::Run& run, int j, const Targets& to, const Workspace& ws) const {
  const int W = width_, n = run.count;
  const double *const column = ws.axes.data() + j, *const row = ws.axes.data() + run.first;
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
