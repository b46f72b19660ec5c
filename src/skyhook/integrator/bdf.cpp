#include "skyhook/integrator/bdf.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <vector>

#include "skyhook/corrector/iteration_matrix.h"
#include "skyhook/integrator/bdf_control.h"
#include "skyhook/integrator/common.h"

namespace skyhook::integrator {
namespace {

// Newton's leftovers are noise in the history, which its differences of order k + 1 enlarge by 2^(k + 1): they must stay far
// below the tolerance, or the error test sees nothing else at order 5.
constexpr double own_kappa = 0.02;
constexpr double kept_alpha = 0.25;  // relative change of alpha for which the matrix is kept, with S1's factor c
constexpr int stale_after = 3;       // iterations that tell of a dF/dy grown old
constexpr double unknown = 1;        // rate / (1 - rate) of Newton before it is known
constexpr int most_iterations = 4;
constexpr double slow = 0.9;  // a contraction beyond it is none

}  // namespace

struct Bdf::State {
  State(const DaeProblem& problem, Options options, double t, CSpan y, CSpan yp);

  StepResult step(double t_limit);
  void interpolate(double at, Span y_at, Span yp_at) const;

  enum class Solved { yes, no, not_evaluated };
  bool begin(double t_limit);
  Solved solve();
  Solved iterate();
  bool set_up(bool evaluate);
  Eval evaluate_residual();
  void set_weights();
  double correct(double c);
  StepResult accepted(double t_limit, const Reach& reach);
  int dominant_variable() const;
  StepResult failed();
  std::string largest_residual();

  const DaeProblem& problem;
  const Structure& structure;
  Options options;
  std::unique_ptr<Workspace> workspace;
  IterationMatrix matrix;
  BdfHistory history;
  BdfHistory::Step now;
  BdfHistory::Norms norms;
  Cost cost;
  std::string blame;

  double t;
  BdfControl control;
  bool begun = false;
  std::vector<double> y, yp, F, E, weight, newton_weight, floor;
  std::vector<int> power;  // of h in Newton's weight; -1: not looked at
  double tested = 0, looked_at = 0;

  bool has_matrix = false, is_current = false, wants_evaluation = true;
  double carried = 20;  // rate / (1 - rate) of Newton with this matrix
  double kappa = 0.33;
  int iterations = 0;
};

Bdf::State::State(const DaeProblem& p, Options o, double t0, CSpan y0, CSpan yp0)
    : problem(p),
      structure(p.structure()),
      options(o),
      workspace(p.workspace()),
      matrix(p, o.jacobian),
      history(y0.size()),
      t(t0),
      y(y0.begin(), y0.end()),
      yp(yp0.begin(), yp0.end()) {
  for (auto* v : {&F, &E, &weight, &newton_weight}) v->assign(y.size(), 0.0);
  for (const Variable& v : structure.y) {
    floor.push_back(options.absolute_tolerance * v.nominal);
    power.push_back(v.in_error_test ? std::max(v.index - 1, 0) : v.index < 2 ? 1 : -1);
    tested += v.in_error_test, looked_at += power.back() >= 0;
  }
  tested = std::max(tested, 1.0), looked_at = std::max(looked_at, 1.0);
  kappa = options.kappa > 0 ? options.kappa : own_kappa;
  control.order_limit = order_limit(options, BdfHistory::highest_order);
  control.largest_step = options.largest_step;
}

void Bdf::State::set_weights() {
  const CSpan at = history.newest();
  const double r = options.relative_tolerance, limited = std::min(now.h, 1.0);
  for (std::size_t i = 0; i < at.size(); ++i) {
    const double w = 1 / (r * std::abs(at[i]) + floor[i]);
    weight[i] = structure.y[i].in_error_test ? (power[i] > 0 ? w * std::pow(limited, power[i]) : w) : 0.0;
    newton_weight[i] = power[i] < 0 ? 0.0 : power[i] == 0 ? w : w * std::pow(limited, power[i]);
  }
}

bool Bdf::State::begin(double t_limit) {
  begun = true;
  const double r = options.relative_tolerance, a = options.absolute_tolerance;
  const double tolerance = r > 0 && a > 0 ? std::min(r, a) : std::max(r, a);
  const double h = first_step(structure, y, yp, {options.initial_step, tolerance, t_limit - t, 1e-3});
  control.h = std::max(h, options.smallest_step);
  history.begin(y, yp, control.h);
  return true;
}

Eval Bdf::State::evaluate_residual() {
  return checked_residual(problem, {t + now.h, y, yp}, F, *workspace, cost, blame);
}

bool Bdf::State::set_up(bool evaluate) {
  workspace->blame.clear();
  const Point point{t + now.h, y, yp};
  const bool anew = evaluate || !matrix.can_update();
  const Eval eval =
      anew ? matrix.evaluate(point, F, now.alpha, *workspace, cost) : matrix.update(point, now.alpha, *workspace, cost);
  has_matrix = false;
  if (eval != Eval::ok) {
    blame = workspace->blame.empty() ? "The derivatives could not be evaluated." : workspace->blame;
    return false;
  }
  if (!matrix.factor(now.h, cost)) {
    blame = "singular";
    return false;
  }
  has_matrix = true, is_current = anew, carried = anew ? unknown : std::max(carried, unknown);
  if (anew) wants_evaluation = false;
  return true;
}

// y += c delta, y' follows; the weighted size of the correction.
double Bdf::State::correct(double c) {
  const double alpha = now.alpha;
  double sum = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double d = -c * F[i];
    y[i] += d, E[i] += d, yp[i] += alpha * d;
    const double w = newton_weight[i] * d;
    sum += w * w;
  }
  return std::sqrt(sum / looked_at);
}

