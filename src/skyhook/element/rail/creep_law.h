// Laws of creep: the tangential force of a wheel that rolls and slides a little. docs/theory/17_creep_forces.md. All in axes of the patch: x along
// rolling, in the direction of travel, y across, z along its normal, right-handed; either sense of the normal will do.
//
// A law depends on seven numbers, so derivatives to the motion pass this waist: creep_force() asks for the slopes to the seven, and chains.
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <string>

#include "skyhook/element/rail/hertz.h"
#include "skyhook/math/dual.h"

namespace skyhook::element::rail {

// Velocity of the wheel's particles against the rail's, over the speed of travel V > 0: (v_wheel - v_rail)/V; spin is the relative angular
// velocity about the normal over V.
template <class T>
struct Creep {
  T x, y;      // -
  T spin;      // 1/m
  T load;      // N; zero or less: no force
  T a, b;      // m, semi-axes along x and y
  T friction;  // coefficient of this patch
};

// On the wheel; the rail gets the opposite. The moment is about the patch's centre and its normal.
template <class T>
struct CreepForce {
  T x, y, moment;  // N, N, N.m
};

constexpr int creep_directions = 7;  // x, y, spin, load, a, b, friction
using CreepSlope = Dual<creep_directions>;

struct CreepLaw {
  virtual ~CreepLaw() = default;
  virtual CreepForce<double> force(const Creep<double>& at) const = 0;
  virtual CreepForce<CreepSlope> slopes(const Creep<double>& at) const = 0;
};

inline CreepForce<double> creep_force(const CreepLaw& law, const Creep<double>& at) { return law.force(at); }

template <int N>
CreepForce<Dual<N>> creep_force(const CreepLaw& law, const Creep<Dual<N>>& at) {
  const CreepForce<CreepSlope> f = law.slopes({at.x.v, at.y.v, at.spin.v, at.load.v, at.a.v, at.b.v, at.friction.v});
  const std::array<const Dual<N>*, creep_directions> in{&at.x, &at.y, &at.spin, &at.load, &at.a, &at.b, &at.friction};
  const auto chained = [&](const CreepSlope& y) {
    Dual<N> out(y.v);
    for (std::size_t i = 0; i < in.size(); ++i) {
      for (std::size_t k = 0; k < N; ++k) out.d[k] += y.d[i] * in[i]->d[k];
    }
    return out;
  };
  return {chained(f.x), chained(f.y), chained(f.moment)};
}

// Derived has: template <class T> CreepForce<T> law(const Creep<T>&) const, called with a load, axes and a friction above zero.
template <class Derived>
struct CreepLawOf : CreepLaw {
  CreepForce<double> force(const Creep<double>& at) const override {
    return is_pressed(at) ? static_cast<const Derived&>(*this).law(at) : CreepForce<double>{};
  }
  CreepForce<CreepSlope> slopes(const Creep<double>& at) const override {
    if (!is_pressed(at)) return {};
    const auto seed = [](double x, int k) { return CreepSlope::variable(x, k); };
    return static_cast<const Derived&>(*this).law(Creep<CreepSlope>{seed(at.x, 0), seed(at.y, 1), seed(at.spin, 2),
                                                                    seed(at.load, 3), seed(at.a, 4), seed(at.b, 5),
                                                                    seed(at.friction, 6)});
  }
  static bool is_pressed(const Creep<double>& at) {
    constexpr double least = 1e-9;                                           // N: laws divide by the load
    return !(at.load * at.friction <= least || at.a <= 0.0 || at.b <= 0.0);  // a NaN goes on and shows
  }
};

// Kalker's coefficients where they are not to follow from the patch.
struct FixedCoefficients {
  double C11, C22, C23, C33 = 0;
};

// Of FASTSIM's bristles. Three as Kalker has it: linear creep is right in all directions, but full sliding is turned towards the stiffer axis; one mean of them
// slides against the slip, but linear creep in mixed directions is off, and has no slope at rest; blended goes from three to one as it begins to slide.
enum class Flexibility { blended, three, one };

// The section of a model file.
struct CreepOptions {
  std::string law = "fastsim";  // kalker, she, polach, fastsim, fastsim_table or tanh
  Elastic material = {};
  std::optional<FixedCoefficients> coefficients;
  double adhesion = 1, slip = 1;                     // of Polach's law: k_A and k_S, 1 where the surfaces are clean
  int across = 24, along = 16;                       // slices of FASTSIM
  Flexibility flexibilities = Flexibility::blended;  // of FASTSIM
};

inline constexpr const char* creep_laws = "kalker she polach fastsim fastsim_table tanh";
// The law must be one of `creep_laws`.
std::shared_ptr<const CreepLaw> make_creep_law(const CreepOptions& options);

// Friction that falls with the speed w of sliding, f (far + (1 - far) exp(-decay w)) [Polach 2005] (7); decay 0: it does not. `slide_x`, `slide_y` in
// m/s; rounded at w = 0 within 1 mm/s, so that it has slopes there.
struct Friction {
  double value = 0.3, far = 1, decay = 0;  // -, -, s/m

  template <class T>
  T at(const T& slide_x, const T& slide_y) const {
    using std::exp, std::sqrt;
    if (decay == 0.0 || far == 1.0) return T(value);
    constexpr double round = 1e-3;
    const T w = sqrt(slide_x * slide_x + slide_y * slide_y + T(round * round)) - T(round);
    return T(value) * (T(far) + T(1.0 - far) * exp(T(-decay) * w));
  }
};

}  // namespace skyhook::element::rail
