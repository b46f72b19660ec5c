#include "skyhook/element/force/tyre_fiala.h"

#include "skyhook/element/tyre/build_tyre.h"
#include "skyhook/element/tyre/fiala.h"

namespace skyhook::element {

void TyreFiala::add_to(model::FieldSource& source, model::Model& model) const {
  if (friction_far && *friction_far > friction)
    fail(source, "friction_far", "friction would grow with sliding.", "Give no more than `friction`.");
  const double most = friction * stiffness * tyre::usual_deflection * radius;
  add_plain_tyre(*this,
                 tyre::Fiala{.slip_stiffness = slip_stiffness,
                             .cornering_stiffness = cornering_stiffness,
                             .camber_stiffness = camber_stiffness,
                             .friction = friction,
                             .friction_far = friction_far.value_or(friction),
                             .trail = trail,
                             .rolling_resistance = rolling_resistance},
                 {most / slip_stiffness, most / cornering_stiffness}, source, model);
}

}  // namespace skyhook::element
