// From shapes of a part to a body with modes: moments of the shapes over the mass, stiffness, damping, points.
#pragma once
#include "skyhook/flexible/reduction.h"
#include "skyhook/model/modal_body.h"

namespace skyhook::flexible {

// Damping of the modes: a share of the critical one, over the frequency if it is a table, and Rayleigh's alpha M + beta K; they add up.
struct DampingOptions {
  std::vector<double> hz, ratio;  // a table; one entry: for all frequencies
  double alpha = 0, beta = 0;     // 1/s, s
};
double damping_ratio(const DampingOptions& damping, double hz);  // of the table alone; constant beyond its ends

struct BodyOptions {
  DampingOptions damping;
  bool with_stiffening = true;
  std::vector<Place> held;  // for the stress that stiffens; empty: where the frame is tangent, and none with mean axes
};

// Moments are exact where the part says where its mass is (MassField::is_exact): beams and solids. Else mass, centre, inertia, first moments, the
// coupling of the modes with the motion of the frame and the mass matrix of the modes are exact, and the rest is estimated.
model::ModalBody modal_body(const FeModel& part, const std::vector<Place>& places, const Reduced& reduced,
                            const BodyOptions& options);

// What the moments must give back: the largest deviation from shape^T M shape and from R^T M shape, R^T M R, relative to the largest entry of each.
double moment_error(const FeModel& part, const Reduced& reduced, const model::ModalBody& body);

// Mass, centre and inertia about it of the part as it stands, in the axes of the reference frame.
struct RigidData {
  double mass = 0;
  Vec3d com;
  Mat3d inertia;
};
RigidData rigid_data(const model::ModalBody& body);

}  // namespace skyhook::flexible
