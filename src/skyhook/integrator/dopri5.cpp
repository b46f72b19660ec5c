#include "skyhook/integrator/dopri5.h"

#include <array>
#include <cassert>
#include <limits>
#include <vector>

#include "skyhook/integrator/common.h"
#include "skyhook/integrator/dormand_prince.h"
#include "skyhook/integrator/quintic_bend.h"

namespace skyhook::integrator {
namespace {

using namespace dormand_prince;

constexpr double safety = 0.9, smallest_factor = 0.2, largest_factor = 10.0, beta = 0.04;  // beta: PI control
constexpr double exponent = 0.2 - 0.75 * beta;
constexpr int stiff_steps = 15;

}  // namespace

struct Dopri5::State {
  State(const OdeProblem& p, Options o, double t0, CSpan y0);
  StepResult step(double t_limit);
  bool evaluate(double at, CSpan y_at, Span k);
  void restart(double at, CSpan y_at);
  bool begin(double t_limit);
  bool attempt();
  void combine(std::size_t stage);
  void measure_error();
  void watch_stiffness();
  StepResult accepted(double t_limit, const Reach& reach);
  StepResult failed() const;
  void keep_for_interpolation();
  void refine();
  double plain(std::size_t i, double x) const;
  double plain_slope(std::size_t i, double x) const;
  Cubic cubic(std::size_t i) const;

  const OdeProblem& problem;
  const Structure& structure;
  Options options;
  Boxed<Workspace> workspace;
  Cost cost;
  std::string blame;
  double t, h = 0;
  std::vector<double> y, y_new, y_stage, weight;
  std::array<std::vector<double>, stages> k;
  std::array<std::vector<double>, 5> dense;
  double dense_t = 0, dense_h = 0;
  std::vector<Bend> bend;
  enum class Refined { not_asked, yes, no };
  Refined refined = Refined::not_asked;  // the dense output of the last step
  double err = 1, err_before = 1e-4;
  bool has_slope = false, rejected = false;
  int dominant = -1, stiff_count = 0, mild_count = 0;
  double stiff_rate = 0, edge = 0;  // h |lambda| of the last step
  long repairs = 0;
  Repair repair;
  StepAfterJump after_jump;
};

Dopri5::State::State(const OdeProblem& p, Options o, double t0, CSpan y0)
    : problem(p), structure(p.structure()), options(o), workspace(p.workspace()), t(t0), y(y0.begin(), y0.end()) {
  assert(static_cast<int>(y.size()) == structure.size());
  y_new = y_stage = weight = y;
  for (auto& v : k) v.assign(y.size(), 0.0);
  for (auto& v : dense) v.assign(y.size(), 0.0);
  bend.resize(y.size());
}

bool Dopri5::State::evaluate(double at, CSpan y_at, Span slope) {
  return checked_rhs(problem, at, y_at, slope, *workspace, cost, blame) == Eval::ok;
}

void Dopri5::State::restart(double at, CSpan y_at) {
  const Stopwatch stopwatch(cost.seconds);
  t = at, dense_h = 0, rejected = false, h = after_jump.at_restart(h);
  std::copy(y_at.begin(), y_at.end(), y.begin());
  has_slope = evaluate(t, y, k[0]);  // if not, the next step tells why
}

// The slope at the start, and the first step size from it.
bool Dopri5::State::begin(double t_limit) {
  has_slope = has_slope || evaluate(t, y, k[0]);
  if (h > 0 || !has_slope) return has_slope;
  h = first_step(structure, y, k[0], {options.initial_step, options.relative_tolerance, t_limit - t, 1e-2});
  h = std::max(h, least_step(t, options));
  return true;
}

StepResult Dopri5::State::failed() const {
  return {.status = StepStatus::failed, .t = t, .h = h, .reason = too_small_a_step(h, t, blame)};
}

StepResult Dopri5::State::step(double t_limit) {
  assert(t_limit >= t - rounding(t));
  if (t_limit - t <= rounding(t_limit)) return {.status = StepStatus::reached_limit, .t = t_limit, .reason = {}};
  const Stopwatch stopwatch(cost.seconds);
  blame.clear();
  if (!begin(t_limit)) return failed();
  for (std::size_t i = 0; i < y.size(); ++i) weight[i] = error_weight(structure.y[i], y[i], h, options);
  return try_until_good(*this, t_limit, safety, smallest_factor);
}

void Dopri5::State::combine(std::size_t stage) {
  Span out = stage == stages - 1 ? Span(y_new) : Span(y_stage);
  for (std::size_t i = 0; i < y.size(); ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < stage; ++j) sum += a[stage][j] * k[j][i];
    out[i] = y[i] + h * sum;
  }
}

