// Stress of a part that accelerates or turns, and what that adds to its stiffness.
#pragma once
#include "skyhook/flexible/rigid_motion.h"
#include "skyhook/model/modal_body.h"

namespace skyhook::flexible {

// Axial forces of the beams and membrane forces of the plates under the inertia of unit accelerations, unit angular accelerations and unit products of angular velocities of the
// frame, and the stiffness that they give to the shapes. The part is held at the places `held`, where the forces that drive it act.
// Empty where the part has neither.
model::GeometricStiffness geometric_stiffness(const FeModel& part, const std::vector<Place>& held, const Dense& shapes);

}  // namespace skyhook::flexible
