// The ellipse in which two elastic bodies touch [Johnson 1985] §4.2: docs/theory/17_creep_forces.md (17.1) to (17.5). Axes of the patch: x along
// rolling (semi-axis a), y across it (b). Curvatures are A = (1/R_wheel + 1/R_rail)/2 along x and B across: the gap is A x^2 + B y^2.
#pragma once
#include <cmath>

#include "skyhook/math/dual.h"

namespace skyhook::element::rail {

// Of two bodies of one material.
struct Elastic {
  double shear = 82e9;  // Pa
  double poisson = 0.28;
  // E* of two equal bodies: E / (2 (1 - nu^2)) = G / (1 - nu)
  double effective() const { return shear / (1.0 - poisson); }
};

// The ellipse under an approach of one metre; of any other approach it follows by powers.
template <class T>
struct HertzShape {
  T a, b;       // m^(1/2): semi-axes over the root of the approach
  T stiffness;  // N/m^(3/2): load over the approach^(3/2)
};

template <class T>
struct HertzPatch {
  T load, approach, a, b;  // N, m
  T pressure;              // Pa, the largest: 3/2 of the mean
};

// Needs A and B above zero. Exact derivatives to both.
HertzShape<double> hertz_shape(double A, double B, const Elastic& of);
HertzShape<Dual<2>> hertz_slopes(double A, double B, const Elastic& of);

template <int N>
HertzShape<Dual<N>> hertz_shape(const Dual<N>& A, const Dual<N>& B, const Elastic& of) {
  const HertzShape<Dual<2>> f = hertz_slopes(A.v, B.v, of);
  const auto chained = [&](const Dual<2>& y) {
    Dual<N> out(y.v);
    for (std::size_t k = 0; k < N; ++k) out.d[k] = y.d[0] * A.d[k] + y.d[1] * B.d[k];
    return out;
  };
  return {chained(f.a), chained(f.b), chained(f.stiffness)};
}

template <class T>
HertzPatch<T> completed(const T& load, const T& approach, const T& a, const T& b) {
  constexpr double share = 1.5 / 3.14159265358979323846;
  return {load, approach, a, b, T(share) * load / (a * b)};
}

// An approach of zero or less touches nowhere: all zero.
template <class T>
HertzPatch<T> patch_of_approach(const HertzShape<T>& shape, const T& approach) {
  using std::sqrt;
  if (!(value_of(approach) > 0.0)) return {T(0.0), T(0.0), T(0.0), T(0.0), T(0.0)};
  const T root = sqrt(approach);
  return completed(shape.stiffness * approach * root, approach, shape.a * root, shape.b * root);
}

template <class T>
T cube_root(const T& x) {
  using std::exp, std::log;
  return exp(log(x) * T(1.0 / 3.0));
}

// The load may be zero, as above.
template <class T>
HertzPatch<T> patch_of_load(const HertzShape<T>& shape, const T& load) {
  if (!(value_of(load) > 0.0)) return {T(0.0), T(0.0), T(0.0), T(0.0), T(0.0)};
  const T root = cube_root(load / shape.stiffness);
  return completed(load, root * root, shape.a * root, shape.b * root);
}

// Complete elliptic integrals of the parameter m = k^2, 0 <= m < 1: K, and D = (K - E)/m and B = (E - (1 - m) K)/m, which lose no digits as m goes
// to zero.
struct Elliptic {
  double K, D, B;
};
Elliptic elliptic(double m);

}  // namespace skyhook::element::rail
