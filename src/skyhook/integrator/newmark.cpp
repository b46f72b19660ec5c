#include "skyhook/integrator/newmark.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <vector>

#include "skyhook/integrator/bdf_history.h"
#include "skyhook/integrator/bdf_newton.h"
#include "skyhook/integrator/common.h"
#include "skyhook/integrator/error_sum.h"

namespace skyhook::integrator {
namespace {

constexpr int order = 2;
constexpr double safety = 0.9, least_factor = 0.2, largest_factor = 2, worth_growing = 1.2;
constexpr double after_newton_failure = 0.25;
// Steps come back to where Newton's method has failed slowly: the error test may go on asking for larger ones.
constexpr double solvable = 0.6, solvable_growth = 1.05;
constexpr double rounded = 10 * std::numeric_limits<double>::epsilon();  // differences below it are none

}  // namespace

struct Newmark::State {
  State(const LocalProblem& problem, NewmarkParameters parameters, const Options& options, double t, CSpan y, CSpan yp);

  StepResult step(double t_limit);
  void interpolate(double at, Span y_at, Span yp_at) const;
  void restart(Jump jump, double at, CSpan y_new, CSpan yp_new);

  enum class Attempt { good, error_too_large, not_solved };
  void begin(double span);
  double first_guess(double span);
  void find_jerk(double tau);
  void fill_history();
  Attempt attempt();
  void predict();
  void take_solution();
  void measure_error();
  double time_scale() const;
  double tightness() const;
  double factor() const;
  void accept(double t_end, const Reach& reach);
  void set_sizes();
  StepResult arrived(StepStatus status) const { return {status, t, last_step, last_order, dominant, {}}; }
  StepResult failed() const;
  Variable tested(std::size_t i) const;
  bool is_alone(std::size_t i) const { return i < nd && structure.y[nd + i].index > 1; }

  const LocalProblem& problem;
  const Structure& structure;
  NewmarkParameters with;
  Options options;
  std::size_t nq, nd, nv, n;  // n: of y = (q, v, ...)
  BdfNewton newton;
  BdfHistory history;
  BdfHistory::Step now;
  Cost cost;
  StepAfterJump after_jump;

