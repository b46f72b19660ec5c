// Order and step size of our BDF: which comes next after a good step or a failed one, and a guard against orders that amplify
// vibrations which nothing damps (docs/theory/08).
#pragma once
#include "skyhook/integrator/bdf_history.h"

namespace skyhook::integrator {

struct BdfControl {
  int order_limit = BdfHistory::highest_order;

  double h = 0;  // of the next attempt
  int k = 1;

  // Begins, or begins anew, with a history of order k in steps of h.
  void start(double first, int order);
  // Before an attempt: counts steps of equal size and order.
  void begin_attempt();
  void accepted(const BdfHistory::Step& step, const BdfHistory::Norms& norms);
  void failed_error_test(const BdfHistory::Step& step, const BdfHistory::Norms& norms);
  void failed_newton() { h *= 0.25; }

 private:
  // Estimated local errors of orders k - 2 to k + 1, and the same as parts of a Taylor series, whose fall tells which
  // order fits.
  struct Estimates {
    double same, minus_1, minus_2, plus_1;
    double term, term_minus_1, term_minus_2, term_plus_1;
    double second;  // the error order 2 would have left
  };
  Estimates estimates(const BdfHistory::Step& step, const BdfHistory::Norms& norms) const;
  bool wants_lower(const Estimates& e) const;
  void watch(const Estimates& e);
  bool should_damp(const Estimates& e) const;
  bool may_raise(const Estimates& e, bool was_raised) const;

  double h_used = 0;
  int k_used = 0;
  int steady = 0;    // steps of the same size and order, up to k + 2
  int failures = 0;  // in this step

  // How fast the differences fall at the top, in the mean over steps of equal size and order: those of a vibration pass through
  // zero, one step alone tells nothing. One of frequency w gives the ratio w h.
  double h_damped = 0;                  // where damping began; 0: it is not being tried
  long wait = 0, patience = 100;        // steps until it may be tried again, and after the next failure
  double below = 0, top = 0, seen = 0;  // sums of squares, the newest step weighing most, and of the weights
};

}  // namespace skyhook::integrator
