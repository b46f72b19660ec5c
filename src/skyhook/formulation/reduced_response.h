// How accelerations on the constraints answer to changes of positions and velocities that follow them, by exact derivatives at one state: d from
//
//   [M + c C + b K   G^T] [d ]   [-(K dq + C dv)]
//   [G               0  ] [mu] = [0             ]
//
// K and C are the derivatives of M a - f + G^T lambda by q and v. Left out is how the directions of G change along dq: a preconditioner needs it not.
#pragma once
#include <vector>

#include "skyhook/base/boxed.h"
#include "skyhook/formalism/equations_of_motion.h"
#include "skyhook/math/sparse_lu.h"

namespace skyhook::formulation {

class ReducedResponse {
 public:
  explicit ReducedResponse(const formalism::EquationsOfMotion& eq);

  struct At {
    double t;
    CSpan q, v, a, lambda;
  };
  Eval prepare(const formalism::EquationsOfMotion& eq, const At& at, double b, double c,
               formalism::EquationsOfMotion::Workspace& ws);
  // d by dq and dv, all of nv entries.
  void solve(CSpan dq, CSpan dv, Span d);

 private:
  Pattern tangent_;
  Csc matrix_;
  Boxed<SparseLu> lu_;
  std::vector<double> stiffness_, damping_, mass_, jacobian_, rate_, loop_, friction_, zero_, right_;
  std::vector<double*> at_[7];
  std::vector<int> tangent_at_, jacobian_at_, transposed_at_;
};

}  // namespace skyhook::formulation
