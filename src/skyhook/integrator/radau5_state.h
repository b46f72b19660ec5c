// What `radau5` keeps. Defined in radau5.cpp (steps, Newton's method, values between steps) and radau5_error.cpp.
#pragma once
#include <array>
#include <complex>
#include <limits>
#include <string>
#include <vector>

#include "skyhook/integrator/common.h"
#include "skyhook/integrator/radau5.h"
#include "skyhook/integrator/radau_iia.h"
#include "skyhook/integrator/residual_rounding.h"
#include "skyhook/math/complex_klu.h"
#include "skyhook/math/klu.h"

namespace skyhook::integrator {

// Times the tolerance, that rounding may move the variables of the error test by. Multipliers have no tolerance of their own.
constexpr double largest_rounding = 1;
// Relative to the variables: what moves them by more is no rounding, but the neighbourhood of a singular position.
constexpr double nothing_but_rounding = 1e-9;
constexpr const char* below_rounding =
    "rounding alone moves the solution by more than the tolerance. Choose a larger tolerance.";

struct Radau5::State {
  State(const DaeProblem& problem, Options options, double t, CSpan y, CSpan yp);
  StepResult step(double t_limit);
  void restart(Jump jump, double at, CSpan y_at, CSpan yp_at);
  void interpolate(double at, Span y_at, Span yp_at) const;

  enum class Attempt { good, error_too_large, not_solved };
  Attempt attempt();
  StepResult accepted(double t_limit, bool at_limit, double wanted);
  bool repair_end();
  double repaired_by() const;
  bool prepare_matrices();
  bool renew_jacobian();
  void predict();
  bool solve_stages();
  bool evaluate_stages();
  struct Size {
    double all, tested;  // in tolerances: of all variables, and of those in the error test
  };
  Size correct();
  Size solve_for_corrections();
  bool is_rounding(Size size);
  Size rounding_of_corrections();
  void update_stages();
  void estimate_error();
  double error_from(CSpan start);
  double error_between();
  double filtered_error(int& largest_at);
  bool is_rounding_of_error();
  std::string why_error_stays();
  double rounding_of_error();
  void set_weights();
  void choose_next_step();
  double polynomial(std::size_t i, double s) const;
  double slope(std::size_t i, double s) const;

  const DaeProblem& problem;
  const Structure& structure;
  Options options;
  Boxed<Workspace> workspace;
  Csc dF_dy, dF_dyp;
  std::vector<double> real_matrix;
  Klu real;
  ComplexKlu complex;
  Cost cost;
  std::string blame;  // of the last failure in this step

  double t, h = 0, kappa, noise, bearable;  // Newton's iteration is done; its corrections are rounding
  std::vector<double> y, yp, y_end, weight;
  std::array<std::vector<double>, 3> Z, Zp, F, W;  // stage increments, stage derivatives, residuals, TI Z
  std::vector<double> right, trial, stage;
  std::vector<std::complex<double>> right_complex;

  // The collocation polynomial of the last step over s = (time - its end) / its length.
  std::array<std::vector<double>, 3> poly;
  double poly_h = 0;          // 0: none yet
  std::vector<double> moved;  // by the repair at its end
  Repair repair;
  long repairs = 0;

  bool has_jacobian = false, jacobian_is_new = false, rejected = false;
  double factored_h = 0;                // 0: not factored with the present Jacobian
  double contraction = 0, carried = 1;  // of Newton: rate, and factor of the error left over
  int iterations = 0, dominant = -1;
  double err = 1, err_before = 1, h_before = 0;
  static constexpr double unknown_size = std::numeric_limits<double>::infinity();
  double stalled = unknown_size;            // corrections of the attempt before in this step, where they shrank no more
  double h_rejected = 0, err_rejected = 0;  // of the first attempt in this step that erred too much
  bool rounding_shows = false;              // an error has been mostly rounding: from then on it is told from the rest
  StepAfterJump after_jump;
};

}  // namespace skyhook::integrator