  double t, h = 0, of_a = 0;                                        // of_a: the step that a belongs to
  std::vector<double> y, yp, vdot, a, jerk;                         // yp: as it was given, until the first step
  std::vector<double> change;                                       // of v over the last step, by its time
  std::vector<double> a_begin;                                      // a as the present step needs it
  std::vector<double> y_end, vdot_end, a_end, predicted, slope, E;  // of the attempt
  std::vector<double> size, step_of_q;                              // of d for tolerances; d with zeros behind
  std::vector<std::vector<double>> values;                          // with which a history begins
  std::vector<double> errors;                                       // weighted, of positions and velocities
  std::vector<std::size_t>
      alone;  // of these, positions whose velocities are not tested beside them: the largest counts
  ErrorSum sum_of_errors;
  bool has_history = false, has_jumped = false;
  double error = 0, last_step = 0;
  double most_solvable = 0;  // the largest step that Newton's method is trusted with; 0: any
  int last_order = 0, dominant = -1;
};

// ---- parameters

NewmarkParameters NewmarkParameters::hht(double alpha) {
  return {0, -alpha, 0.5 - alpha, 0.25 * (1 - alpha) * (1 - alpha)};
}

NewmarkParameters NewmarkParameters::generalised_alpha(double rho) {
  const double m = (2 * rho - 1) / (rho + 1), f = rho / (rho + 1), gamma = 0.5 + f - m;
  return {m, f, gamma, 0.25 * (gamma + 0.5) * (gamma + 0.5)};
}

double NewmarkParameters::position_error() const { return 1.0 / 6 - beta - 0.5 * offset(); }

// a = v' + offset h v'' + c h^2 v''' by the first relation; what the second one leaves.
double NewmarkParameters::velocity_error() const {
  const double s = offset(), later = 0.5 * (1 + s) * (1 + s), here = 0.5 * s * s;
  const double c = 0.5 * (1 - alpha_f) - (1 - alpha_m) * later - alpha_m * here;
  return 1.0 / 6 - (1 - gamma) * here - gamma * later - c;
}

// ---- one step

Newmark::State::State(const LocalProblem& p, NewmarkParameters parameters, const Options& o, double t0, CSpan y0,
                      CSpan yp0)
    : problem(p),
      structure(p.structure()),
      with(parameters),
      options(o),
      nq(static_cast<std::size_t>(p.local_sizes().nq)),
      nd(static_cast<std::size_t>(p.local_sizes().nd)),
      nv(static_cast<std::size_t>(p.local_sizes().nv)),
      n(structure.y.size() - nd + nq),
      newton(p, o),
      history(n),
      t(t0),
      y(y0.begin(), y0.end()),
      yp(yp0.begin(), yp0.end()),
      values(order + 1, std::vector<double>(n)),
      errors(nq + nv),
      sum_of_errors(nq + nv) {
  newton.is_persistent = true;
  assert(y.size() == n && yp0.size() == n);
  for (auto* x : {&y_end, &predicted, &slope, &E}) x->assign(n, 0.0);
  for (auto* x : {&vdot, &a, &jerk, &change, &a_begin, &vdot_end, &a_end, &step_of_q}) x->assign(nv, 0.0);
  size.assign(structure.y.size(), 1.0);
  std::ranges::copy(yp0.subspan(nq, nv), vdot.begin());
  for (std::size_t i = 0; i < nq; ++i) {
    if (is_alone(static_cast<std::size_t>(p.local_sizes().increment_of[i]))) alone.push_back(i);
  }
}

StepResult Newmark::State::step(double t_limit) {
  assert(t_limit >= t - rounding(t));
  if (t_limit - t <= rounding(t_limit)) return arrived(StepStatus::reached_limit);
  const Stopwatch watch(cost.seconds);
  newton.blame.clear();
  if (!has_history) begin(t_limit - t);
  while (!is_too_small(h, t, t_limit, options)) {
    const Reach reach = reach_of(h, t, t_limit, options);
    const Attempt result = attempt();
    if (result == Attempt::good) {
      accept(reach.at_limit ? t_limit : t + h, reach);
      return arrived(reach.at_limit ? StepStatus::reached_limit : StepStatus::ok);
    }
    if (newton.is_fatal) return failed();
    if (result == Attempt::error_too_large) {
      ++cost.error_test_failures;
      h *= std::clamp(factor(), least_factor, safety);
    } else {
      if (last_order > 0) most_solvable = solvable * h;
      h *= after_newton_failure;
    }
  }
  return failed();
}

// a0, v1, d and v1' for the velocities that the history predicts, which is where Newton's method begins.
void Newmark::State::predict() {
  now = history.coefficients(h, order);
  history.predict(now, predicted, slope);
  const double ratio = h / of_a, m = with.alpha_m, f = with.alpha_f;
  for (std::size_t i = 0; i < nv; ++i) {
    const double v0 = y[nq + i], v1 = predicted[nq + i];
    const double a0 = a_begin[i] = vdot[i] + ratio * (a[i] - vdot[i]);
    const double a1 = (v1 - v0 - (1 - with.gamma) * h * a0) / (with.gamma * h);
    if (i < nd) newton.y[i] = h * (v0 + h * ((0.5 - with.beta) * a0 + with.beta * a1));
    newton.y[nd + i] = v1;
    newton.yp[nd + i] = ((1 - m) * a1 + m * a0 - f * vdot[i]) / (1 - f);
  }
  std::copy(predicted.begin() + static_cast<long>(nq + nv), predicted.end(),
            newton.y.begin() + static_cast<long>(nd + nv));
}

// Increments count as the positions that they change.
void Newmark::State::set_sizes() {
  const auto& position_of = problem.local_sizes().position_of;
  for (std::size_t i = 0; i < nd; ++i) size[i] = position_of[i] < 0 ? 1.0 : y[static_cast<std::size_t>(position_of[i])];
  std::copy(y.begin() + static_cast<long>(nq), y.end(), size.begin() + static_cast<long>(nd));
  newton.set_weights(size, h);
}

// With d' = gamma / (beta h) d + ... and v' = alpha v + ..., alpha = (1 - alpha_m) / ((1 - alpha_f) gamma h).
Newmark::State::Attempt Newmark::State::attempt() {
  const double alpha = (1 - with.alpha_m) / ((1 - with.alpha_f) * with.gamma * h);
  const double stretch = with.gamma / (with.beta * h) / alpha;
  set_sizes();
  predict();
  newton.tighter = tightness();
  for (std::size_t i = 0; i < nd; ++i) newton.yp[i] = newton.y[nd + i] / stretch;
  problem.begin_step(CSpan(y).first(nq), stretch, *newton.workspace);
  if (newton.solve(t + h, h, alpha, cost) != BdfNewton::Solved::yes) return Attempt::not_solved;
  newton.blame.clear();
  take_solution();
  measure_error();
  if (!std::isfinite(error)) {
    newton.blame = no_error;
    return Attempt::not_solved;
  }
  return error <= 1 ? Attempt::good : Attempt::error_too_large;
}

void Newmark::State::take_solution() {
  std::copy_n(newton.y.begin(), nd, step_of_q.begin());
  std::copy_n(y.begin(), nq, y_end.begin());
  problem.plus(Span(y_end).first(nq), step_of_q);
  std::copy(newton.y.begin() + static_cast<long>(nd), newton.y.end(), y_end.begin() + static_cast<long>(nq));
  const double m = with.alpha_m, f = with.alpha_f;
  for (std::size_t i = 0; i < nv; ++i) {
    vdot_end[i] = newton.yp[nd + i];
    a_end[i] = ((1 - f) * vdot_end[i] + f * vdot[i] - m * a_begin[i]) / (1 - m);
  }
  for (std::size_t i = 0; i < n; ++i) E[i] = y_end[i] - predicted[i];
}

// A position or velocity, by its place in y.
Variable Newmark::State::tested(std::size_t i) const {
  if (i >= nq) return structure.y[nd + i - nq];
  return structure.y[static_cast<std::size_t>(problem.local_sizes().increment_of[i])];
}

// The third difference of what has been found is h^3 times the third derivative, whatever vibrates far above 1 / h: differences of
// accelerations would enlarge that by (omega h)^2.
void Newmark::State::measure_error() {
  const double to_third = 3 * now.sigma[order];
  const double position = to_third * with.position_error(), velocity = to_third * with.velocity_error();
  double most = 0;
  dominant = -1;
  for (std::size_t i = 0; i < nq + nv; ++i) {
    const std::size_t at = i < nq ? static_cast<std::size_t>(problem.local_sizes().increment_of[i]) : nd + i - nq;
    const double difference = std::abs(E[i]) > rounded * std::abs(y[i]) ? E[i] : 0.0;
    errors[i] = (i < nq ? position : velocity) * difference * error_weight(structure.y[at], y[i], h, options);
    if (std::abs(errors[i]) > most) most = std::abs(errors[i]), dominant = static_cast<int>(i);
  }
  error = sum_of_errors.measure(errors, h, time_scale(), [this](CSpan e) {
    double sum = 0, largest = 0;
    for (const double x : e) sum += x * x;
    for (const std::size_t i : alone) largest = std::max(largest, std::abs(e[i]));
    return std::max(std::sqrt(sum / static_cast<double>(std::max<std::size_t>(e.size(), 1))), largest);
  });
}

// In which some velocity changes by its own size: over this time the errors are added. Velocities that follow from positions may vibrate beside them, and stand still where a swing
// turns: there it is the time in which an acceleration as that of the last step moves the position by its size.
double Newmark::State::time_scale() const {
  double fastest = 0;
  for (std::size_t i = 0; i < nv; ++i) {
    const double v = std::abs(y[nq + i]), nominal = structure.y[nd + i].nominal;
    const double place =
        i < nd ? (structure.y[i].counts_way && !is_alone(i) ? 0.0 : std::abs(size[i])) + structure.y[i].nominal : 0.0;
    fastest = std::max(fastest,
                       is_alone(i) ? std::sqrt(0.5 * std::abs(change[i]) / place) : std::abs(vdot[i]) / (v + nominal));
    if (i < nd) fastest = std::max(fastest, v / place);
  }
  return fastest > 0 ? 1 / fastest : 0.0;
}

// What Newton's method leaves over adds up as well, but cannot fall below rounding.
double Newmark::State::tightness() const {
  constexpr double usual_kappa = 0.05, at_rounding = 1e-14;
  const double kappa = options.kappa > 0 ? options.kappa : usual_kappa;
  return std::clamp(time_scale() / h, 1.0, std::max(1.0, kappa * finer_tolerance(options) / at_rounding));
}

// The sum of errors over a time is of order 2, the error of one step of order 3.
double Newmark::State::factor() const {
  if (!(error > 0)) return largest_factor;
  return safety * (sum_of_errors.is_sum() ? std::sqrt(1 / error) : std::cbrt(1 / error));
}

void Newmark::State::accept(double t_end, const Reach& reach) {
  sum_of_errors.accept();
  history.advance(now, E);
  for (std::size_t i = 0; i < nv; ++i) change[i] = (y_end[nq + i] - y[nq + i]) / h;
  std::swap(y, y_end), std::swap(vdot, vdot_end), std::swap(a, a_end);
  t = t_end, of_a = last_step = h, last_order = order + 1;
  ++cost.steps;
  const double growth = factor();
  if (growth >= worth_growing)
    h *= std::min(growth, largest_factor);
  else if (growth < 1)
    h *= std::max(growth, least_factor);
  if (most_solvable > 0) h = std::min(h, most_solvable), most_solvable *= solvable_growth;
  if (reach.at_limit && growth >= 1) h = std::max(h, reach.wanted);
  after_jump.accepted(h);
}

// ---- the start

double Newmark::State::first_guess(double span) {
  if (has_jumped && h > 0) return std::min(h, span);
  std::ranges::copy(size, newton.y.begin());
  std::copy_n(y.begin() + static_cast<long>(nq), nd, newton.yp.begin());
  std::copy_n(vdot.begin(), nv, newton.yp.begin() + static_cast<long>(nd));
  return first_step(structure, newton.y, newton.yp, {options.initial_step, finer_tolerance(options), span, 1e-2});
}

// v'' by the accelerations at a time tau later, to which the motion goes on by Taylor's series: they are right to O(tau^2). Where they cannot be
// had, v'' = 0 makes the first step of order 1.
void Newmark::State::find_jerk(double tau) {
  for (std::size_t i = 0; i < nv; ++i) {
    step_of_q[i] = i < nd ? tau * (y[nq + i] + 0.5 * tau * vdot[i]) : 0.0;
    y_end[nq + i] = y[nq + i] + tau * vdot[i];
  }
  std::copy_n(y.begin(), nq, y_end.begin());
  problem.plus(Span(y_end).first(nq), step_of_q);
  const Eval e =
      problem.accelerations(t + tau, CSpan(y_end).first(nq), CSpan(y_end).subspan(nq, nv), vdot_end, *newton.workspace);
  const bool is_known = e == Eval::ok && all_finite(vdot_end.data(), vdot_end.size());
  for (std::size_t i = 0; i < nv; ++i) jerk[i] = is_known ? (vdot_end[i] - vdot[i]) / tau : 0.0;
}

// Taylor's series back over two steps: what the motion would have been.
void Newmark::State::fill_history() {
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double s = -h * static_cast<double>(k);
    values[k] = y;
    for (std::size_t i = 0; i < nv; ++i) {
      step_of_q[i] = i < nd ? s * (y[nq + i] + s * (vdot[i] / 2 + s * jerk[i] / 6)) : 0.0;
      values[k][nq + i] += s * (vdot[i] + s * jerk[i] / 2);
    }
    problem.plus(Span(values[k]).first(nq), step_of_q);
  }
  history.begin(values, h);
}

