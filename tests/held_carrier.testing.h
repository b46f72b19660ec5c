// A wheel carrier that five conditions hold, apart from the program: Newton's method for its pose at a height of the wheel's centre.
#pragma once
#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "skyhook/math/dense.h"
#include "skyhook/math/vec.h"

namespace skyhook::testing {

using CarrierPose = std::array<double, 5>;  // x, y of the wheel's centre, Cardan angles x-y-z of the carrier

inline Mat3d turn_of(const CarrierPose& u) {
  const double a = u[2], b = u[3], c = u[4];
  const Mat3d x{{1, 0, 0}, {0, std::cos(a), -std::sin(a)}, {0, std::sin(a), std::cos(a)}};
  const Mat3d y{{std::cos(b), 0, std::sin(b)}, {0, 1, 0}, {-std::sin(b), 0, std::cos(b)}};
  const Mat3d z{{std::cos(c), -std::sin(c), 0}, {std::sin(c), std::cos(c), 0}, {0, 0, 1}};
  return x * y * z;
}

// Where a point of the carrier is, given where it is at design.
struct CarrierPoint {
  CarrierPose pose;
  Vec3d centre;  // of the wheel, at design
  double z;      // of it now
  Vec3d operator()(const Vec3d& at_design) const {
    return Vec3d{pose[0], pose[1], z} + turn_of(pose) * (at_design - centre);
  }
};

// `conditions(point)` gives five numbers that vanish; point is a CarrierPoint.
template <class Conditions>
CarrierPose solve_carrier(const Vec3d& centre, double travel, const Conditions& conditions) {
  CarrierPose u{centre.x, centre.y, 0, 0, 0};
  const double z = centre.z + travel;
  const auto at = [&](const CarrierPose& pose) -> CarrierPose { return conditions(CarrierPoint{pose, centre, z}); };
  for (int iteration = 0; iteration < 30; ++iteration) {
    DenseMatrix jacobian(5, 5);
    for (std::size_t j = 0; j < 5; ++j) {
      CarrierPose up = u, down = u;
      up[j] += 1e-6, down[j] -= 1e-6;
      const CarrierPose a = at(up), b = at(down);
      for (std::size_t i = 0; i < 5; ++i) jacobian(static_cast<int>(i), static_cast<int>(j)) = (a[i] - b[i]) / 2e-6;
    }
    const CarrierPose f = at(u);
    const Vector step = LeastNorm(jacobian, 1e-12).solve(Vector(f.begin(), f.end()));
    for (std::size_t j = 0; j < 5; ++j) u[j] -= step[j];
  }
  for (const double f : at(u)) REQUIRE(std::abs(f) < 1e-13);
  return u;
}

struct Rod {
  Vec3d chassis, carrier;
  // length^2 less that at design
  double stretch(const CarrierPoint& point) const {
    const Vec3d now = point(carrier) - chassis, design = carrier - chassis;
    return dot(now, now) - dot(design, design);
  }
};

// A wishbone is two rods to one ball joint.
struct FiveRods {
  std::array<Rod, 5> rods;
  Vec3d centre;
  CarrierPose solve(double travel) const {
    return solve_carrier(centre, travel, [&](const CarrierPoint& point) {
      CarrierPose f;
      for (std::size_t i = 0; i < 5; ++i) f[i] = rods[i].stretch(point);
      return f;
    });
  }
};

}  // namespace skyhook::testing
