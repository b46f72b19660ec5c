// Accelerations and constraint forces at given positions and velocities:
//
//   [M  G^T] [a     ]   [ f   ]
//   [G   0 ] [lambda] = [-gII ]
//
// By the O(N) recursion without constraints, by sparse LU with them; where the position is singular, the solution of
// least size. This is what recorders and initial values use: never interpolated multipliers. What depends on
// lambda, friction of joints and loads that read their multipliers, is put on top of the same factorisation (load_feedback.h), whose matrix stays that of projections.
#pragma once
#include "skyhook/base/boxed.h"
#include "skyhook/formalism/evaluation.h"
#include "skyhook/formalism/forward.h"
#include "skyhook/formalism/past_solutions.h"
#include "skyhook/math/sparse_lu.h"

namespace skyhook::formalism {

namespace recursive {
class LoadFeedback;
}

class AccelerationSolver {
 public:
  explicit AccelerationSolver(const recursive::Equations& eq);
  AccelerationSolver(const AccelerationSolver&);
  AccelerationSolver& operator=(const AccelerationSolver&) = delete;
  AccelerationSolver(AccelerationSolver&&) noexcept;
  AccelerationSolver& operator=(AccelerationSolver&&) = delete;
  ~AccelerationSolver();

  // On failure `blame` of the workspace names the body or constraint. With `alpha` (1/s) constraint errors decay along
  // the accelerations found, G a + gII = -2 alpha (G v + gI) - alpha^2 g (Baumgarte; [Arnold 2004] §4).
  Eval solve(double t, CSpan q, CSpan v, Span a, Span lambda, recursive::EquationsWorkspace& ws, double alpha = 0);

  // From now on solve() may use a factorisation of positions nearby and refine to thirteen digits: for solutions at times that
  // follow each other closely. What it gives then depends in its last digits on what was asked before.
  void use_nearby_factors() { uses_nearby_ = true; }
  // The same further away, from a guess, without M and to eleven digits: for samples.
  void keep_factors() { uses_nearby_ = keeps_ = true; }
  // The factors there are have served solutions at other places, and are worth to be tried at the next; by how much each step of refinement has
  // brought the error down, 1 where that is not known yet.
  bool serves() const;
  double contraction() const { return contraction_; }
  void wear_out();  // they serve no longer

  // After solve(): the accelerations at which the equations were evaluated for it; a solution is found as a change of these.
  CSpan begun_at() const { return begun_; }

  // Where the next solve() may begin, at this time: what an integrator has for them. Else it is what solutions before foretell.
  void expect(double t, CSpan a, CSpan lambda);

  // Accelerations and multipliers at a place very near that of the last solve(), of which (a, lambda) are the solution: one step of
  // Newton's method with its factors, so that their change is exact to first order, or some steps with others. For rates along the motion; can_follow() first.
  Eval follow(double t, CSpan q, CSpan v, Span a, Span lambda, recursive::EquationsWorkspace& ws);
  // Makes it so, at the place of the last solve(). False: follow() has no factors, or friction asks for more.
  bool can_follow(double t, CSpan q, recursive::EquationsWorkspace& ws);

  enum class Metric { mass, euclidean };
  // M and G at q and their factorisation; nothing to do where they are those of the last call. solve() does this by itself.
  void factor(double t, CSpan q, recursive::EquationsWorkspace& ws);
  // The same, always, with the residuals of the constraints g and G v + gI from the same pass.
  void factor(double t, CSpan q, CSpan v, Span g, Span g_rate, recursive::EquationsWorkspace& ws);
  // The smallest step with G step = right, G and M being those last factored. False: singular there.
  bool smallest_step(CSpan right, Span step, Metric metric = Metric::mass);
  // The same in the mass metric at half the price: for Newton's corrections, which make good what rounding leaves.
  bool correction(CSpan right, Span step);
  // After solve(), for analyses: (a, lambda) without friction that depends on lambda, and the responses to it; null: there is
  // none.
  recursive::LoadFeedback* feedback() { return feedback_.get(); }
  CSpan without_friction() const { return x_; }
  long factorisations() const { return factorisations_; }
  // Residuals of the constraints where solve() was last, and that time.
  double solved_at() const { return t_solved_; }
  const std::vector<double>& g() const { return g_; }
  const std::vector<double>& rate() const { return rate_; }
  const Csc& mass() const { return mass_; }
  const Csc& jacobian() const { return jacobian_; }

