// The first step of `adams` after a jump: one of Dormand and Prince's method, of order 5, whose dense output becomes the history
// from which Adams goes on. A start at order 1 takes some six steps, of two evaluations each, until it is there.
// After C. W. Gear, Runge-Kutta starters for multistep methods, ACM Trans. Math. Softw. 6 (1980), 263-279.
//
// The slopes of the plain dense output err by h^4: good for values between, but Adams would carry their error on. Where it does go
// on, slopes at two points inside are evaluated, which makes the output one of order 5 (quintic_bend.h).
#pragma once
#include <array>
#include <string>
#include <vector>

#include "skyhook/integrator/dormand_prince.h"
#include "skyhook/problem/ode_problem.h"

namespace skyhook::integrator {

class AdamsStart {
 public:
  static constexpr int order = 4, refined_order = 5;  // of Adams' next step

  explicit AdamsStart(std::size_t n);

  struct From {
    double t;
    CSpan y, yp;
  };
  // What an evaluation needs.
  struct Tools {
    const OdeProblem& problem;
    Workspace& workspace;
    Cost& cost;
    std::string& blame;
  };
  // False: something could not be evaluated, `blame` says why.
  bool step(const From& from, double h, CSpan weight, const Tools& tools);
  // Of the last step, at its end or about it.
  CSpan y() const { return y_end_; }
  CSpan yp() const { return k_.back(); }
  double error() const { return error_; }     // 1 = the tolerance
  int dominant() const { return dominant_; }  // the variable that errs most; -1: none does
  double edge() const { return edge_; }       // h |lambda| of what is fastest, from the last two stages
  bool was_repaired() const { return was_repaired_; }
  double next_step() const;  // of Adams at order 4, which errs by a quarter of a tolerance
  double wanted() const;     // the start that errs by a third of a tolerance

  // Backward differences of y' over steps of `distance`, of order 0 to 3, into difference[1] to difference[4].
  void fill(double distance, std::vector<double>* difference) const;
  // Two evaluations inside the step, and differences up to order 4. False: they were not to be had.
  bool refine(double distance, std::vector<double>* difference, const Tools& tools);

 private:
  void measure_error(const Structure& structure, CSpan weight);
  struct Quartic {
    double change, begin, end, last;  // over x in [0, 1]: change x + begin u + end x u + last u^2, u = x (1 - x)
  };
  Quartic quartic(std::size_t i) const;

  std::array<std::vector<double>, dormand_prince::stages> k_;
  std::vector<double> y_begin_, y_end_, stage_;
  double t_ = 0, h_ = 0, error_ = 0, edge_ = 0;
  int dominant_ = -1;
  bool was_repaired_ = false;
};

}  // namespace skyhook::integrator
