#include "skyhook/element/force/hydraulic_damper.h"

#include "skyhook/element/finding.h"
#include "skyhook/element/hydraulics.h"
#include "skyhook/element/line_or_joint.h"

namespace skyhook::element {

namespace {

struct HydraulicDamperLaw final : model::StateLaw<HydraulicDamperLaw> {
  Orifice orifice{};
  Chamber compression{}, rebound{};  // x: how far the damper is extended from design
  double mean_area = 0, half_difference = 0, base_area = 0, pressure = 0, design = 0;

  std::vector<model::InnerState> states() const override {
    return {{"compression_pressure", "Pa", 1e5, pressure}, {"rebound_pressure", "Pa", 1e5, pressure}};
  }
  // Area of the orifice in the piston: another for either direction, changing over within the laminar range.
  template <class T>
  T piston_area(const T& dp) const {
    using std::sqrt;
    return T(mean_area) + T(half_difference) * dp / sqrt(dp * dp + T(orifice.laminar * orifice.laminar));
  }
  template <class T>
  T law(const model::Stroke<T>& s, std::span<const T> c, std::span<T> rates) const {
    const T extended = s.x - T(design), dp = c[1] - c[0];
    const T through = piston_area(dp) * orifice.flow(dp);  // from the rebound to the compression chamber
    const T refill = T(base_area) * orifice.flow(T(pressure) - c[0]);
    rates[0] = compression.pressure_rate(extended, s.v, T(through + refill));
    rates[1] = rebound.pressure_rate(extended, s.v, T(-through));
    return -T(rebound.area) * c[1] - T(compression.area) * c[0];
  }
};

}  // namespace

void HydraulicDamper::add_to(model::FieldSource& source, model::Model& model) const {
  if (rod_area >= piston_area)
    fail(source, "rod_area", "the rod is as thick as the piston.", "Give a rod_area below piston_area.");
  if (rod_area > 0 && base_area == 0)
    fail(source, "base_area", "the rod displaces oil that has nowhere to go.",
         "Give base_area, the orifice to the reservoir, or leave rod_area out for a rod that goes through.");
  Place where;
  where.pair = place(source), where.design = design_distance(where.pair);
  auto law = std::make_shared<HydraulicDamperLaw>();
  const double other = compression_area.value_or(rebound_area);
  law->orifice = {discharge, density, laminar};
  law->compression = {modulus, compression_volume, piston_area};
  law->rebound = {modulus, rebound_volume, -(piston_area - rod_area)};
  law->mean_area = 0.5 * (rebound_area + other), law->half_difference = 0.5 * (rebound_area - other);
  law->base_area = base_area, law->pressure = pressure, law->design = where.design;
  add_state_force(std::move(law), where, source, model);
}

}  // namespace skyhook::element
