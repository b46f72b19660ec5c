// A corner of the Iltis by hand: its linkage in the plane x = 0 with the tie rod beside it, the laws of leaf spring and damper, and the
// statics that follow. From the data alone; nothing of the program is in it. Left side, the chassis as drawn; lengths in m, angles in rad.
#pragma once
#include <algorithm>
#include <cmath>

namespace skyhook::testing::iltis {

constexpr double g = 9.81, wheel_mass = 57.35, arm_mass = 6, chassis_mass = 1260, front_x = 0.97, rear_x = -1.047;
constexpr double weight = (chassis_mass + 4 * (wheel_mass + arm_mass)) * g, tyre_rate = 460000;

struct Point {
  double y, z;
};
inline Point operator+(Point a, Point b) { return {a.y + b.y, a.z + b.z}; }
inline Point operator-(Point a, Point b) { return {a.y - b.y, a.z - b.z}; }
inline double length(Point a) { return std::hypot(a.y, a.z); }
inline Point turned(double angle, Point a) {  // about x
  return {std::cos(angle) * a.y - std::sin(angle) * a.z, std::sin(angle) * a.y + std::cos(angle) * a.z};
}

constexpr Point arm_chassis{0.259, 0.302}, arm_carrier{0.572, 0.229}, rod_chassis{0.1585, 0.600},
    rod_carrier{0.488, 0.531}, wheel_centre{0.615, 0.356}, damper_chassis{0.297, 0.632}, damper_arm{0.500, 0.241},
    tie_chassis{0.070, 0.600}, tie_carrier{0.448, 0.531};
constexpr double stop_z = 0.707, tie_x = -0.14;

// Root of a function that rises; 60 halvings of an interval of 0.4 leave 1e-19.
template <class Function>
double root(Function&& f, double low, double high) {
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    (f(middle) < 0 ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

struct Pose {
  Point lower, upper, middle_of_arm;  // ends of the carrier
  double turn;                        // of the carrier about x
  double damper;                      // its length
  double leaf() const { return stop_z - upper.z - 0.1; }
};

// Where the A-arm has turned by `angle`; up is positive.
inline Pose pose_at(double angle) {
  Pose p;
  p.lower = arm_chassis + turned(angle, arm_carrier - arm_chassis);
  p.middle_of_arm = {0.5 * (arm_chassis.y + p.lower.y), 0.5 * (arm_chassis.z + p.lower.z)};
  // Two circles meet: about the rod's point on the chassis, and about the lower end. The outer meeting point is the one drawn.
  const Point across = p.lower - rod_chassis;
  const double d = length(across), a = length(rod_carrier - rod_chassis), b = length(rod_carrier - arm_carrier);
  const double along = (d * d + a * a - b * b) / (2 * d), beside = std::sqrt(a * a - along * along);
  p.upper = {rod_chassis.y + (along * across.y - beside * across.z) / d,
             rod_chassis.z + (along * across.z + beside * across.y) / d};
  const Point now = p.upper - p.lower, drawn = rod_carrier - arm_carrier;
  p.turn = std::atan2(now.z, now.y) - std::atan2(drawn.z, drawn.y);
  p.damper = length(arm_chassis + turned(angle, damper_arm - arm_chassis) - damper_chassis);
  return p;
}

inline double leaf_force(double L) {
  return L >= 0.006 ? 35906 * (L - 0.152) : 35906 * (0.006 - 0.152) + 1e7 * (L - 0.006);
}
inline double damper_force(double Z) { return -4.0092e6 + 2.8397e7 * Z - 6.7061e7 * Z * Z + 5.2796e7 * Z * Z * Z; }
inline double damper_slope(double Z) { return 2.8397e7 - 2 * 6.7061e7 * Z + 3 * 5.2796e7 * Z * Z; }

// The wheel with the carrier turned about its axis by what the tie rod asks for. `end`: 1 in front, -1 at the rear.
struct Wheel {
  double x, y, z;        // of its centre, x from the axle
  double steer, camber;  // to the left, and to the right: about z and about x
};
inline Wheel wheel_at(double angle, double rack, int end) {
  struct Vec {
    double x, y, z;
  };
  const Pose p = pose_at(angle);
  const Point axis{(p.upper - p.lower).y / length(p.upper - p.lower),
                   (p.upper - p.lower).z / length(p.upper - p.lower)};
  const auto steered = [&](double x, Point drawn, double by) {  // a vector of the carrier
    const Point r = turned(p.turn, drawn);
    const double d = axis.y * r.y + axis.z * r.z, c = std::cos(by), s = std::sin(by);
    return Vec{x * c + s * (axis.y * r.z - axis.z * r.y), r.y * c + s * axis.z * x + axis.y * d * (1 - c),
               r.z * c - s * axis.y * x + axis.z * d * (1 - c)};
  };
  const double rod = length(tie_carrier - tie_chassis);
  const auto too_long = [&](double by) {
    const Vec r = steered(end * tie_x, tie_carrier - arm_carrier, by);
    const double dx = r.x - end * tie_x, dy = r.y + p.lower.y - tie_chassis.y - rack,
                 dz = r.z + p.lower.z - tie_chassis.z;
    return std::sqrt(dx * dx + dy * dy + dz * dz) - rod;
  };
  const double by = root([&](double x) { return -end * too_long(x); }, -0.3, 0.3);
  const Vec axle = steered(0, {1, 0}, by), centre = steered(0, wheel_centre - arm_carrier, by);
  return {centre.x, centre.y + p.lower.y, centre.z + p.lower.z, std::atan2(-axle.x, axle.y), std::asin(axle.z)};
}

// Slopes over the way of the wheel's centre up, by central differences: 1e-4 rad of the arm is good to 1e-7 of them.
struct Slopes {
  double damper, leaf, arm;    // length of the damper, height of the rod's end and of the arm's centre of mass
  double x, y, steer, camber;  // of the wheel
  double turn;                 // of the arm
  double by_rack;              // steer over the way of the rack
  double rate;                 // N/m of the load that the corner asks for
};
inline double load_at(double angle, int end, double pitch = 0);
inline Slopes slopes_at(double angle, int end, bool with_rate = true) {
  constexpr double h = 1e-4, way = 1e-5;
  const Pose a = pose_at(angle - h), b = pose_at(angle + h);
  const Wheel down = wheel_at(angle - h, 0, end), up = wheel_at(angle + h, 0, end);
  const double dz = up.z - down.z;
  Slopes s{(b.damper - a.damper) / dz,
           (b.upper.z - a.upper.z) / dz,
           (b.middle_of_arm.z - a.middle_of_arm.z) / dz,
           (up.x - down.x) / dz,
           (up.y - down.y) / dz,
           (up.steer - down.steer) / dz,
           (up.camber - down.camber) / dz,
           2 * h / dz,
           (wheel_at(angle, way, end).steer - wheel_at(angle, -way, end).steer) / (2 * way),
           0};
  if (with_rate) s.rate = (load_at(angle + h, end) - load_at(angle - h, end)) / dz;
  return s;
}

// What the tyre must carry so that the corner stands, by virtual work; no lateral force. Where the chassis pitches, nose down, weight and load have
// a share along x of it.
inline double load_at(double angle, int end, double pitch) {
  const Pose p = pose_at(angle);
  const Slopes s = slopes_at(angle, end, false);
  const double springs = damper_force(p.damper) * s.damper - leaf_force(p.leaf()) * s.leaf;
  return wheel_mass * g +
         (springs + arm_mass * g * std::cos(pitch) * s.arm) / (std::cos(pitch) - std::sin(pitch) * s.x);
}

}  // namespace skyhook::testing::iltis
