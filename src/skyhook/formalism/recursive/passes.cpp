#include "skyhook/formalism/recursive/passes.h"

#include <algorithm>
#include <cmath>

#include "skyhook/formalism/recursive/led_node.h"
#include "skyhook/math/rotation.h"
#include "skyhook/math/sine_and_cosine.h"

namespace skyhook::formalism::recursive {
namespace {

using Kind = Node::Kind;

constexpr double no_time = std::numeric_limits<double>::quiet_NaN();

// In loops over all nodes, where a call would cost as much as the work.
#define SKYHOOK_HOT [[gnu::always_inline]]
#define SKYHOOK_COLD [[gnu::noinline, gnu::cold]]

// Rp * rotation about a coordinate axis turns two columns of Rp.
template <int K>
inline void turn_columns(const Mat3d& Rp, double c, double s, Mat3d& R) {
  constexpr int A = (K + 1) % 3, B = (K + 2) % 3;
  for (int i = 0; i < 3; ++i) {
    const Vec3d& row = Rp[i];
    R[i][K] = row[K];
    R[i][A] = c * row[A] + s * row[B];
    R[i][B] = c * row[B] - s * row[A];
  }
}

inline void turn(const Node& node, const Mat3d& Rp, double q, Mat3d& R, Vec3d& axis) {
  const auto [s, c] = sine_and_cosine(q);
  const double ss = node.axis_sign * s;
  switch (node.axis_code) {
    case 0: turn_columns<0>(Rp, c, ss, R), axis = node.axis_sign * Rp.column(0); break;
    case 1: turn_columns<1>(Rp, c, ss, R), axis = node.axis_sign * Rp.column(1); break;
    case 2: turn_columns<2>(Rp, c, ss, R), axis = node.axis_sign * Rp.column(2); break;
    default: R = Rp * axis_rotation(node.axis, c, s), axis = Rp * node.axis;
  }
}

inline Vec3d load(CSpan x, int i) { return {x[i], x[i + 1], x[i + 2]}; }
inline void store(Span x, int i, const Vec3d& v) { x[i] = v.x, x[i + 1] = v.y, x[i + 2] = v.z; }
inline Mat3d ball_rotation(CSpan q, int i) {
  return rotation_of(Quaternion<double>{q[i], q[i + 1], q[i + 2], q[i + 3]});
}

// A point has six coordinates that are sums of modes, a station six of nodal ones; the body is carried as if it were fixed.
SKYHOOK_COLD void move_point(const Node& node, const NodeState& up, CSpan q, NodeState& x) {
  move_guided(node, up, node.waist->of(q, node.waist->iq), x);
}

SKYHOOK_HOT inline void position(const Node& node, const NodeState& up, CSpan q, NodeState& x) {
  switch (node.kind) {
    case Kind::revolute:
      turn(node, up.R, q[node.iq], x.R, x.s);
      x.d = up.R * node.d;
      break;
    case Kind::turned:
      turn(node, up.R, x.drive.value, x.R, x.s);
      x.d = up.R * node.d;
      break;
    case Kind::prismatic:
      x.R = up.R;
      x.s = up.R * node.axis;
      x.d = up.R * node.d + q[node.iq] * x.s;
      break;
    case Kind::slid:
      if (is_led(node)) {
        move_led(node, up, x);
        break;
      }
      x.R = up.R;
      x.s = up.R * node.axis;
      x.d = up.R * node.d + x.drive.value * x.s;
      break;
    case Kind::ball:
      x.R = up.R * ball_rotation(q, node.iq);
      x.d = up.R * node.d;
      break;
    case Kind::free:
      x.R = up.R * ball_rotation(q, node.iq + 3);
      x.d = up.R * (node.d + load(q, node.iq));
      break;
    case Kind::guided: move_guided(node, up, q.subspan(node.iq), x); break;
    case Kind::modal:
      x.R = up.R;
      x.d = up.R * node.d;
      move_modal(node, q, x);
      break;
    case Kind::station:
    case Kind::point: move_point(node, up, q, x); break;
    case Kind::mesh:
      if (node.is_followed) keep_mesh_positions(node, q, x);
      [[fallthrough]];
    case Kind::fixed:
      x.R = up.R;
      x.d = up.R * node.d;
      break;
  }
  x.p = up.p + x.d;
}

// `use` of the velocity coordinates of a guide, or of what stands for them at a point.
template <class Use>
inline void with_own(const Node& node, CSpan v, Use&& use) {
  if (!node.waist) return use(v.subspan(static_cast<std::size_t>(node.iv)));
  const std::array<double, 6> own = node.waist->of(v, node.waist->iv);
  use(CSpan(own));
}

// Of guides. Apart from the loops, which would have to make room for them on the stack at every node.
SKYHOOK_COLD void add_guided_velocity(const Node& node, CSpan v, NodeState& x) {
  Vec3d turn, shift;
  with_own(node, v, [&](CSpan own) { guided_velocity(node, *x.guide, own, turn, shift); });
  x.w += turn, x.v += shift;
}
SKYHOOK_COLD void add_guided_acceleration(const Node& node, CSpan qdd, const NodeState& x, Vec3d& al, Vec3d& a) {
  Vec3d turn, shift;
  with_own(node, qdd, [&](CSpan own) { guided_velocity(node, *x.guide, own, turn, shift); });
  al += turn, a += shift;
}
SKYHOOK_COLD void guided_velocity_products(const Node& node, const NodeState& up, CSpan v, const NodeState& x,
                                           Vec3d& al, Vec3d& a) {
  Vec3d turn, shift;
  with_own(node, v, [&](CSpan own) { guided_products(node, up, *x.guide, own, turn, shift); });
  const Vec3d wd = x.v - up.v;  // w × d + S v
  al = cross(up.w, x.w - up.w) + turn;
  a = cross(up.w, 2.0 * wd - cross(up.w, x.d)) + shift;
}

SKYHOOK_HOT inline void velocity(const Node& node, const NodeState& up, CSpan v, NodeState& x) {
  x.w = up.w;
  x.v = up.v + cross(up.w, x.d);
  switch (node.kind) {
    case Kind::revolute: x.w += v[node.iv] * x.s; break;
    case Kind::turned: x.w += x.drive.rate * x.s; break;
    case Kind::prismatic: x.v += v[node.iv] * x.s; break;
    case Kind::slid:
      if (is_led(node))
        x.w += x.drive.rate * x.guide->turn[0], x.v += x.drive.rate * x.guide->shift[0];
      else
        x.v += x.drive.rate * x.s;
      break;
    case Kind::ball: x.w += x.R * load(v, node.iv); break;
    case Kind::free: x.v += up.R * load(v, node.iv), x.w += x.R * load(v, node.iv + 3); break;
    case Kind::station:
    case Kind::point:
    case Kind::guided: add_guided_velocity(node, v, x); break;
    case Kind::modal: modal_velocity(node, v, x); break;
    case Kind::mesh:
      if (node.is_followed) keep_mesh_rates(node, v, x);
      break;
    case Kind::fixed: break;
  }
}

// Accelerations of the node for zero joint acceleration, given those of its parent: what velocities and drives cause.
inline void velocity_products(const Node& node, const NodeState& up, CSpan v, const NodeState& x, Vec3d& al, Vec3d& a) {
  const Vec3d wd = x.v - up.v;  // w × d for all but sliding joints
  switch (node.kind) {
    case Kind::revolute:
      al = v[node.iv] * cross(up.w, x.s);
      a = cross(up.w, wd);
      break;
    case Kind::turned:
      al = x.drive.rate * cross(up.w, x.s) + x.drive.acceleration * x.s;
      a = cross(up.w, wd);
      break;
    case Kind::prismatic:
      al = {};
      a = cross(up.w, wd + v[node.iv] * x.s);  // w × (w × d) + 2 w × s v
      break;
    case Kind::slid:
      if (is_led(node)) return led_products(node, up, x, al, a);
      al = {};
      a = cross(up.w, wd + x.drive.rate * x.s) + x.drive.acceleration * x.s;
      break;
    case Kind::ball:
      al = cross(up.w, x.w - up.w);
      a = cross(up.w, wd);
      break;
    case Kind::free:
      al = cross(up.w, x.w - up.w);
      a = cross(up.w, wd + up.R * load(v, node.iv));
      break;
    case Kind::station:
    case Kind::point:
    case Kind::guided: return guided_velocity_products(node, up, v, x, al, a);
    case Kind::mesh:
    case Kind::modal:
    case Kind::fixed:
      al = {};
      a = cross(up.w, wd);
      break;
  }
}

SKYHOOK_HOT inline void joint_acceleration(const Node& node, const NodeState& up, CSpan qdd, const NodeState& x,
                                           Vec3d& al, Vec3d& a) {
  switch (node.kind) {
    case Kind::revolute: al += qdd[node.iv] * x.s; break;
    case Kind::prismatic: a += qdd[node.iv] * x.s; break;
    case Kind::ball: al += x.R * load(qdd, node.iv); break;
    case Kind::free: a += up.R * load(qdd, node.iv), al += x.R * load(qdd, node.iv + 3); break;
    case Kind::station:
    case Kind::point:
    case Kind::guided: add_guided_acceleration(node, qdd, x, al, a); break;
    case Kind::mesh:
    case Kind::modal:
    case Kind::turned:
    case Kind::slid:
    case Kind::fixed: break;
  }
}

SKYHOOK_HOT inline void acceleration(const Node& node, const NodeState& up, CSpan v, CSpan qdd, NodeState& x) {
  Vec3d al, a;
  velocity_products(node, up, v, x, al, a);
  x.al = up.al + al;
  x.a = up.a + cross(up.al, x.d) + a;
  joint_acceleration(node, up, qdd, x, x.al, x.a);
}

SKYHOOK_HOT inline void inertia_force(const Node& node, NodeState& x) {
  if (node.massless) {
    x.f = x.n = {};
    return;
  }
  const Vec3d c = x.R * node.com;
  x.f = node.mass * (x.a + cross(x.al, c) + cross(x.w, cross(x.w, c)));
  const Vec3d w = transpose_times(x.R, x.w), al = transpose_times(x.R, x.al);
  x.n = x.R * (node.inertia * al + cross(w, node.inertia * w)) + cross(c, x.f);
}

inline void set_ground(const Vec3d& gravity, NodeState& x) {
  x.R = Mat3d::identity();
  x.p = x.w = x.v = x.al = x.s = x.d = x.f = x.n = {};
  x.a = -gravity;  // gravity as an acceleration of the ground: every body feels it
}

}  // namespace

// Formulas of time are expensive beside a pass, and Newton's iteration stays at one time: kept until that changes.
void set_drives(const Tree& tree, double t, Drives drives, std::vector<NodeState>& states) {
  take_mark(states);
  if (tree.driven.empty()) return;
  double& time = states[0].drive.value;
  for (const DrivenNode& driven : tree.driven) {
    NodeState& x = states[driven.node];
    const Node& node = tree.nodes[driven.node];
    if (time != t) x.drive = node.drive->at(t), x.drive.value -= node.drive_reference;
    if (drives == Drives::stand) x.drive.rate = x.drive.acceleration = 0;
  }
  time = drives == Drives::stand ? no_time : t;
}

void set_drives(const Tree& tree, CSpan motions, std::vector<NodeState>& states) {
  take_mark(states);
  for (std::size_t k = 0; k < tree.driven.size(); ++k) {
    NodeState& x = states[tree.driven[k].node];
    const double reference = tree.nodes[tree.driven[k].node].drive_reference;
    x.drive = {motions[3 * k] - reference, motions[3 * k + 1], motions[3 * k + 2]};
  }
  states[0].drive.value = no_time;
}

void inertia_forces(const Tree& tree, const Vec3d& gravity, CSpan q, CSpan v, CSpan a, std::vector<NodeState>& states) {
  take_mark(states);
  set_ground(gravity, states[0]);
  const int n = static_cast<int>(tree.nodes.size());
  for (int i = 1; i < n; ++i) {
    const Node& node = tree.nodes[i];
    const NodeState& up = states[node.parent];
    NodeState& x = states[i];
    position(node, up, q, x);
    velocity(node, up, v, x);
    acceleration(node, up, v, a, x);
    inertia_force(node, x);
  }
  if (!tree.coupled.empty()) add_coupled_inertia(tree, a, states);
  if (!tree.modal.empty()) add_modal_inertia(tree, a, states);
  if (!tree.meshes.empty()) add_mesh_inertia(tree, a, states);
}

void inertia_forces(const Tree& tree, CSpan a, std::vector<NodeState>& states) {
  take_mark(states);
  states[0].f = states[0].n = {};
  const int n = static_cast<int>(tree.nodes.size());
  for (int i = 1; i < n; ++i) inertia_force(tree.nodes[i], states[i]);
  if (!tree.coupled.empty()) add_coupled_inertia(tree, a, states);
}

void positions(const Tree& tree, CSpan q, std::vector<NodeState>& states) {
  take_mark(states);
  states[0].R = Mat3d::identity(), states[0].p = {};
  const int n = static_cast<int>(tree.nodes.size());
  for (int i = 1; i < n; ++i) position(tree.nodes[i], states[tree.nodes[i].parent], q, states[i]);
}

void positions_velocities(const Tree& tree, CSpan q, CSpan v, std::vector<NodeState>& states) {
  take_mark(states);
  set_ground({}, states[0]);
  const int n = static_cast<int>(tree.nodes.size());
  for (int i = 1; i < n; ++i) {
    const Node& node = tree.nodes[i];
    const NodeState& up = states[node.parent];
    NodeState& x = states[i];
    position(node, up, q, x);
    velocity(node, up, v, x);
    x.f = x.n = {};
  }
}

void accelerations(const Tree& tree, const Vec3d& gravity, CSpan v, CSpan a, std::vector<NodeState>& states) {
  take_mark(states);
  states[0].a = -gravity;
  states[0].al = {};
  const int n = static_cast<int>(tree.nodes.size());
  for (int i = 1; i < n; ++i) acceleration(tree.nodes[i], states[tree.nodes[i].parent], v, a, states[i]);
  if (!tree.meshes.empty()) keep_mesh_accelerations(tree, a, states);
}

void add_inertia_forces(const Tree& tree, const Vec3d& gravity, CSpan v, CSpan a, std::vector<NodeState>& states) {
  take_mark(states);
  states[0].a = -gravity;
  states[0].al = {};
  const int n = static_cast<int>(tree.nodes.size());
  for (int i = 1; i < n; ++i) {
    NodeState& x = states[i];
    acceleration(tree.nodes[i], states[tree.nodes[i].parent], v, a, x);
    const Load applied{x.f, x.n};
    inertia_force(tree.nodes[i], x);
    x.f += applied.f, x.n += applied.n;
  }
  if (!tree.coupled.empty()) add_coupled_inertia(tree, a, states);
}

// Until it has become a force each node holds its change in f and n, angular in n.
void change_accelerations(const Tree& tree, CSpan change, std::vector<NodeState>& states) {
  take_mark(states);
  states[0].f = states[0].n = {};
  const int count = static_cast<int>(tree.nodes.size());
  for (int i = 1; i < count; ++i) {
    const NodeState& up = states[tree.nodes[i].parent];
    NodeState& x = states[i];
    x.n = up.n, x.f = up.f + cross(up.n, x.d);
    joint_acceleration(tree.nodes[i], up, change, x, x.n, x.f);
  }
  for (int i = 1; i < count; ++i) {
    const Node& node = tree.nodes[i];
    NodeState& x = states[i];
    x.al += x.n, x.a += x.f;
    if (node.massless) {
      if (node.kind == Kind::modal)
        modal_change(node, x.n, x.f, change, x);
      else
        x.f = x.n = {};
      if (node.kind == Kind::mesh) mesh_change(node, change, x);
      continue;
    }
    const Vec3d c = x.R * node.com;
    x.f = node.mass * (x.f + cross(x.n, c));
    x.n = x.R * (node.inertia * transpose_times(x.R, x.n)) + cross(c, x.f);
  }
  if (!tree.coupled.empty()) add_coupled_inertia(tree, change, states);
}

namespace {

// A point adds to what its modes feel, a station to what inertia takes of the coordinates of its mesh, which stands there before.
SKYHOOK_COLD void project_point(const Node& node, const NodeState& x, const Vec3d& f, const Vec3d& n, Span tau) {
  std::array<double, 6> six;
  guided_projection(node, *x.guide, f, n, six);
  node.waist->add_transposed(six, tau);
}

// One node: its part of tau, and the wrench `load` of its subtree as the parent sees it.
template <class Wrench>
SKYHOOK_HOT inline void project_one(const Node& node, const NodeState& x, const NodeState& up, const Wrench& load,
                                    Wrench& load_up, Span tau) {
  switch (node.kind) {
    case Kind::revolute: tau[node.iv] = dot(x.s, load.n); break;
    case Kind::prismatic: tau[node.iv] = dot(x.s, load.f); break;
    case Kind::ball: store(tau, node.iv, transpose_times(x.R, load.n)); break;
    case Kind::free:
      store(tau, node.iv, transpose_times(up.R, load.f));
      store(tau, node.iv + 3, transpose_times(x.R, load.n));
      break;
    case Kind::guided: guided_projection(node, *x.guide, load.f, load.n, tau.subspan(node.iv)); break;
    case Kind::station:
    case Kind::point: project_point(node, x, load.f, load.n, tau); break;
    case Kind::mesh:
    case Kind::modal:
    case Kind::turned:
    case Kind::slid:
    case Kind::fixed: break;
  }
  load_up.f += load.f;
  load_up.n += load.n + cross(x.d, load.f);
}

}  // namespace

void project(const Tree& tree, std::vector<NodeState>& x, Span tau) {
  take_mark(x);
  for (const ModalNode& modal : tree.modal) {
    const std::vector<double>& own = x[modal.node].guide->modal->tau;
    std::copy(own.begin(), own.end(), tau.begin() + modal.iv);
  }
  for (const MeshNode& mesh : tree.meshes) {
    const std::vector<double>& own = x[mesh.node].guide->modal->tau;
    std::copy(own.begin(), own.end(), tau.begin() + mesh.iv);
  }
  for (int i = static_cast<int>(tree.nodes.size()) - 1; i > 0; --i) {
    const Node& node = tree.nodes[i];
    project_one(node, x[i], x[node.parent], x[i], x[node.parent], tau);
  }
}

void project(const Tree& tree, const std::vector<int>& inward, const std::vector<NodeState>& x,
             std::vector<Load>& loads, Span tau) {
  for (const int i : inward) {
    const Node& node = tree.nodes[i];
    project_one(node, x[i], x[node.parent], loads[i], loads[node.parent], tau);
  }
}

namespace {

constexpr double no_inertia = 1e-13;  // relative: less than this is rounding

inline Mat3d symmetric_inverse(const Mat3d& m, bool& singular) {
  const Vec3d a = cross(m.r1, m.r2), b = cross(m.r2, m.r0), c = cross(m.r0, m.r1);
  const double det = dot(m.r0, a);
  const double size = trace(m);
  singular = !(det > 1e-30 * size * size * size);
  return (1.0 / det) * Mat3d{a, b, c};
}

// [I H; Hᵀ M] and bias of the body alone; wrench (f, n) of the node is what elements take away.
SKYHOOK_HOT inline void rigid_inertia(const Node& node, const NodeState& x, Articulated& y) {
  if (node.massless) {
    y.I = y.H = y.M = {};
    y.pn = x.n, y.pf = x.f;
    return;
  }
  const Vec3d c = x.R * node.com, mc = node.mass * c;
  const double m = node.mass, mcc = dot(mc, c);
  const Mat3d RJ = x.R * node.inertia;  // R J Rᵀ is symmetric: six entries are enough
  const double xx = dot(RJ.r0, x.R.r0) + mcc - mc.x * c.x, yy = dot(RJ.r1, x.R.r1) + mcc - mc.y * c.y,
               zz = dot(RJ.r2, x.R.r2) + mcc - mc.z * c.z;
  const double xy = dot(RJ.r0, x.R.r1) - mc.x * c.y, xz = dot(RJ.r0, x.R.r2) - mc.x * c.z,
               yz = dot(RJ.r1, x.R.r2) - mc.y * c.z;
  y.I = {{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}};
  y.H = skew(mc);
  y.M = Mat3d::diagonal({m, m, m});
  // About the node's origin the inertia I contains that of the centre: w x (I w) is the moment of all centrifugal forces.
  y.pf = x.f + cross(x.w, cross(x.w, mc));
  y.pn = x.n + cross(x.w, y.I * x.w);
}

// y += X^T (Ia, pa) X: the inertia Ia and force pa of a child, seen from the parent's origin, d from parent to child.
inline void add_shifted(const Mat3d& I, const Mat3d& H, const Mat3d& M, const Vec3d& pn, const Vec3d& pf,
                        const Vec3d& d, Articulated& y) {
  auto skew_times = [&](const Mat3d& m) {  // [d]× m
    return Mat3d{d.y * m.r2 - d.z * m.r1, d.z * m.r0 - d.x * m.r2, d.x * m.r1 - d.y * m.r0};
  };
  auto times_skew = [&](const Mat3d& m) {  // m [d]×: row r becomes r × d
    return Mat3d{cross(m.r0, d), cross(m.r1, d), cross(m.r2, d)};
  };
  const Mat3d H2 = H + skew_times(M);
  y.M += M;
  y.H += H2;
  y.I += I + skew_times(transpose(H)) - times_skew(H2);
  y.pf += pf;
  y.pn += pn + cross(d, pf);
}

// One coordinate with U = IA S: what the parent sees once the coordinate is free.
inline void pass_one_dof(const NodeState& x, Articulated& y, Articulated& up) {
  const Vec3d n = y.inverse_D * y.Un, f = y.inverse_D * y.Uf;
  const Mat3d I = y.I - outer(n, y.Un), H = y.H - outer(n, y.Uf), M = y.M - outer(f, y.Uf);
  const Vec3d pn = y.pn + I * y.cal + H * y.ca + y.u * n;
  const Vec3d pf = y.pf + transpose_times(H, y.cal) + M * y.ca + y.u * f;
  add_shifted(I, H, M, pn, pf, x.d, up);
}

// A ball passes no moment: only M' = M - Hᵀ I^-1 H remains.
inline void pass_ball(const NodeState& x, const Vec3d& tau, Articulated& y, Articulated& up) {
  const Mat3d K = transpose(y.H) * y.inverse_I;  // Hᵀ I^-1
  const Mat3d M = y.M - K * y.H;
  const Vec3d pf = y.pf + M * y.ca + K * (tau - y.pn);
  add_shifted({}, {}, M, tau, pf, x.d, up);
}

// Six coordinates at once: [I H; Hᵀ M] (al, a) = (rn, rf) by elimination of the angular part.
inline bool solve_free(const Articulated& y, const Vec3d& rn, const Vec3d& rf, Vec3d& al, Vec3d& a) {
  bool singular;
  const Mat3d K = transpose(y.H) * y.inverse_I;
  const Mat3d S = symmetric_inverse(y.M - K * y.H, singular);
  a = S * (rf - K * rn);
  al = y.inverse_I * (rn - y.H * a);
  return !singular;
}

// A single body: about its centre of mass force and moment decouple.
inline bool solve_single_body(const Node& node, const NodeState& x, const Vec3d& n, const Vec3d& f, Vec3d& al,
                              Vec3d& a) {
  const Vec3d c = x.R * node.com;
  bool singular;
  const Mat3d inverse = symmetric_inverse(node.inertia, singular);
  const Vec3d w = transpose_times(x.R, x.w);
  const Vec3d moment = transpose_times(x.R, n - cross(c, f)) - cross(w, node.inertia * w);
  al = x.R * (inverse * moment);
  a = (1.0 / node.mass) * f - cross(al, c) - cross(x.w, cross(x.w, c));
  return !singular && node.mass > 0;
}

// Nothing of the inertia is free any more.
inline void pass_fixed(const Node& node, const NodeState& x, const Articulated& y, Articulated& up) {
  if (!node.parent) return;
  add_shifted(y.I, y.H, y.M, y.pn + y.I * y.cal + y.H * y.ca, y.pf + transpose_times(y.H, y.cal) + y.M * y.ca, x.d, up);
}

// What forces do to the coordinates of a station.
void project_station_forces(const Node& node, const Articulated& y, GuideState& at) {
  for (int k = 0; k < node.columns(); ++k) at.z[k] = -dot(at.turn[k], y.pn) - dot(at.shift[k], y.pf);
}

// What each node's subtree opposes to its motion, the coordinates within it being free. The node without inertia, 0: none.
int release_inwards(const Tree& tree, CSpan tau, std::vector<NodeState>& states, std::vector<Articulated>& work) {
  for (int i = static_cast<int>(tree.nodes.size()) - 1; i > 0; --i) {
    const Node& node = tree.nodes[i];
    NodeState& x = states[i];
    Articulated &y = work[i], &up = work[node.parent];
    bool singular = false;
    switch (node.kind) {
      case Kind::revolute:
        y.Un = y.I * x.s, y.Uf = transpose_times(y.H, x.s);
        y.u = tau[node.iv] - dot(x.s, y.pn);
        singular = !(dot(x.s, y.Un) > no_inertia * trace(y.I));
        y.inverse_D = 1.0 / dot(x.s, y.Un);
        if (node.parent) pass_one_dof(x, y, up);
        break;
      case Kind::prismatic:
        y.Un = y.H * x.s, y.Uf = y.M * x.s;
        y.u = tau[node.iv] - dot(x.s, y.pf);
        singular = !(dot(x.s, y.Uf) > no_inertia * trace(y.M));
        y.inverse_D = 1.0 / dot(x.s, y.Uf);
        if (node.parent) pass_one_dof(x, y, up);
        break;
      case Kind::ball:
        y.inverse_I = symmetric_inverse(y.I, singular);
        if (node.parent) pass_ball(x, x.R * load(tau, node.iv), y, up);
        break;
      case Kind::free: {
        if (!node.leaf) y.inverse_I = symmetric_inverse(y.I, singular);
        if (node.parent) {  // only the applied forces reach the parent
          const Vec3d f = states[node.parent].R * load(tau, node.iv), n = x.R * load(tau, node.iv + 3);
          up.pf += f;
          up.pn += n + cross(x.d, f);
        }
        break;
      }
      case Kind::guided:
        singular = !release_guided(node, tau.subspan(node.iv), *x.guide, y);
        pass_fixed(node, x, y, up);
        break;
      case Kind::modal:
        singular = !release_modal(node, tau, x, y);
        pass_fixed(node, x, y, up);
        break;
      case Kind::station:
        project_station_forces(node, y, *x.guide), pass_fixed(node, x, y, up);
        break;  // the mesh takes them all
      case Kind::point: add_point_to_modal(node, x, y, states[node.parent]); [[fallthrough]];
      case Kind::mesh:
      case Kind::turned:
      case Kind::slid:
      case Kind::fixed: pass_fixed(node, x, y, up); break;
    }
    if (singular) return i;
  }
  return 0;
}

// Accelerations from the ground on.
int accelerate_outwards(const Tree& tree, CSpan tau, const std::vector<Articulated>& work,
                        std::vector<NodeState>& states, Span qdd) {
  for (int i = 1; i < static_cast<int>(tree.nodes.size()); ++i) {
    const Node& node = tree.nodes[i];
    const NodeState& up = states[node.parent];
    NodeState& x = states[i];
    const Articulated& y = work[i];
    const Vec3d al_carried = up.al + y.cal, a_carried = up.a + cross(up.al, x.d) + y.ca;
    x.al = al_carried, x.a = a_carried;
    switch (node.kind) {
      case Kind::revolute:
      case Kind::prismatic: qdd[node.iv] = (y.u - dot(y.Un, al_carried) - dot(y.Uf, a_carried)) * y.inverse_D; break;
      case Kind::ball: {
        const Vec3d n = x.R * load(tau, node.iv) - y.pn;
        store(qdd, node.iv, transpose_times(x.R, y.inverse_I * (n - y.H * a_carried) - al_carried));
        break;
      }
      case Kind::free: {
        const Vec3d f = up.R * load(tau, node.iv), n = x.R * load(tau, node.iv + 3);
        Vec3d al, a;
        const bool ok =
            node.leaf ? solve_single_body(node, x, n - x.n, f - x.f, al, a) : solve_free(y, n - y.pn, f - y.pf, al, a);
        if (!ok) return i;
        store(qdd, node.iv, transpose_times(up.R, a - a_carried));
        store(qdd, node.iv + 3, transpose_times(x.R, al - al_carried));
        break;
      }
      case Kind::guided: guided_acceleration(node, *x.guide, x.al, x.a, qdd.subspan(node.iv)); break;
      case Kind::modal: modal_acceleration(node, x, qdd); break;
      case Kind::mesh:
        if (!mesh_accelerations(tree, node, tau, work, states, qdd)) return i;
        break;
      case Kind::station:
      case Kind::point:
      case Kind::turned:
      case Kind::slid:
      case Kind::fixed: break;
    }
    joint_acceleration(node, up, qdd, x, x.al, x.a);
  }
  return 0;
}

}  // namespace

int solve_accelerations(const Tree& tree, const Vec3d& gravity, CSpan v, CSpan tau, std::vector<NodeState>& states,
                        std::vector<Articulated>& work, Span qdd) {
  take_mark(states);
  for (std::size_t i = 1; i < tree.nodes.size(); ++i) {
    const Node& node = tree.nodes[i];
    velocity_products(node, states[node.parent], v, states[i], work[i].cal, work[i].ca);
    const bool single = node.kind == Kind::free && node.leaf;
    if (!single) rigid_inertia(node, states[i], work[i]);
  }
  for (const ModalNode& modal : tree.modal)
    modal_articulated(tree.nodes[modal.node], states[modal.node], work[modal.node]);
  if (const int without = release_inwards(tree, tau, states, work)) return without;
  states[0].a = -gravity;
  states[0].al = {};
  if (const int without = accelerate_outwards(tree, tau, work, states, qdd)) return without;
  if (!tree.coupled.empty()) couple_accelerations(tree, work, states, qdd);
  return 0;
}

}  // namespace skyhook::formalism::recursive