void Newmark::State::begin(double span) {
  h = 1, set_sizes(), h = has_jumped ? last_step : 0;
  h = std::max(first_guess(span), options.smallest_step);
  if (options.largest_step > 0) h = std::min(h, options.largest_step);
  find_jerk(h);
  for (std::size_t i = 0; i < nv; ++i) a[i] = vdot[i] + with.offset() * h * jerk[i];
  of_a = h, change = vdot;
  fill_history();
  has_history = true;
}

void Newmark::State::restart(Jump jump, double at, CSpan y_new, CSpan yp_new) {
  t = at, last_order = 0;
  std::ranges::copy(y_new, y.begin()), std::ranges::copy(yp_new, yp.begin());
  std::ranges::copy(yp_new.subspan(nq, nv), vdot.begin());
  last_step = after_jump.at_restart(h);
  has_history = false, has_jumped = true;
  sum_of_errors.interrupt();
  if (jump != Jump::input) newton.forget_matrix();
}

// ---- results

StepResult Newmark::State::failed() const {
  const std::string name = dominant < 0 ? "the solution" : tested(static_cast<std::size_t>(dominant)).name;
  const std::string why = newton.blame.empty() ? "the error of " + name + " stayed above its tolerance." : newton.blame;
  return {StepStatus::failed, t, h, order, -1, newton.is_fatal ? why : too_small_a_step(h, t, why)};
}