// False: something could not be evaluated on the way.
bool Dopri5::State::attempt() {
  for (std::size_t stage = 1; stage < stages - 1; ++stage) {
    combine(stage);
    if (!evaluate(t + c[stage] * h, y_stage, k[stage])) return false;
  }
  combine(stages - 1);  // y_stage keeps the sixth stage, which the test for stiffness needs
  repair = {};
  if (problem.repairs() && problem.repair(t + h, y_new, weight, repair, *workspace) != Eval::ok) {
    blame = workspace->blame.empty() ? "The projection onto the constraints did not converge." : workspace->blame;
    return false;
  }
  if (!evaluate(t + h, y_new, k[stages - 1])) return false;
  measure_error();
  return true;
}

void Dopri5::State::measure_error() {
  double sum = 0, largest = 0;
  dominant = -1;
  int tested = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (!structure.y[i].in_error_test) continue;
    double difference = 0;
    for (std::size_t j = 0; j < stages; ++j) difference += e[j] * k[j][i];
    const double size = std::abs(h * difference) * weight[i];
    if (size > largest) largest = size, dominant = static_cast<int>(i);
    sum += size * size, ++tested;
  }
  err = std::max(tested > 0 ? std::sqrt(sum / tested) : 0.0, 1e-12);  // a NaN stays one
}

// Hairer's test: an estimate of h |lambda| from the last two stages, beyond the stability bound fifteen times.
void Dopri5::State::watch_stiffness() {
  double slope = 0, distance = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    slope += (k[6][i] - k[5][i]) * (k[6][i] - k[5][i]);
    distance += (y_new[i] - y_stage[i]) * (y_new[i] - y_stage[i]);
  }
  edge = distance > 0 ? h * std::sqrt(slope / distance) : 0.0;
  if (edge > stability_bound) {
    ++stiff_count, mild_count = 0, stiff_rate = edge / h;
  } else if (stiff_count < stiff_steps && ++mild_count == 6) {
    stiff_count = 0;
  }
}

void Dopri5::State::keep_for_interpolation() {
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double change = y_new[i] - y[i], begin = h * k[0][i] - change;
    dense[0][i] = y[i];
    dense[1][i] = change;
    dense[2][i] = begin;
    dense[3][i] = change - h * k[6][i] - begin;
    double sum = 0;
    for (std::size_t j = 0; j < stages; ++j) sum += d[j] * k[j][i];
    dense[4][i] = h * sum;
  }
  dense_t = t, dense_h = h, refined = Refined::not_asked;
}

StepResult Dopri5::State::accepted(double t_limit, const Reach& reach) {
  watch_stiffness();
  keep_for_interpolation();
  const double done = h;
  ++cost.steps;
  if (repair.iterations > 0) ++repairs;
  cost.factorisations = problem.factorisations(*workspace);
  t = reach.at_limit ? t_limit : t + h;
  std::swap(y, y_new);
  std::swap(k[0], k[stages - 1]);
  double factor = safety * std::pow(err, -exponent) * std::pow(err_before, beta);
  factor = std::clamp(factor, smallest_factor, rejected ? 1.0 : largest_factor);
  err_before = std::max(err, 1e-4), rejected = false;
  h *= factor;
  if (reach.at_limit) h = std::max(h, reach.wanted);
  after_jump.accepted(h);
  if (problem.accepted(t, y, *workspace)) has_slope = false;
  return {.status = reach.at_limit ? StepStatus::reached_limit : StepStatus::ok,
          .t = t,
          .h = done,
          .order = 5,
          .dominant = dominant,
          .reason = {}};
}

