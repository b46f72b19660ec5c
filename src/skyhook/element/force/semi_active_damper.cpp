#include "skyhook/element/force/semi_active_damper.h"

#include <limits>

#include "skyhook/element/controller_fields.h"
#include "skyhook/element/finding.h"
#include "skyhook/expression/scalar_functions.h"

namespace skyhook::element {

namespace {

struct CommandedDamper {
  bool listens;
  double damping, least, most;
  static constexpr double pull = 1.0;  // positive in tension

  template <class T>
  T force(const T& /*x*/, const T& v, double /*t*/, const model::Setting& set) const {
    return expression::clamp(listens ? set.heard<T>() : T(damping), T(least), T(most)) * v;
  }
  double energy(double /*x*/) const { return 0.0; }
};

CommandedDamper linear_law(const SemiActiveDamper& d, const Place& place, const model::FieldSource& source) {
  refuse(d.angular_damping != 0, "angular_damping", place, source);
  refuse(d.minimum_angular_damping != 0, "minimum_angular_damping", place, source);
  refuse(d.maximum_angular_damping.has_value(), "maximum_angular_damping", place, source);
  return {d.signal.index >= 0, d.damping, d.minimum_damping,
          d.maximum_damping.value_or(std::numeric_limits<double>::infinity())};
}

CommandedDamper angular_law(const SemiActiveDamper& d, const Place& place, const model::FieldSource& source) {
  refuse(d.damping != 0, "damping", place, source);
  refuse(d.minimum_damping != 0, "minimum_damping", place, source);
  refuse(d.maximum_damping.has_value(), "maximum_damping", place, source);
  return {d.signal.index >= 0, d.angular_damping, d.minimum_angular_damping,
          d.maximum_angular_damping.value_or(std::numeric_limits<double>::infinity())};
}

}  // namespace

void SemiActiveDamper::add_to(model::FieldSource& source, model::Model& model) const {
  const Place place = place_of(*this, source, model);
  const CommandedDamper law = place.is_angle ? angular_law(*this, place, source) : linear_law(*this, place, source);
  if (law.most < law.least) {
    fail(source, place.is_angle ? "maximum_angular_damping" : "maximum_damping",
         "the maximum damping is below the minimum.", "Exchange them.");
  }
  if (law.listens) check_unit(signal, place.is_angle ? "N.m.s/rad" : "N.s/m", source, model);
  add_force(law, place, source, model);
  model.contributions.back().signal = signal;
}

}  // namespace skyhook::element
