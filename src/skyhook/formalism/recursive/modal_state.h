// What one evaluation keeps of a body of modes: the moments over its mass at z and z' (modal_node.h).
#pragma once
#include <vector>

#include "skyhook/math/vec.h"

namespace skyhook::formalism::recursive {

struct ModalState {
  std::vector<double> z, zd,
      zdd;         // zdd: of nodal meshes alone, whose lines something slides on, and which have these and tau
  Vec3d c, cd, h;  // body axes
  Mat3d I, Id;
  std::vector<Vec3d> ck, ek, gk;  // gk: sum of G_kl z'_l
  std::vector<Mat3d> Ik;          // modes + 1; the first is by zeta_0
  std::vector<double> tau;        // what inertia takes of z
  // Explicit recursion: coupling with the motion of the node, inertia of z, its factor; global axes about the node's origin.
  std::vector<Vec3d> Un, Uf;
  std::vector<double> D, u;
};

}  // namespace skyhook::formalism::recursive
