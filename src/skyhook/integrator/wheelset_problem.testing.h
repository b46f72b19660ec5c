// A wheelset with conical wheels on round rails, straight track, scale 1:4: the hunting motion of the IVP test set, part
// II-22, and of [Arnold 2004] §4. Simeon, Führer, Rentrop, Surv. Math. Ind. 1 (1991); creep law and data by Jaschinski, DLR-FB 90-06
// (1990). x lateral, y up, z along the track. Unknowns, in the order of the test set:
//
//   y = (x, y, z, theta, phi,  their rates,  beta,  psi and xi right,  psi and xi left,  lambda left, right)
//
// theta yaw, phi roll, beta spin over v0 / r0. A contact point has the angle psi around the axle and xi along it (left:
// xi > 0) in the frame A = R_y(theta) R_z(phi), which rolls and yaws with the wheelset but does not spin:
//
//   s = (xi, -R(xi) cos psi, -R(xi) sin psi),   n = (-R'(xi), -cos psi, -sin psi) normal to the wheel
//   0 = n_z,  0 = G' n_y + n_x                  n, turned by A, is normal to the rail G(x + r_x), r = A s
//   0 = g = G(x + r_x) - y - r_y                index 3, or its derivative with r fixed to the wheelset: index 2
#pragma once
#include <array>
#include <cmath>
#include <string>

#include "skyhook/integrator/problems.testing.h"
#include "skyhook/math/dense.h"
#include "skyhook/math/vec.h"

namespace skyhook::test_problems {

struct Wheelset {
  static constexpr int n = 17;
  static constexpr double t_end = 10;
  static constexpr double mass = 16.08, gravity = 9.81, v0 = 30, r0 = 0.1, i_axle = 0.0605, i_across = 0.366;
  static constexpr double stiffness = 6400, spring_base = 0.19;  // each side; half distance of the springs
  static constexpr double cone = 0.0262, half_gauge = 0.1506, rail_radius = 0.06;
  static constexpr double friction = 0.12, shear_modulus = 7.92e10, poisson = 0.28;
  static constexpr double c11 = 4.72772197, c22 = 4.27526987, c23 = 1.97203505;
  static constexpr double hertz_g = 0.7115218, hertz_kappa = 1.3537956, pi_used = 3.1415926;
  static constexpr double multiplier_scale = 1e4;

  enum class Level { position, velocity };  // of the two contact constraints: index 3, index 2
  Level level = Level::velocity;

  Structure structure() const;

  template <class T>
  struct Motion {
    const T *p, *v;  // (x, y, z, theta, phi) and rates
    T spin;
  };
  // One contact, r and the rest in track axes.
  template <class T>
  struct Contact {
    Vec3<T> s, r, normal;
    T radius, rail, slope;  // of the wheel there; of the rail: height and G'
    T angle;                // of the contact plane, atan G'
  };

  template <class T>
  static Mat3<T> axes(const T& theta, const T& phi) {
    using std::cos, std::sin;
    const T ct = cos(theta), st = sin(theta), cp = cos(phi), sp = sin(phi);
    return {{ct * cp, -(ct * sp), st}, {sp, cp, T(0)}, {-(st * cp), st * sp, ct}};
  }
  template <class T>
  Contact<T> contact(const T* p, const T& psi, const T& xi) const;
  template <class T>
  T normal_force(const Contact<T>& c, const T& lambda) const {  // along the rail's normal; lambda acts along (G', -1)
    using std::sqrt;
    return T(-multiplier_scale) * lambda * sqrt(T(1) + c.slope * c.slope);
  }
  template <class T>
  Vec3<T> creep_force(const Motion<T>& m, const Contact<T>& c, const T& normal) const;
  template <class T>
  std::array<T, 5> gradient(const T* p, const Contact<T>& c) const;  // dg/dp
  template <class T>
  void add_contact(const Motion<T>& m, const Contact<T>& c, const T& lambda, T* force) const;
  template <class T>
  void residual(double, const T* y, const T* yp, T* F) const;

