// The two-loop implicit method of [Aboubakr 2015] (TLISMNI) on y = (x, x') with x'' = F(t, x, x'), where each evaluation satisfies the constraints
// by an inner loop of its own (formulation/partitioning.h). A formula of order 2,
//
//   y1 = psi + h eta f(t1, y1)        park, bdf2, trapezoidal, with the coefficients of the steps as they are
//   x1, x1' by Newmark from a1 = (1 + alpha) F1 - alpha F0     hht
//
// is solved by an outer loop: simple iteration, which needs h eta |J| < 1, or Newton's method with Krylov's solution of its linear systems, in which
// products with the Jacobian are differences (17) of the equations, and which may be preconditioned by exact derivatives, kept as long as they serve.
// docs/theory/23 has the formulas, their error constants and the rules.
#pragma once
#include <limits>
#include <memory>

#include "skyhook/integrator/step.h"
#include "skyhook/problem/second_order_ode.h"

namespace skyhook::integrator {

struct TwoLoopOptions : Options {
  enum class Formula { park, bdf2, trapezoidal, hht };
  enum class Outer { automatic, simple, newton_krylov, preconditioned };
  Formula formula = Formula::park;
  Outer outer = Outer::automatic;  // automatic: simple as long as it converges quickly, else preconditioned
  int krylov_depth = 0;            // vectors that a new one is made orthogonal to; 0: all
  double hht_alpha = -0.1;
  double step_exponent = 1.0 / 3;
  double span = std::numeric_limits<double>::infinity();  // s; how long the motion lasts at most
};

class TwoLoop {
 public:
  // The problem must outlive the integrator.
  TwoLoop(const SecondOrderOde& problem, const TwoLoopOptions& options, double t, CSpan y);
  ~TwoLoop();
  TwoLoop(const TwoLoop&);  // with all its memory; of the same problem
  TwoLoop& operator=(const TwoLoop&);
  TwoLoop(TwoLoop&&) noexcept;
  TwoLoop& operator=(TwoLoop&&) noexcept;

  StepResult step(double t_limit);
  void interpolate(double t, Span y, Span yp) const;
  void restart(Jump jump, double t, CSpan y);

  double t() const;
  CSpan y() const;
  const Cost& cost() const;  // newton_iterations: of the outer loop
  Workspace& workspace();
  long krylov_vectors() const;
  long simple_steps() const;  // those that simple iteration has solved

  // Simple iteration has limited the steps: h eta |J| would be above 1 in those that the error allows. An estimate of |J|, 1/s.
  bool is_stiff() const;
  double stiff_rate() const;
  void forget_stiffness();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace skyhook::integrator
