#include "skyhook/element/force/tyre_calspan.h"

#include "skyhook/element/tyre/build_tyre.h"
#include "skyhook/element/tyre/calspan.h"

namespace skyhook::element {

void TyreCalspan::add_to(model::FieldSource& source, model::Model& model) const {
  const tyre::Calspan law{.a0 = a0,
                          .a1 = a1,
                          .a2 = a2,
                          .a3 = a3,
                          .a4 = a4,
                          .a_omega = a_omega,
                          .b1 = b1,
                          .b3 = b3,
                          .b4 = b4,
                          .ratio = friction_ratio,
                          .af1 = af1,
                          .af2 = af2};
  const double load = 0.25 * a2, k = -law.stiffness(load);
  if (!(k > 0.0 && a0 > 0.0))
    fail(source, "a1", "the lateral force would push the wheel the way it slides.",
         "The stiffness A0 + A1 Fz (1 - Fz/A2) must be above zero.");
  add_plain_tyre(*this, law, {.y = b3 * friction_ratio * load / k}, source, model);
}

}  // namespace skyhook::element
