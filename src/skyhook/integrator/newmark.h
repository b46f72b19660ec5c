// Methods of Newmark's family on equations of motion with constraints, with exact derivatives: `hht` (Hilber, Hughes and Taylor) and
// `generalised_alpha` (Chung and Hulbert), in the form of [Arnold 2015] on Lie groups. With algorithmic accelerations a beside v':
//
//   (1 - alpha_m) a1 + alpha_m a0 = (1 - alpha_f) v1' + alpha_f v0'
//   v1 = v0 + h ((1 - gamma) a0 + gamma a1)
//   q1 = q0 ⊞ d,   d = h v0 + h^2 ((1/2 - beta) a0 + beta a1)   (- h beta/gamma G^T eta, in the stabilised form)
//
// and the equations of motion at the end of the step, F(t1, q1, v1, v1', lambda1) = 0. a0 stands for v' at t0 + (alpha_m - alpha_f) h: it
// is scaled when h changes, and begins there, so that the order is 2 with any steps. docs/theory/23 has the derivations.
#pragma once
#include <memory>

#include "skyhook/integrator/step.h"
#include "skyhook/problem/local_problem.h"

namespace skyhook::integrator {

struct NewmarkParameters {
  double alpha_m = 0, alpha_f = 0, gamma = 0.5, beta = 0.25;

  static NewmarkParameters hht(double alpha);                       // alpha in [-1/3, 0]
  static NewmarkParameters generalised_alpha(double rho_infinity);  // in [0, 1]
  double offset() const { return alpha_m - alpha_f; }               // of a, in steps
  // The local errors are these times h^3 q''' and h^3 v''', exact less computed.
  double position_error() const;
  double velocity_error() const;
};

struct NewmarkOptions : Options {
  double rho_infinity = 0.8;  // of generalised_alpha: what is left after a step of vibrations far above 1 / h
  double hht_alpha = -0.1;    // of hht
};

class Newmark {
 public:
  // y = (q, v, multipliers and other unknowns) and yp = (q', v', ...) are consistent at t. The problem must outlive the integrator.
  Newmark(const LocalProblem& problem, NewmarkParameters parameters, const Options& options, double t, CSpan y,
          CSpan yp);
  ~Newmark();
  Newmark(const Newmark&);  // with all its memory; of the same problem
  Newmark& operator=(const Newmark&);
  Newmark(Newmark&&) noexcept;
  Newmark& operator=(Newmark&&) noexcept;

  // One step of the integrator's own size, never past t_limit. reached_limit: t == t_limit exactly.
  StepResult step(double t_limit);
  // y (and its slope unless the span is empty) at any t within the last step.
  void interpolate(double t, Span y, Span yp) const;
  void restart(Jump jump, double t, CSpan y, CSpan yp);

  double t() const;
  CSpan y() const;
  CSpan accelerations() const;  // v' at t
  const Cost& cost() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

class Hht : public Newmark {
 public:
  Hht(const LocalProblem& problem, const NewmarkOptions& o, double t, CSpan y, CSpan yp)
      : Newmark(problem, NewmarkParameters::hht(o.hht_alpha), o, t, y, yp) {}
};

class GeneralisedAlpha : public Newmark {
 public:
  GeneralisedAlpha(const LocalProblem& problem, const NewmarkOptions& o, double t, CSpan y, CSpan yp)
      : Newmark(problem, NewmarkParameters::generalised_alpha(o.rho_infinity), o, t, y, yp) {}
};

}  // namespace skyhook::integrator
