// The rows and columns of z in GGL: [Arnold 2004] §4, the Jacobian of 7 x 7 blocks. The position rows are reduced by h (formalism::Output), so that they do not
// depend on z to first order; G in the rows of velocities and in G^T eta is that of [Arnold 2004] (27).
#include "skyhook/formulation/ggl.h"
#include "skyhook/formulation/ggl_work.h"

namespace skyhook::formulation {

// Rows of the own pattern: tau, G^T eta, g_rate, h.
void Ggl::add_unknowns(PatternBuilder& builder) const {
  const Pattern &own = equations_.own_pattern(), &rows = equations_.own_rows_pattern();
  const auto& rotations = equations_.rotations();
  const auto for_each_q = [&](int j, auto&& act) {
    if (q_of_v_[j] >= 0) act(q_of_v_[j]);
    for (int c = 0; c < 4 && quaternion_of_v_[j] >= 0; ++c) act(rotations[quaternion_of_v_[j]].iq + c);
  };
  for (int k = 0; k < nz_; ++k) {
    for (int e = own.start[k]; e < own.start[k + 1]; ++e) {
      const int row = own.row[e];
      if (row < nv_)
        builder.add(v() + row, z() + k);
      else if (row < 2 * nv_)
        for_each_q(row - nv_, [&](int qi) { builder.add(qi, z() + k); });
      else if (row < 2 * nv_ + ng_)
        builder.add(lambda() + row - 2 * nv_, z() + k);
      else
        builder.add(z() + row - 2 * nv_ - ng_, z() + k);
    }
  }
  // rows of h, columns of q and v
  for (int j = 0; j < nv_; ++j) {
    for (int e = rows.start[j]; e < rows.start[j + 1]; ++e) {
      for_each_q(j, [&](int qj) { builder.add(z() + rows.row[e], qj); });
      builder.add(z() + rows.row[e], v() + j);
    }
  }
}

// Where the entries of both patterns go in the values of the matrix: as they are, or three by three into the four rows or columns of a
// quaternion.
void Ggl::map_unknowns() {
  const Pattern &p = *structure_.pattern, &own = equations_.own_pattern(), &rows = equations_.own_rows_pattern();
  const auto& rotations = equations_.rotations();
  // columns of z: dynamics, velocity and own rows as they are, kinematics rows (G^T eta) by way of H
  for (int k = 0; k < nz_; ++k) {
    for (int e = own.start[k]; e < own.start[k + 1]; ++e) {
      const int row = own.row[e], column = z() + k;
      const int tangent = row - nv_;
      if (row < nv_) {
        own_.push_back({e, p.find(v() + row, column)});
      } else if (row >= 2 * nv_) {
        own_.push_back({e, p.find(row < 2 * nv_ + ng_ ? lambda() + row - 2 * nv_ : z() + row - 2 * nv_ - ng_, column)});
      } else if (q_of_v_[tangent] >= 0) {
        own_.push_back({e, p.find(q_of_v_[tangent], column)});
      } else if (const int s = quaternion_of_v_[tangent]; s >= 0 && rotations[s].iv == tangent) {
        QuaternionEntries entries{s, {}, {}};
        for (int i = 0; i < 3; ++i) entries.from[i] = own.find(row + i, k);
        for (int a = 0; a < 4; ++a) entries.to[a] = p.find(rotations[s].iq + a, column);
        own_kinematics_.push_back(entries);
      }
    }
  }
  // rows of h: columns of v and of scalar q as they are, those of quaternions by way of the left inverse of H
  for (int j = 0; j < nv_; ++j) {
    for (int e = rows.start[j]; e < rows.start[j + 1]; ++e) {
      const int row = z() + rows.row[e];
      own_damping_.push_back({e, p.find(row, v() + j)});
      if (q_of_v_[j] >= 0) own_stiffness_.push_back({e, p.find(row, q_of_v_[j])});
      const int s = quaternion_of_v_[j];
      if (s < 0 || rotations[s].iv != j) continue;
      QuaternionEntries entries{s, {}, {}};
      for (int i = 0; i < 3; ++i) entries.from[i] = rows.find(rows.row[e], j + i);
      for (int a = 0; a < 4; ++a) entries.to[a] = p.find(row, rotations[s].iq + a);
      own_turned_.push_back(entries);
    }
  }
}

void Ggl::copy_unknowns(Csc& dF_dy, const Work& work) const {
  double* const value = dF_dy.value.data();
  for (const Copy& e : own_) value[e.to] = work.scratch_own[e.from];
  for (const Copy& e : own_stiffness_) value[e.to] = work.scratch_own_stiffness[e.from];
  for (const Copy& e : own_damping_) value[e.to] = work.scratch_own_damping[e.from];
  for (const QuaternionEntries& e : own_kinematics_) {
    const auto& H = work.maps[e.quaternion].H;
    for (int a = 0; a < 4; ++a) {
      value[e.to[a]] = 0;
      for (int i = 0; i < 3; ++i) value[e.to[a]] += H[a][i] * work.scratch_own[e.from[i]];
    }
  }
  for (const QuaternionEntries& e : own_turned_) {
    const auto& inverse = work.maps[e.quaternion].left_inverse;
    for (int a = 0; a < 4; ++a) {
      value[e.to[a]] = 0;
      for (int i = 0; i < 3; ++i) value[e.to[a]] += inverse[a][i] * work.scratch_own_stiffness[e.from[i]];
    }
  }
}

}  // namespace skyhook::formulation
