#include "skyhook/element/force/bump_stop.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "skyhook/element/finding.h"
#include "skyhook/element/one_sided.h"

namespace skyhook::element {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

// Modes: between the stops, at the lower one, at the upper one.
struct StopLaw {
  static constexpr int free = 1, at_low = 2, at_high = 3;
  double low, high;  // where the stops touch
  Compliance stop;
  static constexpr double pull = -1.0;  // the bump stop pushes apart
  static constexpr bool reads_time = false;

  template <class T>
  T force(const T& x, const T& v, double t, const model::Setting& set) const {
    switch (set.mode > 0 ? set.mode : first_mode({value_of(x), value_of(v), t, set})) {
      case at_low: return stop.push(T(T(low) - x), T(-v));
      case at_high: return -stop.push(T(x - T(high)), v);
      default: return T(0.0);
    }
  }
  double energy(double x) const { return stop.energy(low - x) + stop.energy(x - high); }

  int first_mode(const model::Stroke<double>& s) const {
    if (!(s.x >= low)) return at_low;  // a NaN goes on and shows
    return s.x > high ? at_high : free;
  }
  double watch(const model::Stroke<double>& s) const {
    if (s.set.mode == at_low) return low - s.x;
    if (s.set.mode == at_high) return s.x - high;
    return std::min(s.x - low, high - s.x);
  }
  // Stops that meet leave nothing between them.
  int next_mode(const model::Stroke<double>& s) const {
    if (s.set.mode == free) return std::abs(s.x - low) < std::abs(s.x - high) ? at_low : at_high;
    if (low < high) return free;
    return s.set.mode == at_low ? at_high : at_low;
  }
  std::string event(int from, int to) const {
    if (to == free) return from == at_low ? "leaves the low stop" : "leaves the high stop";
    return to == at_low ? "touches the low stop" : "touches the high stop";
  }
};

StopLaw linear_law(const BumpStop& s, const Place& place, const model::FieldSource& source) {
  refuse(s.angular_stiffness != 0, "angular_stiffness", place, source);
  refuse(s.angular_damping != 0, "angular_damping", place, source);
  refuse(s.engage_angle.has_value(), "engage_angle", place, source);
  refuse(s.engage_angle_max.has_value(), "engage_angle_max", place, source);
  return {s.engage_length.value_or(-never),
          s.engage_length_max.value_or(never),
          {s.stiffness, s.depth, s.exponent, s.damping}};
}

StopLaw angular_law(const BumpStop& s, const Place& place, const model::FieldSource& source) {
  refuse(s.stiffness != 0, "stiffness", place, source);
  refuse(s.damping != 0, "damping", place, source);
  refuse(s.engage_length.has_value(), "engage_length", place, source);
  refuse(s.engage_length_max.has_value(), "engage_length_max", place, source);
  return {s.engage_angle.value_or(-never),
          s.engage_angle_max.value_or(never),
          {s.angular_stiffness, s.angular_depth, s.exponent, s.angular_damping}};
}

void check(const StopLaw& law, const char* low_field, const model::FieldSource& source) {
  const std::string low = low_field, high = low + "_max";
  if (law.low == -never && law.high == never) {
    fail(source, low_field, "it is not said where it touches.", "Give " + low + ", " + high + " or both.");
  }
  if (law.low > law.high) fail(source, low_field, low + " is above " + high + ".", "Exchange them.");
}

}  // namespace

void BumpStop::add_to(model::FieldSource& source, model::Model& model) const {
  const Place place = place_of(*this, source, model);
  const StopLaw law = place.is_angle ? angular_law(*this, place, source) : linear_law(*this, place, source);
  check(law, place.is_angle ? "engage_angle" : "engage_length", source);
  add_force(law, place, source, model);
  model.contributions.back().events = events;
}

}  // namespace skyhook::element
