// The first step of our BDF, at the start and after jumps: one step of a singly diagonally implicit Runge-Kutta method of
// order 4 (SDIRK4 of Hairer, Wanner, Solving ODE II, table IV.6.5; 5 stages, stiffly accurate, L-stable). Its stages are
// solved with one matrix, that of BDF of order 3 at the step that follows. Values and slopes at both ends make a cubic,
// from which BDF goes on at order 3.
#pragma once
#include <array>
#include <vector>

#include "skyhook/integrator/bdf_newton.h"

namespace skyhook::integrator {

class BdfStarter {
 public:
  static constexpr int order = 3;               // of the history it leaves
  static constexpr double step_of = 11.0 / 24;  // the next step, as part of the starter's

  explicit BdfStarter(std::size_t n);

  // False: a stage could not be solved, newton.blame says why. The end stands in newton.y and newton.yp.
  bool step(const Structure& structure, double t, CSpan y, CSpan yp, double h, BdfNewton& newton, Cost& cost);
  double error() const { return error_; }  // 1 = the tolerance
  // Values of the cubic at the end of the step and step_of h, 2 step_of h, ... before it.
  const std::vector<std::vector<double>>& values() const { return values_; }
  void fill_values(const Structure& structure, CSpan y, CSpan yp, double h, const BdfNewton& newton);

 private:
  std::array<std::vector<double>, 5> slope_;
  std::vector<double> base_;
  std::vector<std::vector<double>> values_;
  double error_ = 0;
};

}  // namespace skyhook::integrator
