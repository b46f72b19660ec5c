// A flat plate of four nodes with six unknowns each: a membrane that bends in its plane without locking, a plate with shear that does not lock
// when it is thin, and a weak spring between the rotation about its normal and that of the membrane.
#pragma once
#include <Eigen/Dense>
#include <array>

#include "skyhook/flexible/fe_model.h"

namespace skyhook::flexible {

using Matrix24 = Eigen::Matrix<double, 24, 24>;
using PlateRows = Eigen::Matrix<double, 6, 24>;

// Nodes at the given points, which lie in a plane.
PlateSpan plate_span(const std::array<int, 4>& nodes, const std::array<Vec3d, 4>& at, double thickness,
                     const Material& material);

// From the axes of the reference frame to the plate's, for all nodes.
Matrix24 to_plate_axes(const PlateSpan& plate);
// Displacements and rotations at (xi, eta) in [-1, 1]^2, and the area there per area of that square.
PlateRows plate_shape(double xi, double eta);
double plate_jacobian(const PlateSpan& plate, double xi, double eta);

// In the plate's axes. Membrane: bilinear with four incompatible modes (Taylor, Beresford and Wilson 1976). Bending: MITC4 [Bathe 1985].
Matrix24 plate_stiffness(const PlateSpan& plate);

// Stresses x, y, xy at the middle of the plate, in its axes: on the side of its normal, then on the other; from displacements and rotations of its nodes.
Eigen::Matrix<double, 6, 24> plate_stress_rows(const PlateSpan& plate);
// Membrane forces N_x, N_y, N_xy (N/m) at the middle of the plate, from displacements and rotations of its nodes in its axes.
Eigen::Vector3d membrane_forces(const PlateSpan& plate, const Eigen::Matrix<double, 24, 1>& moved);
// The stress in both directions of its plane where a strain of 1 in both is held back.
double plate_held_stress(const PlateSpan& plate);
// Forces that stretch the plate by 1 in all directions of its plane, or bend it by a curvature of 1, as heat does.
Eigen::Matrix<double, 24, 1> plate_thermal_load(const PlateSpan& plate, bool bends);
// Stiffness by membrane forces that are constant over the plate, in its axes: integral of N_ab u,a . u,b.
Matrix24 plate_stress_stiffness(const PlateSpan& plate, const Eigen::Vector3d& force);

}  // namespace skyhook::flexible
