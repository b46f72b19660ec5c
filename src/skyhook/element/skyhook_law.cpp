#include "skyhook/element/skyhook_law.h"

#include <algorithm>

#include "skyhook/element/finding.h"

namespace skyhook::element {
namespace {

struct SkyhookLaw final : model::SampledLaw {
  double gain, least, most, side;
  bool on_off;

  void update(double, std::span<const double> in, std::span<double>, std::span<double> out) const override {
    const double velocity = side * in[0], rate = in[1];
    const bool helps = velocity * rate > 0;  // the damper can pull the way the skyhook would
    out[0] = !helps ? least : on_off ? most : std::clamp(gain * velocity / rate, least, most);
  }
};

}  // namespace

void add_skyhook(const SkyhookFields& fields, const model::Output& velocity, double side,
                 const model::FieldSource& source, model::Model& model) {
  if (fields.maximum_damping < fields.minimum_damping)
    fail(source, "maximum_damping", "the maximum damping is below the minimum.", "Exchange them.");
  const bool on_off = fields.variant == "on_off";
  if (!on_off && !(fields.gain > 0))
    fail(source, "gain", "the continuous variant needs a gain above 0.", "Give `gain`.");
  auto law = std::make_shared<SkyhookLaw>();
  law->gain = fields.gain, law->side = side, law->on_off = on_off;
  law->least = fields.minimum_damping, law->most = fields.maximum_damping;
  ControllerFields timing = fields;
  if (timing.initial.empty()) timing.initial = {fields.minimum_damping};
  add_controller(timing, {velocity, fields.damper_velocity}, {{"output"}, "N.s/m"}, std::move(law), source, model);
}

}  // namespace skyhook::element
