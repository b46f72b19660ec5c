// A body that bends: small displacements from a moving frame of reference, as a sum of shapes,
//
//   rho(X, t) = b_0(X) + sum_k z_k(t) b_k(X),   b_0 = X,   in the axes of the reference frame                    [Arnold 2004] (14), (15)
//
// All that its inertia needs are first and second moments of these fields over the mass; the equations follow from them without another
// integral, exactly to all orders in z, because rho is linear in z.
#pragma once
#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "skyhook/base/error.h"
#include "skyhook/math/vec.h"

namespace skyhook::model {

struct NodalMesh;  // nodal_mesh.h

// A place of a bending body at which joints, forces and markers attach.
struct ModalPoint {
  std::string name;          // of the mesh: "12", "left_end"
  Vec3d at;                  // undeformed, from the origin of the reference frame, in its axes
  std::vector<Vec3d> shift;  // of each mode, a unit of its coordinate: displacement
  std::vector<Vec3d> turn;   // and rotation (small)
};

// Stress that stiffens: the modes' stiffness per unit of what causes it, row by row, modes x modes.
struct GeometricStiffness {
  // Of the frame: accelerations (gravity taken away), angular accelerations, and products of angular velocity xx, yy, zz, xy, yz, zx, all in
  // the axes of the reference frame. Empty: not given.
  std::array<std::vector<double>, 3> acceleration, angular_acceleration;
  std::array<std::vector<double>, 6> centrifugal;
};

struct ModalBody {
  std::string name;
  Location where;
  int modes = 0;
  std::vector<std::string> mode_names;  // "mode_1"; empty: numbered
  double mass = 0;
  std::vector<Vec3d> first;  // modes + 1: integral of b_k dm
  std::vector<Mat3d>
      second;  // (modes + 1)^2, row by row: integral of b_k b_l^T dm, entry (alpha, beta) of b_k,alpha b_l,beta
  // Inertia that the fields above do not have, rotations of cross-sections: integral of turn_k . (theta turn_l), modes x modes, row by row. Empty: none.
  std::vector<double> rotary;
  std::vector<double> stiffness, damping;  // modes x modes, row by row
  GeometricStiffness geometric;
  std::vector<ModalPoint> points;
  std::vector<double> frequencies_hz;  // of the modes by themselves, for messages and reports; may be empty
  // For the picture: lines and triangles between points, by number.
  std::vector<std::array<int, 2>> lines;
  std::vector<std::array<int, 3>> triangles;

  // In place of modes, of which there are none then: a mesh of nodal coordinates, for large deformations. The frame of reference stands still.
  std::shared_ptr<const NodalMesh> mesh;

  const Mat3d& moment(int k, int l) const {
    return second[static_cast<std::size_t>(k) * (static_cast<std::size_t>(modes) + 1) + static_cast<std::size_t>(l)];
  }
};

}  // namespace skyhook::model
