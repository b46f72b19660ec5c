// References: rotations by hand, differences along random motions, the homokinetic joint.
#include "skyhook/model/axis_coordinate.h"

#include <doctest/doctest.h>

#include <random>

#include "skyhook/math/rotation.h"

using namespace skyhook;
using namespace skyhook::model;

namespace {

constexpr double pi = std::numbers::pi;
const Vec3d e = normalized(Vec3d{1, -2, 0.5});

Relative<double> at(const Mat3d& R, const Vec3d& w = {}) {
  Relative<double> m{};
  m.R = R, m.w = w;
  return m;
}

Vec3d random_vector(std::mt19937& random, double size) {
  std::uniform_real_distribution<double> number(-size, size);
  return {number(random), number(random), number(random)};
}

Mat3d turned(const Vec3d& phi) { return axis_rotation(normalized(phi), norm(phi)); }

}  // namespace

TEST_CASE("About parallel axes the angle is that of the rotation from design, and its turns are counted") {
  const AxisCoordinate angle{e, true, turned({0.3, 0.7, -0.2})};
  for (const double phi : {-3.0, -0.4, 0.0, 1.2, 3.1}) {
    for (const int turns : {-7, 0, 2}) {
      Relative<double> m = at(axis_rotation(e, phi + 2 * pi * turns) * angle.R_design, 3.0 * e);
      m.set.angles[0] = phi + 2 * pi * turns + 0.9;  // where it was a step before
      CHECK(std::abs(angle.value(m) - (phi + 2 * pi * turns)) < 1e-13);
      CHECK(angle.rate(m) == doctest::Approx(3.0));
    }
  }
}

// Central differences with h = 1e-5 leave h^2 f''' + eps/h, both below 1e-9.
TEST_CASE("The rate is that of the angle at any inclination: forces along `unit` do the work that their energy says") {
  std::mt19937 random(5);
  const AxisCoordinate angle{e, true, turned({0.3, 0.7, -0.2})};
  int checked = 0;
  for (int i = 0; i < 200; ++i) {
    const Mat3d R = turned(random_vector(random, 1.7));
    const Vec3d w = random_vector(random, 2.0);
    const Vec3d there = R * transpose_times(angle.R_design, e);
    if (dot(e, there) < -0.7) continue;  // nearly against each other
    const double h = 1e-5;
    Relative<double> m = at(R, w), plus = at(turned(h * w) * R), minus = at(turned(-h * w) * R);
    plus.set.angles[0] = minus.set.angles[0] = angle.value(m);
    CHECK(std::abs((angle.value(plus) - angle.value(minus)) / (2 * h) - angle.rate(m)) < 1e-7);
    ++checked;
  }
  CHECK(checked > 100);
}

// Two shafts at a fixed bend, each turned by the same angle about its own axis: a joint that passes rotation on evenly. The
// relative angle stays what it was.
TEST_CASE("Shafts that turn alike have no relative angle, however they are bent") {
  const AxisCoordinate angle{{1, 0, 0}, true};
  const Mat3d bend = axis_rotation({0, 0, 1}, 0.6);
  for (const double phi : {0.0, 0.5, 2.0, 4.0}) {
    const Mat3d first = axis_rotation({1, 0, 0}, phi), second = bend * axis_rotation({1, 0, 0}, phi);
    CHECK(std::abs(angle.value(at(transpose(first) * second))) < 1e-12);
  }
}

TEST_CASE("Along an axis the length is the component of the distance") {
  const AxisCoordinate length{e, false};
  Relative<double> m = at(turned({1, 1, 0}), {3, 2, 1});
  m.r = {1, 2, 3}, m.v = {-1, 0.5, 2};
  CHECK(length.value(m) == doctest::Approx(dot(e, m.r)));
  CHECK(length.rate(m) == doctest::Approx(dot(e, m.v)));
  CHECK(norm(length.unit(m) - e) == 0);
}
