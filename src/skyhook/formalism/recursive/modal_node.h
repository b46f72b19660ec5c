// A node that bends: a body of modes (model::ModalBody) in its reference frame, and its points as nodes that stand on it.
//
//   rho = b_0 + sum z_k b_k                       in the axes of the body, from the origin of its reference frame
//   f     = m a0 + al x c + w x (w x c) + 2 w x c' + c''
//   n     = c x a0 + I al + I' w + w x (I w + h) + h'
//   tau_k = c_k . a0 + e_k . al - w . I_k w / 2 + w . sum_l G_kl z'_l + sum_l M_kl z''_l
//
// with the moments over the mass c = int rho, I of rho about the origin, h = int rho x rho' = sum e_k z'_k, and c_k, I_k their derivatives by z_k
// (docs/theory/21). All are polynomials in z with constant coefficients, kept here. Geometric stiffness adds terms of second order to c, I and h.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "skyhook/formalism/recursive/guided_node.h"
#include "skyhook/math/vec.h"
#include "skyhook/model/modal_body.h"

namespace skyhook::formalism::recursive {

struct Node;
struct NodeState;
struct Articulated;
struct Tree;

// Constant coefficients of the moments. Matrices of modes are row by row; where several belong together, their entries stand side by side and are padded
// with zeros, so that one sum of modes makes all of them in the lanes of the processor.
struct ModalMoments {
  ModalMoments(const model::ModalBody& body, const Mat3d& axes_at_design);
  int modes;
  Mat3d axes;  // of the body to those of its node
  double mass;
  std::vector<Vec3d> first;         // modes + 1
  std::vector<double> inertia;      // xx yy zz xy yz zx of the second derivatives of I, (modes + 1) x (modes + 1) x 8
  std::vector<double> spin;         // E: change of e_k with z_l, modes x modes x 4
  std::vector<Vec3d> spin_design;   // e_k at z = 0
  std::vector<double> gyroscopic;   // G = E - E^T, modes x modes x 4
  std::vector<double> shortening;   // of c_k with z_l, modes x modes x 4; empty: none
  bool has_spin_stiffness = false;  // E has a symmetric part
  std::vector<double> M, K, D;      // modes x modes
};

// Six coordinates of a point as sums of modes: shift and rotation vector, in the axes of the node.
struct Waist {
  int iq, iv, modes;      // where the modal coordinates stand
  std::vector<double> B;  // modes x 8: six of each mode and two zeros
  double factor(int i, int k) const { return B[static_cast<std::size_t>(8 * k + i)]; }
  std::array<double, 6> of(std::span<const double> all, int first) const;
  void add_transposed(std::span<const double> six, std::span<double> all) const;  // to all[iv ..]
};

// The pose of a point: a shift, and a rotation by its rotation vector.
std::shared_ptr<const model::Guide> waist_guide();

void move_modal(const Node& node, std::span<const double> q, NodeState& x);
void modal_velocity(const Node& node, std::span<const double> v, NodeState& x);
// f, n and tau of the nodes' inertia for accelerations `a` of the coordinates.
void add_modal_inertia(const Tree& tree, std::span<const double> a, std::vector<NodeState>& x);
// The same for changes of accelerations alone: angular `al`, linear `a0`.
void modal_change(const Node& node, const Vec3d& al, const Vec3d& a0, std::span<const double> change, NodeState& x);

// Inertia and bias of the body with its modes; then what a point adds; then z is set free. False: a mode without inertia.
void modal_articulated(const Node& node, const NodeState& x, Articulated& y);
void add_point_to_modal(const Node& point, const NodeState& x, const Articulated& y, NodeState& up);
bool release_modal(const Node& node, std::span<const double> tau, NodeState& x, Articulated& y);
void modal_acceleration(const Node& node, const NodeState& x, std::span<double> zdd);

// Of the body at its motion.
double modal_kinetic_energy(const Node& node, const NodeState& x);
// Mass times centre, and inertia about the origin, global axes.
Vec3d modal_first_moment(const Node& node, const NodeState& x);
Mat3d modal_inertia(const Node& node, const NodeState& x);
double strain_energy(const Node& node, std::span<const double> q);

// Derivatives by mode k, global axes, about the node's origin: wrench by z, z', z''; and of tau_k by the angular velocity with all that comes with
// it (tree_derivatives.h).
struct ModalColumn {
  Vec3d n_z, f_z, n_v, f_v, n_a, f_a, by_spin;
};
void modal_columns(const Node& node, const NodeState& x, std::span<const double> a, std::vector<ModalColumn>& out);
// Of tau_k by z_l and z'_l: row by row.
void modal_block(const Node& node, const NodeState& x, std::vector<double>& by_z, std::vector<double>& by_rate);

}  // namespace skyhook::formalism::recursive
