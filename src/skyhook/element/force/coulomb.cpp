#include "skyhook/element/force/coulomb.h"

#include "skyhook/element/finding.h"

namespace skyhook::element {

namespace {

struct FrictionLaw {
  double sliding, rise;  // force; what comes on top of it near standstill
  double slip_speed, stribeck_speed;
  static constexpr double pull = 1.0;  // against a line that becomes longer
  static constexpr bool reads_time = false;

  template <class T>
  T force(const T& /*x*/, const T& v, double /*t*/) const {
    using std::exp, std::tanh;
    const T u = v / T(stribeck_speed);
    const T level = rise == 0.0 ? T(sliding) : T(sliding) + T(rise) * exp(-(u * u));
    return level * tanh(v / T(slip_speed));
  }
  double energy(double /*x*/) const { return 0.0; }
};

FrictionLaw law_of(double sliding, std::optional<double> hold, double slip_speed, double stribeck_speed,
                   const char* field, const model::FieldSource& source) {
  if (hold && *hold < sliding) {
    fail(source, field, std::string(field) + " is below the force where it slides.",
         "Exchange them: friction is largest near standstill.");
  }
  return {sliding, hold.value_or(sliding) - sliding, slip_speed, stribeck_speed};
}

}  // namespace

void Coulomb::add_to(model::FieldSource& source, model::Model& model) const {
  const Place place = place_of(*this, source, model);
  refuse(sliding_force != 0 && place.is_angle, "sliding_force", place, source);
  refuse(static_force.has_value() && place.is_angle, "static_force", place, source);
  refuse(sliding_moment != 0 && !place.is_angle, "sliding_moment", place, source);
  refuse(static_moment.has_value() && !place.is_angle, "static_moment", place, source);
  add_force(place.is_angle ? law_of(sliding_moment, static_moment, angular_slip_speed, angular_stribeck_speed,
                                    "static_moment", source)
                           : law_of(sliding_force, static_force, slip_speed, stribeck_speed, "static_force", source),
            place, source, model);
}

}  // namespace skyhook::element
