// Newton's method of our BDF: solves F(t, y, y') = 0 where y' moves with y by alpha, with a matrix that is kept as long as it
// serves. Serves the steps of BDF and the stages of its starter alike.
#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "skyhook/corrector/iteration_matrix.h"
#include "skyhook/integrator/step.h"
#include "skyhook/problem/problem.h"

namespace skyhook::integrator {

struct BdfNewton {
  enum class Solved { yes, no, not_evaluated };

  BdfNewton(const DaeProblem& problem, const Options& options);

  // What a correction of each variable counts near y, in steps of h.
  void set_weights(CSpan y, double h);
  // From the prediction that stands in y and y'; E is what it was corrected by. `t` is the end of the step.
  Solved solve(double t, double h, double alpha, Cost& cost);
  // The equations have changed so that dF/dy must be evaluated before it is used again.
  void forget_matrix() { has_matrix = false, wanted = Renewal::evaluate; }

  std::vector<double> y, yp, E;
  std::vector<double> error_weight;  // 0 where a variable is not in the error test
  double tested = 1;                 // variables in the error test
  Boxed<Workspace> workspace;
  std::string blame;  // of the last failure
  int iterations = 0;
  // Nothing happens that an error test could see: then a matrix that is far too stiff gives tiny corrections, which look like
  // convergence. The rate is measured in every solution.
  bool is_quiet = false;
  bool is_low_order = false;  // orders 1 and 2, where differences enlarge little what is left over
  // Where the step begins: motions at low orders are rough beside the step, and a contact that is predicted to be open, or pressed by many times its load, has derivatives that lead nowhere.
  // Those of where the step begins are taken there, of equations without multipliers.
  Point begin{};
  double tighter = 1;     // than kappa: for methods whose errors are held down in the sum over many steps
  bool is_fatal = false;  // the problem cannot be evaluated in any step, however short
  // Where an iteration falls too slowly with derivatives at the prediction, it goes on with those of where it has come to; and corrections that are no more than
  // rounding are those of a solution. For methods of low order, whose steps may turn stiff bodies by much.
  bool is_persistent = false;

 private:
  enum class Renewal { none, combine, update, evaluate, widen };
  Renewal next_after(Renewal used) const;
  Renewal for_other_alpha() const;
  Renewal after_slow(Renewal used) const;
  Eval evaluate_residual(Cost& cost);
  bool renew(Renewal renewal, Cost& cost);
  Solved iterate(Cost& cost);
  Solved iterate_on(Cost& cost);
  bool is_rounding(double size);
  bool has_paid(Renewal used);
  bool has_aged(Renewal used);
  bool has_other_alpha() const;
  double correct(double c);

  const DaeProblem& problem;
  const Structure& structure;
  double kappa, low_kappa;
  bool is_thrifty;  // saves evaluations of dF/dy rather than time
  // Differences of the sum dF/dy + alpha dF/dy' cost most of all: kept by the rules of DASSL ([Arnold 2006] §2.3), until the iteration fails or alpha has changed
  // by so much that it would be slow.
  bool is_as_dassl;
  bool may_begin;  // derivatives may be those of `begin`
  IterationMatrix matrix;
  std::vector<double> F, y_start, yp_start, weight, floor, relative;
  std::vector<double> magnitude;  // of what weights are for
  std::vector<double> is_tested;  // 1 where a variable is in the error test
  struct Power {
    std::size_t begin, end;  // variables
    int of_h;
  };
  std::vector<Power> powers;        // of h in weights
  std::vector<std::size_t> unseen;  // multipliers that no velocity may tell of
  double looked_at = 1;
  double rounding = 0;  // size of a correction of their last bits, which never becomes less
  double t = 0, h = 0, alpha = 0;
  bool has_matrix = false;
  Renewal wanted = Renewal::evaluate;  // before the next solution
  int unmeasured = 0;                  // solutions since a rate was told
  double carried = 1;                  // rate / (1 - rate) of the iteration with this matrix
  double measured = 1;                 // the same, as it was last measured
  bool is_falling = false;             // corrections shrink, but too slowly
  bool was_checked = false;  // the last solution would have ended with its first correction, had the rate been believed
  int further = 0, single = 0;  // corrections after the first, and solutions with one alone, since the last renewal
  int always_new = 0;           // solutions that are to begin with new derivatives
  int price = 0;                // further corrections that a new matrix may have cost
};

}  // namespace skyhook::integrator
