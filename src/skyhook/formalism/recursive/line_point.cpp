#include "skyhook/formalism/recursive/line_point.h"

#include <cmath>

namespace skyhook::formalism::recursive {
namespace {

template <class T>
struct Normals {
  Vec3<T> first, second;
};

// Across the unit vector t, both in the axes of the line: what y and z come to by the shortest turn from x to t; of a plane its own normal is one of them. The convention is
// that of stations (flexible/ancf_station.cpp), and so is the direction that it cannot have, straight back.
template <class T>
Normals<T> normals(const Vec3<T>& t, bool is_planar) {
  const T zero(0.0), one(1.0);
  if (is_planar) return {{-t.y, t.x, zero}, {zero, zero, one}};
  const bool is_back = value_of(t.x) < 1e-8 - 1;
  const T x = is_back ? -t.x : t.x, y = is_back ? -t.y : t.y, k = one / (one + x);
  const T sign(is_back ? -1.0 : 1.0);  // half a turn about z before
  return {{-(sign * y), sign * (one - k * y * y), -(k * y * t.z)},
          {-(sign * t.z), -(sign * (k * y * t.z)), one - k * t.z * t.z}};
}

template <class T>
struct Row {
  T g;
  Vec3<T> P, S;
};

// The gradient of n(t) . d at fixed d from dual numbers over t.
template <class T>
std::array<Row<T>, 2> rows_at(const model::MeshCurve& curve, const LineLocal<T>& at) {
  using N = Dual<3, T>;
  const Mat3<T> axes(curve.axes);
  const Vec3<T> t_line = transpose_times(axes, at.t), d_line = transpose_times(axes, at.d);
  const Vec3<N> t{N::variable(t_line.x, 0), N::variable(t_line.y, 1), N::variable(t_line.z, 2)};
  const Normals<N> n = normals((N(1.0) / norm(t)) * t, curve.is_planar);
  const T turns = dot(at.t, at.t) - dot(at.b, at.d);
  const auto row = [&](const Vec3<N>& of) {
    const N g = of.x * N(d_line.x) + of.y * N(d_line.y) + of.z * N(d_line.z);
    const Vec3<T> m = axes * Vec3<T>{g.d[0], g.d[1], g.d[2]};
    const T k = dot(m, at.b) / turns;
    return Row<T>{g.v, axes * Vec3<T>{of.x.v, of.y.v, of.z.v} + k * at.t, m + k * at.d};
  };
  return {row(n.first), row(n.second)};
}

template <class T>
Vec3<T> drag_of(const LineLocal<T>& at, double factor) {
  return (T(-factor) * dot(at.t, at.w) / dot(at.t, at.t)) * at.t;
}

using Local = Dual<12>;

LineLocal<Local> seeded(const LineLocal<double>& at) {
  const auto vector = [](const Vec3d& a, int first) {
    return Vec3<Local>{Local::variable(a.x, first), Local::variable(a.y, first + 1), Local::variable(a.z, first + 2)};
  };
  return {vector(at.d, 0), vector(at.t, 3), vector(at.b, 6), vector(at.w, 9)};
}

void take(const Vec3<Local>& from, Vec3d& value, Mat3d (&of)[4]) {
  for (int i = 0; i < 3; ++i) {
    value[i] = from[i].v;
    for (int k = 0; k < 4; ++k) {
      for (int j = 0; j < 3; ++j) of[k][i][j] = from[i].d[static_cast<std::size_t>(3 * k + j)];
    }
  }
}

Vec3d apply(const Mat3d (&of)[4], const LineLocal<double>& step) {
  return of[0] * step.d + of[1] * step.t + of[2] * step.b + of[3] * step.w;
}

}  // namespace

void LineForce::add(double factor, const LineForce& more) {
  P += factor * more.P, S += factor * more.S;
  for (int k = 0; k < 4; ++k) P_of[k] += factor * more.P_of[k], S_of[k] += factor * more.S_of[k];
}

LinePoint line_point(const model::MeshCurve& curve, double s, const Vec3d& p, const Vec3d& v_p,
                     std::span<const double> q, std::span<const double> v) {
  LinePoint out;
  out.s = s, out.place = curve.place(s);
  out.u = curve.rate(out.place, 0, v), out.u_slope = curve.rate(out.place, 1, v),
  out.u_bend = curve.rate(out.place, 2, v);
  out.at = {p - curve.position(out.place, 0, q), curve.position(out.place, 1, q), curve.position(out.place, 2, q),
            v_p - out.u};
  out.third = curve.position(out.place, 3, q);
  const double turns = dot(out.at.t, out.at.t) - dot(out.at.b, out.at.d);
  out.s_by_place = (1 / turns) * out.at.t, out.s_by_slope = (1 / turns) * out.at.d;
  const auto rows = rows_at(curve, out.at);
  for (std::size_t r = 0; r < 2; ++r) out.rows[r] = {rows[r].g, rows[r].P, rows[r].S};
  return out;
}

// Along the motion, dual numbers of one direction; w itself is held.
std::array<double, 2> LinePoint::bends(const model::MeshCurve& curve) const {
  using T = Dual<1>;
  const double rate = s_rate();
  const auto moving = [](const Vec3d& a, const Vec3d& by) {
    Vec3<T> out(a);
    for (int i = 0; i < 3; ++i) out[i].d[0] = by[i];
    return out;
  };
  const Vec3d slope_rate = u_slope + rate * at.b;
  const auto rows_moving = rows_at(
      curve, LineLocal<T>{
                 moving(at.d, at.w - rate * at.t), moving(at.t, slope_rate), moving(at.b, u_bend + rate * third), {}});
  std::array<double, 2> out{};
  for (std::size_t r = 0; r < 2; ++r) {
    const auto& [g, P, S] = rows_moving[r];
    const Vec3d P_rate{P.x.d[0], P.y.d[0], P.z.d[0]}, S_rate{S.x.d[0], S.y.d[0], S.z.d[0]};
    out[r] = dot(P_rate, at.w) - rate * dot(rows[r].P, u_slope) + dot(S_rate, u_slope) + rate * dot(rows[r].S, u_bend);
  }
  return out;
}

std::array<LineForce, 2> LinePoint::with_changes(const model::MeshCurve& curve) const {
  const auto rows_local = rows_at(curve, seeded(at));
  std::array<LineForce, 2> out;
  for (std::size_t r = 0; r < 2; ++r)
    take(rows_local[r].P, out[r].P, out[r].P_of), take(rows_local[r].S, out[r].S, out[r].S_of);
  return out;
}

Vec3d LinePoint::drag(double factor) const { return drag_of(at, factor); }
LineForce LinePoint::drag_with_changes(double factor) const {
  LineForce out;
  take(-drag_of(seeded(at), factor), out.P, out.P_of);
  return out;
}
double LinePoint::speed() const { return dot(at.t, at.w) / norm(at.t); }

LineChange change_along(const LinePoint& point, const LineForce& force, const LineStep& step) {
  const LineLocal<double> moved{step.away - step.s * point.at.t, step.slope + step.s * point.at.b,
                                step.bend + step.s * point.third, step.w - step.s * point.u_slope};
  return {apply(force.P_of, moved), apply(force.S_of, moved)};
}

}  // namespace skyhook::formalism::recursive
