// Stress of a part that accelerates or turns, and what that adds to its stiffness.
#pragma once
#include "skyhook/flexible/rigid_motion.h"
#include "skyhook/model/modal_body.h"

namespace skyhook::flexible {

// Whether the part has elements whose stress is known: beams, plates, solids. Matrices alone have none.
bool knows_stress(const FeModel& part);

// Axial forces of the beams, membrane forces of the plates and stresses of the solids under the inertia of unit accelerations, unit angular accelerations and unit products of angular
// velocities of the frame, and the stiffness that they give to the shapes. The part is held at the places `held`, where the forces that drive it act.
// Empty where the part has no such elements.
model::GeometricStiffness geometric_stiffness(const FeModel& part, const std::vector<Place>& held, const Dense& shapes);
// The same by forces on the unknowns: shapes x shapes.
Dense stress_stiffness(const FeModel& part, const std::vector<Place>& held, const Dense& shapes, const Column& forces);

}  // namespace skyhook::flexible
