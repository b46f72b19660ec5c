// What every law of a tyre is a function of, and what it answers: axes of the contact point as ISO 8855 has them (x ahead in the
// road, y to the left in the road, z off the road). A law is a function object
//
//   template <class T> ContactForce<T> operator()(const Slip<T>&) const;
//   double my_by_speed(const Slip<double>&) const;   // may be missing: dMy/dV_x of a law whose speed counts in My alone
//
// that needs a load above zero. It is costly and depends on six numbers only, so derivatives to the motion pass this waist.
#pragma once
#include <algorithm>
#include <type_traits>

#include "skyhook/math/dual.h"

namespace skyhook::element::tyre {

template <class T>
struct Slip {
  T kappa;              // -V_sx / |V_x|: positive where the wheel drives
  T tan_alpha;          // V_sy / |V_x|: positive where the wheel slides to the left
  T camber;             // rad, about x: positive where its top leans to the right
  T load;               // N, above zero
  T speed = T(0.0);     // m/s, V_x
  T friction = T(1.0);  // of the road, times that of the law
};

// On the wheel, at the contact point. The load itself is not part of it. My and Mz are those of a wheel that rolls ahead.
template <class T>
struct ContactForce {
  T fx{}, fy{}, mx{}, my{}, mz{};
};

// Beside ContributionLaw: the law of slip of a tyre, to be looked at by itself.
struct Characteristic {
  virtual ~Characteristic() = default;
  virtual ContactForce<double> force(const Slip<double>& slip) const = 0;
  virtual double usual_load() const = 0;
};

template <class Law>
concept SpeedInMyAlone = requires(const Law& law, const Slip<double>& slip) { law.my_by_speed(slip); };

// The law on dual numbers of the first N of kappa, tan alpha, camber, load, speed (where it counts), friction; chained.
template <int N, class Law, class T>
ContactForce<T> by_directions(const Law& law, const Slip<T>& slip) {
  using D = Dual<N>;
  constexpr int speed = SpeedInMyAlone<Law> ? N : 4, friction = SpeedInMyAlone<Law> ? 4 : 5;
  const T* const in[6] = {
      &slip.kappa,   &slip.tan_alpha, &slip.camber, &slip.load, SpeedInMyAlone<Law> ? &slip.friction : &slip.speed,
      &slip.friction};
  const auto seeded = [](const T& x, int k) { return k < N ? D::variable(x.v, k) : D(x.v); };
  const ContactForce<D> f =
      law(Slip<D>{seeded(slip.kappa, 0), seeded(slip.tan_alpha, 1), seeded(slip.camber, 2), seeded(slip.load, 3),
                  seeded(slip.speed, speed), seeded(slip.friction, friction)});
  const auto chained = [&](const D& y) {
    T out(y.v);
    for (std::size_t i = 0; i < N; ++i) {
      for (std::size_t k = 0; k < out.d.size(); ++k) out.d[k] += y.d[i] * in[i]->d[k];
    }
    return out;
  };
  return {chained(f.fx), chained(f.fy), chained(f.mx), chained(f.my), chained(f.mz)};
}

template <class T>
bool is_constant(const T& x) {
  return std::ranges::all_of(x.d, [](double d) { return d == 0.0; });
}

// In as few directions as count: roads have one friction nearly everywhere.
template <class Law, class T>
ContactForce<T> force_of(const Law& law, const Slip<T>& slip) {
  if constexpr (std::is_same_v<T, double>) {
    return law(slip);
  } else {
    constexpr int without_friction = SpeedInMyAlone<Law> ? 4 : 5;
    ContactForce<T> f = is_constant(slip.friction) ? by_directions<without_friction>(law, slip)
                                                   : by_directions<without_friction + 1>(law, slip);
    if constexpr (SpeedInMyAlone<Law>) {
      const double slope =
          law.my_by_speed({slip.kappa.v, slip.tan_alpha.v, slip.camber.v, slip.load.v, slip.speed.v, slip.friction.v});
      for (std::size_t k = 0; k < f.my.d.size(); ++k) f.my.d[k] += slope * slip.speed.d[k];
    }
    return f;
  }
}

}  // namespace skyhook::element::tyre
