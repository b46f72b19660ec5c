// A node whose pose is a law of its own (model::Guide): its motion subspace S(q), how that changes, and what the recursions need of it.
// All vectors are global, about the node's origin, but those that say otherwise.
#pragma once
#include <array>
#include <span>

#include "skyhook/base/boxed.h"
#include "skyhook/formalism/recursive/modal_state.h"
#include "skyhook/math/vec.h"
#include "skyhook/model/guide.h"

namespace skyhook::formalism::recursive {

struct Node;
struct NodeState;
struct Articulated;

struct GuideState {
  static constexpr int most = model::most_guide_coordinates;
  std::array<double, most> q;
  std::array<Vec3d, most> turn, shift;  // S: the node's motion per unit of each coordinate
  // Of the articulated inertia IA: D = S^T IA S = L L^T, Y = IA S L^-T, z = L^-1 u.
  std::array<Vec3d, most> Yn, Yf;
  std::array<double, most> z;
  std::array<double, most * most> L;
  Boxed<ModalState> modal;  // of a body of modes, which has nothing of the above
};

// In all of these `q`, `v`, `a`, `tau` are the node's own coordinates.
// Position, rotation and S.
void move_guided(const Node& node, const NodeState& up, std::span<const double> q, NodeState& x);
// S v
void guided_velocity(const Node& node, const GuideState& at, std::span<const double> v, Vec3d& turn, Vec3d& shift);
// S° v, the rate of S as the parent sees it times v.
void guided_products(const Node& node, const NodeState& up, const GuideState& at, std::span<const double> v,
                     Vec3d& turn, Vec3d& shift);
// S^T of a force and a moment.
void guided_projection(const Node& node, const GuideState& at, const Vec3d& f, const Vec3d& n, std::span<double> tau);
// From the articulated inertia of the node to what its parent sees: `y` keeps that, before the shift to the parent's origin. False: a
// coordinate without inertia.
bool release_guided(const Node& node, std::span<const double> tau, GuideState& at, Articulated& y);
void guided_acceleration(const Node& node, const GuideState& at, const Vec3d& al, const Vec3d& a,
                         std::span<double> qdd);

// One column of S with its first and second rate as the parent sees them, along q' = v and q'' = a, and the motion of the origin.
struct GuideMotion {
  struct Column {
    Vec3d turn, turn_rate, turn_acceleration, shift, shift_rate, shift_acceleration;
  };
  std::array<Column, GuideState::most> columns;
  Vec3d rate, acceleration;  // of the origin
};
GuideMotion guide_motion(const Node& node, const NodeState& up, const GuideState& at, std::span<const double> v,
                         std::span<const double> a);

// What a wrench on the node adds to d tau_i / d q_j because the axes change otherwise than by being carried along (docs/theory/02):
// entry (i, j) at [i + n j].
void guide_curvature(const Node& node, const NodeState& up, const GuideState& at, const Vec3d& f, const Vec3d& n,
                     std::span<double> block);

}  // namespace skyhook::formalism::recursive
