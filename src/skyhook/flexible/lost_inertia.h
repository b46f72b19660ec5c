// Where terms of second order are as large as the inertia that a frame leaves its body.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "skyhook/model/modal_body.h"
#include "skyhook/model/model.h"

namespace skyhook::flexible {

// The stress that stiffens is of second order in the shapes, and so is what it does to the inertia (theory 21). A frame that is tangent where a hinge lets the
// body turn has little inertia of its own: shapes can turn the rest of the body back. Then the mass matrix of this turning and the shapes, with these terms alone, stops being
// positive at a small deflection: there displacements that are linear in the shapes are too coarse. Of the deflections by one shape alone, in m of its coordinate, the smallest at which
// that happens, turning about any of `axes` through `at`; none up to `most`.
std::optional<double> bend_without_inertia(const model::ModalBody& body, const Vec3d& at,
                                           const std::vector<Vec3d>& axes, double most);

// A body whose frame is tangent at a joint that lets it turn, not driven, where that happens below a twentieth of its size; none otherwise.
struct HingedFrame {
  std::string joint, point;
  double bend = 0;
};
std::optional<HingedFrame> hinged_frame(const model::Model& model, int body);

}  // namespace skyhook::flexible
