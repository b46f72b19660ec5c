#include "skyhook/element/force/actuator.h"

#include <array>

#include "skyhook/element/controller_fields.h"
#include "skyhook/element/finding.h"
#include "skyhook/expression/scalar_functions.h"

namespace skyhook::element {

namespace {

struct ActuatorLaw {
  std::optional<model::Formula> formula;
  std::optional<model::Motion> table;
  std::optional<double> limit;
  static constexpr double pull = -1.0;  // positive pushes apart

  template <class T>
  T force(const T& x, const T& v, double t, const model::Setting& set) const {
    const T wanted = formula ? formula->evaluate<T>(std::array{T(t), x, v})
                     : table ? T(table->at(t).value)
                             : set.heard<T>();
    return limit ? expression::clamp(wanted, T(-*limit), T(*limit)) : wanted;
  }
  double energy(double /*x*/) const { return 0.0; }  // it works, it stores nothing
};

ActuatorLaw linear_law(const Actuator& a, const Place& place, const model::FieldSource& source) {
  refuse(a.moment.has_value(), "moment", place, source);
  refuse(a.moment_table.has_value(), "moment_table", place, source);
  refuse(a.moment_limit.has_value(), "moment_limit", place, source);
  return {a.force, a.table, a.limit};
}

ActuatorLaw angular_law(const Actuator& a, const Place& place, const model::FieldSource& source) {
  refuse(a.force.has_value(), "force", place, source);
  refuse(a.table.has_value(), "table", place, source);
  refuse(a.limit.has_value(), "limit", place, source);
  return {a.moment, a.moment_table, a.moment_limit};
}

}  // namespace

void Actuator::add_to(model::FieldSource& source, model::Model& model) const {
  const Place place = place_of(*this, source, model);
  const char* field = place.is_angle ? "moment" : "force";
  ActuatorLaw law = place.is_angle ? angular_law(*this, place, source) : linear_law(*this, place, source);
  const bool listens = signal.index >= 0;
  const int commands = law.formula.has_value() + law.table.has_value() + listens;
  if (commands != 1) {
    fail(source, field, commands > 1 ? "more than one command is given." : "its command is missing.",
         std::string("Give either the formula `") + field + "`, the table over time or `signal`.");
  }
  if (listens) check_unit(signal, place.is_angle ? "N.m" : "N", source, model);
  add_force(std::move(law), place, source, model);
  model.contributions.back().signal = signal;
}

}  // namespace skyhook::element
