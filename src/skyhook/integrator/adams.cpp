#include "skyhook/integrator/adams.h"

#include <array>
#include <cassert>
#include <limits>
#include <optional>
#include <vector>

#include "skyhook/integrator/adams_start.h"
#include "skyhook/integrator/common.h"

namespace skyhook::integrator {
namespace {

constexpr int highest = 12;
// |gamma*_i|: error constants of the Adams-Moulton formulas at constant step, i = 1 .. 13.
constexpr std::array<double, highest + 2> error_constant = {
    1, 0.5, 0.0833, 0.0417, 0.0264, 0.0188, 0.0143, 0.0114, 0.00936, 0.00789, 0.00679, 0.00592, 0.00524, 0.00468};
// Beyond this h |lambda| the predictor-corrector is at the edge of its stability for most orders; a step that accuracy
// limits stays well below. Measured on the two problems of the test at tolerances 1e-3 to 1e-10.
constexpr double stability_edge = 0.6;
constexpr int stiff_steps = 50;
constexpr double most_growth = 5;  // of the step behind a jump over the one before it

}  // namespace

// Names and numbering (from 1) of Shampine and Gordon: phi are modified divided differences of f, psi sums of the last
// steps, g the coefficients of the formula at the present step sizes.
struct Adams::State {
  State(const OdeProblem& p, Options o, double t0, CSpan y0);
  StepResult step(double t_limit);
  bool evaluate(double at, CSpan y_at, Span slope);
  void restart(double at, CSpan y_at);
  bool begin(double t_limit);
  bool start_pays(double t_limit) const;
  std::optional<StepResult> start(double t_limit, double h_before);
  void go_on_from_start();
  void refine_start();
  void remember_equal_steps(int order);
  AdamsStart::Tools tools() { return {problem, *workspace, cost, blame}; }
  StepResult arrived(double t_limit, const Reach& reach, bool repaired);
  void hand_to_problem();
  void count_stiffness(bool at_edge, double rate);
  enum class Attempt { good, error_too_large, not_evaluated };
  Attempt attempt();
  void coefficients();
  void integrals();
  void predict();
  void measure_error();
  bool correct();
  void restore();
  void watch_stiffness();
  void choose_order_and_step();
  StepResult failed() const;

  const OdeProblem& problem;
  const Structure& structure;
  Options options;
  Boxed<Workspace> workspace;
  Cost cost;
  std::string blame;

