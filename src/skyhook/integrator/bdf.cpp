#include "skyhook/integrator/bdf.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include "skyhook/integrator/bdf_control.h"
#include "skyhook/integrator/bdf_newton.h"
#include "skyhook/integrator/bdf_starter.h"
#include "skyhook/integrator/common.h"

namespace skyhook::integrator {
namespace {

constexpr double quiet_step = 0.5;  // of the largest step
// Times the tolerance, in any variable. A step whose error is below the tolerance has left the manifold by a few of them at most.
constexpr double largest_repair = 10;

}  // namespace

struct Bdf::State {
  State(const DaeProblem& problem, Options options, double t, CSpan y, CSpan yp);

  StepResult step(double t_limit);
  void interpolate(double at, Span y_at, Span yp_at) const;
  void restart(Jump jump, double at, CSpan y_new, CSpan yp_new);

  enum class Attempt { good, error_too_large, not_solved };
  Attempt attempt();
  StepResult start(double t_limit);
  void take_start(double h, double t_end);
  double first_guess(double span) const;
  bool repair_end(double t_end);
  void take_end(double t_end);
  StepResult arrived(StepStatus status) const;
  int dominant_variable() const;
  StepResult failed();

  const DaeProblem& problem;
  const Structure& structure;
  Options options;
  double due = 0;  // of the step at hand
  BdfNewton newton;
  BdfHistory history;
  BdfControl control;
  BdfStarter starter;
  StarterSteps starts;
  BdfHistory::Step now;  // the last attempt
  BdfHistory::Norms norms;
  Cost cost;
  long repairs = 0;

