// The projecting descriptor form of [Simeon 1996] (5) as a problem of its own, for a mechanism given by its mass
// matrix, its potential and its constraints alone:
//
//   (5a)  M q' = M v + M'(p, p') (p - q) + G'(p, p')^T tau
//   (5b)  M u' = M w + M'(p, v) (v - u) + G'(p, v)^T eta
//   (5c)  M w = f - G^T lambda,   G w + G'(p, v) v = 0
//   (5d)  M (v - u) + G^T eta = 0,   G v = 0
//   (5e)  M (p - q) + G^T tau = 0,   g(p) = 0
//
// M and G at p, their rates and f by dual numbers. Unknowns (q, u, p, v, w, lambda, eta, tau). A mechanism A has
// A::np, A::ng and templates mass(p, M), constraints(p, g), potential(p).
#pragma once
#include <array>
#include <cmath>

#include "skyhook/integrator/problems.testing.h"
#include "skyhook/math/dense.h"

namespace skyhook::formulation::testing {

// Crank, rod and slider: angles of crank and rod, place of the slider, the hinge between rod and slider cut. The mass matrix
// depends on the angles. One freedom.
struct SliderCrank {
  static constexpr int np = 3, ng = 2;
  static constexpr double crank = 0.4, rod = 1.0, m1 = 0.6, m2 = 1.1, m3 = 0.5, gravity = 9.81, offset = 0.1;
  template <class T>
  static void mass(const T* p, T (&M)[np][np]) {
    using std::cos;
    M[0][0] = T((m1 / 3 + m2) * crank * crank);
    M[0][1] = M[1][0] = T(m2 * crank * rod / 2) * cos(p[0] - p[1]);
    M[1][1] = T(m2 * rod * rod / 3);
    M[2][2] = T(m3);
  }
  template <class T>
  static void constraints(const T* p, T* g) {
    using std::cos, std::sin;
    g[0] = T(crank) * cos(p[0]) + T(rod) * cos(p[1]) - p[2];
    g[1] = T(crank) * sin(p[0]) + T(rod) * sin(p[1]) - T(offset);
  }
  template <class T>
  static T potential(const T* p) {
    using std::sin;
    return T(gravity) * (T((m1 / 2 + m2) * crank) * sin(p[0]) + T(m2 * rod / 2) * sin(p[1]));
  }
};

// Two masses on two rods in a plane, in cartesian coordinates: a constant mass matrix.
struct DoublePendulum {
  static constexpr int np = 4, ng = 2;
  static constexpr double m1 = 2.0, m2 = 0.7, l1 = 1.0, l2 = 0.6, gravity = 9.81;
  template <class T>
  static void mass(const T*, T (&M)[np][np]) {
    for (int i = 0; i < np; ++i) M[i][i] = T(i < 2 ? m1 : m2);
  }
  template <class T>
  static void constraints(const T* p, T* g) {
    const T x = p[2] - p[0], y = p[3] - p[1];
    g[0] = T(0.5) * (p[0] * p[0] + p[1] * p[1] - T(l1 * l1));
    g[1] = T(0.5) * (x * x + y * y - T(l2 * l2));
  }
  template <class T>
  static T potential(const T* p) {
    return T(gravity) * (T(m1) * p[1] + T(m2) * p[3]);
  }
};

template <class A, class T>
struct Terms {
  T M[A::np][A::np]{}, G[A::ng][A::np]{}, g[A::ng]{};
};

template <class A, class T>
Terms<A, T> terms_at(const T* p) {
  Terms<A, T> r;
  A::mass(p, r.M);
  std::array<Dual<A::np, T>, A::np> moved;
  std::array<Dual<A::np, T>, A::ng> g;
  for (int i = 0; i < A::np; ++i) moved[i] = Dual<A::np, T>::variable(p[i], i);
  A::constraints(moved.data(), g.data());
  for (int k = 0; k < A::ng; ++k) {
    r.g[k] = g[k].v;
    for (int i = 0; i < A::np; ++i) r.G[k][i] = g[k].d[i];
  }
  return r;
}

// d/dt of M and G while p moves with `rate`.
template <class A, class T>
Terms<A, T> rates_at(const T* p, const T* rate) {
  std::array<Dual<1, T>, A::np> moving;
  for (int i = 0; i < A::np; ++i) {
    moving[i] = Dual<1, T>(p[i]);
    moving[i].d[0] = rate[i];
  }
  const auto all = terms_at<A, Dual<1, T>>(moving.data());
  Terms<A, T> r;
  for (int i = 0; i < A::np; ++i) {
    for (int j = 0; j < A::np; ++j) r.M[i][j] = all.M[i][j].d[0];
    for (int k = 0; k < A::ng; ++k) r.G[k][i] = all.G[k][i].d[0];
  }
  return r;
}

// f = d/dp (kinetic - potential energy) - M'(p, v) v, the forces of Lagrange's equations.
template <class A, class T>
std::array<T, A::np> force_at(const T* p, const T* v) {
  using D = Dual<A::np, T>;
  std::array<D, A::np> moved;
  for (int i = 0; i < A::np; ++i) moved[i] = D::variable(p[i], i);
  D M[A::np][A::np]{}, energy = -A::potential(moved.data());
  A::mass(moved.data(), M);
  for (int i = 0; i < A::np; ++i)
    for (int j = 0; j < A::np; ++j) energy += D(0.5) * M[i][j] * D(v[i]) * D(v[j]);
  const Terms<A, T> rate = rates_at<A, T>(p, v);
  std::array<T, A::np> f;
  for (int i = 0; i < A::np; ++i) {
    f[i] = energy.d[i];
    for (int j = 0; j < A::np; ++j) f[i] -= rate.M[i][j] * v[j];
  }
  return f;
}

// out = M x + G^T multiplier, out_g = G x.
template <class A, class T>
void apply(const Terms<A, T>& a, const T* x, const T* multiplier, T* out, T* out_g) {
  for (int i = 0; i < A::np; ++i) {
    out[i] = T(0);
    for (int j = 0; j < A::np; ++j) out[i] += a.M[i][j] * x[j];
    for (int k = 0; k < A::ng; ++k) out[i] += a.G[k][i] * multiplier[k];
  }
  for (int k = 0; k < A::ng; ++k) {
    out_g[k] = T(0);
    for (int i = 0; i < A::np; ++i) out_g[k] += a.G[k][i] * x[i];
  }
}

template <class A>
struct ProjectingForm {
  static constexpr int np = A::np, ng = A::ng, n = 5 * np + 3 * ng;
  static constexpr int q = 0, u = np, p = 2 * np, v = 3 * np, w = 4 * np, lambda = 5 * np, eta = lambda + ng,
                       tau = eta + ng;

