#include "skyhook/element/force/lag_actuator.h"

#include "skyhook/element/command.h"
#include "skyhook/element/controller_fields.h"
#include "skyhook/element/finding.h"

namespace skyhook::element {

namespace {

struct LagLaw final : model::StateLaw<LagLaw> {
  Command command;
  double time_constant = 1;
  bool is_angle = false;

  std::vector<model::InnerState> states() const override {
    return {{is_angle ? "moment" : "push", is_angle ? "N.m" : "N",
             std::min(command.limit.value_or(1e300), is_angle ? 10.0 : 100.0)}};
  }
  template <class T>
  T law(const model::Stroke<T>& s, std::span<const T> c, std::span<T> rates) const {
    rates[0] = (command.at(s) - c[0]) / T(time_constant);
    return -c[0];
  }
  Force acts() const override { return Force::pushes; }
};

}  // namespace

void LagActuator::add_to(model::FieldSource& source, model::Model& model) const {
  const Place place = place_of(*this, source, model);
  auto law = std::make_shared<LagLaw>();
  law->is_angle = place.is_angle, law->time_constant = time_constant;
  if (place.is_angle) {
    refuse(force.has_value(), "force", place, source);
    refuse(limit.has_value(), "limit", place, source);
    law->command = {moment, moment_limit};
  } else {
    refuse(moment.has_value(), "moment", place, source);
    refuse(moment_limit.has_value(), "moment_limit", place, source);
    law->command = {force, limit};
  }
  const bool listens = signal.index >= 0;
  if (law->command.formula.has_value() == listens) {
    const std::string field = place.is_angle ? "moment" : "force";
    fail(source, field.c_str(), listens ? "both a formula and a signal are given." : "its command is missing.",
         "Give either the formula `" + field + "` or `signal`.");
  }
  if (listens) check_unit(signal, place.is_angle ? "N.m" : "N", source, model);
  add_state_force(std::move(law), place, source, model);
  model.contributions.back().signal = signal;
}

}  // namespace skyhook::element
