// The Iltis as a linear model by hand, from the slopes of its corners (iltis_corner.testing.h) and of Calspan's law: pitch, heave and wheels
// of a car that drives straight on, and the steady curve.
#pragma once
#include <array>
#include <utility>

#include "iltis_corner.testing.h"

namespace skyhook::testing::iltis {

// Calspan's law, slopes at slip and camber 0 in N/rad, and the aligning moment over the lateral force.
struct TyreSlopes {
  double slip, camber, trail;
};
inline TyreSlopes tyre_at(double load) {
  const double slip = 14.47 * load * (load - 12930) / 12930 - 2625;
  return {slip, -2.29 * (18175 - load) * load / 18175, -0.171e-4 * load};
}

// Gauss-Jordan: the first N columns become the unit matrix, the others the solutions.
template <std::size_t N, std::size_t Columns>
void reduce(std::array<std::array<double, Columns>, N>& a) {
  for (std::size_t k = 0; k < N; ++k) {
    std::size_t p = k;
    for (std::size_t i = k + 1; i < N; ++i) p = std::abs(a[i][k]) > std::abs(a[p][k]) ? i : p;
    std::swap(a[k], a[p]);
    const double pivot = a[k][k];
    for (double& x : a[k]) x /= pivot;
    for (std::size_t i = 0; i < N; ++i) {
      if (i == k) continue;
      const double factor = a[i][k];
      for (std::size_t j = 0; j < Columns; ++j) a[i][j] -= factor * a[k][j];
    }
  }
}

// Of one axle: where its arms stand, what its tyres carry.
struct Axle {
  double x, angle, load;
  int end;
  Slopes slopes() const { return slopes_at(angle, end); }
};

constexpr double wheel_height = 0.356, wheel_y = 0.615, spin_inertia = 1.908, wheel_inertia = 1.2402,
                 arm_inertia = 0.052099, damping = 9945.627;

// M u'' + C u' + K u = 0 of u = (heave up, pitch nose down, travel of the front wheels, of the rear wheels) about straight driving.
// Left out: weight that acts along x of a pitched chassis, and how levers change with the travel other than in the rate of a corner.
struct Symmetric {
  std::array<std::array<double, 4>, 4> M{}, C{}, K{};

  Symmetric(const std::array<Axle, 2>& axles, double cg_height, double speed) {
    M[0][0] = chassis_mass, M[1][1] = 1620;
    double along = 0;  // momentum along x over the pitch rate
    for (std::size_t i = 0; i < 2; ++i) {
      const Axle& axle = axles[i];
      const Slopes s = axle.slopes();
      const TyreSlopes tyre = tyre_at(axle.load);
      const auto add = [&](auto& to, double per_wheel, const std::array<double, 4>& by) {
        for (std::size_t a = 0; a < 4; ++a) {
          for (std::size_t b = 0; b < 4; ++b) to[a][b] += 2 * per_wheel * by[a] * by[b];
        }
      };
      const auto point = [&](double share) {  // that goes up by this share of the travel
        std::array<double, 4> up{1, -axle.x, 0, 0};
        up[2 + i] = share;
        return up;
      };
      const auto travel = [&](double share) {
        std::array<double, 4> out{};
        out[2 + i] = share;
        return out;
      };
      const double below = cg_height - wheel_height, lower = cg_height - pose_at(axle.angle).middle_of_arm.z;
      add(M, wheel_mass, point(1)), add(M, arm_mass, point(s.arm));
      add(M, wheel_mass * s.y * s.y + wheel_inertia * (s.camber * s.camber + s.steer * s.steer), travel(1));
      add(M, arm_inertia * s.turn * s.turn, travel(1));
      add(M, wheel_mass * below * below + arm_mass * lower * lower + spin_inertia, {0, 1, 0, 0});
      along += 2 * (wheel_mass * below + arm_mass * lower);
      add(K, tyre_rate, point(1));
      K[2 + i][2 + i] += 2 * s.rate;
      add(C, damping * s.damper * s.damper, travel(1));
      // The contact point goes outwards and steers as the wheel goes up: slip, and a force that acts back on the travel.
      const double out = s.y + wheel_height * s.camber;
      C[2 + i][2 + i] += 2 * -tyre.slip * out * out / speed;
      K[2 + i][2 + i] += 2 * (tyre.slip * s.steer - tyre.camber * s.camber) * out;
    }
    M[1][1] -= along * along / (weight / g);  // x is free
  }
};

// The steady curve: a bicycle whose wheels steer and lean with the roll of the body and the travel of the corners.
struct SteadyCurve {
  double slip_angle, yaw_rate, roll;  // of the chassis; to the left, to the left, to the right positive
  double front_travel, rear_travel;   // of the left wheels; the right ones go the other way
  double front_force, rear_force;     // of both tyres, to the left
};
inline SteadyCurve steady_curve(const std::array<Axle, 2>& axles, double h, double v, double rack) {
  constexpr double unsprung = wheel_mass + arm_mass, r = wheel_height, mass = weight / g;
  enum { beta, yaw, roll, travel, force = travel + 2, count = force + 2 };
  std::array<std::array<double, count + 1>, count> a{};  // rows of a x = the last column
  auto &lateral = a[0], &turning = a[1], &rolling = a[2];
  lateral[yaw] = -mass * v;
  rolling[yaw] = -4 * unsprung * v * (h - r);
  for (std::size_t i = 0; i < 2; ++i) {
    const Axle& axle = axles[i];
    const Slopes s = axle.slopes();
    const TyreSlopes tyre = tyre_at(axle.load);
    const double out = s.y + r * s.camber;
    // Force of both tyres: slip by the motion of the axle, less what the wheels steer, and camber.
    auto& tyres = a[3 + 2 * i];
    tyres[beta] = 2 * tyre.slip, tyres[yaw] = 2 * tyre.slip * axle.x / v, tyres[roll] = 2 * tyre.camber;
    tyres[travel + i] = 2 * (tyre.camber * s.camber - tyre.slip * s.steer), tyres[force + i] = -1;
    tyres[count] = axle.end > 0 ? 2 * tyre.slip * s.by_rack * rack : 0.0;
    lateral[force + i] = 1;
    turning[force + i] = axle.x + tyre.trail;
    turning[yaw] -= 2 * unsprung * v * axle.x;
    // Virtual work of a roll, and of a travel of this axle: tyres, weights and inertia on their ways up and across.
    const double across = 2 * axle.load * out - 2 * unsprung * g * s.y;
    rolling[roll] += -2 * tyre_rate * wheel_y * wheel_y + 2 * axle.load * h - 2 * unsprung * g * (h - r);
    rolling[travel + i] = -2 * tyre_rate * wheel_y + across, rolling[force + i] = h;
    auto& corner = a[4 + 2 * i];
    corner[roll] = rolling[travel + i], corner[travel + i] = -2 * tyre_rate - 2 * s.rate, corner[force + i] = out;
    corner[yaw] = -2 * unsprung * v * s.y;
  }
  reduce(a);
  const auto x = [&](std::size_t k) { return a[k][count]; };
  return {x(beta), x(yaw), x(roll), x(travel), x(travel + 1), x(force), x(force + 1)};
}

}  // namespace skyhook::testing::iltis
