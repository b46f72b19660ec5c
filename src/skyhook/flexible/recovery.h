// From modal coordinates back to the mesh: forces of its nodes, forces in the sections of its beams.
#pragma once
#include "skyhook/flexible/fe_model.h"

namespace skyhook::flexible {

// Of each shape, the forces on the nodes that hold it: K x. With modal coordinates z the sum of z_k K x_k deforms the part as it is.
Dense shape_forces(const FeModel& part, const Dense& shapes);

// Forces and moments that the part of a beam ahead of a section (along the beam) exerts on the part before it, in the beam's axes: N, Qy, Qz, Mx, My, Mz; per unit
// of each shape. By the stiffness of the element: within it the inertia of the element itself is left out.
struct SectionForces {
  Dense at_from, at_to;  // 6 x shapes
};
SectionForces section_forces(const FeModel& part, const BeamSpan& beam, const Dense& shapes);

}  // namespace skyhook::flexible
