// For tests of laws of slip: 500 random slips, loads and cambers against a second implementation, exact derivatives against differences.
#pragma once
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <random>

#include "skyhook/element/tyre/slip.h"

namespace skyhook::element::test {

using tyre::ContactForce, tyre::Slip;

inline Slip<double> random_slip(std::mt19937& random) {
  std::uniform_real_distribution<double> unit(-1, 1);
  // half of them small, half large
  const double size = unit(random) > 0 ? 1.2 : 0.08;
  return {size * unit(random),        size * unit(random),      0.15 * unit(random),
          4000 + 3500 * unit(random), 20 + 15.0 * unit(random), 1.0 + 0.4 * unit(random)};
}

inline std::array<double, 5> values(const ContactForce<double>& f) { return {f.fx, f.fy, f.mx, f.my, f.mz}; }

// `reference(slip)` gives fx, fy, mx, my, mz. Both round alike: 1e-11 of the load.
template <class Law, class Reference>
void check_against(const Law& law, const Reference& reference, int count = 500) {
  std::mt19937 random(17);
  for (int k = 0; k < count; ++k) {
    const Slip<double> s = random_slip(random);
    const std::array<double, 5> got = values(law(s)), wanted = reference(s);
    for (std::size_t i = 0; i < 5; ++i) {
      CAPTURE(i);
      CAPTURE(s.kappa);
      CAPTURE(s.tan_alpha);
      CAPTURE(s.camber);
      CAPTURE(s.load);
      CHECK(std::abs(got[i] - wanted[i]) < 1e-11 * s.load);
    }
  }
}

// Central differences leave h^2 f''' and eps f / h; 2e-6 of the largest slope (about 20 loads per unit of slip) is above both.
// `is_smooth` leaves out slips next to a kink.
template <class Law, class Smooth>
void check_slopes(const Law& law, const Smooth& is_smooth) {
  std::mt19937 random(23);
  for (int k = 0; k < 100; ++k) {
    const Slip<double> s = random_slip(random);
    if (!is_smooth(s)) continue;
    using D = Dual<6>;
    const auto all = [&](bool on_patch) {  // friction with a slope is another way through the waist
      return force_of(law, Slip<D>{D::variable(s.kappa, 0), D::variable(s.tan_alpha, 1), D::variable(s.camber, 2),
                                   D::variable(s.load, 3), D::variable(s.speed, 4),
                                   on_patch ? D::variable(s.friction, 5) : D(s.friction)});
    };
    const ContactForce<D> exact = all(true), plain = all(false);
    const ContactForce<D> slips = force_of(law, Slip<D>{D::variable(s.kappa, 0), D::variable(s.tan_alpha, 1),
                                                        D(s.camber), D(s.load), D(s.speed), D(s.friction)});
    const std::array<const D*, 5> rows{&exact.fx, &exact.fy, &exact.mx, &exact.my, &exact.mz};
    const std::array<const D*, 5> without{&plain.fx, &plain.fy, &plain.mx, &plain.my, &plain.mz};
    const std::array<const D*, 5> narrow{&slips.fx, &slips.fy, &slips.mx, &slips.my, &slips.mz};
    for (std::size_t i = 0; i < 5; ++i) {
      for (std::size_t j = 0; j < 5; ++j) {
        CHECK(std::abs(without[i]->d[j] - rows[i]->d[j]) <= 1e-13 * (s.load + std::abs(rows[i]->d[j])));
        if (j < 2) CHECK(std::abs(narrow[i]->d[j] - rows[i]->d[j]) <= 1e-13 * (s.load + std::abs(rows[i]->d[j])));
      }
      CHECK(without[i]->d[5] == 0.0);
    }
    for (int j = 0; j < 6; ++j) {
      const double scale = j == 3 ? 1000.0 : j == 4 ? 10.0 : 1.0, h = 1e-6 * scale;
      const auto moved = [&](double by) {
        Slip<double> at = s;
        std::array<double*, 6> in{&at.kappa, &at.tan_alpha, &at.camber, &at.load, &at.speed, &at.friction};
        *in[static_cast<std::size_t>(j)] += by;
        return values(law(at));
      };
      const auto ahead = moved(h), behind = moved(-h);
      for (std::size_t i = 0; i < 5; ++i) {
        CAPTURE(i);
        CAPTURE(j);
        const double difference = (ahead[i] - behind[i]) / (2 * h);
        CHECK(std::abs(rows[i]->d[static_cast<std::size_t>(j)] - difference) * scale < 2e-6 * 20 * s.load);
      }
    }
  }
}

}  // namespace skyhook::element::test
