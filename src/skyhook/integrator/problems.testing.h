// Small problems with known answers for the tests of integrators. The residual is a function template; derivatives
// come from dual numbers, so that nothing is derived by hand twice.
#pragma once
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "skyhook/math/dual.h"
#include "skyhook/problem/problem.h"

namespace skyhook::test_problems {

// R has `static constexpr int n`, `Structure structure() const` (without a pattern: it is found here) and
// `template <class T> void residual(const double& t, const T* y, const T* yp, T* F) const`.
template <class R>
class DualProblem : public DaeProblem {
 public:
  explicit DualProblem(R r = {}) : law(std::move(r)), structure_(law.structure()) {
    if (!structure_.pattern) structure_.pattern = detect();
  }
  const Structure& structure() const override { return structure_; }
  std::unique_ptr<Workspace> workspace() const override { return std::make_unique<Workspace>(); }
  Eval residual(const Point& p, Span F, Workspace&) const override {
    law.residual(p.t, p.y.data(), p.yp.data(), F.data());
    return Eval::ok;
  }
  Eval derivatives(const Point& p, Csc& dF_dy, Csc& dF_dyp, Workspace&) const override {
    const Duals with_y = differentiate(p, true), with_yp = differentiate(p, false);
    const Pattern& pattern = *structure_.pattern;
    for (int j = 0; j < R::n; ++j)
      for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k) {
        dF_dy.value[k] = with_y[pattern.row[k]].d[j];
        dF_dyp.value[k] = with_yp[pattern.row[k]].d[j];
      }
    return Eval::ok;
  }
  R law;

 private:
  using Duals = std::vector<Dual<R::n>>;
  Duals differentiate(const Point& p, bool by_y) const {
    Duals y(R::n), yp(R::n), F(R::n);
    for (int i = 0; i < R::n; ++i) {
      y[i] = Dual<R::n>(p.y[i]);
      yp[i] = Dual<R::n>(p.yp[i]);
      (by_y ? y : yp)[i].d[i] = 1;
    }
    law.residual(p.t, y.data(), yp.data(), F.data());
    return F;
  }
  std::shared_ptr<const Pattern> detect() const {  // at a generic point no derivative vanishes by accident
    std::mt19937 random(7);
    std::uniform_real_distribution<double> any(0.1, 0.9);
    std::vector<double> y(R::n), yp(R::n);
    for (int i = 0; i < R::n; ++i) y[i] = any(random), yp[i] = any(random);
    const Point p{0.1, y, yp};
    const Duals with_y = differentiate(p, true), with_yp = differentiate(p, false);
    PatternBuilder builder(R::n, R::n);
    for (int i = 0; i < R::n; ++i)
      for (int j = 0; j < R::n; ++j)
        if (with_y[i].d[j] != 0 || with_yp[i].d[j] != 0) builder.add(i, j);
    return std::make_shared<const Pattern>(builder.build());
  }
  Structure structure_;
};

struct Start {
  std::vector<double> y, yp;
};

inline Structure named(int n, const std::string& what) {
  Structure s;
  for (int i = 0; i < n; ++i) {
    s.y.push_back({.name = what + "." + std::to_string(i)});
    s.rows.push_back("equation of " + s.y.back().name);
  }
  return s;
}

// y' = rate y
struct Decay {
  static constexpr int n = 1;
  double rate = -1;
  Structure structure() const { return named(n, "decay"); }
  template <class T>
  void residual(double, const T* y, const T* yp, T* F) const {
    F[0] = yp[0] - T(rate) * y[0];
  }
};

// x' = v, v' = -omega² x
struct Oscillator {
  static constexpr int n = 2;
  double omega = 1;
  Structure structure() const {
    Structure s = named(n, "oscillator");
    s.y[1].nominal = omega;
    return s;
  }
  template <class T>
  void residual(double, const T* y, const T* yp, T* F) const {
    F[0] = yp[0] - y[1];
    F[1] = yp[1] + T(omega * omega) * y[0];
  }
};

// Robertson's reaction, the third equation replaced by conservation of mass: index 1. Hairer, Wanner II, IV.10.
struct Robertson {
  static constexpr int n = 3;
  Structure structure() const {
    Structure s = named(n, "species");
    s.y[1].nominal = 1e-4;  // the intermediate product never exceeds 4e-5
    s.y[2].index = 1;
    s.y[2].in_error_test = false;
    return s;
  }
  template <class T>
  void residual(double, const T* y, const T* yp, T* F) const {
    F[0] = yp[0] + T(0.04) * y[0] - T(1e4) * y[1] * y[2];
    F[1] = yp[1] - T(0.04) * y[0] + T(1e4) * y[1] * y[2] + T(3e7) * y[1] * y[1];
    F[2] = y[0] + y[1] + y[2] - T(1);
  }
  static Start start() { return {{1, 0, 0}, {-0.04, 0.04, 0}}; }
};

