// References: angles and quaternions of known motions, in which every turn can be counted by hand.
#include "skyhook/simulation/continued.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "skyhook/simulation/frame_channels.h"

using namespace skyhook;
using namespace skyhook::simulation;

namespace {

constexpr double turn = 2 * std::numbers::pi;

double wrapped(double angle) { return std::remainder(angle, turn); }

}  // namespace

TEST_CASE("The nearest turn") {
  CHECK(nearest_turn(0.1, 0) == doctest::Approx(0.1));
  CHECK(nearest_turn(-3.1, 3.1) == doctest::Approx(-3.1 + turn));
  CHECK(nearest_turn(1, 100) == doctest::Approx(1 + 16 * turn));
}

TEST_CASE("An angle is followed over several turns a sample, forwards and backwards, as long as its rate is known") {
  LastValues last;
  for (int i = 0; i <= 100; ++i) {
    const double t = 0.1 * i, angle = 30 * t - 4 * t * t;  // 3 rad a sample at first, -5 in the end
    CHECK(continued_angle(last, 0, wrapped(angle), t) == doctest::Approx(i == 0 ? wrapped(angle) : angle));
    remember_angle(last, wrapped(angle), 30 - 8 * t, t);
    CHECK(last.value[0] == doctest::Approx(angle));
  }
}

TEST_CASE("A quaternion goes on over full turns, where its sign changes, about any axis") {
  const Vec3d e = normalized(Vec3d{1, -2, 0.5});
  LastValues last;
  for (int i = 0; i <= 200; ++i) {
    const double t = 0.05 * i, angle = 80 * t + 3 * t * t;  // 4 rad a sample at first, 7 in the end
    const auto q = continued_quaternion(last, quaternion_of(axis_rotation(e, angle)), t);
    remember_quaternion(last, quaternion_of(axis_rotation(e, angle)), (80 + 6 * t) * e, t);
    CHECK(last.value[0] == doctest::Approx(std::cos(angle / 2)));
    CHECK(last.value[2] == doctest::Approx(std::sin(angle / 2) * e.y));
    if (i == 0) CHECK(q.w == doctest::Approx(1));
  }
}

TEST_CASE("Of three angles the outer ones count turns; a jump is taken down") {
  LastValues smooth, over, coarse;
  for (int i = 0; i <= 100; ++i) {
    const double t = 0.1 * i;
    const Vec3d angles{10 * t, 0.5 * std::sin(t), -12 * t};
    remember_angles(smooth, {wrapped(angles.x), angles.y, wrapped(angles.z)}, {10, 0.5 * std::cos(t), -12}, t);
    CHECK(smooth.value[0] == doctest::Approx(angles.x));
    CHECK(smooth.value[2] == doctest::Approx(angles.z));
    // A turn about y: beyond 90 degrees the middle one comes back, and the two others are half a turn off.
    const Mat3d R = axis_rotation({0, 1, 0}, 2 * t);
    const Vec3d folded = cardan_angles(R);
    remember_angles(over, folded, cardan_angle_rates(folded, {0, 2, 0}), t);
  }
  CHECK(!smooth.has_jumped);
  remember_angles(coarse, {0, 0, 0}, {0, 0, 0}, 0);
  remember_angles(coarse, {0, 0, 2.5}, {0, 0, 0}, 1);  // nobody has seen it move: no lock, though
  CHECK(!coarse.has_jumped);
  CHECK(over.has_jumped);
}

TEST_CASE("Heading and lean of a wheel from its axis, and their rates") {
  const auto axis = [](double steer, double lean) {
    return axis_rotation({0, 0, 1}, steer) * (axis_rotation({1, 0, 0}, lean) * Vec3d{0, 1, 0});
  };
  for (const double steer : {-3.0, -0.4, 0.0, 0.2, 2.5}) {
    for (const double lean : {-1.2, -0.1, 0.0, 0.3, 1.4}) {
      const double h = 1e-6;
      const auto at = [&](double s) { return axis(steer + 0.7 * s, lean - 0.3 * s); };
      const WheelAxis a{at(0), (0.5 / h) * (at(h) - at(-h))};
      CHECK(std::abs(a.steer() - steer) < 1e-14);
      CHECK(std::abs(a.inclination() - lean) < 1e-14);
      CHECK(std::abs(a.steer_rate() - 0.7) < 1e-8);  // the difference: h^2 and rounding/h
      CHECK(std::abs(a.inclination_rate() + 0.3) < 1e-8);
    }
  }
  const WheelAxis flat{{0, 0, 1}, {1, 0, 0}};
  CHECK(flat.inclination() == doctest::Approx(turn / 4));
  CHECK(flat.steer() == 0);
  CHECK(flat.steer_rate() == 0);
}