  // As printed: positions carry five digits, so that g = 5e-10 m stays in the index-2 form.
  static Start start() {
    return {{0.14941e-2, 0.40089e-6, 0.11241e-5, -0.28573e-3, 0.26459e-3, 0, 0, 0, 0, 0, 0, -7.4122380357667139e-6,
             -0.1521364296121248, 7.5634406395172940e-6, 0.1490635714733819, -8.3593e-3, -7.4144e-3},
            {0, 0, 0, 0, 0, -1.975258894011285, -1.0898297102811276e-3, 7.8855083626142589e-2, -5.533362821731549,
             -0.3487021489546511, -2.132968724380927, 0, 0, 0, 0, 0, 0}};
  }
  // At t_end, without the multipliers: DASSL at tolerance 1e-9 on the index-2 form.
  static constexpr std::array<double, 15> reference{
      0.86355386965811e-02,  0.13038281022727e-04,  -0.93635784016818e-04, -0.13642299804033e-01, 0.15292895005422e-02,
      -0.76985374142666e-01, -0.25151106429207e-03, 0.20541188079539e-02,  -0.23904837703692e+00, -0.13633468454173e-01,
      -0.24421377661131e+00, -0.33666751972196e-03, -0.15949425684022e+00, 0.37839614386969e-03,  0.14173214964613e+00};
};

inline Structure Wheelset::structure() const {
  Structure s;
  for (const char* what : {"x", "y", "z", "yaw", "roll"}) s.y.push_back({.name = std::string("wheelset.") + what});
  for (const char* what : {"vx", "vy", "vz", "yaw rate", "roll rate", "spin"})
    s.y.push_back({.index = level == Level::velocity ? 0 : 2, .name = std::string("wheelset.") + what});
  for (const char* what : {"right.angle", "right.shift", "left.angle", "left.shift"})
    s.y.push_back({.index = 1, .name = what});
  for (const char* what : {"left.force", "right.force"})
    s.y.push_back({.index = level == Level::velocity ? 2 : 3, .in_error_test = false, .name = what});
  PatternBuilder pattern(n, n);
  for (int i = 0; i < n; ++i) {
    s.rows.push_back((i < 5 ? "kinematics of " : i < 11 ? "dynamics of " : "contact at ") + s.y[i].name);
    for (int j = 0; j < n; ++j)
      if (i >= 5 || j == i || j == i + 5) pattern.add(i, j);
  }
  s.pattern = std::make_shared<const Pattern>(pattern.build());
  return s;
}

template <class T>
Wheelset::Contact<T> Wheelset::contact(const T* p, const T& psi, const T& xi) const {
  using std::atan, std::cos, std::sin, std::sqrt;
  const double side = value_of(xi) < 0 ? -1 : 1, slope = -side * std::tan(cone);  // R'
  Contact<T> c;
  c.radius = T(r0) + T(std::tan(cone)) * (T(half_gauge) - T(side) * xi);
  c.s = {xi, -(c.radius * cos(psi)), -(c.radius * sin(psi))};
  const Mat3<T> A = axes(p[3], p[4]);
  c.r = A * c.s;
  c.normal = A * Vec3<T>{T(-slope), -cos(psi), -sin(psi)};
  const T from_middle = T(side) * (p[0] + c.r.x) - T(half_gauge + rail_radius * std::sin(cone));
  const T height = sqrt(T(rail_radius * rail_radius) - from_middle * from_middle);
  c.rail = height - T(r0 + std::cos(cone) * rail_radius);
  c.slope = T(-side) * from_middle / height;
  c.angle = atan(c.slope);
  return c;
}

// Jaschinski's smooth law. The creep frame is yawed by theta / cos(angle), as in the test set.
template <class T>
Vec3<T> Wheelset::creep_force(const Motion<T>& m, const Contact<T>& c, const T& normal) const {
  using std::cos, std::exp, std::log, std::sin, std::sqrt, std::tanh;
  const T yaw = m.p[3] / cos(c.angle), cy = cos(yaw), sy = sin(yaw), ca = cos(c.angle), sa = sin(c.angle);
  const Mat3<T> A = axes(yaw, m.p[4]);
  const Vec3<T> forward{m.v[0], m.v[1], T(v0) + m.v[2]};
  const Vec3<T> omega = m.spin * A.column(0) + Vec3<T>{T(0), m.v[3], T(0)} + m.v[4] * A.column(2);
  const Vec3<T> around = cross(omega, A * c.s), sliding = forward + around;
  const T rolling = T(0.5) * norm(around - forward);
  const Vec3<T> along{sy, T(0), cy}, across{cy * ca, sa, -(sy * ca)};

  // Half axes of the contact ellipse scale with c; curvatures of the cone and of the round rail.
  const T curvatures = T(0.5) / (c.radius * T(std::sqrt(1 + std::tan(cone) * std::tan(cone)))) + T(0.5 / rail_radius);
  const T volume =
      T(3 * (1 - poisson) * hertz_kappa / (2 * pi_used * shear_modulus * std::sqrt(hertz_g))) * normal / curvatures;
  const T size = exp(log(volume) / T(3));
  const T limit = T(friction) * normal, unit = T(shear_modulus) * size * size / limit;
  const T creep_x = dot(along, sliding) / rolling, creep_y = dot(across, sliding) / rolling;
  const T creep_spin = (ca * m.v[3] - sa * m.spin) / rolling;
  T fx = -(limit * tanh(unit * T(c11) * creep_x));
  T fy = -(limit * tanh(unit * (T(c22) * creep_y + size * T(c23) * creep_spin)));
  const T force = sqrt(fx * fx + fy * fy);
  if (force > limit) fx *= limit / force, fy *= limit / force;
  return fx * along + fy * across;
}

template <class T>
std::array<T, 5> Wheelset::gradient(const T* p, const Contact<T>& c) const {
  const Vec3<T> by_roll = cross(axes(p[3], p[4]).column(2), c.r);  // dr/dphi
  return {c.slope, T(-1), T(0), c.slope * c.r.z, c.slope * by_roll.x - by_roll.y};
}

template <class T>
void Wheelset::add_contact(const Motion<T>& m, const Contact<T>& c, const T& lambda, T* force) const {
  const Vec3<T> f = creep_force(m, c, normal_force(c, lambda));
  const Vec3<T> moment = cross(c.s, transpose_times(axes(m.p[3], m.p[4]), f));  // in the axes of A
  const std::array<T, 5> g = gradient(m.p, c);
  const T added[6] = {f.x, f.y, f.z, moment.y, moment.z, moment.x};
  for (int i = 0; i < 6; ++i) force[i] += added[i] + (i < 5 ? T(multiplier_scale) * lambda * g[i] : T(0));
}

template <class T>
void Wheelset::residual(double, const T* y, const T* yp, T* F) const {
  using std::cos, std::sin;
  const Motion<T> m{y, y + 5, T(v0 / r0) + y[10]};
  const Contact<T> left = contact(y, y[13], y[14]), right = contact(y, y[11], y[12]);
  const T cp = cos(y[4]), sp = sin(y[4]), yaw_rate = y[8], roll_rate = y[9];
  const T spring = T(-2 * spring_base * spring_base * stiffness) * y[3];
  const T gyro = T(i_axle - i_across) * yaw_rate * sp + T(i_axle) * m.spin;
  T force[6] = {T(-2 * stiffness) * y[0], T(-mass * gravity),
                T(-2 * stiffness) * y[2], T(i_across) * yaw_rate * roll_rate * sp - gyro * roll_rate + cp * spring,
                gyro * yaw_rate * cp,     sp * spring - T(i_axle) * yaw_rate * roll_rate * cp};
  add_contact(m, left, y[15], force);
  add_contact(m, right, y[16], force);
  for (int i = 0; i < 5; ++i) F[i] = yp[i] - m.v[i];
  for (int i = 0; i < 3; ++i) F[5 + i] = T(mass) * yp[5 + i] - force[i];
  F[8] = T(i_across) * cp * yp[8] - force[3];
  F[9] = T(i_across) * yp[9] - force[4];
  F[10] = T(i_axle) * (sp * yp[8] + yp[10]) - force[5];
  const Contact<T>* const contacts[2] = {&right, &left};
  for (int k = 0; k < 2; ++k) {
    const Contact<T>& c = *contacts[k];
    F[11 + 2 * k] = c.slope * c.normal.y + c.normal.x;
    F[12 + 2 * k] = c.normal.z;
    T& constraint = F[16 - k];
    constraint = c.rail - y[1] - c.r.y;
    if (level == Level::position) continue;
    const std::array<T, 5> g = gradient(y, c);
    constraint = T(0);
    for (int i = 0; i < 5; ++i) constraint += g[i] * m.v[i];
  }
}

// The printed start with height, roll, contacts, accelerations and multipliers made consistent; the index-3 form needs it.
inline Start consistent_start_of_wheelset() {
  using Problem = DualProblem<Wheelset>;
  const Problem position(Wheelset{.level = Wheelset::Level::position}), velocity(Wheelset{});
  Start s = Wheelset::start();
  const auto workspace = position.workspace();
  std::vector<double> F(Wheelset::n);
  Csc dF_dy(position.structure().pattern), dF_dyp(dF_dy);
  const auto evaluate = [&](const Problem& problem) {
    problem.residual({0, s.y, s.yp}, F, *workspace);
    problem.derivatives({0, s.y, s.yp}, dF_dy, dF_dyp, *workspace);
  };
  const std::array moved{1, 4, 11, 12, 13, 14};
  for (int iteration = 0; iteration < 6; ++iteration) {
    evaluate(position);
    DenseMatrix matrix(6, 6);
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) matrix(i, j) = dF_dy.at(11 + i, moved[j]);
    const Vector step = LeastNorm(matrix, 1e-14).solve({F.begin() + 11, F.end()});
    for (int j = 0; j < 6; ++j) s.y[moved[j]] -= step[j];
  }
  for (int iteration = 0; iteration < 6; ++iteration) {  // at rest: the accelerations satisfy the velocity constraints
    evaluate(velocity);
    DenseMatrix matrix(8, 8);
    Vector right(F.begin() + 5, F.begin() + 11);
    right.resize(8, 0.0);
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j < 6; ++j) matrix(i, j) = dF_dyp.at(5 + i, 5 + j);
      for (int k = 0; k < 2; ++k) matrix(i, 6 + k) = dF_dy.at(5 + i, 15 + k);
    }
    for (int k = 0; k < 2; ++k)
      for (int j = 0; j < 5; ++j) {
        matrix(6 + k, j) = dF_dy.at(15 + k, 5 + j);
        right[6 + k] += matrix(6 + k, j) * s.yp[5 + j];
      }
    const Vector step = LeastNorm(matrix, 1e-14).solve(right);
    for (int j = 0; j < 6; ++j) s.yp[5 + j] -= step[j];
    for (int k = 0; k < 2; ++k) s.y[15 + k] -= step[6 + k];
  }
  return s;
}

}  // namespace skyhook::test_problems
