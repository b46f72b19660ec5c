// Order and step size of our BDF: which comes next after a good step or a failed one, and the guard against orders 3 to 5
// where these amplify vibrations that nothing damps (docs/theory/08).
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

  // A vibration is being followed at order 5, in steps short enough for stability.
  bool is_resolving() const { return resolving; }

 private:
  // Estimated local errors of orders k - 2 to k + 1, and the same as parts of a Taylor series, whose fall tells which
  // order fits.
  struct Estimates {
    double same, minus_1, minus_2, plus_1;
    double term, term_minus_1, term_minus_2, term_plus_1;
    double second;  // the error order 2 would have left
  };
  // How fast the highest differences fall, in the mean over steps of equal size and order: those of a vibration pass
  // through zero, one step alone tells nothing. A vibration of frequency w gives a ratio of w h.
  struct Watch {
    double lower = 0, below = 0, top = 0, weight = 0;  // sums of squares, the newest step weighing most
    void add(double difference_lower, double difference_below, double difference_top);
    bool is_known() const { return weight > 1.5 && below > 0; }
    double ratio() const;
    double ratio_below() const;
    double level() const;        // of the highest difference
    double level_below() const;  // of the one below it
  };

  Estimates estimates(const BdfHistory::Step& step, const BdfHistory::Norms& norms) const;
  bool wants_lower(const Estimates& e) const;
  void observe(const Estimates& e);
  bool guard(const Estimates& e);
  bool is_worth_resolving(const Estimates& e) const;
  void begin_resolving();
  void resolve();
  void damp(const Estimates& e);
  bool shorten_for_stability();
  bool may_raise(const Estimates& e, bool was_raised) const;
  double growth_limit() const;
  void choose(const Estimates& e, bool was_raised);
  void change_step(double factor);

  double h_used = 0;
  int k_used = 0;
  int steady = 0;         // steps of the same size and order, up to k + 2
  bool starting = true;   // order and step grow with each step
  int failures = 0;       // in this step
  double last_error = 1;  // of the step before

  Watch watch;
  bool resolving = false;           // order 5 and no lower one
  bool ramping = false;             // the order grows with each step
  long resolved = 0, patience = 0;  // steps since resolving began, and how many before damping is tried again
  bool trying = false;              // to damp after all
  double h_tried = 0;
  long calm = 0, quiet = 0;  // steps without growth to wait for after a step too long, and those waited
};

}  // namespace skyhook::integrator
