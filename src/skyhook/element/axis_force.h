// The scalar laws of line_force.h acting along or about an axis that is fixed in frame A (model::AxisCoordinate).
#pragma once
#include "skyhook/element/line_force.h"
#include "skyhook/model/axis_coordinate.h"

namespace skyhook::element {

template <class Law>
struct AxisForce final : model::WrenchLaw<AxisForce<Law>>,
                         std::conditional_t<SwitchingLaw<Law>, SwitchingLine<AxisForce<Law>>, NotSwitching>,
                         std::conditional_t<TabulatedLaw<Law>, TabulatedLine<AxisForce<Law>>, NotTabulated>,
                         std::conditional_t<TimelessLaw<Law>, model::Timeless, NotTimeless> {
  AxisForce(Law given, const model::AxisCoordinate& on) : law_of_force(std::move(given)), axis(on) {}

  // Pulling together means shortening: it drives the length or angle down.
  template <class T>
  void law(const model::Relative<T>& m, model::Wrench<T>& out) const {
    out = {};
    const Vec3<T> unit = axis.unit(m);
    const T x = axis.value(m), v = dot(unit, axis.turns ? m.w : m.v),
            pull = T(Law::pull) * force(x, v, value_of(m.t), m.set);
    (axis.turns ? out.n : out.f) = -pull * unit;
  }
  double force(double x, double v, double t, const model::Setting& set) const {
    return force_of(law_of_force, x, v, t, set);
  }
  model::Local force(const model::Local& x, const model::Local& v, double t, const model::Setting& set) const {
    return model::scalar_force(
        [&](const auto& of_x, const auto& of_v) { return force_of(law_of_force, of_x, of_v, t, set); }, x, v, set);
  }
  model::Stroke<double> stroke_of(const model::Relative<double>& m) const {
    return {axis.value(m), axis.rate(m), m.t, m.set};
  }
  bool between_points() const override { return !axis.turns; }
  bool reads_position() const { return !axis.turns; }  // model::Timeless asks, where it is one
  double energy(const model::Relative<double>& m) const override { return law_of_force.energy(axis.value(m)); }
  std::vector<model::Quantity> quantities() const override {
    if (axis.turns)
      return {{"moment", "N.m", "about its axis on `to`, positive where it turns `to` up"},
              {"angle", "rad", "of `to` about its axis, from design, turns counted"},
              {"angle_rate", "rad/s", "rate of its angle"}};
    return {{"force", "N", Law::pull > 0 ? "force, positive in tension" : "force, positive where it pushes apart"},
            {"length", "m", "distance of its points along its axis"},
            {"rate", "m/s", "rate of its length"}};
  }
  void measure(const model::Relative<double>& m, const model::Wrench<double>&,
               std::vector<double>& out) const override {
    const model::Stroke<double> s = stroke_of(m);
    const double f = force(s.x, s.v, s.t, s.set);
    out.insert(out.end(), {axis.turns ? 0.0 - Law::pull * f : f, s.x, s.v});
  }

  Law law_of_force;
  model::AxisCoordinate axis;
};

}  // namespace skyhook::element
