// Accelerations and constraint forces at given positions and velocities:
//
//   [M  G^T] [a     ]   [ f   ]
//   [G   0 ] [lambda] = [-gII ]
//
// By the O(N) recursion without constraints, by sparse LU with them; where the position is singular, the solution of
// least size. This is what recorders and initial values use: never interpolated multipliers.
#pragma once
#include <memory>

#include "skyhook/formalism/recursive/block_store.h"
#include "skyhook/math/klu.h"

namespace skyhook::formalism::recursive {

class AccelerationSolver {
 public:
  explicit AccelerationSolver(const Equations& eq);
  // On failure `blame` of the workspace names the body or constraint.
  Eval solve(double t, CSpan q, CSpan v, Span a, Span lambda, Equations::Workspace& ws);
  const Csc& mass() const { return store_.mass(); }
  const Csc& jacobian() const { return store_.jacobian(); }

 private:
  bool solve_singular(std::vector<double>& x) const;

  const Equations& eq_;
  BlockStore store_;
  Csc matrix_;
  std::unique_ptr<Klu> lu_;
  std::vector<int> mass_at_, jacobian_at_, transposed_at_;
  std::vector<double> x_, qdot_, g_, rate_, zero_v_, zero_g_;
};

}  // namespace skyhook::formalism::recursive
