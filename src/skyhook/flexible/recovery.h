// From modal coordinates back to the mesh: forces of its nodes, forces in the sections of its beams, stresses.
#pragma once
#include "skyhook/flexible/thermal.h"

namespace skyhook::flexible {

// Of each shape, the forces on the nodes that hold it: K x. With modal coordinates z the sum of z_k K x_k deforms the part as it is.
Dense shape_forces(const FeModel& part, const Dense& shapes);

// Forces and moments that the part of a beam ahead of a section (along the beam) exerts on the part before it, in the beam's axes: N, Qy, Qz, Mx, My, Mz; per unit
// of each shape. By the stiffness of the element: within it the inertia of the element itself is left out.
struct SectionForces {
  Dense at_from, at_to;  // 6 x shapes
};
SectionForces section_forces(const FeModel& part, const BeamSpan& beam, const Dense& shapes);

// Normal stress in the fibres of the section, in their order, and then the largest shear stress of torsion, per unit of each shape. Shear by forces
// across the beam is left out.
struct BeamStresses {
  Dense at_from, at_to;  // (fibres + 1) x shapes
};
BeamStresses beam_stresses(const FeModel& part, const BeamSpan& beam, const Dense& shapes);
// At the middle of a plate, in its axes: x, y, xy on the side of its normal, then on the other.
Dense plate_stresses(const FeModel& part, const PlateSpan& plate, const Dense& shapes);  // 6 x shapes

// What heat makes of the forces and stresses above, one column: to be taken off, since what heat stretches is no stress.
SectionForces section_forces_of_heat(const FeModel& part, const BeamSpan& beam, const std::vector<Heat>& heats,
                                     const Location& where);
BeamStresses beam_stresses_of_heat(const FeModel& part, const BeamSpan& beam, const std::vector<Heat>& heats,
                                   const Location& where);

}  // namespace skyhook::flexible
