// Stress that stiffens as a displacement of second order, so that the kinetic energy is a sum of squares, however far the body bends (docs/theory/21):
//
//   rho = b_0 + sum_k z_k b_k + sum_j y_j d_j,   y_j = z . Q_j z / 2
//
// The followers d_j are fields linear in X, e_alpha psi_i with psi_i of 1, x, y, z orthonormal over the mass. There are at most twelve, as many as moments that geometric stiffness
// is given by (21.6): those of sum_j y_j d_j are these. All moments of b_k and d_j are known by those of the body.
#pragma once
#include <memory>

#include "skyhook/formalism/recursive/modal_node.h"
#include "skyhook/formalism/recursive/modal_state.h"

namespace skyhook::formalism::recursive {

// Its arrays over modes, but for K, D and M, are over all fields, modes and followers; M is that of modes at z = 0.
struct CompletedMoments : ModalMoments {
  int fields = 0, followers = 0;
  std::vector<double> mass_of_fields = {};  // fields x fields
  std::vector<double> follow = {};          // Q_j, each modes x modes and symmetric
};

// Completed on demand, where the body has stress that stiffens: of frames that are tangent at a hinge, whose inertia terms of second order alone would take (flexible/lost_inertia.h).
std::shared_ptr<const ModalMoments> moments_of(const model::ModalBody& body, const Mat3d& axes_at_design,
                                               bool completes);

inline const CompletedMoments* completed(const ModalMoments& m) {
  return m.first.size() > static_cast<std::size_t>(m.modes) + 1 ? static_cast<const CompletedMoments*>(&m) : nullptr;
}

// What one evaluation keeps of all fields. Of a completed body it stands in the state's arrays behind what is of the modes, which follows from it.
struct FieldState {
  int n;
  double *z, *zd;
  Vec3d *ck, *ek, *gk;
  Mat3d* Ik;  // n + 1
};
FieldState fields_of(const ModalMoments& m, ModalState& s);
void size_for(const ModalMoments& m, ModalState& s);

// How followers go with modes: d y_j / d z_k = (Q_j z)_k, row by row, and with z' and z'' in the place of z. `acceleration` is kept for the derivatives.
struct Following {
  const double *slope, *rate, *acceleration;  // followers x modes
};
Following following_of(const CompletedMoments& m, const ModalState& s);
void follow_positions(const CompletedMoments& m, ModalState& s);   // of s.z
void follow_velocities(const CompletedMoments& m, ModalState& s);  // of s.zd
// z'' of all fields: y'' = slope z'' + bias. `zdd` null: zero.
const double* follow_accelerations(const CompletedMoments& m, ModalState& s, const double* zdd, bool with_bias);
// Forces on all fields, zero before they are summed up; `take_forces` gives them to the modes, and `keep` keeps them with z'' for the derivatives.
double* forces_on_fields(const CompletedMoments& m, ModalState& s);
void take_forces(const CompletedMoments& m, const ModalState& s, double* of_modes);
void keep(const CompletedMoments& m, ModalState& s, const double* zdd);

// From fields to modes: x_k + sum_j slope_jk x_j.
template <class T>
void contract(const CompletedMoments& m, const Following& f, const T* of_fields, T* of_modes) {
  for (int k = 0; k < m.modes; ++k) {
    of_modes[k] = of_fields[k];
    for (int j = 0; j < m.followers; ++j) of_modes[k] += f.slope[j * m.modes + k] * of_fields[m.modes + j];
  }
}

// Of the mass matrix of the modes, as the body is bent.
double modal_mass(const ModalMoments& m, const ModalState& s, int k, int l);
// Of tau_k by z_l and z'_l: from those of the fields, in place; both have room for the squares of fields and of modes.
void contract_block(const CompletedMoments& m, const ModalState& s, std::vector<double>& by_z,
                    std::vector<double>& by_rate);

}  // namespace skyhook::formalism::recursive
