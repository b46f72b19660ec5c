// HEM5, the half-explicit Runge-Kutta method of order 5 of Brasey for constrained mechanics (V. Brasey, thesis,
// Geneva 1994). It needs no second derivatives of the constraints: every stage solves
//
//   [ M(Q_i)    G(Q_i)^T ] [ V_i'     ]   [ f(Q_i, V_i)                          ]
//   [ G(Q_i+1)      0    ] [ lambda_i ] = [ so that G(Q_i+1) V_i+1 + gI = 0 there ]
//
// an unsymmetric system. It is a method for index 2: velocities keep their constraints, positions are moved back to
// theirs at the end of each step, nearest in the mass metric.
//
// Forces that depend on lambda do not fit the stages, whose lambda is not that of the accelerations. No
// element has such a force yet, and MechanicalProblem has no place for it: f(t, q, v) is all there is.
#pragma once
#include <memory>

#include "skyhook/integrator/step.h"
#include "skyhook/problem/mechanical_problem.h"

namespace skyhook::integrator {

class Hem5 {
 public:
  // y = (q, v), consistent at t. The problem must outlive the integrator.
  Hem5(const MechanicalProblem& problem, Options options, double t, CSpan y);
  ~Hem5();
  Hem5(const Hem5&);  // with all its memory; of the same problem
  Hem5& operator=(const Hem5&);
  Hem5(Hem5&&) noexcept;
  Hem5& operator=(Hem5&&) noexcept;

  // One step, never past t_limit. reached_limit: t == t_limit exactly.
  StepResult step(double t_limit);
  // Within the last step: positions by the polynomial of degree 5 through positions, velocities and accelerations at
  // its ends, velocities by that of degree 3. The first call after a step solves for the accelerations there, y'
  // (unless its span is empty) for those at t. Where they cannot be found, positions follow the cubic through positions
  // and velocities at the ends, velocities and accelerations their straight line and its slope.
  void interpolate(double t, Span y, Span yp) const;
  // Velocities that interpolate() gives within the last step are of order 5 from now on: four solutions for accelerations, once a
  // step.
  void refine();
  // Explicit methods take any jump alike.
  void restart(Jump jump, double t, CSpan y);
  double t() const;
  CSpan y() const;
  const Cost& cost() const;   // residuals: evaluations of the terms; factorisations: of the stages' matrices
  void forget_stiffness();    // is_stiff() judges anew
  long repairs() const;       // position projections so far
  double stiff_rate() const;  // 1/s; of what is stiff, when it was last seen
  bool is_stiff() const;      // an implicit method would take far larger steps (Hairer's test, as in Dopri5)

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace skyhook::integrator
