#include "skyhook/element/force/spring_damper.h"

#include "skyhook/element/finding.h"

namespace skyhook::element {

namespace {

struct SpringLaw {
  double stiffness, damping, free, preload;
  std::optional<model::Curve> spring, damper;
  static constexpr double pull = 1.0;  // positive in tension

  template <class T>
  T force(const T& x, const T& v, double /*t*/) const {
    const T d = x - T(free);
    return T(preload) + (spring ? spring->at(d) : T(stiffness) * d) + (damper ? damper->at(v) : T(damping) * v);
  }
  double energy(double x) const {
    const double d = x - free;
    return preload * d + (spring ? spring->integral(d) : 0.5 * stiffness * d * d);
  }
};

void refuse_twice(bool rate, bool curve, const char* rate_field, const char* curve_field,
                  const model::FieldSource& source) {
  if (!rate || !curve) return;
  fail(source, curve_field, std::string("both ") + rate_field + " and " + curve_field + " are given.",
       "Remove one: the curve replaces the rate.");
}

SpringLaw linear_law(const SpringDamper& s, const Place& place, const model::FieldSource& source) {
  refuse(s.angular_stiffness != 0, "angular_stiffness", place, source);
  refuse(s.angular_damping != 0, "angular_damping", place, source);
  refuse(s.angular_preload != 0, "angular_preload", place, source);
  refuse(s.free_angle.has_value(), "free_angle", place, source);
  refuse(s.moment.has_value(), "moment", place, source);
  refuse(s.damper_moment.has_value(), "damper_moment", place, source);
  refuse_twice(s.stiffness != 0, s.force.has_value(), "stiffness", "force", source);
  refuse_twice(s.damping != 0, s.damper_force.has_value(), "damping", "damper_force", source);
  return {s.stiffness, s.damping, s.free_length.value_or(place.design), s.preload, s.force, s.damper_force};
}

SpringLaw angular_law(const SpringDamper& s, const Place& place, const model::FieldSource& source) {
  refuse(s.stiffness != 0, "stiffness", place, source);
  refuse(s.damping != 0, "damping", place, source);
  refuse(s.preload != 0, "preload", place, source);
  refuse(s.free_length.has_value(), "free_length", place, source);
  refuse(s.force.has_value(), "force", place, source);
  refuse(s.damper_force.has_value(), "damper_force", place, source);
  refuse_twice(s.angular_stiffness != 0, s.moment.has_value(), "angular_stiffness", "moment", source);
  refuse_twice(s.angular_damping != 0, s.damper_moment.has_value(), "angular_damping", "damper_moment", source);
  return {s.angular_stiffness, s.angular_damping, s.free_angle.value_or(place.design),
          s.angular_preload,   s.moment,          s.damper_moment};
}

}  // namespace

void SpringDamper::add_to(model::FieldSource& source, model::Model& model) const {
  const Place place = place_of(*this, source, model);
  add_force(place.is_angle ? angular_law(*this, place, source) : linear_law(*this, place, source), place, source,
            model);
}

}  // namespace skyhook::element
