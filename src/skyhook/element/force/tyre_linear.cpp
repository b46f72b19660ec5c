#include "skyhook/element/force/tyre_linear.h"

#include "skyhook/element/tyre/build_tyre.h"
#include "skyhook/element/tyre/linear.h"

namespace skyhook::element {

void TyreLinear::add_to(model::FieldSource& source, model::Model& model) const {
  tyre::SlidingLimits limits;
  if (friction) {
    const double most = *friction * stiffness * tyre::usual_deflection * radius;
    limits = {slip_stiffness > 0.0 ? most / slip_stiffness : 0.0,
              cornering_stiffness > 0.0 ? most / cornering_stiffness : 0.0};
  }
  add_plain_tyre(*this,
                 tyre::Linear{.slip_stiffness = slip_stiffness,
                              .cornering_stiffness = cornering_stiffness,
                              .camber_stiffness = camber_stiffness,
                              .trail = trail,
                              .friction = friction.value_or(0.0)},
                 limits, source, model);
}

}  // namespace skyhook::element
