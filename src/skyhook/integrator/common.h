// What the integrators share: first step, checked evaluations, failures in the user's words.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <string>

#include "skyhook/integrator/passes.h"
#include "skyhook/integrator/step.h"
#include "skyhook/problem/ode_problem.h"

namespace skyhook::integrator {

inline double rounding(double t) { return 100 * std::numeric_limits<double>::epsilon() * std::abs(t); }

// 1 / (rtol |y| + atol nominal), without the first where y counts a way; for a variable of index k times h^(k-1): multipliers of index-2 form converge like
// tolerance / h, and Newton's test would never pass with the plain weight. Those of index 1 that are in no error test
// count h too: they are accelerations by nature, corrected one iteration later than the velocities and by 1/h of them.
inline double error_weight(const Variable& v, double y, double h, const Options& options) {
  const double size = v.counts_way ? 0 : std::abs(y),
               weight = 1 / (options.relative_tolerance * size + options.absolute_tolerance * v.nominal);
  const int power = v.index == 1 && !v.in_error_test ? 1 : v.index - 1;
  const double limited = std::min(h, 1.0);
  return power < 1 ? weight : power == 1 ? weight * limited : weight * std::pow(limited, power);
}

// False: `blame` names the first equation whose value is no finite number.
inline bool is_finite(CSpan values, const Structure& structure, std::string& blame) {
  if (all_finite(values.data(), values.size())) return true;
  const auto bad = std::find_if(values.begin(), values.end(), [](double f) { return !std::isfinite(f); });
  const auto row = static_cast<std::size_t>(bad - values.begin());
  const bool has_rows = row < structure.rows.size();
  blame = fmt::format("The {} gave a value that is not a finite number.",
                      has_rows ? structure.rows[row] : "derivative of " + structure.y[row].name);
  return false;
}

// Evaluates the residual, counts it, and finds the first value that is not finite. `blame` says why it is not ok.
inline Eval checked_residual(const DaeProblem& problem, const Point& point, Span F, Workspace& workspace, Cost& cost,
                             std::string& blame) {
  ++cost.residuals;
  workspace.blame.clear();
  const Eval eval = problem.residual(point, F, workspace);
  if (eval != Eval::ok) {
    blame = workspace.blame.empty() ? "The equations could not be evaluated." : workspace.blame;
    return eval;
  }
  return is_finite(F, problem.structure(), blame) ? Eval::ok : Eval::recoverable;
}

inline Eval checked_rhs(const OdeProblem& problem, double t, CSpan y, Span slope, Workspace& workspace, Cost& cost,
                        std::string& blame) {
  ++cost.residuals;
  workspace.blame.clear();
  const Eval eval = problem.rhs(t, y, slope, workspace);
  if (eval == Eval::ok) return is_finite(slope, problem.structure(), blame) ? Eval::ok : Eval::recoverable;
  blame = workspace.blame.empty() ? "The equations could not be evaluated." : workspace.blame;
  return eval;
}

// Adds the time until its end to `seconds`.
class Stopwatch {
 public:
  explicit Stopwatch(double& seconds) : seconds_(seconds) {}
  ~Stopwatch() { seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  double& seconds_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

// Below it a step is a failure, or does not advance t.
inline double least_step(double t, const Options& options) {
  return std::max(options.smallest_step, 4 * std::numeric_limits<double>::epsilon() * std::abs(t));
}
// A short step up to the limit is none too small. A step that is no number is.
inline bool is_too_small(double h, double t, double t_limit, const Options& options) {
  return !(h >= std::min(least_step(t, options), t_limit - t));
}

inline double finer_tolerance(const Options& options) {
  const double r = options.relative_tolerance, a = options.absolute_tolerance;
  return r > 0 && a > 0 ? std::min(r, a) : std::max(r, a);
}

struct FirstStep {
  double given;  // s; 0: choose
  double tolerance;
  double span;     // s; how far the run goes
  double of_span;  // at most this part of it
};

// y changes on the time scale (|y| + nominal) / |y'|; sqrt(tolerance) of it is safe for any order.
inline double first_step(const Structure& structure, CSpan y, CSpan yp, const FirstStep& wish) {
  if (wish.given > 0) return std::min(wish.given, wish.span);
  double fastest = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const Variable& v = structure.y[i];
    const double size = v.counts_way ? 0 : std::abs(y[i]);
    if (v.in_error_test && v.index == 0) fastest = std::max(fastest, std::abs(yp[i]) / (size + v.nominal));
  }
  return std::min(wish.of_span * wish.span, fastest > 0 ? std::sqrt(wish.tolerance) / fastest : wish.span);
}

// How far the next attempt goes: never past the limit, which is met exactly. `wanted` is what the control asked for.
struct Reach {
  double wanted;
  bool at_limit;
};
inline Reach reach_of(double& h, double t, double t_limit, const Options& options) {
  if (options.largest_step > 0) h = std::min(h, options.largest_step);
  const Reach reach{h, t + 1.0001 * h >= t_limit};
  if (reach.at_limit) h = t_limit - t;
  return reach;
}

// The step of a method of one step after a jump. It has lost nothing: the step it wanted is a good guess, and its error test
// guards it. But a jump excites what is stiff, steps grow as that decays, and the first step after the last jump, which may
// have been no different, tells what it allows.
class StepAfterJump {
 public:
  double at_restart(double h) {
    is_first_ = true;
    return wanted_ > 0 ? std::min(h, wanted_) : h;
  }
  void accepted(double h_next) {
    if (is_first_) wanted_ = h_next;
    is_first_ = false;
  }

 private:
  double wanted_ = 0;  // by the first step after the last jump; 0: there has been none
  bool is_first_ = false;
};

inline std::string error_of(const Structure& structure, int dominant) {
  return "the error of " + (dominant < 0 ? "the solution" : structure.y[static_cast<std::size_t>(dominant)].name) +
         " stayed above its tolerance.";
}

inline std::string too_small_a_step(double h, double t, const std::string& why) {
  return fmt::format("Step size fell to {:.3g} s at t = {:.9g} s: {}", h, t, why);
}

// What an error test leaves that came to no number.
constexpr const char* no_error = "the error of the step is not a finite number.";

// Attempts of an embedded Runge-Kutta method of order 5 until one is good. The method has attempt() (false: something could
// not be evaluated; otherwise err is set, 1 = the tolerance), accepted() and failed().
template <class Method>
StepResult try_until_good(Method& m, double t_limit, double safety, double smallest_factor) {
  while (!is_too_small(m.h, m.t, t_limit, m.options)) {
    const Reach reach = reach_of(m.h, m.t, t_limit, m.options);
    const bool evaluated = m.attempt(), tested = evaluated && std::isfinite(m.err);
    if (tested && m.err <= 1) return m.accepted(t_limit, reach);
    if (tested) ++m.cost.error_test_failures;
    if (tested)
      m.blame.clear();  // told at the end: nothing is built for a step that is only repeated
    else if (evaluated)
      m.blame = no_error;
    m.h *= tested ? std::max(smallest_factor, safety * std::pow(m.err, -0.2)) : 0.25;
    m.rejected = true;
  }
  if (m.blame.empty()) m.blame = error_of(m.structure, m.dominant);
  return m.failed();
}

}  // namespace skyhook::integrator
