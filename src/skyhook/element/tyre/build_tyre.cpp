#include "skyhook/element/tyre/build_tyre.h"

namespace skyhook::element::tyre {

void check_lengths(const PlainTyreFields& of, bool needs_x, const model::FieldSource& source) {
  if (needs_x && (of.relaxation_x > 0.0) != (of.relaxation_y > 0.0))
    fail(source, of.relaxation_x > 0.0 ? "relaxation_y" : "relaxation_x",
         "one relaxation length is given, the other is missing or zero.", "Give both above zero, or none.");
  if (!needs_x && of.relaxation_x > 0.0)
    fail(source, "relaxation_x", "this tyre has no longitudinal slip that could relax.", "Remove it.");
}

}  // namespace skyhook::element::tyre