 private:
  void build_pattern();
  bool is_factored(double t, CSpan q) const;
  bool is_within(double distance, CSpan q) const;
  bool tries_nearby(CSpan q);
  void take_matrices();  // from mass_ and jacobian_
  void take_matrices_elsewhere();
  const Csc& as_factored() const { return matrix_is_elsewhere_ ? factored_ : matrix_; }
  Eval solve_here(double t, CSpan v, recursive::EquationsWorkspace& ws);
  bool may_predict(double t, CSpan q) const;
  bool may_begin_as_expected(double t, CSpan q, recursive::EquationsWorkspace& ws);
  Eval newton_step(double t, CSpan q, CSpan v, CSpan a, CSpan lambda, recursive::EquationsWorkspace& ws);
  double contraction_here(double t, CSpan q) const;
  bool has_friction() const;
  bool is_expected(double t) const { return expects_ && t == t_expected_; }
  bool solve_predicted(double t, CSpan q, CSpan v, recursive::EquationsWorkspace& ws);
  bool improve_guess(double t, CSpan q, CSpan v, recursive::EquationsWorkspace& ws);
  Eval take_step(double t, CSpan v, recursive::EquationsWorkspace& ws);
  void pause_keeping();
  bool step_with_new_factors(double t, CSpan q, CSpan v, recursive::EquationsWorkspace& ws);
  bool settle_loads(double t, CSpan v, recursive::EquationsWorkspace& ws);
  bool find_responses(double t, CSpan v, CSpan lambda, recursive::EquationsWorkspace& ws);
  bool solve_step();
  bool follow_closer(double t, CSpan v, recursive::EquationsWorkspace& ws);
  bool solve_nearby(Span x);
  void factor_again(double t, CSpan q);  // likewise
  bool solve_factored(Span x);
  void solve_refined(Span x);
  Eval add_feedback(double t, CSpan v, recursive::EquationsWorkspace& ws);
  bool factor_euclidean();

  const recursive::Equations& eq_;
  Csc mass_, jacobian_;
  Csc matrix_, factored_;
  Boxed<SparseLu> lu_;
  Boxed<Klu> euclidean_;  // of [1 G^T; G 0], made on demand
  std::vector<double> euclidean_value_;
  bool regular_ = false, euclidean_is_new_ = false;
  bool uses_nearby_ = false,
       is_elsewhere_ = false;         // mass_ and jacobian_ are those of other positions than its factors
  bool matrix_is_elsewhere_ = false;  // matrix_ too: then factored_ is that of the factors, else matrix_ is
  bool is_stale_ = false;             // refinement with these factors takes long
  bool keeps_ = false;
  int nearby_pause_ = 0, nearby_patience_ = 1;  // solutions that do not try it
  long factorisations_ = 0;
  double t_factored_ = 0;
  std::vector<double> q_factored_;  // empty: nothing factored
  std::vector<int> mass_at_, jacobian_at_, transposed_at_, diagonal_at_;
  std::vector<double> x_, g_, rate_, zero_v_, zero_g_;
  Boxed<recursive::LoadFeedback> feedback_;  // where forces depend on lambda
  std::vector<double> x_friction_, right_, nearby_right_, correction_;
  bool refines_ = false;  // the solution that is being found
  PastSolutions past_;
  std::vector<double> begun_, guess_, expected_, change_;
  double t_expected_ = 0;
  bool expects_ = false;
  double contraction_ = 1, t_solved_ = 0;
  bool is_worn_ = false;                      // the factors have cost as much as new ones, or do not serve at all
  int spent_ = 0;                             // steps of refinement beyond what is cheap since they were made
  short keep_pause_ = 0, keep_patience_ = 1;  // factorisations that are not kept
};

}  // namespace skyhook::formalism