Bdf::State::Solved Bdf::State::iterate() {
  double first = 0;
  const double c = 2 / (1 + now.alpha / matrix.alpha());
  for (iterations = 1;; ++iterations) {
    ++cost.newton_iterations;
    matrix.solve(F);
    const double size = correct(c);
    if (!std::isfinite(size)) return Solved::no;
    if (iterations == 1) {
      first = size;
      if (size <= 1e-4 * kappa) return Solved::yes;
    } else {
      const double rate = std::pow(size / first, 1.0 / (iterations - 1));
      if (rate > slow) return Solved::no;
      carried = rate / (1 - rate);
    }
    if (carried * size <= kappa) return Solved::yes;
    if (iterations >= most_iterations) return Solved::no;
    if (evaluate_residual() != Eval::ok) return Solved::not_evaluated;
  }
}

Bdf::State::Solved Bdf::State::solve() {
  bool evaluate = wants_evaluation;
  bool renew =
      !has_matrix || std::abs(now.alpha / matrix.alpha() - 1) > kept_alpha || (wants_evaluation && !is_current);
  is_current = false;
  for (int round = 0;; ++round) {
    history.predict(now, y, yp);
    std::ranges::fill(E, 0.0);
    if (evaluate_residual() != Eval::ok) return Solved::not_evaluated;
    if (renew && !set_up(evaluate)) return Solved::not_evaluated;
    const Solved solved = iterate();
    if (solved == Solved::yes) {
      if (iterations >= stale_after && !is_current) wants_evaluation = true;
      return solved;
    }
    ++cost.newton_failures;
    if (is_current || round > 0) return solved;
    renew = evaluate = true;
  }
}

StepResult Bdf::State::step(double t_limit) {
  if (t_limit - t <= rounding(t_limit)) return {StepStatus::reached_limit, t_limit, now.h, now.k, -1, {}};
  const Stopwatch watch(cost.seconds);
  if (!begun) begin(t_limit);
  blame.clear();
  while (!is_too_small(control.h, t, t_limit, options)) {
    const Reach reach = reach_of(control.h, t, t_limit, options);
    control.begin_attempt();
    now = history.coefficients(control.h, control.k);
    set_weights();
    if (solve() != Solved::yes) {
      control.failed_newton();
      continue;
    }
    norms = history.norms(now, E, weight, tested);
    if (now.error * norms.E <= 1) return accepted(t_limit, reach);
    ++cost.error_test_failures;
    control.failed_error_test(now, norms);
  }
  return failed();
}

StepResult Bdf::State::accepted(double t_limit, const Reach& reach) {
  history.advance(now, E);
  t = reach.at_limit ? t_limit : t + now.h;
  ++cost.steps;
  StepResult result{
      reach.at_limit ? StepStatus::reached_limit : StepStatus::ok, t, now.h, now.k, dominant_variable(), {}};
  control.accepted(now, norms);
  if (reach.at_limit) control.h = std::max(control.h, std::min(reach.wanted, 2 * control.h));
  return result;
}

int Bdf::State::dominant_variable() const {
  int largest = -1;
  double most = 0;
  for (std::size_t i = 0; i < E.size(); ++i)
    if (const double size = weight[i] * std::abs(E[i]); size > most) most = size, largest = static_cast<int>(i);
  return largest;
}

StepResult Bdf::State::failed() {
  return {StepStatus::failed,
          t,
          control.h,
          control.k,
          -1,
          too_small_a_step(control.h, t, blame.empty() ? error_of(structure, dominant_variable()) : blame)};
}

void Bdf::State::interpolate(double at, Span y_at, Span yp_at) const {
  if (!begun) {
    std::copy_n(y.begin(), y_at.size(), y_at.begin());
    std::copy_n(yp.begin(), yp_at.size(), yp_at.begin());
    return;
  }
  history.interpolate(t - at, now.k, y_at, yp_at);
}

Bdf::Bdf(const DaeProblem& problem, Options options, double t, CSpan y, CSpan yp)
    : state_(std::make_unique<State>(problem, options, t, y, yp)) {}
Bdf::~Bdf() = default;
Bdf::Bdf(Bdf&&) noexcept = default;
Bdf& Bdf::operator=(Bdf&&) noexcept = default;

StepResult Bdf::step(double t_limit) { return state_->step(t_limit); }
void Bdf::interpolate(double t, Span y, Span yp) const { state_->interpolate(t, y, yp); }
double Bdf::t() const { return state_->t; }
CSpan Bdf::y() const { return state_->y; }
CSpan Bdf::yp() const { return state_->yp; }
const Cost& Bdf::cost() const { return state_->cost; }

}  // namespace skyhook::integrator
