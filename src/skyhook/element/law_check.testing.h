// For tests of force laws: exact derivative = differences, power = loss of stored energy.
#pragma once
#include <doctest/doctest.h>

#include <functional>
#include <random>

#include "skyhook/element/source.testing.h"
#include "skyhook/math/rotation.h"

namespace skyhook::element::test {

using model::Local, model::Relative, model::Wrench;

Vec3d random_vector(std::mt19937& random, double size);

Mat3d exponential(const Vec3d& phi);

// Rotations up to 2.6 rad (each component up to 1.5): far, but off the jump at pi.
Relative<double> random_motion(std::mt19937& random);

template <class Element>
model::Contribution force_of(const Element& element, model::Model model = two_bodies()) {
  TestSource source;
  element.add_to(source, model);
  REQUIRE(model.contributions.size() == 1);
  return model.contributions[0];
}

// The twelve local variables: r, rotation R(theta) = (1 + [theta]x) R in axes of A, v, w.
Relative<Local> seeded(const Relative<double>& m);

Wrench<double> wrench_of(const model::WrenchElement& element, const Relative<double>& m);

// Central differences with h = 1e-5 leave h^2 f''' and eps |f| / h, both near 1e-10 of the largest entry for laws of
// this smoothness; 1e-7 is far above that and far below any wrong term.
void check_derivative(const model::WrenchElement& element, const Relative<double>& m);

double power(const model::WrenchElement& element, const Relative<double>& m);

// For elements without damping: f·v + n·w = -dU/dt along the motion.
void check_power(const model::WrenchElement& element, const Relative<double>& m);

// `wanted` leaves out motions next to kinks of the law, where differences say nothing.
void check_law(const model::WrenchElement& element, bool conservative,
               const std::function<bool(const Relative<double>&)>& wanted = {});

// Of a law that switches: its derivatives are exact in each mode; the mode that it chooses itself, and that one alone, is watched
// with a positive number; and there the law is the one that nobody watches.
void check_modes(const model::WrenchElement& element, const std::vector<int>& modes,
                 const std::function<bool(const Relative<double>&)>& wanted = {});

// Points that coincide: no direction, no force, and finite derivatives.
void check_zero_length(const model::WrenchElement& element);

// A law on a coordinate: exact derivative = differences, and without damping force = -dU/dx.
void check_coordinate_law(const model::CoordinateElement& element, double x, double v, bool conservative,
                          const model::Setting& set = {});

// A law with inner states: exact derivatives of force and rates = differences, in units of `stroke` and of the nominal sizes.
void check_state_law(const model::StateElement& element, const model::Stroke<double>& stroke,
                     const std::vector<double>& c);

}  // namespace skyhook::element::test
