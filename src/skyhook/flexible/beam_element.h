// Timoshenko's beam between two nodes of six unknowns, by shape functions that are exact for loads at its ends: cubic deflections, quadratic
// rotations, tied by the shear ratio (Przemieniecki, Theory of Matrix Structural Analysis, 1968, 11.3; Reddy 1997).
#pragma once
#include <Eigen/Dense>

#include "skyhook/flexible/fe_model.h"

namespace skyhook::flexible {

using Matrix12 = Eigen::Matrix<double, 12, 12>;
using Rows6 = Eigen::Matrix<double, 6, 12>;

// Displacements and rotations at the fraction xi of the length, from those of both ends; all in the beam's axes.
Rows6 shape(const BeamSpan& beam, double xi);
// Their derivatives along the beam.
Rows6 slope(const BeamSpan& beam, double xi);
// From the axes of the reference frame to the beam's, for both ends.
Matrix12 to_beam_axes(const BeamSpan& beam);
Matrix12 beam_stiffness(const BeamSpan& beam);  // in the beam's axes
// Stiffness by the axial force N(xi) = force[0] + force[1] xi + force[2] xi^2: integral of N (v'^2 + w'^2 + polar twist'^2), in the beam's axes.
Matrix12 beam_stress_stiffness(const BeamSpan& beam, const std::array<double, 3>& force);

// Gauss points of [0, 1], exact to degree 7.
struct GaussPoint {
  double xi, weight;
};
std::array<GaussPoint, 4> gauss_points();

}  // namespace skyhook::flexible
