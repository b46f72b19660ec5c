// References: quaternions (the rate of q ⊞ d by differences), adjoints, inverses, differences in time.
#include "skyhook/math/rotation_vector.h"

#include <doctest/doctest.h>

#include "skyhook/math/rotation.h"

using namespace skyhook;

namespace {

const Vec3d directions[] = {{0.6, -0.48, 0.64}, {0, 1, 0}, {-0.36, 0.48, 0.8}};
const double angles[] = {0, 1e-9, 1e-3, 0.0999, 0.1001, 0.7, 2.0, 3.5};  // both sides of where the series ends
const Vec3d rate{0.3, -1.1, 0.7};

// Of q(t) = 1 ⊞ d(t) in body axes: twice the vector part of q^-1 q', by central differences.
Vec3d differenced(const Vec3d& d, const Vec3d& u) {
  const double h = 1e-5;
  const auto q = plus(Quaternion<double>{}, d), a = plus(Quaternion<double>{}, d + h * u),
             b = plus(Quaternion<double>{}, d - h * u);
  const Quaternion<double> r{(a.w - b.w) / (2 * h), (a.x - b.x) / (2 * h), (a.y - b.y) / (2 * h),
                             (a.z - b.z) / (2 * h)};
  return 2.0 * Vec3d{q.w * r.x - q.x * r.w - q.y * r.z + q.z * r.y, q.w * r.y - q.y * r.w - q.z * r.x + q.x * r.z,
                     q.w * r.z - q.z * r.w - q.x * r.y + q.y * r.x};
}

}  // namespace

TEST_CASE("The angular velocity of a changing rotation vector is that of its quaternion") {
  for (const Vec3d& e : directions) {
    for (const double angle : angles) {
      CAPTURE(angle);
      const Vec3d d = angle * e;
      CHECK(norm(angular_velocity(d, rate) - differenced(d, rate)) < 1e-9);  // h^2 and rounding / h
    }
  }
}

TEST_CASE("J(-d) is the transpose of J(d), and the rate undoes the angular velocity") {
  const Vec3d other{-0.2, 0.5, 0.9};
  for (const Vec3d& e : directions) {
    for (const double angle : angles) {
      CAPTURE(angle);
      const Vec3d d = angle * e;
      CHECK(std::abs(dot(other, angular_velocity(d, rate)) - dot(angular_velocity(-d, other), rate)) < 1e-14);
      CHECK(norm(rotation_vector_rate(d, angular_velocity(d, rate)) - rate) < 1e-14);
    }
  }
}

TEST_CASE("The second derivative of the rotation vector is the one that the angular velocity's change asks for") {
  const Vec3d bend{0.9, 0.2, -0.4};
  for (const Vec3d& e : directions) {
    for (const double angle : angles) {
      CAPTURE(angle);
      const Vec3d d = angle * e;
      const auto w = [&](double t) {  // along d(t) = d + rate t + bend t^2 / 2
        return angular_velocity(d + t * rate + (0.5 * t * t) * bend, rate + t * bend);
      };
      const double h = 1e-5;
      const Vec3d w_dot = (1 / (2 * h)) * (w(h) - w(-h));
      CHECK(norm(rotation_vector_acceleration(d, rate, w_dot) - bend) < 1e-9);
    }
  }
}
