#include "skyhook/integrator/two_loop.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <vector>

#include "skyhook/integrator/common.h"
#include "skyhook/integrator/error_sum.h"
#include "skyhook/integrator/krylov.h"

namespace skyhook::integrator {
namespace {

using Formula = TwoLoopOptions::Formula;
using Outer = TwoLoopOptions::Outer;

constexpr double own_kappa = 0.01;  // what is left over in a stiff direction would be felt where the step falls
constexpr double safety = 0.9, least_factor = 0.2, largest_factor = 2, worth_growing = 1.2;
constexpr int most_simple = 6, most_newton = 5;
constexpr double slow = 0.8;         // a contraction beyond it is none
constexpr double negligible = 1e-6;  // first change of simple iteration, in what is enough
constexpr double of_residual = 0.1;  // of Newton's, to which its linear systems are solved
constexpr int patience = 50;         // steps after which simple iteration is tried again
constexpr double contracts = 0.5;    // what simple iteration is to contract by, at least
constexpr int stiff_after = 20;      // steps that simple iteration has limited, more than those it has not
constexpr double kept = 0.3;         // relative change of h eta for which a preconditioner is kept
constexpr int made_at_once = 20;     // steps that make one at once, after one that was kept has failed

}  // namespace

struct TwoLoop::State {
  State(const SecondOrderOde& problem, const TwoLoopOptions& options, double t, CSpan y);

  StepResult step(double t_limit);
  void interpolate(double at, Span y_at, Span yp_at) const;
  void restart(Jump jump, double at, CSpan y_new);

  bool begin(double span);
  void set_formula();
  void predict();
  bool solve();
  bool iterate_simply();
  bool newton(bool preconditioned);
  bool linear_solution(bool preconditioned, double enough);
  bool prepare();
  void precondition(CSpan r, Span s);
  bool map(CSpan at, Span image);
  double scaled(CSpan a, CSpan b) const;
  void take_slopes();
  double third_derivative(std::size_t i) const;
  void measure_error();
  double time_scale() const;
  double factor(double exponent) const { return error > 0 ? safety * std::pow(2 * error, -exponent) : largest_factor; }
  void accept(double t_end, const Reach& reach);
  void limit_by_iteration();
  StepResult arrived(StepStatus status) const { return {status, t, last_step, last_step > 0 ? 2 : 0, dominant, {}}; }
  StepResult failed() const;

  const SecondOrderOde& problem;
  const Structure& structure;
  TwoLoopOptions options;
  std::size_t n, half, moving;  // unknowns, half of them, and those of the first half that move
  double kappa;
  Boxed<Workspace> workspace_;
  Krylov krylov;
  Cost cost;
  StepAfterJump after_jump;

  double t, h = 0;
  std::vector<double> y, f;          // at t
  std::vector<double> y1, f1, y2;    // one and two steps before
  std::vector<double> acceleration;  // of hht: a, as Newmark's formulas have it
  double h1 = 0, h2 = 0;             // the last step, the one before
  int known = 0;                     // steps since the last beginning
  std::vector<double> end, f_end, a_end, psi, image, right, moved, weight, change, direction, scratch;
  std::vector<double> dense_y0, dense_f0, dense_y1, dense_f1;  // ends of the last step, in its own coordinates
  double dense_t0 = 0, dense_t1 = 0;

