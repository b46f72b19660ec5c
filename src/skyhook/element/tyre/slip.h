// What every law of a tyre is a function of, and what it answers: axes of the contact point as ISO 8855 has them (x ahead in the
// road, y to the left in the road, z off the road). A law is a function object
//
//   template <class T> ContactForce<T> operator()(const Slip<T>&) const;
//
// that needs a load above zero. It is costly and depends on five numbers only, so derivatives to the motion pass this waist.
#pragma once
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
  double friction = 1;  // of the road, times that of the law
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

template <class Law, class T>
ContactForce<T> force_of(const Law& law, const Slip<T>& slip) {
  if constexpr (std::is_same_v<T, double>) {
    return law(slip);
  } else {
    using D = Dual<5>;
    const T* const in[5] = {&slip.kappa, &slip.tan_alpha, &slip.camber, &slip.load, &slip.speed};
    const ContactForce<D> f = law(Slip<D>{D::variable(in[0]->v, 0), D::variable(in[1]->v, 1), D::variable(in[2]->v, 2),
                                          D::variable(in[3]->v, 3), D::variable(in[4]->v, 4), slip.friction});
    const auto chained = [&](const D& y) {
      T out(y.v);
      for (std::size_t i = 0; i < 5; ++i) {
        for (std::size_t k = 0; k < out.d.size(); ++k) out.d[k] += y.d[i] * in[i]->d[k];
      }
      return out;
    };
    return {chained(f.fx), chained(f.fy), chained(f.mx), chained(f.my), chained(f.mz)};
  }
}

}  // namespace skyhook::element::tyre