// Andrews' squeezing mechanism in the stabilised index-2 form: y = (q[7], v[7], lambda[6], eta[6]).
// Hairer, Wanner II, VII.7; IVP test set release 2.4, part II-13 (parameters, initial and reference values).
struct Andrews {
  static constexpr int n = 26;
  static constexpr double t_end = 0.03;
  static constexpr double m1 = .04325, m2 = .00365, m3 = .02373, m4 = .00706, m5 = .07050, m6 = .00706, m7 = .05498;
  static constexpr double i1 = 2.194e-6, i2 = 4.410e-7, i3 = 5.255e-6, i4 = 5.667e-7, i5 = 1.169e-5, i6 = 5.667e-7,
                          i7 = 1.912e-5;
  static constexpr double xa = -.06934, ya = -.00227, xb = -.03635, yb = .03273, xc = .014, yc = .072;
  static constexpr double c0 = 4530, l0 = 7785e-5, mom = 33e-3;
  static constexpr double d = 28e-3, da = 115e-4, e = 2e-2, ea = 1421e-5, rr = 7e-3, ra = 92e-5, ss = 35e-3,
                          sa = 1874e-5, sb = 1043e-5, sc = 18e-3, sd = 2e-2, ta = 2308e-5, tb = 916e-5, u = 4e-2,
                          ua = 1228e-5, ub = 449e-5, zf = 2e-2, zt = 4e-2, fa = 1421e-5;

  Structure structure() const {
    Structure s;
    const std::array names{"beta", "theta", "gamma", "phi", "delta", "omega", "epsilon"};
    for (const char* name : names) s.y.push_back({.name = std::string(name) + ".angle"});
    for (const char* name : names) s.y.push_back({.name = std::string(name) + ".speed"});
    for (const char* kind : {"reaction", "shift"})
      for (int k = 0; k < 6; ++k)
        s.y.push_back({.index = 2, .in_error_test = false, .name = kind + (" " + std::to_string(k))});
    for (int i = 0; i < n; ++i)
      s.rows.push_back((i < 7 ? "kinematics of " : i < 14 ? "dynamics of " : "loop closure at ") + s.y[i].name);
    return s;
  }

  template <class T>
  struct Terms {
    T M[7][7]{}, f[7]{}, G[6][7]{}, g[6]{};
  };