  Structure structure() const {
    Structure s = test_problems::named(n, "projecting");
    for (int i = p; i < n; ++i) s.y[i].index = 1;
    return s;
  }
  template <class T>
  void residual(double, const T* y, const T* yp, T* F) const {
    const Terms<A, T> a = terms_at<A, T>(y + p);
    T off_p[np], off_v[np], lag_p[np], lag_v[np], unused[ng], G_v[ng], centripetal[ng];
    for (int i = 0; i < np; ++i) {
      off_p[i] = y[p + i] - y[q + i];
      off_v[i] = y[v + i] - y[u + i];
      lag_p[i] = yp[q + i] - y[v + i];
      lag_v[i] = yp[u + i] - y[w + i];
    }
    const T none[ng]{};
    T curved[np];
    apply<A, T>(a, lag_p, none, F, unused);  // (5a)
    apply<A, T>(rates_at<A, T>(y + p, yp + p), off_p, y + tau, curved, unused);
    for (int i = 0; i < np; ++i) F[i] -= curved[i];
    apply<A, T>(a, lag_v, none, F + np, unused);  // (5b)
    const Terms<A, T> rate = rates_at<A, T>(y + p, y + v);
    apply<A, T>(rate, off_v, y + eta, curved, unused);
    for (int i = 0; i < np; ++i) F[np + i] -= curved[i];
    apply<A, T>(rate, y + v, none, curved, centripetal);

    T* const algebraic = F + 2 * np;
    apply<A, T>(a, y + w, y + lambda, algebraic, algebraic + np);  // (5c)
    const std::array<T, np> f = force_at<A, T>(y + p, y + v);
    for (int i = 0; i < np; ++i) algebraic[i] -= f[i];
    for (int k = 0; k < ng; ++k) algebraic[np + k] += centripetal[k];
    T* const velocity = algebraic + np + ng;
    apply<A, T>(a, off_v, y + eta, velocity, unused);  // (5d)
    apply<A, T>(a, y + v, none, curved, G_v);
    T* const position = velocity + np + ng;
    apply<A, T>(a, off_p, y + tau, position, unused);  // (5e)
    for (int k = 0; k < ng; ++k) velocity[np + k] = G_v[k], position[np + k] = a.g[k];
  }
};

// [Simeon 1996] (12) and (4): everything that q and u determine, and y'. w' and the rates of the multipliers stay zero.
template <class A>
test_problems::Start consistent_start(const std::array<double, A::np>& q, const std::array<double, A::np>& u) {
  using Form = ProjectingForm<A>;
  const test_problems::DualProblem<Form> problem;
  test_problems::Start s{std::vector<double>(Form::n), std::vector<double>(Form::n)};
  for (int i = 0; i < A::np; ++i)
    s.y[Form::q + i] = s.y[Form::p + i] = q[i], s.y[Form::u + i] = s.y[Form::v + i] = u[i];
  std::vector<double> F(Form::n);
  Csc dF_dy(problem.structure().pattern), dF_dyp(dF_dy);
  auto workspace = problem.workspace();
  const int first = 2 * A::np, count = Form::n - first;  // p and all that follows, by the algebraic rows
  for (int iteration = 0; iteration < 12; ++iteration) {
    problem.residual({0, s.y, s.yp}, F, *workspace);
    problem.derivatives({0, s.y, s.yp}, dF_dy, dF_dyp, *workspace);
    DenseMatrix matrix(count, count);
    for (int i = 0; i < count; ++i)
      for (int j = 0; j < count; ++j) matrix(i, j) = dF_dy.at(first + i, first + j);
    const Vector step = LeastNorm(matrix, 1e-14).solve({F.begin() + first, F.end()});
    for (int j = 0; j < count; ++j) s.y[first + j] -= step[j];
  }
  for (int i = 0; i < A::np; ++i) s.yp[Form::p + i] = s.y[Form::v + i], s.yp[Form::v + i] = s.y[Form::w + i];
  problem.residual({0, s.y, s.yp}, F, *workspace);
  problem.derivatives({0, s.y, s.yp}, dF_dy, dF_dyp, *workspace);
  DenseMatrix matrix(2 * A::np, 2 * A::np);  // (5a), (5b) are linear in q', u'
  for (int i = 0; i < 2 * A::np; ++i)
    for (int j = 0; j < 2 * A::np; ++j) matrix(i, j) = dF_dyp.at(i, j);
  const Vector step = LeastNorm(matrix, 1e-14).solve({F.begin(), F.begin() + 2 * A::np});
  for (int j = 0; j < 2 * A::np; ++j) s.yp[j] -= step[j];
  return s;
}

// The same mechanism as [Arnold 2004] (37) has it: (p, v, lambda, eta), p' = v - G^T eta, M v' = f - G^T lambda, 0 = G
// v, 0 = g.
template <class A>
struct StabilisedForm {
  static constexpr int np = A::np, ng = A::ng, n = 2 * np + 2 * ng;
  Structure structure() const {
    Structure s = test_problems::named(n, "stabilised");
    for (int i = 2 * np; i < n; ++i) s.y[i].index = 2, s.y[i].in_error_test = false;
    return s;
  }
  template <class T>
  void residual(double, const T* y, const T* yp, T* F) const {
    const Terms<A, T> a = terms_at<A, T>(y);
    const std::array<T, np> f = force_at<A, T>(y, y + np);
    T unused[ng];
    apply<A, T>(a, yp + np, y + 2 * np, F + np, unused);
    for (int i = 0; i < np; ++i) {
      F[i] = yp[i] - y[np + i];
      F[np + i] -= f[i];
      for (int k = 0; k < ng; ++k) F[i] += a.G[k][i] * y[2 * np + ng + k];
    }
    for (int k = 0; k < ng; ++k) {
      F[2 * np + k] = T(0);
      for (int i = 0; i < np; ++i) F[2 * np + k] += a.G[k][i] * y[np + i];
      F[2 * np + ng + k] = a.g[k];
    }
  }
};

}  // namespace skyhook::formulation::testing
