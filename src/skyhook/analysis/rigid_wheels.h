// Rigid wheels on a curved line: on the way from tread to flange their contact points jump, and at each jump the integrator begins anew with other equations. A coach of eight wheels comes
// through (docs/rail.md); of forty some wheel is always between two places.
#pragma once
#include <optional>

#include "skyhook/base/warning.h"
#include "skyhook/model/model.h"

namespace skyhook::analysis {

std::optional<Warning> too_many_rigid_wheels(const model::Model& model);

}  // namespace skyhook::analysis
