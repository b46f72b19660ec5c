// Where stress that stiffens takes more inertia from a body than its frame leaves it.
#pragma once
#include <optional>
#include <vector>

#include "skyhook/model/modal_body.h"

namespace skyhook::flexible {

// The stress that stiffens is of second order in the shapes, and so is what it does to the inertia (theory 21). A frame that is tangent where a hinge lets the
// body turn has little inertia of its own: shapes can turn the rest of the body back. Then the mass matrix of this turning and the shapes stops being
// positive at a small deflection, and no motion follows from it. Of the deflections by one shape alone, in m of its coordinate, the smallest at which
// that happens, turning about any of `axes` through `at`; none up to `most`.
std::optional<double> bend_without_inertia(const model::ModalBody& body, const Vec3d& at, const std::vector<Vec3d>& axes, double most);

}  // namespace skyhook::flexible
