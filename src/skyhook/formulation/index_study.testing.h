// The index study of [Arnold 2004] §4 on the bead: what Newton's stopping criterion, drift and disturbed equations do
// to each form, with the contact variable s among the unknowns (found inside in index 1). For its test and for
// `skyhook_bench index`.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "skyhook/formulation/bead_on_ellipse.testing.h"
#include "skyhook/problem/problem.h"

namespace skyhook::formulation::testing {

enum class Form { index3, index2, index1, ggl };
inline constexpr std::array all_forms{Form::index3, Form::index2, Form::index1, Form::ggl};
std::string name_of(Form form);
inline bool keeps_s(Form form) { return form != Form::index1; }

enum class Method { radau5, bdf, ida };

struct Trial {
  Form form = Form::ggl;
  Method method = Method::radau5;
  double tolerance = 1e-6, kappa = 0;  // 0: the method's own
  double until = 3;                    // s
};
// Against the exact motion, over the ends of steps: root mean squares; of the multipliers, which single short steps may spoil, the median
// and the largest.
struct Errors {
  double position = 0, velocity = 0;               // m, m/s
  double multiplier = 0, worst_multiplier = 0;     // of the largest force
  double s = 0, foot = 0;                          // s off the true one; off the foot of the bead where it is
  double steps = 0, iterations = 0, failures = 0;  // of Newton's method
};
Errors errors_from(double start, const Trial& trial);  // s of the curve where the bead starts
// Geometric means of five starts, since one run may be lucky; of steps and iterations the mean.
Errors errors_of(const Trial& trial);

// |g| and |G v| over time, means over windows of 20 % before each of these times, which hold many steps.
struct Drift {
  std::vector<double> position, velocity;
};
Drift drift_of(const Trial& trial, const std::vector<double>& times);

// Equations that are shaken by theta (-1)^n in step n, under backward Euler with equal steps h: largest changes over theta = 1e-8. Rows: the
// constraint of the form (of GGL those of velocities), the positions of GGL, or h of the contact variable.
enum class Shaken { constraint, positions, contact };
struct Reach {
  double position = 0, velocity = 0, multiplier = 0, eta = 0, s = 0;
};
Reach reach_of_shaking(Form form, Shaken what, double h);

}  // namespace skyhook::formulation::testing
