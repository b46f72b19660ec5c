// Accelerations and multipliers where friction depends on the multipliers ([Arnold 2004] (23);
// docs/theory/09_hybrid_systems.md):
//
//   [M G^T] [a     ]   [f]   sum_k F_k [P_k^T]
//   [G  0 ] [lambda] = [b] -           [  0  ],     F_k = s_k N_k(lambda)
//
// With x0 the solution without friction and z_k the response to P_k^T, both from the one symmetric factorisation, what is
// left are as many equations F_k = s_k N_k(lambda0 - sum_l F_l zeta_l) as there are such joints. The determinant D of their
// Newton matrix 1 + s_k dN_k/dlambda zeta_l is det(G M^-1 (G^T - f_lambda)) / det(G M^-1 G^T): the generalised Grübler
// condition is D != 0, and D > 0 on the branch that begins where there is no friction.
#pragma once
#include <string>

#include "skyhook/formalism/recursive/equations.h"

namespace skyhook::formalism::recursive {

class LoadFeedback {
 public:
  explicit LoadFeedback(const Equations& eq);
  int size() const { return static_cast<int>(factor.size()); }
  // Of joint k: (P_k^T, 0), to be replaced by the solution z_k.
  Span response(int k) { return Span(responses_).subspan(static_cast<std::size_t>(k) * n_, n_); }
  CSpan response(int k) const { return CSpan(responses_).subspan(static_cast<std::size_t>(k) * n_, n_); }
  std::vector<double> factor;  // s_k
  std::vector<double> force;   // F_k, after solve()

  // From x0 to x. False: there is no solution, or it lies beyond D = 0. Newton begins without friction: of one joint N is convex
  // in F, so that F grows from step to step towards the solution of that branch, or there is none.
  bool solve(Span x);
  // The joint that raises its own load most, after solve(): "friction ... of joint ... jams".
  int culprit() const;
  std::string blame() const;
  double determinant() const { return determinant_; }

 private:
  void multipliers(CSpan x);
  void linearise();
  bool eliminate();  // the step into right_, and D

  const Equations& eq_;
  std::size_t n_;
  std::vector<double> responses_, lambda_, matrix_, right_, diagonal_;
  double determinant_ = 1;
};

}  // namespace skyhook::formalism::recursive