  template <class T>
  Terms<T> terms(const T* q, const T* v) const {
    using std::cos, std::sin, std::sqrt;
    Terms<T> r;
    mass(q, r);
    forces(q, v, r);
    constraints(q, r);
    return r;
  }
  template <class T>
  void mass(const T* q, Terms<T>& r) const {
    using std::cos, std::sin;
    auto& M = r.M;
    const T ct = cos(q[1]), sp = sin(q[3]), so = sin(q[5]);
    M[0][0] = T(m1 * ra * ra + m2 * (rr * rr + da * da) + i1 + i2) - T(2 * m2 * da * rr) * ct;
    M[0][1] = M[1][0] = T(m2 * da * da + i2) - T(m2 * da * rr) * ct;
    M[1][1] = T(m2 * da * da + i2);
    M[2][2] = T(m3 * (sa * sa + sb * sb) + i3);
    M[3][3] = T(m4 * (e - ea) * (e - ea) + i4);
    M[3][4] = M[4][3] = T(m4 * (e - ea) * (e - ea) + i4) + T(m4 * zt * (e - ea)) * sp;
    M[4][4] =
        T(m4 * (zt * zt + (e - ea) * (e - ea)) + m5 * (ta * ta + tb * tb) + i4 + i5) + T(2 * m4 * zt * (e - ea)) * sp;
    M[5][5] = T(m6 * (zf - fa) * (zf - fa) + i6);
    M[5][6] = M[6][5] = T(m6 * (zf - fa) * (zf - fa) + i6) - T(m6 * u * (zf - fa)) * so;
    M[6][6] =
        T(m6 * ((zf - fa) * (zf - fa) + u * u) + m7 * (ua * ua + ub * ub) + i6 + i7) - T(2 * m6 * u * (zf - fa)) * so;
  }
  template <class T>
  void forces(const T* q, const T* v, Terms<T>& r) const {
    using std::cos, std::sin, std::sqrt;
    const T cg = cos(q[2]), sg = sin(q[2]);
    const T x = T(sd) * cg + T(sc) * sg + T(xb - xc), y = T(sd) * sg - T(sc) * cg + T(yb - yc);  // spring vector
    const T force = T(-c0) * (T(1) - T(l0) / sqrt(x * x + y * y));
    r.f[0] = T(mom) - T(m2 * da * rr) * v[1] * (v[1] + T(2) * v[0]) * sin(q[1]);
    r.f[1] = T(m2 * da * rr) * v[0] * v[0] * sin(q[1]);
    r.f[2] = force * (x * (T(sc) * cg - T(sd) * sg) + y * (T(sd) * cg + T(sc) * sg));
    r.f[3] = T(m4 * zt * (e - ea)) * v[4] * v[4] * cos(q[3]);
    r.f[4] = T(-m4 * zt * (e - ea)) * v[3] * (v[3] + T(2) * v[4]) * cos(q[3]);
    r.f[5] = T(-m6 * u * (zf - fa)) * v[6] * v[6] * cos(q[5]);
    r.f[6] = T(m6 * u * (zf - fa)) * v[5] * (v[5] + T(2) * v[6]) * cos(q[5]);
  }
  template <class T>
  void constraints(const T* q, Terms<T>& r) const {
    using std::cos, std::sin;
    auto& G = r.G;
    auto& g = r.g;
    const T be = q[0], bt = q[0] + q[1], pd = q[3] + q[4], oe = q[5] + q[6];
    const T ex = T(rr) * cos(be) - T(d) * cos(bt), ey = T(rr) * sin(be) - T(d) * sin(bt);
    for (int k = 0; k < 6; k += 2) {
      G[k][0] = -ey;
      G[k][1] = T(d) * sin(bt);
      G[k + 1][0] = ex;
      G[k + 1][1] = T(-d) * cos(bt);
    }
    G[0][2] = T(-ss) * cos(q[2]);
    G[1][2] = T(-ss) * sin(q[2]);
    G[2][3] = T(-e) * cos(pd);
    G[2][4] = T(-e) * cos(pd) + T(zt) * sin(q[4]);
    G[3][3] = T(-e) * sin(pd);
    G[3][4] = T(-e) * sin(pd) - T(zt) * cos(q[4]);
    G[4][5] = T(zf) * sin(oe);
    G[4][6] = T(zf) * sin(oe) - T(u) * cos(q[6]);
    G[5][5] = T(-zf) * cos(oe);
    G[5][6] = T(-zf) * cos(oe) - T(u) * sin(q[6]);
    g[0] = ex - T(ss) * sin(q[2]) - T(xb);
    g[1] = ey + T(ss) * cos(q[2]) - T(yb);
    g[2] = ex - T(e) * sin(pd) - T(zt) * cos(q[4]) - T(xa);
    g[3] = ey + T(e) * cos(pd) - T(zt) * sin(q[4]) - T(ya);
    g[4] = ex - T(zf) * cos(oe) - T(u) * sin(q[6]) - T(xa);
    g[5] = ey - T(zf) * sin(oe) + T(u) * cos(q[6]) - T(ya);
  }
  template <class T>
  void residual(double, const T* y, const T* yp, T* F) const {
    const T *v = y + 7, *lambda = y + 14, *eta = y + 20;
    const Terms<T> r = terms(y, v);
    for (int i = 0; i < 7; ++i) {
      F[i] = yp[i] - v[i];
      F[7 + i] = -r.f[i];
      for (int j = 0; j < 7; ++j) F[7 + i] += r.M[i][j] * yp[7 + j];
      for (int k = 0; k < 6; ++k) {
        F[i] += r.G[k][i] * eta[k];
        F[7 + i] += r.G[k][i] * lambda[k];
      }
    }
    for (int k = 0; k < 6; ++k) {
      F[14 + k] = T(0);
      for (int i = 0; i < 7; ++i) F[14 + k] += r.G[k][i] * v[i];
      F[20 + k] = r.g[k];
    }
  }
  static Start start() {
    Start s{std::vector<double>(n), std::vector<double>(n)};
    const std::array q{-0.0617138900142764496, 0.0,
                       0.455279819163070380,   0.222668390165885885,
                       0.487364979543842550,   -0.222668390165885885,
                       1.23054744454982119};
    std::copy(q.begin(), q.end(), s.y.begin());
    s.yp[7] = 14222.4439199541138706;
    s.yp[8] = -10666.8329399655854029;
    s.y[14] = 98.5668703962410896;
    s.y[15] = -6.12268834425566266;
    return s;
  }
  // Angles at t_end, PSIDE at tolerance 1e-14.
  static constexpr std::array<double, 7> reference{15.81077119629904,   -15.75637105984298, 0.04082224013073101,
                                                   -0.5347301163226948, 0.5244099658805304, 0.5347301163226948,
                                                   1.048080741042263};
};

}  // namespace skyhook::test_problems