Dopri5::Dopri5(const OdeProblem& problem, Options options, double t, CSpan y)
    : state_(std::make_unique<State>(problem, options, t, y)) {}
Dopri5::~Dopri5() = default;
Dopri5::Dopri5(const Dopri5& other) : state_(std::make_unique<State>(*other.state_)) {}
Dopri5& Dopri5::operator=(const Dopri5& other) { return *this = Dopri5(other); }
Dopri5::Dopri5(Dopri5&&) noexcept = default;
Dopri5& Dopri5::operator=(Dopri5&&) noexcept = default;

StepResult Dopri5::step(double t_limit) { return state_->step(t_limit); }
void Dopri5::restart(Jump, double t, CSpan y) { state_->restart(t, y); }
double Dopri5::t() const { return state_->t; }
CSpan Dopri5::y() const { return state_->y; }
CSpan Dopri5::yp() const { return state_->k[0]; }
const Cost& Dopri5::cost() const { return state_->cost; }
bool Dopri5::is_stiff() const { return state_->stiff_count >= stiff_steps; }
double Dopri5::stiff_rate() const { return state_->stiff_rate; }
void Dopri5::forget_stiffness() { state_->stiff_count = 0; }
long Dopri5::repairs() const { return state_->repairs; }
Workspace& Dopri5::workspace() { return *state_->workspace; }

void Dopri5::refine() { state_->refine(); }

// ---- between steps

double Dopri5::State::plain(std::size_t i, double x) const {
  const double z = 1 - x;
  return dense[0][i] + x * (dense[1][i] + z * (dense[2][i] + x * (dense[3][i] + z * dense[4][i])));
}

double Dopri5::State::plain_slope(std::size_t i, double x) const {
  const double z = 1 - x, inner = dense[3][i] + z * dense[4][i], middle = dense[2][i] + x * inner;
  return dense[1][i] + z * middle + x * (-middle + z * (inner - x * dense[4][i]));
}

Cubic Dopri5::State::cubic(std::size_t i) const {
  const double end = dense[0][i] + dense[1][i], slope = dense[1][i] + dense[2][i];
  return {{dense[0][i], slope}, {end, dense[1][i] - dense[2][i] - dense[3][i]}};
}

// Stages are free until the next step. Where accepted() has rewritten y, the equations are no longer those of the last step.
void Dopri5::State::refine() {
  if (refined != Refined::not_asked || dense_h == 0) return;
  const Stopwatch stopwatch(cost.seconds);
  refined = Refined::no;
  if (!has_slope || edge > most_amplified) return;
  for (std::size_t p = 0; p < 2; ++p) {
    for (std::size_t i = 0; i < y.size(); ++i) y_stage[i] = plain(i, inner_points[p]);
    if (!evaluate(dense_t + inner_points[p] * dense_h, y_stage, k[1 + p])) return;
  }
  for (std::size_t i = 0; i < y.size(); ++i) bend[i] = Bend(cubic(i), dense_h * k[1][i], dense_h * k[2][i]);
  refined = Refined::yes;
}

void Dopri5::interpolate(double at, Span y_at, Span yp_at) const {
  const State& s = *state_;
  const double x = s.dense_h > 0 ? (at - s.dense_t) / s.dense_h : 0.0;
  const bool refined = s.refined == State::Refined::yes;
  for (std::size_t i = 0; i < y_at.size(); ++i) {
    if (s.dense_h == 0 || (at == s.t && s.has_slope)) {  // without a slope y is of another chart than the last step
      y_at[i] = s.y[i];
      if (!yp_at.empty()) yp_at[i] = s.k[0][i];
      continue;
    }
    y_at[i] = refined ? s.cubic(i).value(x) + s.bend[i].value(x) : s.plain(i, x);
    if (!yp_at.empty())
      yp_at[i] = (refined ? s.cubic(i).slope(x) + s.bend[i].slope(x) : s.plain_slope(i, x)) / s.dense_h;
  }
}

}  // namespace skyhook::integrator