  double t, h = 0, h_old = 0;
  int k = 1, k_old = 0, k_new = 1, ns = 0, failures = 0;
  bool has_slope = false, started = false, growing = true;  // growing: phase 1, order and step rise with every step
  std::array<double, highest + 2> alpha{}, beta{}, psi{};
  std::array<double, highest + 3> sigma{}, v{}, w{}, g{};
  std::array<std::vector<double>, highest + 3> phi;  // 1 .. 14
  std::vector<double> y, yp, predicted, weight, corrected, before;
  std::vector<double> end;  // y of the last step, before accepted() may have rewritten it
  double error = 0, error_k = 0, error_lower = 0, error_lowest = 0, norm = 1;
  int dominant = -1, stiff_count = 0;
  double stiff_rate = 0;
  long repairs = 0;
  Repair repair;
  AdamsStart starter;
  bool start_is_last = false;  // of all steps so far
  double start_wanted = 0;     // by the error of the last start; 0: there has been none
};

Adams::State::State(const OdeProblem& p, Options o, double t0, CSpan y0)
    : problem(p),
      structure(p.structure()),
      options(o),
      workspace(p.workspace()),
      t(t0),
      y(y0.begin(), y0.end()),
      starter(y0.size()) {
  assert(static_cast<int>(y.size()) == structure.size());
  options.max_order = order_limit(options, highest);
  yp = predicted = weight = corrected = before = end = y;
  for (auto& column : phi) column.assign(y.size(), 0.0);
  int tested = 0;
  for (const Variable& variable : structure.y) tested += variable.in_error_test;
  norm = 1 / std::sqrt(std::max(tested, 1));
}

bool Adams::State::evaluate(double at, CSpan y_at, Span slope) {
  return checked_rhs(problem, at, y_at, slope, *workspace, cost, blame) == Eval::ok;
}

void Adams::State::restart(double at, CSpan y_at) {
  const Stopwatch stopwatch(cost.seconds);
  t = at, k_old = 0, started = false;
  std::copy(y_at.begin(), y_at.end(), y.begin());
  end = y;
  has_slope = evaluate(t, y, yp);  // if not, the next step tells why
}

// Order 1 from here on, unless a Runge-Kutta step comes first.
bool Adams::State::begin(double t_limit) {
  if (started) return true;
  start_is_last = false;
  has_slope = has_slope || evaluate(t, y, yp);
  if (!has_slope) return false;
  const bool anew = h_old > 0;  // after a restart or where accepted() has rewritten y: at most the step of before
  if (h == 0 || anew)
    h = first_step(structure, y, yp,
                   {options.initial_step, options.relative_tolerance, anew ? h : t_limit - t, anew ? 1.0 : 1e-3});
  h = std::max(h, least_step(t, options));
  phi[1] = yp;
  std::fill(phi[2].begin(), phi[2].end(), 0.0);
  h_old = 0, k = 1, k_old = 0, ns = 0, started = growing = true;
  return true;
}

StepResult Adams::State::failed() const {
  return {.status = StepStatus::failed, .t = t, .h = h, .order = k, .reason = too_small_a_step(h, t, blame)};
}

StepResult Adams::State::step(double t_limit) {
  assert(t_limit >= t - rounding(t));
  if (t_limit - t <= rounding(t_limit)) return {.status = StepStatus::reached_limit, .t = t_limit, .reason = {}};
  const Stopwatch stopwatch(cost.seconds);
  blame.clear();
  const bool anew = !started && h_old > 0;
  const double h_jump = h;
  if (!begin(t_limit)) return failed();
  if (start_is_last) refine_start();
  for (std::size_t i = 0; i < y.size(); ++i) weight[i] = error_weight(structure.y[i], y[i], h, options);
  if (anew && start_pays(t_limit)) {
    if (const auto first = start(t_limit, h_jump)) return *first;
  }
  for (failures = 0; !is_too_small(h, t, t_limit, options);) {
    const Reach reach = reach_of(h, t, t_limit, options);
    const Attempt outcome = attempt();
    if (outcome == Attempt::good) {
      const StepResult result = arrived(t_limit, reach, repair.iterations > 0);
      choose_order_and_step();
      if (reach.at_limit) h = std::max(h, reach.wanted);
      hand_to_problem();
      return result;
    }
    restore();
    growing = false;
    ++failures;
    if (outcome == Attempt::error_too_large) ++cost.error_test_failures, blame.clear();
    const bool hopeless = failures > 3 && 0.5 < 0.25 * error_k;
    h *= outcome == Attempt::not_evaluated ? 0.25 : hopeless ? std::sqrt(0.5 / error_k) : 0.5;
    k = failures >= 3 ? 1 : k_new;
  }
  if (blame.empty()) blame = error_of(structure, dominant);
  return failed();
}

// At the end of a step of h and k.
StepResult Adams::State::arrived(double t_limit, const Reach& reach, bool repaired) {
  t = reach.at_limit ? t_limit : t + h;
  ++cost.steps;
  if (repaired) ++repairs;
  cost.factorisations = problem.factorisations(*workspace);
  return {.status = reach.at_limit ? StepStatus::reached_limit : StepStatus::ok,
          .t = t,
          .h = h,
          .order = k,
          .dominant = dominant,
          .reason = {}};
}

void Adams::State::hand_to_problem() {
  end = y;
  if (problem.accepted(t, y, *workspace)) started = has_slope = false;
}

// ---- the start after a jump

// Two steps of order 1, the second twice as long as the first, cost less than one of Runge-Kutta: where they reach the limit,
// as with samples that follow each other closely, they do.
bool Adams::State::start_pays(double t_limit) const {
  return options.max_order >= AdamsStart::order && t + 3 * h < t_limit;
}

// Nothing: no attempt was good, and Adams begins at order 1 with the small step that stands in h.
std::optional<StepResult> Adams::State::start(double t_limit, double h_before) {
  constexpr int most_attempts = 3;
  const double h_alone = h;
  h = std::max(h, start_wanted > 0 ? std::min(start_wanted, most_growth * h_before) : h_before);
  for (int attempts = 0; attempts < most_attempts && h > h_alone; ++attempts) {
    const Reach reach = reach_of(h, t, t_limit, options);
    if (!starter.step({t, y, yp}, h, weight, tools()) || !std::isfinite(starter.error())) break;
    start_wanted = starter.wanted();
    if (starter.error() > 1) {
      ++cost.error_test_failures;
      h = std::min(start_wanted, 0.9 * h);
      continue;
    }
    dominant = starter.dominant(), k = AdamsStart::order;
    const StepResult result = arrived(t_limit, reach, starter.was_repaired());
    count_stiffness(starter.edge() > dormand_prince::stability_bound, starter.edge() / h);
    go_on_from_start();
    hand_to_problem();
    return result;
  }
  h = h_alone, blame.clear();
  return std::nullopt;
}

void Adams::State::go_on_from_start() {
  h = starter.next_step();
  starter.fill(h, phi.data());
  std::ranges::copy(starter.y(), y.begin());
  std::ranges::copy(starter.yp(), yp.begin());
  remember_equal_steps(AdamsStart::order);
  start_is_last = true;
}

// Not before another step is wanted: where the start has reached a sample, none is.
void Adams::State::refine_start() {
  start_is_last = false;
  if (options.max_order < AdamsStart::refined_order) return;
  if (starter.refine(h, phi.data(), tools())) remember_equal_steps(AdamsStart::refined_order);
  blame.clear();
}

// As if steps of h had been made, the order rising by one with each: the slopes of the starter's polynomial at such
// distances are all that Adams remembers, and give that polynomial back between steps.
void Adams::State::remember_equal_steps(int order) {
  h_old = h, k_old = ns = 0, growing = false;
  std::fill(phi[order + 1].begin(), phi[order + 1].end(), 0.0);
  for (k = 1; k < order; ++k) {
    coefficients();
    k_old = k;
  }
}

// ---- a step

Adams::State::Attempt Adams::State::attempt() {
  coefficients();
  predict();
  k_new = k;
  if (!evaluate(t + h, predicted, yp)) return Attempt::not_evaluated;
  measure_error();
  if (!std::isfinite(error)) {
    blame = no_error;
    return Attempt::not_evaluated;
  }
  if (error > 1) return Attempt::error_too_large;
  return correct() ? Attempt::good : Attempt::not_evaluated;
}

// Those that change with the step sizes. With ns equal steps so far the first ns are those of constant step.
void Adams::State::coefficients() {
  g[1] = 1, g[2] = 0.5, sigma[1] = 1;
  if (h != h_old) ns = 0;
  if (ns <= k_old) ++ns;
  if (k < ns) return;
  beta[ns] = 1;
  alpha[ns] = 1.0 / ns;
  sigma[ns + 1] = 1;
  double sum = h * ns;
  for (int i = ns + 1; i <= k; ++i) {
    const double psi_before = psi[i - 1];
    psi[i - 1] = sum;
    beta[i] = beta[i - 1] * psi[i - 1] / psi_before;
    sum = psi_before + h;
    alpha[i] = h / sum;
    sigma[i + 1] = i * alpha[i] * sigma[i];
  }
  psi[k] = sum;
  integrals();
}

void Adams::State::integrals() {
  if (ns <= 1) {
    for (int q = 1; q <= k; ++q) v[q] = w[q] = 1.0 / (q * (q + 1));
  } else {
    if (k > k_old) {  // the order was raised: the new last entry of v
      v[k] = 1.0 / (k * (k + 1));
      for (int j = 1; j <= ns - 2; ++j) v[k - j] -= alpha[j + 1] * v[k - j + 1];
    }
    for (int q = 1; q <= k + 1 - ns; ++q) v[q] -= alpha[ns] * v[q + 1], w[q] = v[q];
    g[ns + 1] = w[1];
  }
  for (int i = ns + 2; i <= k + 1; ++i) {
    for (int q = 1; q <= k + 2 - i; ++q) w[q] -= alpha[i - 1] * w[q + 1];
    g[i] = w[1];
  }
}

void Adams::State::predict() {
  for (int i = ns + 1; i <= k; ++i) {
    for (double& x : phi[i]) x *= beta[i];
  }
  for (std::size_t l = 0; l < y.size(); ++l) {
    phi[k + 2][l] = phi[k + 1][l];
    phi[k + 1][l] = 0;
    double sum = 0;
    for (int i = k; i >= 1; --i) {
      sum += g[i] * phi[i][l];
      phi[i][l] += phi[i + 1][l];
    }
    predicted[l] = y[l] + h * sum;
  }
}

// Of the step at order k, and what the errors at orders k, k-1, k-2 would be with equal steps.
void Adams::State::measure_error() {
  double at_k = 0, lower = 0, lowest = 0, largest = 0;
  dominant = -1;
  for (std::size_t l = 0; l < y.size(); ++l) {
    if (!structure.y[l].in_error_test) continue;
    const double difference = yp[l] - phi[1][l], s = norm * weight[l];
    if (k > 2) lowest += std::pow((phi[k - 1][l] + difference) * s, 2);
    if (k > 1) lower += std::pow((phi[k][l] + difference) * s, 2);
    at_k += std::pow(difference * s, 2);
    if (std::abs(difference * s) > largest) largest = std::abs(difference * s), dominant = static_cast<int>(l);
  }
  const double size = h * std::sqrt(at_k);
  error_lowest = k > 2 ? h * sigma[k - 1] * error_constant[k - 2] * std::sqrt(lowest) : 0;
  error_lower = k > 1 ? h * sigma[k] * error_constant[k - 1] * std::sqrt(lower) : 0;
  error = size * (g[k] - g[k + 1]);
  error_k = size * sigma[k + 1] * error_constant[k];
  const bool lower_is_better =
      k > 2 ? std::max(error_lower, error_lowest) <= error_k : k == 2 && error_lower <= 0.5 * error_k;
  k_new = lower_is_better ? k - 1 : k;
}

// False: y, psi and phi are as after predict().
bool Adams::State::correct() {
  for (std::size_t l = 0; l < y.size(); ++l) corrected[l] = predicted[l] + h * g[k + 1] * (yp[l] - phi[1][l]);
  repair = {};
  if (problem.repairs() && problem.repair(t + h, corrected, weight, repair, *workspace) != Eval::ok) {
    blame = workspace->blame.empty() ? "The projection onto the constraints did not converge." : workspace->blame;
    return false;
  }
  before = yp;
  if (!evaluate(t + h, corrected, yp)) return false;
  watch_stiffness();
  std::swap(y, corrected);
  k_old = k, h_old = h;
  for (std::size_t l = 0; l < y.size(); ++l) {
    phi[k + 1][l] = yp[l] - phi[1][l];
    phi[k + 2][l] = phi[k + 1][l] - phi[k + 2][l];
    for (int i = 1; i <= k; ++i) phi[i][l] += phi[k + 1][l];
  }
  return true;
}

// f at the predicted and at the corrected value tell |lambda|. A step in doubt counts one up or down.
void Adams::State::watch_stiffness() {
  double slope = 0, distance = 0;
  for (std::size_t l = 0; l < y.size(); ++l) {
    slope += std::pow(yp[l] - before[l], 2);
    distance += std::pow(corrected[l] - predicted[l], 2);
  }
  if (stiff_count >= stiff_steps || distance == 0) return;
  const double rate = std::sqrt(slope / distance);
  count_stiffness(h * rate > stability_edge, rate);
}

void Adams::State::count_stiffness(bool at_edge, double rate) {
  if (stiff_count >= stiff_steps) return;
  if (at_edge)
    stiff_rate = stiff_count == 0 ? rate : std::min(stiff_rate, rate);  // tiny corrections give noise: the least counts
  stiff_count = at_edge ? stiff_count + 1 : std::max(stiff_count - 1, 0);
}

// Undoes predict() and what coefficients() did to psi.
void Adams::State::restore() {
  for (int i = 1; i <= k; ++i) {
    for (std::size_t l = 0; l < y.size(); ++l) phi[i][l] = (phi[i][l] - phi[i + 1][l]) / (i <= ns ? 1.0 : beta[i]);
  }
  for (int i = 2; i <= k; ++i) psi[i - 1] = psi[i] - h;
}

void Adams::State::choose_order_and_step() {
  double error_next = error_k;
  int next = k;
  if (k_new == k - 1 || k == options.max_order) growing = false;
  if (growing) {
    next = k + 1;
    error_next = 0;
  } else if (k_new == k - 1) {
    next = k - 1;
    error_next = error_lower;
  } else if (k + 1 <= ns && k < options.max_order) {
    double sum = 0;
    for (std::size_t l = 0; l < y.size(); ++l) {
      if (structure.y[l].in_error_test) sum += std::pow(phi[k + 2][l] * norm * weight[l], 2);
    }
    const double error_higher = h * error_constant[k + 1] * std::sqrt(sum);
    if (k > 1 && error_lower <= std::min(error_k, error_higher)) {
      next = k - 1;
      error_next = error_lower;
    } else if (k > 1 ? error_higher < error_k : error_higher < 0.5 * error_k) {
      next = k + 1;
      error_next = error_higher;
    }
  }
  k = next;
  constexpr double aim = 0.5;
  if (growing || aim >= error_next * std::pow(2.0, k + 1)) {
    h *= 2;
  } else if (aim < error_next) {
    h *= std::clamp(std::pow(aim / error_next, 1.0 / (k + 1)), 0.5, 0.9);
  }
}

Adams::Adams(const OdeProblem& problem, Options options, double t, CSpan y)
    : state_(std::make_unique<State>(problem, options, t, y)) {}
Adams::~Adams() = default;
Adams::Adams(const Adams& other) : state_(std::make_unique<State>(*other.state_)) {}
Adams& Adams::operator=(const Adams& other) { return *this = Adams(other); }
Adams::Adams(Adams&&) noexcept = default;
Adams& Adams::operator=(Adams&&) noexcept = default;

StepResult Adams::step(double t_limit) { return state_->step(t_limit); }
void Adams::restart(Jump, double t, CSpan y) { state_->restart(t, y); }
double Adams::t() const { return state_->t; }
CSpan Adams::y() const { return state_->y; }
CSpan Adams::yp() const { return state_->yp; }
const Cost& Adams::cost() const { return state_->cost; }
bool Adams::is_stiff() const { return state_->stiff_count >= stiff_steps; }
double Adams::stiff_rate() const { return state_->stiff_rate; }
void Adams::forget_stiffness() { state_->stiff_count = 0; }
long Adams::repairs() const { return state_->repairs; }
Workspace& Adams::workspace() { return *state_->workspace; }

// Shampine and Gordon's INTRP: the polynomial through the differences of the last step, from its end.
void Adams::interpolate(double at, Span y_at, Span yp_at) const {
  const State& s = *state_;
  const double back = at - s.t;
  const int ki = s.k_old + 1;
  std::array<double, highest + 3> w{}, g{}, rho{};
  for (int i = 1; i <= ki; ++i) w[i] = 1.0 / i;
  g[1] = rho[1] = 1;
  double term = 0;
  for (int j = 2; j <= ki; ++j) {
    const double psi = s.psi[j - 1], gamma = (back + term) / psi, eta = back / psi;
    for (int i = 1; i <= ki + 1 - j; ++i) w[i] = gamma * w[i] - eta * w[i + 1];
    g[j] = w[1], rho[j] = gamma * rho[j - 1], term = psi;
  }
  for (std::size_t l = 0; l < y_at.size(); ++l) {
    double value = 0, slope = 0;
    for (int i = ki; i >= 1; --i) value += g[i] * s.phi[i][l], slope += rho[i] * s.phi[i][l];
    y_at[l] = back == 0 || s.k_old == 0 ? s.end[l] : s.end[l] + back * value;
    if (!yp_at.empty()) yp_at[l] = back == 0 || s.k_old == 0 ? s.yp[l] : slope;
  }
}

}  // namespace skyhook::integrator
