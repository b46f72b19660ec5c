// Accelerations and multipliers where forces depend on the multipliers ([Arnold 2004] (23);
// docs/theory/09_hybrid_systems.md, docs/theory/10_contributions.md): friction of joints under load, F_k = s_k N_k(lambda) against row P_k,
// and contributions that read the multipliers mu of their own rows, creep forces say, with loads w(mu) along rows W:
//
//   [M G^T] [a     ]   [f]   sum_k F_k [P_k^T]   sum_i w_i(mu) [W_i^T]
//   [G  0 ] [lambda] = [b] -           [  0  ] +               [  0  ]
//
// With x0 the solution without these and z the responses to P_k^T and W_i^T, all from the one symmetric factorisation, what is
// left are as many equations as there are such joints and such rows: F_k = s_k N_k(lambda) and mu = lambda of their rows. The determinant D of their
// Newton matrix is det(G M^-1 (G^T - f_lambda)) / det(G M^-1 G^T): the generalised Grübler
// condition is D != 0, and D > 0 on the branch that begins where there is no such force.
#pragma once
#include <functional>
#include <string>

#include "skyhook/formalism/recursive/equations.h"

namespace skyhook::formalism::recursive {

class LoadFeedback {
 public:
  explicit LoadFeedback(const Equations& eq);
  int size() const { return static_cast<int>(factor.size()); }  // joints with friction
  // First those of joints, (P_k^T, 0), then those of loads, (W_i^T, 0), to be replaced by the solution z.
  int responses() const { return size() + parts_; }
  Span response(int k) { return Span(responses_).subspan(static_cast<std::size_t>(k) * n_, n_); }
  CSpan response(int k) const { return CSpan(responses_).subspan(static_cast<std::size_t>(k) * n_, n_); }
  std::vector<double> factor;  // s_k
  std::vector<double> force;   // F_k, after solve()

  // From x0 to x of friction alone. False: there is no solution, or it lies beyond D = 0. Newton begins without friction: of one joint N is convex
  // in F, so that F grows from step to step towards the solution of that branch, or there is none.
  bool solve(Span x);
  // With the loads of contributions, at the motion that the nodes of the workspace have.
  Eval solve(Span x, double t, CSpan v, Equations::Workspace& ws);
  // The same where no joint has friction and solutions follow each other closely: begins with the mu of the last one, and needs one response for each mu, to what its
  // loads change with it, in place of one for each of their six parts. Both put a solution in the place of its right-hand side; `roughly` may err by a thousandth. What
  // it gives depends in its last digits on what was asked before. Not ok: try solve().
  using Solver = std::function<bool(Span)>;
  Eval solve_next(Span x, double t, CSpan v, const Solver& exactly, const Solver& roughly, Equations::Workspace& ws);

  // Newton's method on accelerations and multipliers at once, where no joint has friction: with K the matrix above, S the multipliers that loads read and
  // Z the responses to what loads change with them, its matrix is K - K Z S^T, and what K^-1 makes of a residual lacks Z (1 - S^T Z)^-1 S^T of itself.
  // The determinant of 1 - S^T Z is D, as above.
  bool has_friction() const { return size() > 0; }
  // Less the loads at these multipliers, at the place where the nodes are; then less what they have changed by, at others.
  Eval take_loads(double t, CSpan v, CSpan lambda, Span forces, Equations::Workspace& ws);
  Eval take_changes(double t, CSpan v, CSpan lambda, Span forces, Equations::Workspace& ws);
  // Z at these multipliers; it serves with other factors of K nearby too. False: the slopes are not found.
  bool find_responses(double t, CSpan v, CSpan lambda, const Solver& roughly, Equations::Workspace& ws);
  void forget_responses() { knows_responses_ = false; }
  bool knows_responses() const { return knows_responses_; }
  // x = K^-1 r becomes the step of Newton's method. False: D is not positive.
  bool complete(Span x);
  // The joint that raises its own load most, after solve(): "friction ... of joint ... jams".
  int culprit() const;
  std::string blame() const;
  double determinant() const { return determinant_; }

 private:
  struct Reader {  // a contribution that reads its multipliers
    const ContributionItem* item;
    int part, row, slope;   // where its loads, its multipliers and its slopes begin
    std::size_t entry = 0;  // and its rows
  };
  std::size_t unknowns() const { return factor.size() + mu_.size(); }
  enum class Slopes { found, left_out };
  Eval look(double t, CSpan v, Equations::Workspace& ws, Slopes slopes = Slopes::found);
  void multipliers(CSpan x);
  void sensitivities();
  void linearise();
  void linearise_friction();
  bool eliminate();  // the step into right_, and D
  bool iterate(CSpan x, double t, CSpan v, Equations::Workspace* ws);
  void add_responses(Span x) const;
  void find_rows(double t, Equations::Workspace& ws);
  void add_parts(CSpan loads, double sign, Span right) const;
  void add_parts(const Reader& reader, CSpan parts, double sign, Span right) const;
  void take_multipliers(CSpan lambda);
  bool respond(const Solver& roughly);
  bool iterate_next(Span x, double t, CSpan v, const Solver& exactly, Equations::Workspace& ws);

  const Equations& eq_;
  std::size_t n_;
  int parts_ = 0;
  std::vector<Reader> readers_;
  std::vector<double> mu_, loads_, slopes_;  // of all readers
  std::vector<double> by_mu_;                // d lambda / d mu, one mu after another
  std::vector<int> row_of_mu_;               // among the active ones
  std::vector<double> responses_, lambda_, matrix_, right_, diagonal_;
  std::vector<double> rows_;  // W of each reader, over the coordinates between its frames, one part after another
  std::vector<double> last_loads_, change_;
  bool knows_mu_ = false, knows_responses_ = false;
  double determinant_ = 1;
  Eval looked_ = Eval::ok;
};

}  // namespace skyhook::formalism::recursive
