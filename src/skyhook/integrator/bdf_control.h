// Order and step size of our BDF: which comes next after a good step or a failed one.
#pragma once
#include "skyhook/integrator/bdf_history.h"

namespace skyhook::integrator {

struct BdfControl {
  int order_limit = BdfHistory::highest_order;
  double largest_step = 0;  // s; 0: no limit

  double h = 0;  // of the next attempt
  int k = 1;

  // Begins, or begins anew, with a history of order k in steps of h.
  void start(double first, int order);
  // Before an attempt: counts steps of equal size and order.
  void begin_attempt();
  void accepted(const BdfHistory::Step& step, const BdfHistory::Norms& norms);
  void failed_error_test(const BdfHistory::Step& step, const BdfHistory::Norms& norms);
  void failed_newton();

 private:
  // Estimated local errors of orders k - 2 to k + 1, and the same as parts of a Taylor series, whose fall tells which
  // order fits.
  struct Estimates {
    double same, minus_1, minus_2, plus_1;
    double term, term_minus_1, term_minus_2, term_plus_1;
  };
  Estimates estimates(const BdfHistory::Step& step, const BdfHistory::Norms& norms) const;
  bool wants_lower(const Estimates& e) const;

  double h_used = 0;
  int k_used = 0, k_before = 0;
  int steady = 0;        // steps of the same size and order, up to k + 2
  bool starting = true;  // order and step grow with each step
  int failures = 0;      // in this step
};

}  // namespace skyhook::integrator
