#include "skyhook/simulation/continued.h"

#include <cmath>
#include <numbers>

namespace skyhook::simulation {
namespace {

constexpr double jump = 1;  // rad; from what the rates lead to expect

double expected(const LastValues& last, std::size_t i, double rate, double t) {
  return last.value[i] + 0.5 * (last.rate[i] + rate) * (t - last.t);
}

}  // namespace

double nearest_turn(double angle, double expected) {
  constexpr double turn = 2 * std::numbers::pi;
  return angle + turn * std::round((expected - angle) / turn);
}

double continued_angle(const LastValues& last, int which, double angle, double t) {
  const auto i = static_cast<std::size_t>(which);
  return last.is_known ? nearest_turn(angle, expected(last, i, last.rate[i], t)) : angle;
}

void remember_angle(LastValues& last, double angle, double rate, double t) {
  last.value[0] = last.is_known ? nearest_turn(angle, expected(last, 0, rate, t)) : angle;
  last.rate[0] = rate, last.t = t, last.is_known = true;
}

// Where the rates of the outer angles are large they tell nothing of the next sample. Where the middle angle folds back both
// outer ones jump by half a turn; one alone that misses its expectation was only sampled too coarsely.
void remember_angles(LastValues& last, const Vec3d& angles, const Vec3d& rates, double t) {
  const bool is_steep = std::cos(angles.y) < 0.1;
  int jumps = 0;
  for (int k = 0; k < 3; ++k) {
    const auto i = static_cast<std::size_t>(k);
    const double rate = is_steep ? 0.0 : rates[k], wanted = expected(last, i, rate, t);
    last.value[i] = last.is_known && k != 1 ? nearest_turn(angles[k], wanted) : angles[k];
    jumps += k != 1 && std::abs(last.value[i] - wanted) > jump ? 1 : 0;
    last.rate[i] = rate;
  }
  last.has_jumped = last.has_jumped || (last.is_known && jumps == 2);
  last.t = t, last.is_known = true;
}

// At constant angular velocity the quaternion goes round on a great circle.
Quaternion<double> continued_quaternion(const LastValues& last, const Quaternion<double>& q, double t) {
  if (!last.is_known) return q;
  const auto& [w, x, y, z] = last.rate;
  const double speed = std::sqrt(w * w + x * x + y * y + z * z), turned = speed * (t - last.t);
  const double along = std::cos(turned), across = speed > 0 ? std::sin(turned) / speed : 0.0;
  const double now[] = {q.w, q.x, q.y, q.z};
  double agreement = 0;
  for (std::size_t i = 0; i < 4; ++i) agreement += now[i] * (along * last.value[i] + across * last.rate[i]);
  return agreement < 0 ? Quaternion<double>{-q.w, -q.x, -q.y, -q.z} : q;
}

void remember_quaternion(LastValues& last, const Quaternion<double>& q, const Vec3d& w, double t) {
  if (last.is_known) {  // half a step with each of the two velocities
    const auto before = last.rate;
    const Quaternion<double> was{last.value[0], last.value[1], last.value[2], last.value[3]};
    const auto r = quaternion_rate(was, w);
    const double now[] = {r.w, r.x, r.y, r.z};
    for (std::size_t i = 0; i < 4; ++i) last.rate[i] = 0.5 * (before[i] + now[i]);
  }
  const auto kept = continued_quaternion(last, q, t);
  const auto rate = quaternion_rate(kept, w);
  last.value = {kept.w, kept.x, kept.y, kept.z}, last.rate = {rate.w, rate.x, rate.y, rate.z};
  last.t = t, last.is_known = true;
}

}  // namespace skyhook::simulation
