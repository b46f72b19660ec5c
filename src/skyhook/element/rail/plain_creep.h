// Laws of creep in closed form: Kalker's linear theory, Shen, Hedrick and Elkins' saturation of it, Jaschinski's hyperbolic tangents, Polach's law.
#pragma once
#include "skyhook/element/rail/kalker.h"

namespace skyhook::element::rail {

// (17.8): without any bound. For small creepages alone.
struct LinearCreep : CreepLawOf<LinearCreep> {
  explicit LinearCreep(const CreepOptions& options) : shear(options.material.shear), coefficients(options) {}

  double shear;
  CoefficientsOf coefficients;

  template <class T>
  CreepForce<T> law(const Creep<T>& at) const {
    using std::sqrt;
    const CreepCoefficients<T> C = coefficients.at(at.a, at.b);
    const T area = at.a * at.b, G = T(shear) * area, size = sqrt(area);
    return {-G * C.C11 * at.x, -G * (C.C22 * at.y + size * C.C23 * at.spin),
            G * size * (C.C23 * at.y - size * C.C33 * at.spin)};
  }
};

// (17.10) [Shen 1983]: the linear force, shortened as Vermeulen and Johnson's is; its moment is shortened with it.
struct SaturatedCreep : CreepLawOf<SaturatedCreep> {
  explicit SaturatedCreep(const CreepOptions& options) : linear(options) {}

  LinearCreep linear;

  template <class T>
  CreepForce<T> law(const Creep<T>& at) const {
    const CreepForce<T> f = linear.law(at);
    const T most = at.friction * at.load, x = f.x / most, y = f.y / most;
    const T s = shortening(x * x + y * y);
    return {s * f.x, s * f.y, s * f.moment};
  }
  // Of the square of the linear force over the largest; the root is kept off zero, where its slope has no size.
  template <class T>
  static T shortening(const T& square) {
    using std::sqrt;
    const T r = sqrt(square + T(1e-24));
    if (value_of(r) >= 3.0) return T(1.0) / r;
    return T(1.0) - r * (T(1.0 / 3.0) - r * T(1.0 / 27.0));
  }
};

// (17.11), as the wheelset of the IVP test set has it [Simeon 1991]: the axes saturate one by one, then the circle of friction bounds both. No moment.
struct TanhCreep : CreepLawOf<TanhCreep> {
  explicit TanhCreep(const CreepOptions& options) : linear(options) {}

  LinearCreep linear;

  template <class T>
  CreepForce<T> law(const Creep<T>& at) const {
    using std::sqrt, std::tanh;
    const CreepForce<T> f = linear.law(at);
    const T most = at.friction * at.load;
    const T x = tanh(f.x / most), y = tanh(f.y / most), square = x * x + y * y;
    const T bound = value_of(square) > 1.0 ? most / sqrt(square) : most;
    return {bound * x, bound * y, T(0.0)};
  }
};

// (17.12) to (17.15) [Polach 1999], with the factors k_A and k_S of [Polach 2005]. No moment.
struct PolachCreep : CreepLawOf<PolachCreep> {
  explicit PolachCreep(const CreepOptions& options)
      : shear(options.material.shear), adhesion(options.adhesion), slip(options.slip), coefficients(options) {}

  double shear, adhesion, slip;
  CoefficientsOf coefficients;

  // Creepages below this do not tell their direction: C and the share of spin have slopes at zero.
  static constexpr double least = 1e-7;

  template <class T>
  CreepForce<T> law(const Creep<T>& at) const {
    using std::sqrt;
    const CreepCoefficients<T> C = coefficients.at(at.a, at.b);
    const T tiny(least * least), x2 = at.x * at.x, y2 = at.y * at.y;
    const T stiffness = sqrt((C.C11 * C.C11 * x2 + C.C22 * C.C22 * (y2 + tiny)) / (x2 + y2 + tiny));
    const T turned = at.y + at.spin * at.a;
    const T yc = value_of(turned) * value_of(turned) > value_of(y2) ? turned : at.y;
    const T lateral = sqrt(yc * yc + tiny), total = sqrt(x2 + yc * yc + tiny);  // |s_yC| and s_C
    const T linear = T(shear) * at.a * at.b * stiffness;
    const T eps = T(0.25 * 3.14159265358979323846) * linear * total / (at.load * at.friction);
    const T translation = linear * share(eps);
    return {-translation * at.x, -translation * at.y - at.load * spin_force(at, C.C23, lateral) * at.spin / total,
            T(0.0)};
  }

 private:
  // Force over that of linear creep, (k_A e/(1 + (k_A e)^2) + atan(k_S e))/(2 e): (k_A + k_S)/2 at e = 0.
  template <class T>
  T share(const T& e) const {
    using std::atan;
    const T near = T(adhesion) * e, far = T(slip) * e;
    const bool is_small = value_of(far) < 1e-4;  // the next term of atan is 1e-9 of it
    const T angle = is_small ? T(slip) * (T(1.0) - far * far * T(1.0 / 3.0)) : atan(far) / e;
    return T(0.5) * (T(adhesion) / (T(1.0) + near * near) + angle);
  }
  // F_yS of (17.15), over the load.
  template <class T>
  T spin_force(const Creep<T>& at, const T& C23, const T& lateral) const {
    using std::exp, std::sqrt;
    const T K = T(1.0) + T(6.3) * (T(1.0) - exp(-at.a / at.b));
    const T e = T(8.0 / 3.0 * shear) * at.b * sqrt(at.a * at.b) * C23 * lateral / (K * at.load * at.friction);
    const T e2 = e * e, d = (e2 - T(1.0)) / (e2 + T(1.0)), d2 = d * d;
    const T chord = T(2.0) * e / (e2 + T(1.0));  // sqrt(1 - d^2)
    const T curve = e * (d2 * (T(0.5) - d * T(1.0 / 3.0)) - T(1.0 / 6.0)) + T(1.0 / 3.0) * chord * chord * chord;
    return T(9.0 / 16.0) * at.a * at.friction * K * curve;
  }
};

}  // namespace skyhook::element::rail
