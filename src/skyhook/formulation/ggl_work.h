// Scratch memory of Ggl, for its own files.
#pragma once
#include <vector>

#include "skyhook/formulation/ggl.h"

namespace skyhook::formulation {

// H = d(quaternion)/d(tangent), half the quaternion product matrix, and its left inverse 4 H^T / |p|^2, by columns.
struct QuaternionMap {
  double H[4][3], left_inverse[4][3];
  explicit QuaternionMap(const double* p = nullptr) {
    if (!p) return;
    const double w = 0.5 * p[0], x = 0.5 * p[1], y = 0.5 * p[2], z = 0.5 * p[3];
    const double m[4][3] = {{-x, -y, -z}, {w, -z, y}, {z, w, -x}, {-y, x, w}};
    const double scale = 1 / (w * w + x * x + y * y + z * z);
    for (int a = 0; a < 4; ++a) {
      for (int k = 0; k < 3; ++k) H[a][k] = m[a][k], left_inverse[a][k] = scale * m[a][k];
    }
  }
};

struct Ggl::Work : Workspace {
  formalism::EquationsOfMotion::Workspace equations;
  // Where the blocks' columns are written: straight into the matrices, or for quaternions into `scratch_*`.
  std::vector<double*> stiffness, damping, mass, eta_part, jacobian, g_rate_part, friction;
  std::vector<double*> mass_alone;  // of the matrix that mass() fills
  std::vector<double> scratch_stiffness, scratch_rate, scratch_loop, scratch_friction;
  std::vector<double*> own, own_stiffness, own_damping;
  std::vector<double> scratch_own, scratch_own_stiffness, scratch_own_damping;
  std::vector<QuaternionMap> maps;
  const double *pointed_dy = nullptr, *pointed_dyp = nullptr;

  // Whatever points into matrices or scratch points into its own again.
  std::unique_ptr<Workspace> clone() const override {
    auto copy = std::make_unique<Work>(*this);
    copy->pointed_dy = copy->pointed_dyp = nullptr;
    const auto follow = [](const std::vector<double*>& from, const std::vector<double>& scratch,
                           std::vector<double*>& to, std::vector<double>& own_scratch) {
      for (std::size_t j = 0; j < from.size(); ++j) to[j] = own_scratch.data() + (from[j] - scratch.data());
    };
    follow(friction, scratch_friction, copy->friction, copy->scratch_friction);
    follow(own, scratch_own, copy->own, copy->scratch_own);
    follow(own_stiffness, scratch_own_stiffness, copy->own_stiffness, copy->scratch_own_stiffness);
    follow(own_damping, scratch_own_damping, copy->own_damping, copy->scratch_own_damping);
    return copy;
  }
};

}  // namespace skyhook::formulation
