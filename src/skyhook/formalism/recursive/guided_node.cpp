#include "skyhook/formalism/recursive/guided_node.h"

#include <algorithm>
#include <cmath>

#include "skyhook/formalism/recursive/passes.h"
#include "skyhook/formalism/recursive/waist_pose.h"

namespace skyhook::formalism::recursive {
namespace {

using model::ByBoth;
using model::ByCoordinate;
using model::GuidePose;

constexpr int most = GuideState::most;
constexpr double no_inertia = 1e-13;  // relative: less than this is rounding

// The vector of the skew part.
template <class T>
Vec3<T> axial(const Mat3<T>& m) {
  const T half(0.5);
  return {half * (m.r2.y - m.r1.z), half * (m.r0.z - m.r2.x), half * (m.r1.x - m.r0.y)};
}

// Each entry of a vector or matrix by `get`.
template <class T, class Get>
auto entries(const Vec3<T>& a, Get&& get) {
  return Vec3<std::remove_cvref_t<decltype(get(a.x))>>{get(a.x), get(a.y), get(a.z)};
}
template <class T, class Get>
auto entries(const Mat3<T>& a, Get&& get) {
  return Mat3<std::remove_cvref_t<decltype(get(a.r0.x))>>{entries(a.r0, get), entries(a.r1, get), entries(a.r2, get)};
}

Vec3d values(const Vec3<Jet2>& a) {
  return entries(a, [](const Jet2& x) { return value(x); });
}
Vec3d rates(const Vec3<Jet2>& a) {
  return entries(a, [](const Jet2& x) { return rate(x); });
}
Vec3d second_rates(const Vec3<Jet2>& a) {
  return entries(a, [](const Jet2& x) { return acceleration(x); });
}

// The columns of S along a motion in time, in axes of the parent.
struct Columns {
  std::array<Vec3<Jet2>, most> turn, shift;
  Vec3<Jet2> r;
};

Columns columns_along(const Node& node, const std::array<Jet2, most>& motion) {
  std::array<ByBoth, most> q;
  const int n = node.columns();
  for (int k = 0; k < n; ++k) q[k] = ByBoth::variable(motion[k], k);
  const GuidePose<ByBoth> pose = node.guide->pose(std::span<const ByBoth>(q.data(), n));
  const auto here = [](const ByBoth& x) { return x.v; };
  const Mat3<Jet2> back = transpose(entries(pose.R, here));
  Columns out;
  out.r = entries(pose.r, here);
  for (int k = 0; k < n; ++k) {
    const auto change = [k](const ByBoth& x) { return x.d[k]; };
    out.turn[k] = axial(entries(pose.R, change) * back);
    out.shift[k] = entries(pose.r, change);
  }
  return out;
}

}  // namespace

namespace {

// Points of bodies that bend: shifts along the axes of the parent, then a rotation vector (waist_pose.h).
void move_waist(const Node& node, const NodeState& up, std::span<const double> q, GuideState& at, NodeState& x) {
  const Vec3d theta{q[3], q[4], q[5]};
  const RotationCoefficients<double> k(dot(theta, theta));
  x.R = up.R * of_vector(theta, k.s, k.c);
  x.d = up.R * (node.d + Vec3d{q[0], q[1], q[2]});
  const Mat3d J = up.R * of_vector(theta, k.c, k.d);
  for (int i = 0; i < 6; ++i) at.q[i] = q[i];
  for (int i = 0; i < 3; ++i) {
    at.turn[i] = {}, at.shift[i] = up.R.column(i);
    at.turn[i + 3] = J.column(i), at.shift[i + 3] = {};
  }
}

Mat3<Jet2> jacobian_along(const GuideState& at, std::span<const double> v, std::span<const double> a) {
  return left_jacobian(Vec3<Jet2>{jet2(at.q[3], v[3], a[3]), jet2(at.q[4], v[4], a[4]), jet2(at.q[5], v[5], a[5])});
}

constexpr std::array<double, 6> none{};

// J' v = c' t x v + d' t x (t x v) + d v x (t x v), J = 1 + c [t] + d [t]^2 and [v] v = 0.
void waist_products(const NodeState& up, const GuideState& at, std::span<const double> v, Vec3d& turn, Vec3d& shift) {
  const Vec3d theta{at.q[3], at.q[4], at.q[5]}, rate{v[3], v[4], v[5]}, across = cross(theta, rate);
  Dual<1> square(dot(theta, theta));
  square.d[0] = 2 * dot(theta, rate);
  const RotationCoefficients<Dual<1>> k(square);
  turn = up.R * (k.c.d[0] * across + cross(k.d.d[0] * theta + k.d.v * rate, across)), shift = {};
}

GuideMotion waist_motion(const NodeState& up, const GuideState& at, std::span<const double> v,
                         std::span<const double> a) {
  GuideMotion out;
  out.rate = up.R * Vec3d{v[0], v[1], v[2]}, out.acceleration = up.R * Vec3d{a[0], a[1], a[2]};
  const Mat3<Jet2> along = jacobian_along(at, v, a);
  for (int i = 0; i < 3; ++i) {
    const Vec3<Jet2> turn = along.column(i);
    out.columns[i] = {{}, {}, {}, up.R.column(i), {}, {}};
    out.columns[i + 3] = {up.R * values(turn), up.R * rates(turn), up.R * second_rates(turn), {}, {}, {}};
  }
  return out;
}

void waist_curvature(const NodeState& up, const GuideState& at, const Vec3d& f, const Vec3d& n,
                     std::span<double> block) {
  std::fill_n(block.begin(), 36, 0.0);
  const Vec3d moment = transpose_times(up.R, n);
  for (int i = 0; i < 3; ++i) {
    std::array<double, 6> along{};
    along[i + 3] = 1.0;
    const Mat3<Jet2> J = jacobian_along(at, along, none);
    for (int j = 0; j < 3; ++j) {
      block[i + 6 * (j + 3)] = dot(cross(up.R.column(i), at.turn[j + 3]), f);  // the origin moves
      block[i + 3 + 6 * (j + 3)] = dot(rates(J.column(j)), moment);
    }
  }
}

}  // namespace

void move_guided(const Node& node, const NodeState& up, std::span<const double> q, NodeState& x) {
  GuideState& at = x.guide ? *x.guide : x.guide.emplace();
  if (node.kind == Node::Kind::point) return move_waist(node, up, q, at, x);
  const int n = node.columns();
  std::array<ByCoordinate, most> variables;
  for (int k = 0; k < n; ++k) {
    at.q[k] = q[k];
    variables[k] = ByCoordinate::variable(at.q[k], k);
  }
  const GuidePose<ByCoordinate> pose = node.guide->pose(std::span<const ByCoordinate>(variables.data(), n));
  const auto here = [](const ByCoordinate& y) { return y.v; };
  const Mat3d A = entries(pose.R, here), back = transpose(A);
  x.R = up.R * A;
  x.d = up.R * (node.d + entries(pose.r, here));
  for (int k = 0; k < n; ++k) {
    const auto change = [k](const ByCoordinate& y) { return y.d[k]; };
    at.turn[k] = up.R * axial(entries(pose.R, change) * back);
    at.shift[k] = up.R * entries(pose.r, change);
  }
}

void guided_velocity(const Node& node, const GuideState& at, std::span<const double> v, Vec3d& turn, Vec3d& shift) {
  turn = shift = {};
  if (node.kind == Node::Kind::point) {
    for (int k = 0; k < 3; ++k) turn += v[k + 3] * at.turn[k + 3], shift += v[k] * at.shift[k];
    return;
  }
  for (int k = 0; k < node.columns(); ++k) turn += v[k] * at.turn[k], shift += v[k] * at.shift[k];
}

// Second derivatives along q + v t: those of r, and of A the part that is skew in A'' A^T, as A' A'^T is symmetric.
void guided_products(const Node& node, const NodeState& up, const GuideState& at, std::span<const double> v,
                     Vec3d& turn, Vec3d& shift) {
  if (node.kind == Node::Kind::point) return waist_products(up, at, v, turn, shift);
  const int n = node.columns();
  std::array<Jet2, most> motion;
  for (int k = 0; k < n; ++k) motion[k] = jet2(at.q[k], v[k], 0.0);
  const GuidePose<Jet2> pose = node.guide->pose(std::span<const Jet2>(motion.data(), n));
  const Mat3d A = entries(pose.R, [](const Jet2& y) { return value(y); });
  const Mat3d Add = entries(pose.R, [](const Jet2& y) { return acceleration(y); });
  turn = up.R * axial(Add * transpose(A));
  shift = up.R * second_rates(pose.r);
}

void guided_projection(const Node& node, const GuideState& at, const Vec3d& f, const Vec3d& n, std::span<double> tau) {
  if (node.kind == Node::Kind::point) {
    for (int k = 0; k < 3; ++k) tau[k] = dot(at.shift[k], f), tau[k + 3] = dot(at.turn[k + 3], n);
    return;
  }
  for (int k = 0; k < node.columns(); ++k) tau[k] = dot(at.turn[k], n) + dot(at.shift[k], f);
}

bool release_guided(const Node& node, std::span<const double> tau, GuideState& at, Articulated& y) {
  const int n = node.columns();
  for (int k = 0; k < n; ++k) {
    at.Yn[k] = y.I * at.turn[k] + y.H * at.shift[k];
    at.Yf[k] = transpose_times(y.H, at.turn[k]) + y.M * at.shift[k];
    at.z[k] = tau[k] - dot(at.turn[k], y.pn) - dot(at.shift[k], y.pf);
  }
  for (int k = 0; k < n; ++k) {
    const double whole = dot(at.turn[k], at.Yn[k]) + dot(at.shift[k], at.Yf[k]);
    double left = whole;
    for (int i = 0; i < k; ++i) {
      const double l = dot(at.turn[k], at.Yn[i]) + dot(at.shift[k], at.Yf[i]);
      at.L[k * most + i] = l;
      left -= l * l;
      at.Yn[k] -= l * at.Yn[i], at.Yf[k] -= l * at.Yf[i];
      at.z[k] -= l * at.z[i];
    }
    if (!(left > no_inertia * whole)) return false;
    const double l = std::sqrt(left);
    at.L[k * most + k] = l;
    at.Yn[k] = (1 / l) * at.Yn[k], at.Yf[k] = (1 / l) * at.Yf[k];
    at.z[k] /= l;
  }
  for (int k = 0; k < n; ++k) {
    y.I -= outer(at.Yn[k], at.Yn[k]);
    y.H -= outer(at.Yn[k], at.Yf[k]);
    y.M -= outer(at.Yf[k], at.Yf[k]);
    y.pn += at.z[k] * at.Yn[k];
    y.pf += at.z[k] * at.Yf[k];
  }
  return true;
}

void guided_acceleration(const Node& node, const GuideState& at, const Vec3d& al, const Vec3d& a,
                         std::span<double> qdd) {
  for (int k = node.columns() - 1; k >= 0; --k) {
    double sum = at.z[k] - dot(at.Yn[k], al) - dot(at.Yf[k], a);
    for (int i = k + 1; i < node.columns(); ++i) sum -= at.L[i * most + k] * qdd[i];
    qdd[k] = sum / at.L[k * most + k];
  }
}

GuideMotion guide_motion(const Node& node, const NodeState& up, const GuideState& at, std::span<const double> v,
                         std::span<const double> a) {
  if (node.kind == Node::Kind::point) return waist_motion(up, at, v, a);
  std::array<Jet2, most> motion;
  for (int k = 0; k < node.columns(); ++k) motion[k] = jet2(at.q[k], v[k], a[k]);
  const Columns along = columns_along(node, motion);
  GuideMotion out;
  out.rate = up.R * rates(along.r), out.acceleration = up.R * second_rates(along.r);
  for (int k = 0; k < node.columns(); ++k) {
    const Vec3<Jet2>&turn = along.turn[k], &shift = along.shift[k];
    out.columns[k] = {up.R * values(turn),  up.R * rates(turn),  up.R * second_rates(turn),
                      up.R * values(shift), up.R * rates(shift), up.R * second_rates(shift)};
  }
  return out;
}

// E_ij = dS_j/dq_i about a fixed point: the origin moves by shift_i.
void guide_curvature(const Node& node, const NodeState& up, const GuideState& at, const Vec3d& f, const Vec3d& n,
                     std::span<double> block) {
  if (node.kind == Node::Kind::point) return waist_curvature(up, at, f, n, block);
  const int count = node.columns();
  if (count == 1) {
    constexpr std::array<double, 1> unit{1.0};
    Vec3d turn, shift;
    guided_products(node, up, at, unit, turn, shift);
    block[0] = dot(turn, n) + dot(shift + cross(at.shift[0], at.turn[0]), f);
    return;
  }
  const Vec3d force = transpose_times(up.R, f), moment = transpose_times(up.R, n);
  for (int i = 0; i < count; ++i) {
    std::array<Jet2, most> motion;
    for (int k = 0; k < count; ++k) motion[k] = jet2(at.q[k], i == k ? 1.0 : 0.0, 0.0);
    const Columns along = columns_along(node, motion);
    const Vec3d moved = values(along.shift[i]);
    for (int j = 0; j < count; ++j) {
      const Vec3d shift = rates(along.shift[j]) + cross(moved, values(along.turn[j]));
      block[i + count * j] = dot(rates(along.turn[j]), moment) + dot(shift, force);
    }
  }
}

}  // namespace skyhook::formalism::recursive
