// The pose of a point of a body that bends, in closed form: R = exp([theta]) and the left Jacobian J of the rotation vector, R' = [J theta'] R.
// The law of the same pose (waist_guide) gives the same by dual numbers, at fifty times the cost.
#pragma once
#include <array>
#include <cmath>

#include "skyhook/math/jet2.h"
#include "skyhook/math/vec.h"

namespace skyhook::formalism::recursive {

// What the series of the coefficients below divide by: 1/((2k+2)(2k+3)) and so on.
struct SeriesFactors {
  static constexpr int terms = 12;
  std::array<double, terms> s{}, c{}, d{};
  constexpr SeriesFactors() {
    for (std::size_t k = 0; k < terms; ++k) {
      const double n = 2.0 * static_cast<double>(k);
      s[k] = 1.0 / ((n + 2) * (n + 3)), c[k] = 1.0 / ((n + 3) * (n + 4)), d[k] = 1.0 / ((n + 4) * (n + 5));
    }
  }
};
inline constexpr SeriesFactors series_factors;

// sin(th)/th, (1 - cos th)/th^2 and (1 - sin(th)/th)/th^2 as functions of x = th^2, smooth at zero.
template <class T>
struct RotationCoefficients {
  T s, c, d;
  explicit RotationCoefficients(const T& x) : s(0.0), c(0.0), d(0.0) {
    const double size = value_of(x);
    if (size < 1.0) {
      // terms that matter to second derivatives too
      const SeriesFactors& by = series_factors;
      for (std::size_t k = size < 1e-6 ? 4 : size < 1e-4 ? 6 : size < 0.03 ? 8 : SeriesFactors::terms; k-- > 0;) {
        s = T(1.0) - x * s * T(by.s[k]);
        c = T(1.0) - x * c * T(by.c[k]);
        d = T(1.0) - x * d * T(by.d[k]);
      }
      c = T(0.5) * c, d = T(1.0 / 6) * d;
      return;
    }
    using std::sin, std::cos, std::sqrt;
    const T th = sqrt(x);
    s = sin(th) / th, c = (T(1.0) - cos(th)) / x, d = (T(1.0) - s) / x;
  }
};

// 1 + a [t] + b [t]^2
template <class T>
Mat3<T> of_vector(const Vec3<T>& t, const T& a, const T& b) {
  const T xx = b * t.x * t.x, yy = b * t.y * t.y, zz = b * t.z * t.z, xy = b * t.x * t.y, yz = b * t.y * t.z,
          zx = b * t.z * t.x;
  const Vec3<T> v = a * t;
  const T one(1.0);
  return {
      {one - yy - zz, xy - v.z, zx + v.y}, {xy + v.z, one - zz - xx, yz - v.x}, {zx - v.y, yz + v.x, one - xx - yy}};
}

template <class T>
Mat3<T> left_jacobian(const Vec3<T>& theta) {
  const RotationCoefficients<T> k(dot(theta, theta));
  return of_vector(theta, k.c, k.d);
}

}  // namespace skyhook::formalism::recursive