  Formula now = Formula::trapezoidal;  // of this step
  double eta = 0.5, constant = 1.0 / 12;
  double b = 0, c = 0;  // dx and dx' by F: h^2 beta.. and h gamma..
  double prepared_c = 0;
  bool is_prepared = false;
  bool is_fatal = false, needs_newton = false, limited_by_iteration = false;
  int newton_steps = 0, limited = 0,
      fresh_steps = 0;  // the last: that make a preconditioner whether the kept one serves or not
  long simple_steps = 0;
  double rate_of_iteration = 0, measured_now = 0;  // contraction of simple iteration over h eta; in this step
  std::vector<double> errors;                      // weighted
  ErrorSum sum_of_errors;
  double error = 0, last_step = 0, steps_in_scale = 1;
  int dominant = -1;
  std::string blame;
};

TwoLoop::State::State(const SecondOrderOde& p, const TwoLoopOptions& o, double t0, CSpan y0)
    : problem(p),
      structure(p.structure()),
      options(o),
      n(y0.size()),
      half(y0.size() / 2),
      moving(half - static_cast<std::size_t>(p.first_order())),
      kappa(o.kappa > 0 ? o.kappa : own_kappa),
      workspace_(p.workspace()),
      krylov(y0.size(), o.krylov_depth),
      t(t0),
      y(y0.begin(), y0.end()),
      errors(n, 0.0),
      sum_of_errors(n) {
  for (auto* x : {&f, &y1, &f1, &y2, &end, &f_end, &psi, &image, &right, &moved, &weight, &change, &direction, &scratch,
                  &dense_y0, &dense_f0, &dense_y1, &dense_f1})
    x->assign(n, 0.0);
  acceleration.assign(half, 0.0), a_end.assign(half, 0.0);
}

// ---- formulas

// eta, psi, the error constant (times h^3 y''') and what F moves, with steps as they were. While there is too little history the trapezoidal formula, and
// bdf2 for park: all are of order 2.
void TwoLoop::State::set_formula() {
  now = options.formula;
  if (known < 1) now = Formula::trapezoidal;
  if (now == Formula::park && known < 2) now = Formula::bdf2;
  if (now == Formula::trapezoidal) {
    eta = 0.5, constant = 1.0 / 12;
    for (std::size_t i = 0; i < n; ++i) psi[i] = y[i] + 0.5 * h * f[i];
  } else if (now == Formula::hht) {
    const double alpha = options.hht_alpha, gamma = 0.5 - alpha, beta = 0.25 * (1 - alpha) * (1 - alpha);
    eta = gamma * (1 + alpha), constant = std::abs(beta + 0.5 * alpha - 1.0 / 6);
    for (std::size_t i = 0; i < half; ++i) {
      const double F0 = f[half + i], a0 = F0 + h / h1 * (acceleration[i] - F0);
      psi[half + i] = y[half + i] + h * ((1 - gamma) * a0 - gamma * alpha * F0);
      psi[i] = i < moving ? y[i] + h * (f[i] + h * ((0.5 - beta) * a0 - beta * alpha * F0)) : y[i];
    }
    b = h * h * beta * (1 + alpha), c = h * eta;
    return;
  } else {
    // y' at the end of the polynomials through the last two, and three, values: divided differences.
    const double s1 = h, s2 = h + h1, s3 = s2 + h2;
    const bool is_park = now == Formula::park;
    const double three = is_park ? 0.5 : 0.0;  // part of the polynomial of degree 3
    const double lead = 1 / s1 + 1 / s2 + three / s3;
    eta = 1 / (lead * h), constant = eta * (is_park ? 0.5 : 1.0) * s2 / (6 * h);
    for (std::size_t i = 0; i < n; ++i) {
      // D = [y1; y0] + s1 [y1, y0; y-1] + three s1 s2 [y1, y0, y-1; y-2], all but y1 moved to the right
      const double d01 = (y[i] - y1[i]) / h1, d012 = is_park ? (d01 - (y1[i] - y2[i]) / h2) / (h1 + h2) : 0.0;
      // without y1: [y1 y0] = -y0/s1; [y1 y0 y-1] = (-y0/s1 - d01)/s2; [y1 y0 y-1 y-2] = ((..) - d012)/s3
      const double first = -y[i] / s1, second = (first - d01) / s2, third = (second - d012) / s3;
      psi[i] = -h * eta * (first + s1 * second + three * s1 * s2 * third);
    }
  }
  b = h * eta * h * eta, c = h * eta;
}

// AB2, for all unknowns.
void TwoLoop::State::predict() {
  for (std::size_t i = 0; i < n; ++i) {
    const double bend = known > 0 ? 0.5 * h * h * (f[i] - f1[i]) / h1 : 0.0;
    end[i] = y[i] + h * f[i] + bend;
  }
}

// What the formula makes of f at `at`.
bool TwoLoop::State::map(CSpan at, Span out) {
  const Eval e = checked_rhs(problem, t + h, at, f_end, *workspace_, cost, blame);
  is_fatal = e == Eval::fatal;
  if (e != Eval::ok) return false;
  for (std::size_t i = 0; i < half; ++i) {
    out[half + i] = psi[half + i] + c * f_end[half + i];
    out[i] = psi[i] + (now != Formula::hht ? c * f_end[i] : i < moving ? b * f_end[half + i] : 0.0);
  }
  return true;
}

// ---- the outer loop

// sqrt(mean((w (a - b))^2)), (18). A model may have no degree of freedom: all is found by the inner loop.
double TwoLoop::State::scaled(CSpan a, CSpan other) const {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += std::pow(weight[i] * (a[i] - other[i]), 2);
  return n > 0 ? std::sqrt(sum / static_cast<double>(n)) : 0.0;
}

// [Aboubakr 2015] §5: C = max(0.2 C, C_m), and |change| min(1, 1.5 C) below a constant. But a first change that is small tells nothing where the iteration
// may diverge: what it has left in a stiff direction is far more than itself. So C is measured.
bool TwoLoop::State::iterate_simply() {
  double before = 0, contraction = 0.5;
  measured_now = 0;
  for (int k = 0; k < most_simple; ++k) {
    ++cost.newton_iterations;
    if (!map(end, image)) return false;
    const double size = scaled(image, end);
    std::swap(end, image);
    if (!std::isfinite(size)) return false;
    if (k > 0 && before > 0) {
      const double measured = size / before;
      measured_now = rate_of_iteration = measured / (h * eta), contraction = std::max(0.2 * contraction, measured);
      if (measured > slow) return false;
    }
    const double enough = kappa / steps_in_scale;
    if (k == 0 ? size <= negligible * enough : size * std::min(1.0, 1.5 * contraction) <= enough) return true;
    before = size;
  }
  return false;
}

bool TwoLoop::State::prepare() {
  ++cost.jacobians, ++cost.factorisations;
  is_prepared = problem.prepare(t + h, end, b, c, *workspace_) == Eval::ok;
  prepared_c = c;
  if (!is_prepared) blame = workspace_->blame.empty() ? "The derivatives could not be evaluated." : workspace_->blame;
  return is_prepared;
}

// s = (1 - dPhi/dy)^-1 r for the kept derivatives: s_x = dx + b dF, s_v = dv + c dF with dF of respond().
void TwoLoop::State::precondition(CSpan r, Span s) {
  const bool is_newmark = now == Formula::hht;
  for (std::size_t i = 0; i < half; ++i) scratch[i] = r[i] + (is_newmark || i >= moving ? 0.0 : c * r[half + i]);
  problem.respond(CSpan(scratch).first(half), r.subspan(half), Span(scratch).subspan(half), *workspace_);
  for (std::size_t i = 0; i < half; ++i) {
    s[half + i] = r[half + i] + c * scratch[half + i];
    s[i] = scratch[i] + (i < moving ? b * scratch[half + i] : 0.0);
  }
}

// (1 - dPhi/dy) s = image - end in scaled unknowns, s left in `change`; products by differences (17), with steps of sqrt(eps) of the unknowns' size.
bool TwoLoop::State::linear_solution(bool preconditioned, double enough) {
  const double root = std::sqrt(static_cast<double>(n)),
               sigma = std::sqrt(std::numeric_limits<double>::epsilon()) / finer_tolerance(options);
  const auto solved = [&](CSpan v, Span s) {  // P^-1 D v
    for (std::size_t i = 0; i < n; ++i) right[i] = root * v[i] / weight[i];
    if (preconditioned)
      precondition(right, s);
    else
      std::ranges::copy(right, s.begin());
  };
  for (std::size_t i = 0; i < n; ++i) change[i] = weight[i] * (image[i] - end[i]) / root;
  const bool ok = krylov.solve(change, enough, [&](CSpan v, Span out) {
    solved(v, direction);
    for (std::size_t i = 0; i < n; ++i) moved[i] = end[i] + sigma * direction[i];
    if (!map(moved, out)) return false;
    for (std::size_t i = 0; i < n; ++i) out[i] = weight[i] / root * (direction[i] - (out[i] - image[i]) / sigma);
    return true;
  });
  if (!ok) return false;
  std::ranges::copy(change, moved.begin());
  solved(moved, change);
  return true;
}

bool TwoLoop::State::newton(bool preconditioned) {
  const bool is_kept = is_prepared && fresh_steps == 0 && std::abs(c / prepared_c - 1) < kept;
  if (preconditioned && !is_kept && !prepare()) return false;
  double before = 0, contraction = 0.5;
  for (int k = 0; k < most_newton; ++k) {
    ++cost.newton_iterations;
    if (!map(end, image)) return false;
    const double residual = scaled(image, end), target = kappa / steps_in_scale;
    if (!linear_solution(preconditioned, std::max(of_residual * residual, 0.1 * target))) {
      if (blame.empty()) blame = "Krylov's iteration did not converge.";
      return false;
    }
    for (std::size_t i = 0; i < n; ++i) end[i] += change[i], change[i] *= weight[i];
    double size = 0;
    for (const double x : change) size += x * x;
    size = n > 0 ? std::sqrt(size / static_cast<double>(n)) : 0.0;
    if (!std::isfinite(size)) return false;
    if (k > 0 && before > 0) {
      contraction = std::max(0.2 * contraction, size / before);
      if (size / before > slow) return false;
    }
    if (size * std::min(1.0, 1.5 * contraction) <= target) return true;
    before = size;
  }
  return false;
}

bool TwoLoop::State::solve() {
  blame.clear(), is_fatal = false;
  const bool may_be_simple = options.outer == Outer::simple || (options.outer == Outer::automatic && !needs_newton);
  predict();
  if (may_be_simple) {
    if (iterate_simply()) return ++simple_steps, true;
    limited_by_iteration = options.outer == Outer::simple && blame.empty();
    if (options.outer == Outer::simple || is_fatal) return false;
    needs_newton = true, newton_steps = 0, blame.clear();
    predict();
  }
  const bool preconditioned = options.outer != Outer::newton_krylov;
  const bool was_fresh = !is_prepared || fresh_steps > 0;
  const bool is_solved = newton(preconditioned);
  fresh_steps = std::max(0, fresh_steps - 1);
  if (is_solved) {
    if (++newton_steps > patience && options.outer == Outer::automatic) needs_newton = false;
    return true;
  }
  ++cost.newton_failures;
  if (!preconditioned || was_fresh || is_fatal) return false;
  is_prepared = false, fresh_steps = made_at_once, blame.clear();
  predict();
  return newton(true);
}

// ---- error and step

// F1 as the formula has it: no evaluation more, and none that rounding of a stiff law spoils.
void TwoLoop::State::take_slopes() {
  if (now != Formula::hht) {
    for (std::size_t i = 0; i < n; ++i) f_end[i] = (end[i] - psi[i]) / c;
    for (std::size_t i = 0; i < half; ++i)
      a_end[i] = f_end[half + i] + options.hht_alpha * (f_end[half + i] - f[half + i]);
    return;
  }
  const double alpha = options.hht_alpha;
  for (std::size_t i = 0; i < half; ++i) {
    const double F0 = f[half + i], F1 = (end[half + i] - psi[half + i]) / c;
    f_end[half + i] = F1, f_end[i] = i < moving ? end[half + i] : 0.0;
    a_end[i] = (1 + alpha) * F1 - alpha * F0;
  }
}

// In which some unknown changes by its own size: see newmark.cpp. Errors add up no longer than the motion lasts: at rest all that changes is rounding, and takes ages.
double TwoLoop::State::time_scale() const {
  double fastest = 0;
  for (std::size_t i = 0; i < n; ++i)
    fastest = std::max(fastest,
                       std::abs(f[i]) / ((structure.y[i].counts_way ? 0.0 : std::abs(y[i])) + structure.y[i].nominal));
  return fastest > 0 ? std::min(1 / fastest, options.span) : 0.0;
}

// By third differences of what was found, at the start of a history with its slope. Differences of accelerations would be the same where the motion is
// resolved, but (omega h)^2 times too much of what is damped, and where h falls they see what Newton's method has left over in a stiff direction. In the first step
// what changes over it is all there is to know.
double TwoLoop::State::third_derivative(std::size_t i) const {
  const double rounded = 10 * std::numeric_limits<double>::epsilon() * std::abs(y[i]), rise = end[i] - y[i];
  const double first = rise / h;
  if (std::abs(rise - (known > 0 ? h * f[i] : 0.0)) <= rounded) return 0;
  if (known == 0) return 2 * (first - f[i]) / (h * h * steps_in_scale);
  const double before = (y[i] - y1[i]) / h1, earlier = known > 1 ? (y1[i] - y2[i]) / h2 : f1[i],
               since = known > 1 ? h2 : 0.0;
  const double second = (first - before) / (h + h1), second_before = (before - earlier) / (h1 + since);
  return 6 * (second - second_before) / (h + h1 + since);
}

// (21), (24), (27), (32) with the constants of set_formula(): constant h^2 (a1 - a0) for positions, constant h^3 v''' for velocities.
void TwoLoop::State::measure_error() {
  double most = 0;
  dominant = -1;
  for (std::size_t i = 0; i < n; ++i) {
    if (i >= moving && i < half) continue;
    const double third = i < half && known == 0 ? (f_end[half + i] - f[half + i]) / h : third_derivative(i);
    errors[i] = constant * h * h * h * third * weight[i];
    if (std::abs(errors[i]) > most) most = std::abs(errors[i]), dominant = static_cast<int>(i);
  }
  const auto largest = [](CSpan e) {
    double out = 0;
    for (const double x : e) out = std::isfinite(x) ? std::max(out, std::abs(x)) : x;
    return out;
  };
  error = known > 0 ? sum_of_errors.measure(errors, h, time_scale(), largest)
                    : sum_of_errors.guess(errors, h, time_scale(), largest);
}

StepResult TwoLoop::State::step(double t_limit) {
  assert(t_limit >= t - rounding(t));
  if (t_limit - t <= rounding(t_limit)) return arrived(StepStatus::reached_limit);
  const Stopwatch watch(cost.seconds);
  if (h == 0 && !begin(t_limit - t)) return failed();
  while (!is_too_small(h, t, t_limit, options)) {
    const Reach reach = reach_of(h, t, t_limit, options);
    for (std::size_t i = 0; i < n; ++i) weight[i] = error_weight(structure.y[i], y[i], h, options);
    steps_in_scale = std::max(1.0, time_scale() / h);
    set_formula();
    if (!solve()) {
      if (is_fatal) return failed();
      h *= 0.5;
      continue;
    }
    blame.clear();
    take_slopes();
    measure_error();
    if (std::isfinite(error) && error <= 1) {
      accept(reach.at_limit ? t_limit : t + h, reach);
      return arrived(reach.at_limit ? StepStatus::reached_limit : StepStatus::ok);
    }
    ++cost.error_test_failures;
    h *= std::isfinite(error) ? std::clamp(factor(1.1 * options.step_exponent), least_factor, safety) : 0.25;
  }
  return failed();
}

void TwoLoop::State::accept(double t_end, const Reach& reach) {
  sum_of_errors.accept();
  dense_t0 = t, dense_t1 = t_end;
  dense_y0 = y, dense_f0 = f, dense_y1 = end, dense_f1 = f_end;
  std::swap(y2, y1), std::swap(y1, y), std::swap(y, end), std::swap(f1, f), std::swap(f, f_end);
  std::swap(acceleration, a_end);
  h2 = h1, h1 = last_step = h, t = t_end, ++known;
  ++cost.steps;
  const double change_of_h = factor(options.step_exponent);
  if (change_of_h >= worth_growing)
    h *= std::min(change_of_h, largest_factor);
  else if (change_of_h < 1)
    h *= std::max(change_of_h, least_factor);
  if (reach.at_limit && change_of_h >= 1) h = std::max(h, reach.wanted);
  limit_by_iteration();
  after_jump.accepted(h);
  if (!problem.accepted(t, y, *workspace_)) return;
  known = 0, is_prepared = false;  // other coordinates
  sum_of_errors.interrupt();
  checked_rhs(problem, t, y, f, *workspace_, cost, blame);
}

// Of simple iteration alone: a step that contracts by less is solved sooner in two.
void TwoLoop::State::limit_by_iteration() {
  if (options.outer != Outer::simple) return;
  const double longest = measured_now > 0 ? contracts / (measured_now * eta) : h;
  const bool is_limited = limited_by_iteration || longest < h;
  h = std::min(h, longest), limited_by_iteration = false;
  limited = is_limited ? limited + 1 : std::max(0, limited - 1);
}

bool TwoLoop::State::begin(double span) {
  known = 0;
  if (checked_rhs(problem, t, y, f, *workspace_, cost, blame) != Eval::ok) return false;
  h = last_step > 0 ? std::min(last_step, span)
                    : first_step(structure, y, f, {options.initial_step, finer_tolerance(options), span, 1e-2});
  h = std::max(h, options.smallest_step);
  return true;
}

void TwoLoop::State::restart(Jump jump, double at, CSpan y_new) {
  t = at;
  std::ranges::copy(y_new, y.begin());
  last_step = after_jump.at_restart(h), h = 0, known = 0, dense_t0 = dense_t1 = at;
  std::ranges::copy(y, dense_y1.begin());
  if (jump != Jump::input) is_prepared = false;
  sum_of_errors.interrupt();
}

StepResult TwoLoop::State::failed() const {
  std::string why = blame;
  if (why.empty() && limited_by_iteration)
    why = "simple iteration of the outer loop does not converge. Choose outer_loop: automatic.";
  if (why.empty()) why = error_of(structure, dominant);
  return {StepStatus::failed, t, h, 2, -1, is_fatal ? why : too_small_a_step(h, t, why)};
}

// The cubic through values and slopes at the ends of the last step.
void TwoLoop::State::interpolate(double at, Span y_at, Span yp_at) const {
  const double length = dense_t1 - dense_t0, s = length > 0 ? (at - dense_t0) / length : 1.0;
  for (std::size_t i = 0; i < n; ++i) {
    const double from = length * dense_f0[i], to = length * dense_f1[i], rise = dense_y1[i] - dense_y0[i];
    const double second = 3 * rise - 2 * from - to, third = from + to - 2 * rise;
    if (i < y_at.size()) y_at[i] = length > 0 ? dense_y0[i] + s * (from + s * (second + s * third)) : dense_y1[i];
    if (i < yp_at.size()) yp_at[i] = length > 0 ? (from + s * (2 * second + 3 * s * third)) / length : f[i];
  }
}

// ---- the public face

TwoLoop::TwoLoop(const SecondOrderOde& problem, const TwoLoopOptions& options, double t, CSpan y)
    : state_(std::make_unique<State>(problem, options, t, y)) {}
TwoLoop::~TwoLoop() = default;
TwoLoop::TwoLoop(const TwoLoop& other) : state_(std::make_unique<State>(*other.state_)) {}
TwoLoop& TwoLoop::operator=(const TwoLoop& other) { return *this = TwoLoop(other); }
TwoLoop::TwoLoop(TwoLoop&&) noexcept = default;
TwoLoop& TwoLoop::operator=(TwoLoop&&) noexcept = default;

StepResult TwoLoop::step(double t_limit) { return state_->step(t_limit); }
void TwoLoop::interpolate(double t, Span y, Span yp) const { state_->interpolate(t, y, yp); }
void TwoLoop::restart(Jump jump, double t, CSpan y) { state_->restart(jump, t, y); }
double TwoLoop::t() const { return state_->t; }
CSpan TwoLoop::y() const { return state_->y; }
const Cost& TwoLoop::cost() const { return state_->cost; }
Workspace& TwoLoop::workspace() { return *state_->workspace_; }
long TwoLoop::krylov_vectors() const { return state_->krylov.vectors(); }
long TwoLoop::simple_steps() const { return state_->simple_steps; }
bool TwoLoop::is_stiff() const { return state_->limited >= stiff_after; }
double TwoLoop::stiff_rate() const { return state_->rate_of_iteration; }
void TwoLoop::forget_stiffness() { state_->limited = 0; }

}  // namespace skyhook::integrator
