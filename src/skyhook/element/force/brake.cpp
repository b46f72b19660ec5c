#include "skyhook/element/force/brake.h"

#include "skyhook/element/controller_fields.h"
#include "skyhook/element/coordinate.h"
#include "skyhook/element/finding.h"
#include "skyhook/element/pair_fields.h"
#include "skyhook/expression/scalar_functions.h"
#include "skyhook/model/tabulated.h"

namespace skyhook::element {
namespace {

constexpr double no_pressure = 10.0;  // Pa, a ten-thousandth of a bar: the brake is released below

// A torque that does not depend on the motion in each mode; see model::Stick.
struct BrakeTorque final : model::CoordinateElement, model::TabulatedCoordinate {
  std::optional<model::Motion> pressure;  // absent: the signal
  double gain;

  BrakeTorque(std::optional<model::Motion> over_time, double torque_per_pressure)
      : pressure(std::move(over_time)), gain(torque_per_pressure) {}
  template <class T>
  T given_at(double t, const model::Setting& set) const {
    return pressure ? T(pressure->value_and_rate(t).value) : set.heard<T>();
  }
  template <class T>
  T at(double t, const model::Setting& set) const {
    using Mode = model::Stick::Mode;
    if (set.mode != Mode::slips_up && set.mode != Mode::slips_down) return T(0.0);
    const T given = given_at<T>(t, set);
    return T(set.mode == Mode::slips_up ? -gain : gain) * expression::maximum(given, T(0.0));
  }
  double force(double, double, double t, const model::Setting& set) const override { return at<double>(t, set); }
  Dual<2> force(const Dual<2>&, const Dual<2>&, double t, const model::Setting& set) const override {
    return at<Dual<2>>(t, set);
  }
  // A pressure has no upper end; what is below zero by rounding is not told.
  void look(const model::Stroke<double>& s, model::TableLooks& looks) const override {
    looks.push_back({"pressure", "pressure", "Pa", given_at<double>(s.t, s.set), 0, 1e9 * no_pressure,
                     model::Beyond::unsaid, "range", "it counts as none"});
  }
};

}  // namespace

void Brake::add_to(model::FieldSource& source, model::Model& model) const {
  const model::Dof& dof = dof_of(joint, model, source, "joint");
  if (!dof.is_angle())
    fail(source, "joint", "the coordinate is a length.", "A brake acts on an angle; for a slider take stick_slip.");
  const model::Joint& at = model.joints.at(static_cast<std::size_t>(joint.joint));
  if (at.drive.at(static_cast<std::size_t>(joint.dof)))
    fail(source, "joint", "a drive moves this coordinate: it can neither stick nor slip.",
         "Remove the drive of \"" + at.name + "\", or this element.");
  const bool listens = signal.index >= 0;
  if (listens == pressure.has_value())
    fail(source, "pressure", listens ? "both `pressure` and `signal` are given." : "its pressure is missing.",
         "Give either `pressure` over time or `signal`.");
  if (listens) check_unit(signal, "Pa", source, model);
  model::Contribution added = begin_contribution(joint, source);
  added.coordinate = std::make_shared<BrakeTorque>(pressure, torque_per_pressure);
  added.row = {.kind = model::Row::Kind::sum,
               .holds = model::Row::Holds::stuck,
               .terms = {{joint.joint, joint.dof, 1.0}},
               .hold = no_pressure * torque_per_pressure * hold_ratio,
               .hold_ratio = hold_ratio};
  added.signal = signal;
  model.contributions.push_back(std::move(added));
}

}  // namespace skyhook::element