// Before the first step, and after a restart, there is no polynomial.
void Newmark::State::interpolate(double at, Span y_at, Span yp_at) const {
  if (at != t && last_order > 0) return history.interpolate(t - at, last_order, y_at, yp_at);
  std::copy_n(y.begin(), y_at.size(), y_at.begin());
  if (last_order > 0) return history.interpolate(0, last_order, {}, yp_at);
  std::copy_n(yp.begin(), yp_at.size(), yp_at.begin());
}

// ---- the public face

Newmark::Newmark(const LocalProblem& problem, NewmarkParameters parameters, const Options& options, double t, CSpan y,
                 CSpan yp)
    : state_(std::make_unique<State>(problem, parameters, options, t, y, yp)) {}
Newmark::~Newmark() = default;
Newmark::Newmark(const Newmark& other) : state_(std::make_unique<State>(*other.state_)) {}
Newmark& Newmark::operator=(const Newmark& other) { return *this = Newmark(other); }
Newmark::Newmark(Newmark&&) noexcept = default;
Newmark& Newmark::operator=(Newmark&&) noexcept = default;

StepResult Newmark::step(double t_limit) { return state_->step(t_limit); }
void Newmark::interpolate(double t, Span y, Span yp) const { state_->interpolate(t, y, yp); }
void Newmark::restart(Jump jump, double t, CSpan y, CSpan yp) { state_->restart(jump, t, y, yp); }
double Newmark::t() const { return state_->t; }
CSpan Newmark::y() const { return state_->y; }
CSpan Newmark::accelerations() const { return state_->vdot; }
const Cost& Newmark::cost() const { return state_->cost; }

}  // namespace skyhook::integrator