  double t;
  std::vector<double> y, yp;  // at t
  std::vector<double> end;    // scratch of the repair
  bool has_history = false;
  double last_step = 0;
  Jump jumped = Jump::state;  // at the last restart
  int last_order = 0, dominant = -1;
};

Bdf::State::State(const DaeProblem& p, Options o, double t0, CSpan y0, CSpan yp0)
    : problem(p),
      structure(p.structure()),
      options(o),
      newton(p, o),
      history(y0.size()),
      starter(y0.size()),
      t(t0),
      y(y0.begin(), y0.end()),
      yp(yp0.begin(), yp0.end()),
      end(y0.size()) {
  assert(static_cast<int>(y.size()) == structure.size() && yp.size() == y.size());
  newton.is_persistent = options.persistent_newton;
  control.order_limit = order_limit(options, BdfHistory::highest_order);
  starts.may_go_on = may_repeat_starter(structure, control.order_limit);
  starts.largest = options.largest_step;
}

// ---- stepping

StepResult Bdf::State::step(double t_limit) {
  assert(t_limit >= t - rounding(t));
  if (t_limit - t <= rounding(t_limit)) return arrived(StepStatus::reached_limit);
  const Stopwatch watch(cost.seconds);
  newton.blame.clear();
  if (!has_history || starts.goes_on()) return start(t_limit);
  while (!is_too_small(control.h, t, t_limit, options)) {
    const Reach reach = reach_of(control.h, t, t_limit, options);
    control.begin_attempt();
    now = history.coefficients(control.h, control.k);
    const Attempt result = attempt();
    if (result == Attempt::good) {
      take_end(reach.at_limit ? t_limit : t + now.h);
      control.accepted(now, norms);
      if (reach.at_limit) control.h = std::max(control.h, std::min(reach.wanted, 2 * control.h));
      return arrived(reach.at_limit ? StepStatus::reached_limit : StepStatus::ok);
    }
    if (newton.is_fatal) return failed();
    if (result == Attempt::not_solved)
      control.failed_newton();
    else
      ++cost.error_test_failures, control.failed_error_test(now, norms);
  }
  return failed();
}

Bdf::State::Attempt Bdf::State::attempt() {
  newton.is_quiet = options.largest_step > 0 && now.h >= quiet_step * options.largest_step;
  newton.is_low_order = now.k <= 2, newton.begin = {t, y, yp};
  newton.set_weights(history.newest(), now.h);
  history.predict(now, newton.y, newton.yp);
  if (newton.solve(t + now.h, now.h, now.alpha, cost) != BdfNewton::Solved::yes) return Attempt::not_solved;
  norms = history.norms(now, newton.E, newton.error_weight, newton.tested);
  newton.blame.clear();
  if (!(now.error * norms.E <= 1)) return Attempt::error_too_large;
  return problem.repairs() && !repair_end(t + now.h) ? Attempt::not_solved : Attempt::good;
}

// The repaired end is what the history goes on from.
bool Bdf::State::repair_end(double t_end) {
  std::ranges::copy(newton.y, end.begin());
  Repair repair;
  newton.workspace->blame.clear();
  const Eval eval = problem.repair(t_end, end, newton.error_weight, repair, *newton.workspace);
  if (eval != Eval::ok) {
    newton.blame = newton.workspace->blame;
    return false;
  }
  double moved = 0;
  for (std::size_t i = 0; i < end.size(); ++i)
    moved = std::max(moved, newton.error_weight[i] * std::abs(end[i] - newton.y[i]));
  if (!(moved <= largest_repair)) {
    newton.blame = "the solution ended far from the constraints.";
    return false;
  }
  for (std::size_t i = 0; i < end.size(); ++i) newton.E[i] += end[i] - newton.y[i];
  std::ranges::copy(end, newton.y.begin());
  repairs += repair.iterations > 0;
  return true;
}

void Bdf::State::take_end(double t_end) {
  dominant = dominant_variable();
  history.advance(now, newton.E);
  std::ranges::copy(newton.y, y.begin());
  std::ranges::copy(newton.yp, yp.begin());
  t = t_end, last_step = now.h, last_order = now.k;
  ++cost.steps;
}

// ---- the first step

// y changes on the time scale (|y| + nominal) / |y'|. Where inputs jump from sample to sample, the last start tells more.
double Bdf::State::first_guess(double span) const {
  if (starts.known() && jumped == Jump::input) return starts.first(span);
  constexpr double of_span = 1e-2;
  const double scale = std::sqrt(finer_tolerance(options));
  const double h = first_step(structure, y, yp, {options.initial_step, scale, span, starts.known() ? 1.0 : of_span});
  return starts.known() ? std::min(h, starts.first(span)) : h;
}

StepResult Bdf::State::start(double t_limit) {
  newton.is_quiet = newton.is_low_order = false;
  double h = std::max(has_history ? starts.next(due - t) : first_guess(due - t), options.smallest_step);
  while (!is_too_small(h, t, t_limit, options)) {
    const Reach reach = reach_of(h, t, t_limit, options);
    if (!starter.step(structure, t, y, yp, h, newton, cost)) {
      if (newton.is_fatal) return failed();
      h *= 0.25;
      continue;
    }
    newton.blame.clear();
    if (!(starter.error() <= 1)) {
      ++cost.error_test_failures;
      h = StarterSteps::after_failure(h, starter.error());
      continue;
    }
    if (problem.repairs() && !repair_end(t + h)) {
      h *= 0.25;
      continue;
    }
    starts.accepted({.h = h, .error = starter.error(), .left = due - t - h, .is_first = !has_history});
    take_start(h, reach.at_limit ? t_limit : t + h);
    return arrived(reach.at_limit ? StepStatus::reached_limit : StepStatus::ok);
  }
  control.h = h;
  return failed();
}

void Bdf::State::take_start(double h, double t_end) {
  const int k = std::min(BdfStarter::order, control.order_limit);
  starter.fill_values(structure, y, yp, h, newton);
  history.begin(starter.values(), starter.step_of() * h);
  std::ranges::copy(newton.y, y.begin());
  std::ranges::copy(newton.yp, yp.begin());
  has_history = true;
  t = t_end, last_step = h, last_order = BdfStarter::order;
  control.start(starter.step_of() * h, k);
  dominant = starter.dominant();
  ++cost.steps;
}

void Bdf::State::restart(Jump jump, double at, CSpan y_new, CSpan yp_new) {
  t = at, last_order = 0;
  std::ranges::copy(y_new, y.begin());
  std::ranges::copy(yp_new, yp.begin());
  has_history = false, jumped = jump;
  if (jump != Jump::input) newton.forget_matrix();
}

// ---- results

StepResult Bdf::State::arrived(StepStatus status) const { return {status, t, last_step, last_order, dominant, {}}; }

// The first of the largest, four at a time: it is asked for in every step.
int Bdf::State::dominant_variable() const {
  const double *weight = newton.error_weight.data(), *E = newton.E.data();
  Lanes most_of_four, at_of_four(-1.0);
  double most = 0;
  int at = -1;
  const auto take = [&](double size, double i) {
    if (size > most || (size == most && i >= 0 && i < at)) most = size, at = static_cast<int>(i);
  };
  in_fours(y.size(), [&](auto kind, std::size_t i) {
    if constexpr (std::is_same_v<decltype(kind), double>) {
      take(weight[i] * std::abs(E[i]), static_cast<double>(i));
    } else {
      const auto first = static_cast<double>(i);
      const Lanes size = Lanes::load(weight + i) * abs(Lanes::load(E + i));
      const LaneMask larger = size > most_of_four;
      at_of_four = select(larger, Lanes(first, first + 1, first + 2, first + 3), at_of_four);
      most_of_four = select(larger, size, most_of_four);
    }
  });
  for (int k = 0; k < Lanes::count; ++k) take(most_of_four[k], at_of_four[k]);
  return at;
}

StepResult Bdf::State::failed() {
  StepResult result{StepStatus::failed, t, control.h, control.k, -1, {}};
  const std::string why = newton.blame.empty() ? error_of(structure, dominant_variable()) : newton.blame;
  result.reason = newton.is_fatal ? why : too_small_a_step(control.h, t, why);
  return result;
}

// Before the first step, and after a restart, there is no polynomial.
void Bdf::State::interpolate(double at, Span y_at, Span yp_at) const {
  if (at != t && last_order > 0) return history.interpolate(t - at, last_order, y_at, yp_at);
  std::copy_n(y.begin(), y_at.size(), y_at.begin());
  std::copy_n(yp.begin(), yp_at.size(), yp_at.begin());
}

// ---- the public face

Bdf::Bdf(const DaeProblem& problem, Options options, double t, CSpan y, CSpan yp)
    : state_(std::make_unique<State>(problem, options, t, y, yp)) {}
Bdf::~Bdf() = default;
Bdf::Bdf(const Bdf& other) : state_(std::make_unique<State>(*other.state_)) {}
Bdf& Bdf::operator=(const Bdf& other) { return *this = Bdf(other); }
Bdf::Bdf(Bdf&&) noexcept = default;
Bdf& Bdf::operator=(Bdf&&) noexcept = default;

StepResult Bdf::step(double t_limit, double due) {
  state_->due = std::max(due, t_limit);
  return state_->step(t_limit);
}
void Bdf::interpolate(double t, Span y, Span yp) const { state_->interpolate(t, y, yp); }
void Bdf::restart(Jump jump, double t, CSpan y, CSpan yp) { state_->restart(jump, t, y, yp); }
double Bdf::t() const { return state_->t; }
CSpan Bdf::y() const { return state_->y; }
CSpan Bdf::yp() const { return state_->yp; }
const Cost& Bdf::cost() const { return state_->cost; }
long Bdf::repairs() const { return state_->repairs; }

}  // namespace skyhook::integrator
