// Positions and velocities of bodies as such, without a tree; and how far the mass of a model is from them.
#pragma once
#include <vector>

#include "skyhook/formalism/evaluation.h"
#include "skyhook/formalism/forward.h"
#include "skyhook/formalism/state.h"
#include "skyhook/math/vec.h"
#include "skyhook/model/model.h"

namespace skyhook::formalism {

struct State;  // linearised.h

struct Pose {
  Mat3d R = Mat3d::identity();  // from design to global axes
  Vec3d c;                      // centre of mass
};
struct Velocity {
  Vec3d v, w;  // of the centre of mass; angular
};
using Poses = std::vector<Pose>;           // by model body
using Velocities = std::vector<Velocity>;  // by model body

// The nodes of a state, moved by its drives.
std::vector<recursive::NodeState> nodes_of(const recursive::Equations& eq, const State& state,
                                           Drives drives = Drives::move);
Poses poses_at(const recursive::Equations& eq, const std::vector<recursive::NodeState>& nodes);
Velocities velocities_at(const recursive::Equations& eq, const std::vector<recursive::NodeState>& nodes);
Poses poses_of(const recursive::Equations& eq, const State& state);
Velocities velocities_of(const recursive::Equations& eq, const State& state, Drives drives);

// What the user means by what he leaves open. Joints that are in no loop stand at their initial values, those not given at design and
// at rest; drives move them. What hangs together in loops is carried along as it was designed. No tree is asked.
Poses carried_poses(const model::Model& model, double t);
Velocities carried_velocities(const recursive::Equations& eq, const State& state);

// 1/2 of the integral of |x - x_reference|^2 dm over all bodies, and its gradient in tangent coordinates. With the centre of mass c and
// J = integral of r r^T dm = tr(I)/2 - I it is 1/2 m |c - c_ref|^2 + 1/2 tr((R - R_ref) J (R - R_ref)^T).
double mass_distance(const recursive::Equations& eq, const Poses& reference,
                     const std::vector<recursive::NodeState>& nodes);
// Both use the forces in `nodes`.
void mass_distance_gradient(const recursive::Equations& eq, const Poses& reference,
                            std::vector<recursive::NodeState>& nodes, Span tau);
// Gradient of the kinetic energy of the motion relative to the reference, with respect to v.
void momentum_difference(const recursive::Equations& eq, const Velocities& reference, CSpan change,
                         std::vector<recursive::NodeState>& nodes, Span tau);

}  // namespace skyhook::formalism
