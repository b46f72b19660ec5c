// The first steps of our BDF, at the start and after jumps: steps of the implicit part of ARK4(3)6L[2]SA (Kennedy, Carpenter,
// Additive Runge-Kutta schemes, Appl. Numer. Math. 44, 2003): order 4, y' at the start and five diagonally implicit stages,
// stiffly accurate, L-stable, stage order 2, small coefficients. One matrix serves all stages. Values and slopes at both
// ends of a step make a cubic, from which BDF goes on at order 3.
#pragma once
#include <array>
#include <vector>

#include "skyhook/integrator/bdf_newton.h"

namespace skyhook::integrator {

class BdfStarter {
 public:
  static constexpr int order = 3;  // of the history it leaves

  explicit BdfStarter(std::size_t n);

  // False: a stage could not be solved, newton.blame says why. The end stands in newton.y and newton.yp.
  bool step(const Structure& structure, double t, CSpan y, CSpan yp, double h, BdfNewton& newton, Cost& cost);
  double error() const { return error_; }     // 1 = the tolerance
  int dominant() const { return dominant_; }  // the variable that errs most; -1: none does
  double step_of() const;                     // the step of BDF that follows, as part of the starter's
  // Values of the cubic at the end of the step and step_of h, 2 step_of h, ... before it.
  const std::vector<std::vector<double>>& values() const { return values_; }
  void fill_values(const Structure& structure, CSpan y, CSpan yp, double h, const BdfNewton& newton);

 private:
  void measure_error(double h, const BdfNewton& newton);

  std::array<std::vector<double>, 6> slope_;
  std::vector<std::vector<double>> values_;
  double error_ = 0;
  int dominant_ = -1;
};

// May it take more than the first step? On index 2 its stages are of order 2 only, and so are velocities in the end: a step is far
// shorter than one of BDF, and its error larger than it is told (a four-bar under a sampled controller: half of the evaluations and a
// quarter of the error with one starter step a sample).
bool may_repeat_starter(const Structure& structure, int order_limit);

// Sizes of the starter's steps, and when BDF takes over: not where a few steps of the starter reach the limit, which for a
// sampled controller is the next sample.
class StarterSteps {
 public:
  bool may_go_on = true;  // beyond the first step, see may_repeat_starter()
  double largest = 0;     // s; 0: no limit

  bool known() const { return first_ > 0; }  // there has been a start
  // After a jump, `left` before the limit: as large as the last start would have had it.
  double first(double left) const { return fitted(first_, left); }
  double next(double left) const { return fitted(next_, left); }
  static double after_failure(double h, double error);

  struct Done {
    double h, error, left;  // left: to the limit
    bool is_first;          // since the jump
  };
  void accepted(const Done& done);
  bool goes_on() const { return goes_on_; }

 private:
  static double fitted(double h, double left);

  double first_ = 0, next_ = 0;  // by their errors
  bool goes_on_ = false;
};

}  // namespace skyhook::integrator
