#include "skyhook/element/force/bump_stop.h"

#include <limits>

#include "skyhook/element/finding.h"
#include "skyhook/expression/scalar_functions.h"

namespace skyhook::element {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

// z + sqrt(1 + z^2): 1 and slope 1 at rest, positive for all z, so that damping never turns the force into a pull.
template <class T>
T speed_factor(const T& z) {
  using std::sqrt;
  const T root = sqrt(T(1.0) + z * z);
  return value_of(z) < 0.0 ? T(1.0) / (root - z) : root + z;  // the same, without cancellation
}

struct StopLaw {
  double low, high;  // where the stops touch
  double stiffness, depth, exponent, damping;
  static constexpr double pull = -1.0;  // the bump stop pushes apart

  // p compression, v its speed. Damping as a factor (Hunt and Crossley 1975): no force at first touch.
  template <class T>
  T push(const T& p, const T& v) const {
    if (value_of(p) <= 0.0) return T(0.0);
    const T elastic = T(stiffness * depth) * expression::power(T(p / T(depth)), exponent);
    return elastic * speed_factor(T(T(damping) * v));
  }
  template <class T>
  T force(const T& x, const T& v, double /*t*/) const {
    return push(T(T(low) - x), T(-v)) - push(T(x - T(high)), v);
  }

  double stored(double p) const {
    return p > 0.0 ? stiffness * depth * depth / (exponent + 1.0) * expression::power(p / depth, exponent + 1.0) : 0.0;
  }
  double energy(double x) const { return stored(low - x) + stored(x - high); }
};

StopLaw linear_law(const BumpStop& s, const Place& place, const model::FieldSource& source) {
  refuse(s.angular_stiffness != 0, "angular_stiffness", place, source);
  refuse(s.angular_damping != 0, "angular_damping", place, source);
  refuse(s.engage_angle.has_value(), "engage_angle", place, source);
  refuse(s.engage_angle_max.has_value(), "engage_angle_max", place, source);
  return {s.engage_length.value_or(-never),
          s.engage_length_max.value_or(never),
          s.stiffness,
          s.depth,
          s.exponent,
          s.damping};
}

StopLaw angular_law(const BumpStop& s, const Place& place, const model::FieldSource& source) {
  refuse(s.stiffness != 0, "stiffness", place, source);
  refuse(s.damping != 0, "damping", place, source);
  refuse(s.engage_length.has_value(), "engage_length", place, source);
  refuse(s.engage_length_max.has_value(), "engage_length_max", place, source);
  return {s.engage_angle.value_or(-never),
          s.engage_angle_max.value_or(never),
          s.angular_stiffness,
          s.angular_depth,
          s.exponent,
          s.angular_damping};
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
}

}  // namespace skyhook::element
