#include "skyhook/element/force/hydraulic_actuator.h"

#include "skyhook/element/command.h"
#include "skyhook/element/controller_fields.h"
#include "skyhook/element/finding.h"
#include "skyhook/element/hydraulics.h"
#include "skyhook/element/line_or_joint.h"

namespace skyhook::element {

namespace {

struct HydraulicActuatorLaw final : model::StateLaw<HydraulicActuatorLaw> {
  Orifice orifice{};
  Chamber push{}, pull{};  // x: how far the cylinder is extended from design
  Command command;
  double valve_area = 0, supply = 0, time_constant = 1, underlap = 0, leakage = 0, design = 0;

  std::vector<model::InnerState> states() const override {
    return {
        {"push_pressure", "Pa", 1e5, 0.5 * supply}, {"pull_pressure", "Pa", 1e5, 0.5 * supply}, {"spool", "-", 1, 0}};
  }
  // Into a chamber, one edge open to the pump and the other to the tank.
  template <class T>
  T flow(const T& to_pump, const T& to_tank, const T& p) const {
    return T(valve_area) * (to_pump * orifice.flow(T(supply) - p) - to_tank * orifice.flow(p));
  }
  template <class T>
  T law(const model::Stroke<T>& s, std::span<const T> c, std::span<T> rates) const {
    using std::sqrt;
    const T wide = sqrt(c[2] * c[2] + T(underlap * underlap)), open = T(0.5) * (wide + c[2]),
            back = T(0.5) * (wide - c[2]);
    const T extended = s.x - T(design), leak = T(leakage) * (c[0] - c[1]);
    rates[0] = push.pressure_rate(extended, s.v, T(flow(open, back, c[0]) - leak));
    rates[1] = pull.pressure_rate(extended, s.v, T(flow(back, open, c[1]) + leak));
    rates[2] = (command.at(s) - c[2]) / T(time_constant);
    return -T(push.area) * c[0] - T(pull.area) * c[1];
  }
  Force acts() const override { return Force::pushes; }
};

}  // namespace

void HydraulicActuator::add_to(model::FieldSource& source, model::Model& model) const {
  if (rod_area >= piston_area)
    fail(source, "rod_area", "the rod is as thick as the piston.", "Give a rod_area below piston_area.");
  Place where;
  where.pair = place(source), where.design = design_distance(where.pair);
  auto law = std::make_shared<HydraulicActuatorLaw>();
  law->orifice = {discharge, density, laminar};
  law->push = {modulus, push_volume, piston_area};
  law->pull = {modulus, pull_volume, -(piston_area - rod_area)};
  law->command = {opening, 1.0};
  law->valve_area = valve_area, law->supply = supply, law->time_constant = time_constant;
  law->underlap = underlap, law->leakage = leakage, law->design = where.design;
  if (opening && signal.index >= 0)
    fail(source, "signal", "both a formula and a signal are given.", "Give either the formula `opening` or `signal`.");
  if (signal.index >= 0) check_unit(signal, "-", source, model);
  if (!opening && signal.index < 0)
    model.warnings.push_back({"no_command", source.where(""),
                              '"' + source.name() + "\": it has no command, so its valve stays closed.",
                              "Give the formula `opening` or a `signal`; to keep it closed, opening: 0."});
  add_state_force(std::move(law), where, source, model);
  model.contributions.back().signal = signal;
}

}  // namespace skyhook::element
