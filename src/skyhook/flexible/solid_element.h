// Solids of displacements alone, as far as stress that stiffens needs them: tetrahedra, wedges and hexahedra of 4, 10, 6, 15, 8 or 20 nodes, in the order of CalculiX (and Abaqus).
#pragma once
#include "skyhook/flexible/fe_model.h"

namespace skyhook::flexible {

// Stiffness by the stress that the displacements `moved` of its nodes (nodes x 3) make, the same matrix for each direction:
// K_mn = integral of sigma_ij N_m,i N_n,j dV. Elements without nodes on their edges have the stress of their middle, which their displacements know best;
// others that of each point of the quadrature.
Dense solid_stress_stiffness(const SolidSpan& solid, const std::vector<FeNode>& nodes, const Dense& moved);

// For tests: gradients of the shape functions (nodes x 3) at a place in coordinates of the element, and the volume.
Dense solid_shape_gradients(const SolidSpan& solid, const std::vector<FeNode>& nodes, const Vec3d& place,
                            double& jacobian);
double solid_volume(const SolidSpan& solid, const std::vector<FeNode>& nodes);

}  // namespace skyhook::flexible
