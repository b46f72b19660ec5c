#include "skyhook/integrator/hem5.h"

#include <array>
#include <cassert>
#include <limits>
#include <vector>

#include "skyhook/integrator/common.h"
#include "skyhook/integrator/quintic_bend.h"
#include "skyhook/math/klu.h"

namespace skyhook::integrator {
namespace {

// Brasey's coefficients (thesis, Geneva 1994), as in her program hem5.f; all order conditions up to 5 hold to 4e-14. The last row is b.
constexpr std::size_t stages = 8;
constexpr double c[stages + 1] = {0, 0.1, 0.15, 0.3614787346573635, 0.08535584335486351, 0.5, 0.8, 1, 1};
constexpr double a[stages + 1][stages] = {
    {},
    {0.1},
    {0.03749999999999999, 0.1125},
    {0.3222169236216038, -1.188883322987607, 1.228145134023366},
    {-0.03501123898129943, 0.3725420601086163, -0.2721053535582034, 0.01993037578575077},
    {-0.5576547055042005, 1.367307289645883, -1.732236360460725, 0.4587772007467548, 0.963806575572288},
    {0.08654517193566155, -0.08810082847945416, 0.1981275547329404, -0.4645422679331083, 0.1615170091109488,
     0.9064533606330119},
    {0, 0, 0, 3.624477248753816, -0.4617724189181256, -3.198024628164272, 1.03531979832874},
    {0, 0, 0, 0.2467760667636791, 0.2106594087489728, 0.1769218149125021, 0.3064446444147922, 0.05919806516005373}};
constexpr double safety = 0.85, smallest_factor = 0.2, largest_factor = 10.0;
constexpr int most_iterations = 10;
constexpr double stability_bound = 3.0;  // h |lambda|; by the coefficients 3.25 for real lambda < 0
constexpr int stiff_steps = 15, mild_steps = 6;
constexpr double blind_first_step = 1e-6;  // of the time to go, where y' at the start cannot be had

// The polynomial of degree 5 with given position, rate and acceleration at both ends of a step, over s in [0, 1].
struct Quintic {
  double c[6];
  Quintic(const std::array<double, 3>& from, const std::array<double, 3>& to, double h) {
    const double v0 = h * from[1], a0 = h * h * from[2], v1 = h * to[1], a1 = h * h * to[2];
    const double dx = to[0] - from[0] - v0 - a0 / 2, dv = v1 - v0 - a0, da = a1 - a0;
    c[0] = from[0], c[1] = v0, c[2] = a0 / 2;
    c[3] = 10 * dx - 4 * dv + da / 2, c[4] = -15 * dx + 7 * dv - da, c[5] = 6 * dx - 3 * dv + da / 2;
  }
  double value(double s) const { return c[0] + s * (c[1] + s * (c[2] + s * (c[3] + s * (c[4] + s * c[5])))); }
};

}  // namespace

struct Hem5::State {
  State(const MechanicalProblem& p, Options o, double t0, CSpan y0);
  StepResult step(double t_limit);
  void restart(double at, CSpan y_at);
  bool attempt();
  bool evaluate_force(double at, CSpan q, CSpan v, MechanicalTerms& terms);
  bool factor(const MechanicalTerms& here, const MechanicalTerms& next);
  bool solve_stage(std::size_t i);
  void combine(std::size_t stage);
  bool project();
  void measure_error();
  StepResult accepted(double t_limit, const Reach& reach);
  StepResult failed() const;
  void watch_stiffness();
  double guess_step(double span);
  bool fill_derivative(double at, CSpan y_at, Span yp_at) const;
  bool know_slopes();
  void interpolate(double at, Span y_at, Span yp_at);
  void quintic(double x, Span y_at);
  void cubic(double x, Span y_at) const;
  void refine();
  Cubic between(std::size_t i) const;

  const MechanicalProblem& problem;
  const MechanicalSizes sizes;
  const Structure& structure;
  Options options;
  Boxed<Workspace> workspace;
  std::size_t nq, nv, ng;
  Csc matrix;
  std::vector<int> mass_at, lower_at, upper_at;
  Klu lu;
  Cost cost;
  std::string blame;

  double t, h = 0, err = 1;
  std::vector<double> y, y_before, y_new, weight, right;
  std::array<std::vector<double>, stages + 1> stage;  // (Q, V)
  std::array<std::vector<double>, stages> slope;      // (Q', V')
  MechanicalTerms here, next, at_start;
  bool has_start = false, rejected = false;
  double t_before;  // t: there has been no step yet, or none since a restart
  // y' at both ends of the last step, when asked for.
  std::vector<double> slope_now, slope_before;
  enum class Known { not_asked, yes, no };
  Known now_known = Known::not_asked, before_known = Known::not_asked;
  std::array<std::vector<double>, 3> scratch;
  std::vector<Bend> bend;  // of velocities
  Known bend_known = Known::not_asked;
  int dominant = -1, stiff_count = 0, mild_count = 0;
  double stiff_rate = 0, edge = 0;  // h |lambda| of the last step
  long projections = 0;
  StepAfterJump after_jump;
};

Hem5::State::State(const MechanicalProblem& p, Options o, double t0, CSpan y0)
    : problem(p),
      sizes(p.sizes()),
      structure(p.structure()),
      options(o),
      workspace(p.workspace()),
      nq(static_cast<std::size_t>(sizes.nq)),
      nv(static_cast<std::size_t>(sizes.nv)),
      ng(static_cast<std::size_t>(sizes.ng)),
      matrix([&] {
        PatternBuilder builder(sizes.nv + sizes.ng, sizes.nv + sizes.ng);
        for (int j = 0; j < sizes.nv; ++j) {
          for (int k = sizes.mass->start[j]; k < sizes.mass->start[j + 1]; ++k) builder.add(sizes.mass->row[k], j);
          for (int k = sizes.constraints->start[j]; k < sizes.constraints->start[j + 1]; ++k) {
            builder.add(sizes.nv + sizes.constraints->row[k], j);
            builder.add(j, sizes.nv + sizes.constraints->row[k]);
          }
        }
        return Csc(std::make_shared<const Pattern>(builder.build()));
      }()),
      lu(matrix.pattern),
      t(t0),
      y(y0.begin(), y0.end()),
      here(sizes),
      next(sizes),
      at_start(sizes),
      t_before(t0) {
  assert(y.size() == nq + nv);
  for (int j = 0; j < sizes.nv; ++j) {
    for (int k = sizes.mass->start[j]; k < sizes.mass->start[j + 1]; ++k)
      mass_at.push_back(matrix.pattern->find(sizes.mass->row[k], j));
    for (int k = sizes.constraints->start[j]; k < sizes.constraints->start[j + 1]; ++k) {
      lower_at.push_back(matrix.pattern->find(sizes.nv + sizes.constraints->row[k], j));
      upper_at.push_back(matrix.pattern->find(j, sizes.nv + sizes.constraints->row[k]));
    }
  }
  y_before = y_new = weight = slope_now = slope_before = y;
  right.resize(nv + ng);
  for (auto& x : scratch) x.resize(nq);
  bend.resize(nv);
  for (auto& x : stage) x = y;
  for (auto& x : slope) x.assign(y.size(), 0.0);
}

bool Hem5::State::evaluate_force(double at, CSpan q, CSpan v, MechanicalTerms& terms) {
  ++cost.residuals;
  workspace->blame.clear();
  if (problem.force(at, q, v, terms, *workspace) == Eval::ok) {
    const auto bad = std::find_if(terms.force.begin(), terms.force.end(), [](double f) { return !std::isfinite(f); });
    if (bad == terms.force.end()) return true;
    blame = "The force on " + structure.y[nq + static_cast<std::size_t>(bad - terms.force.begin())].name +
            " is not a finite number.";
    return false;
  }
  blame = workspace->blame.empty() ? "The equations could not be evaluated." : workspace->blame;
  return false;
}

// M and G^T of one place, G of another.
bool Hem5::State::factor(const MechanicalTerms& of_stage, const MechanicalTerms& ahead) {
  for (std::size_t k = 0; k < mass_at.size(); ++k) matrix.value[mass_at[k]] = of_stage.mass.value[k];
  for (std::size_t k = 0; k < lower_at.size(); ++k) {
    matrix.value[lower_at[k]] = ahead.constraints.value[k];
    matrix.value[upper_at[k]] = of_stage.constraints.value[k];
  }
  ++cost.factorisations;
  if (lu.factor(matrix.value)) return true;
  blame = "The constraints do not determine the motion here (singular position).";
  return false;
}

// y0 + h sum a slope, what is known of it.
void Hem5::State::combine(std::size_t i) {
  for (std::size_t l = 0; l < y.size(); ++l) {
    double sum = 0;
    for (std::size_t j = 0; j < i; ++j) sum += a[i][j] * slope[j][l];
    stage[i][l] = y[l] + h * sum;
  }
}

// V_i' such that the velocity constraints hold at stage i + 1. Matrices and forces of each stage are evaluated once: the
// matrices of stage i + 1 here, its forces when its velocities are known. `next` is left at the end of the step.
bool Hem5::State::solve_stage(std::size_t i) {
  const CSpan Q(stage[i].data(), nq), V(stage[i].data() + nq, nv);
  problem.kinematics(Q, V, Span(slope[i]).first(nq));
  std::fill(slope[i].begin() + static_cast<long>(nq), slope[i].end(), 0.0);
  combine(i + 1);  // positions are final, velocities lack this stage's part
  const CSpan Q_next(stage[i + 1].data(), nq), V_known(stage[i + 1].data() + nq, nv);
  problem.matrices(t + c[i + 1] * h, Q_next, V_known, next, *workspace);
  const double share = h * a[i + 1][i];
  for (std::size_t l = 0; l < nv; ++l) right[l] = here.force[l];
  for (std::size_t k = 0; k < ng; ++k) right[nv + k] = -next.velocity[k] / share;
  if (!factor(here, next)) return false;
  lu.solve_refined(right);
  for (std::size_t l = 0; l < nv; ++l) {
    slope[i][nq + l] = right[l];
    stage[i + 1][nq + l] += share * right[l];
  }
  if (i + 1 == stages) return true;
  std::swap(here, next);
  return evaluate_force(t + c[i + 1] * h, Q_next, CSpan(stage[i + 1].data() + nq, nv), here);
}

bool Hem5::State::attempt() {
  stage[0] = y;
  if (!has_start) {
    const CSpan q = CSpan(y).first(nq), v = CSpan(y).subspan(nq);
    problem.matrices(t, q, v, at_start, *workspace);
    if (!evaluate_force(t, q, v, at_start)) return false;
  }
  has_start = true;
  here = at_start;
  for (std::size_t i = 0; i < stages; ++i) {
    if (!solve_stage(i)) return false;
  }
  measure_error();
  if (!(err <= 1)) return true;
  y_new = stage[stages];
  return project();
}

// Quaternions to size 1; the positions, nearest in the mass metric; then the velocities, whose constraints have moved by as little.
bool Hem5::State::project() {
  const Span q = Span(y_new).first(nq), v = Span(y_new).subspan(nq);
  if (problem.normalise(q)) problem.matrices(t + h, q, v, next, *workspace);
  if (ng == 0) return evaluate_force(t + h, q, v, next);
  if (!factor(next, next)) return false;
  double last = 0;
  for (int n = 0; n < most_iterations; ++n) {
    if (n > 0) problem.matrices(t + h, q, v, next, *workspace);
    std::fill(right.begin(), right.begin() + static_cast<long>(nv), 0.0);
    for (std::size_t k = 0; k < ng; ++k) right[nv + k] = -next.position[k];
    lu.solve_refined(right);
    problem.plus(q, CSpan(right).first(nv));
    double size = 0;
    for (std::size_t l = 0; l < nv; ++l) size = std::max(size, std::abs(right[l]));
    if (size < 1e-12 || (n > 1 && size > 0.5 * last && size < 1e-9)) break;
    if (n + 1 == most_iterations) {
      blame = "The projection onto the position constraints did not converge.";
      return false;
    }
    last = size;
  }
  problem.matrices(t + h, q, v, next, *workspace);
  std::fill(right.begin(), right.begin() + static_cast<long>(nv), 0.0);
  for (std::size_t k = 0; k < ng; ++k) right[nv + k] = -next.velocity[k];
  lu.solve_refined(right);
  for (std::size_t l = 0; l < nv; ++l) v[l] += right[l];
  ++projections;
  return evaluate_force(t + h, q, v, next);
}

// Two embedded solutions of low order; the product of their errors estimates one of high order (Brasey).
void Hem5::State::measure_error() {
  double first = 0, second = 0, largest = 0;
  dominant = -1;
  for (std::size_t l = 0; l < y.size(); ++l) {
    const double end = stage[stages][l];
    const double e1 = (end - stage[stages - 1][l]) * weight[l];
    const double e2 = (end - y[l] - h * (2.5 * slope[6][l] - 1.5 * slope[7][l])) * weight[l];
    if (std::abs(e1) > largest) largest = std::abs(e1), dominant = static_cast<int>(l);
    first += e1 * e1, second += e2 * e2;
  }
  const double n = static_cast<double>(y.size());
  first = std::sqrt(first / n), second = std::sqrt(second / n);
  err = first == 0 ? 1e-10 : std::max(first * first / (first + 0.01 * second), 1e-10);  // a NaN stays one
}

StepResult Hem5::State::failed() const {
  return {.status = StepStatus::failed, .t = t, .h = h, .reason = too_small_a_step(h, t, blame)};
}

StepResult Hem5::State::step(double t_limit) {
  assert(t_limit >= t - rounding(t));
  if (t_limit - t <= rounding(t_limit)) return {.status = StepStatus::reached_limit, .t = t_limit, .reason = {}};
  const Stopwatch stopwatch(cost.seconds);
  blame.clear();
  if (h == 0) h = std::max(guess_step(t_limit - t), least_step(t, options));
  for (std::size_t i = 0; i < y.size(); ++i) weight[i] = error_weight(structure.y[i], y[i], h, options);
  return try_until_good(*this, t_limit, safety, smallest_factor);
}

void Hem5::State::restart(double at, CSpan y_at) {
  t = t_before = at;
  std::copy(y_at.begin(), y_at.end(), y.begin());
  has_start = rejected = false, now_known = bend_known = Known::not_asked, h = after_jump.at_restart(h);
}

double Hem5::State::guess_step(double span) {
  if (options.initial_step == 0 && !fill_derivative(t, y, slope_now)) return blind_first_step * span;
  return first_step(structure, y, slope_now, {options.initial_step, options.relative_tolerance, span, 1e-2});
}

// Hairer's test, as in dopri5: h |lambda| from the last stage and the end value, both at the end of the step. The
// change of the accelerations is what the matrix of the projection (without constraints: of the last stage) makes of
// that of the forces.
void Hem5::State::watch_stiffness() {
  for (std::size_t l = 0; l < nv; ++l) right[l] = next.force[l] - here.force[l];
  std::fill(right.begin() + static_cast<long>(nv), right.end(), 0.0);
  lu.solve(right);
  double slopes = 0, distance = 0;
  for (std::size_t l = 0; l < y.size(); ++l) {
    const double change = y_new[l] - stage[stages - 1][l];
    distance += change * change;
    if (l >= nq) slopes += change * change + right[l - nq] * right[l - nq];
  }
  edge = distance > 0 ? h * std::sqrt(slopes / distance) : 0.0;
  if (edge > stability_bound) {
    ++stiff_count, mild_count = 0, stiff_rate = edge / h;
  } else if (stiff_count < stiff_steps && ++mild_count == mild_steps) {
    stiff_count = mild_count = 0;
  }
}

StepResult Hem5::State::accepted(double t_limit, const Reach& reach) {
  watch_stiffness();
  const double done = h;
  ++cost.steps;
  t_before = t;
  std::swap(slope_before, slope_now);
  before_known = now_known, now_known = bend_known = Known::not_asked;
  t = reach.at_limit ? t_limit : t + h;
  std::swap(y_before, y);
  std::swap(y, y_new);
  std::swap(at_start, next);
  h *= std::clamp(safety * std::pow(err, -0.2), smallest_factor, rejected ? 1.0 : largest_factor);
  rejected = false;
  if (reach.at_limit) h = std::max(h, reach.wanted);
  after_jump.accepted(h);
  return {.status = reach.at_limit ? StepStatus::reached_limit : StepStatus::ok,
          .t = t,
          .h = done,
          .order = 5,
          .dominant = dominant,
          .reason = {}};
}

// False: the accelerations there are not known.
bool Hem5::State::fill_derivative(double at, CSpan y_at, Span yp_at) const {
  problem.kinematics(y_at.first(nq), y_at.subspan(nq), yp_at.first(nq));
  const Span vdot = yp_at.subspan(nq);
  return problem.accelerations(at, y_at.first(nq), y_at.subspan(nq), vdot, *workspace) == Eval::ok &&
         std::all_of(vdot.begin(), vdot.end(), [](double x) { return std::isfinite(x); });
}

// ---- between steps

// y' at both ends of the last step. False: not both can be had.
bool Hem5::State::know_slopes() {
  const auto known = [](bool found) { return found ? Known::yes : Known::no; };
  if (now_known == Known::not_asked) now_known = known(fill_derivative(t, y, slope_now));
  if (before_known == Known::not_asked) before_known = known(fill_derivative(t_before, y_before, slope_before));
  return now_known == Known::yes && before_known == Known::yes;
}

void Hem5::State::interpolate(double at, Span y_at, Span yp_at) {
  const double length = t - t_before;
  if (length == 0 || at == t) {
    std::copy(y.begin(), y.end(), y_at.begin());
  } else if (know_slopes()) {
    quintic((at - t_before) / length, y_at);
  } else {
    cubic((at - t_before) / length, y_at);
  }
  if (yp_at.empty() || fill_derivative(at, y_at, yp_at)) return;
  for (std::size_t l = 0; l < nv; ++l) yp_at[nq + l] = length > 0 ? (y[nq + l] - y_before[nq + l]) / length : 0.0;
}

// q, q' and q'' at both ends; q'' = H(q) v' + (H(q') - H(0)) v since H is affine in q. Velocities: v and v' at both
// ends.
void Hem5::State::quintic(double x, Span y_at) {
  const double length = t - t_before;
  auto& [from, to, term] = scratch;
  const auto second = [&](CSpan z, CSpan zp, Span out) {
    problem.kinematics(zp.first(nq), z.subspan(nq), out);
    problem.kinematics(z.first(nq), zp.subspan(nq), term);
    for (std::size_t i = 0; i < nq; ++i) out[i] += term[i];
    std::fill(y_at.begin(), y_at.begin() + static_cast<long>(nq), 0.0);
    problem.kinematics(y_at.first(nq), z.subspan(nq), term);
    for (std::size_t i = 0; i < nq; ++i) out[i] -= term[i];
  };
  second(y_before, slope_before, from);
  second(y, slope_now, to);
  for (std::size_t i = 0; i < nq; ++i)
    y_at[i] = Quintic({y_before[i], slope_before[i], from[i]}, {y[i], slope_now[i], to[i]}, length).value(x);
  for (std::size_t i = nq; i < y.size(); ++i)
    y_at[i] = between(i).value(x) + (bend_known == Known::yes ? bend[i - nq].value(x) : 0.0);
}

Cubic Hem5::State::between(std::size_t i) const {
  const double length = t - t_before;
  return {{y_before[i], length * slope_before[i]}, {y[i], length * slope_now[i]}};
}

// Twice: the cubic of the velocities is of order 3 only. Stages are free until the next step.
void Hem5::State::refine() {
  const double length = t - t_before;
  if (bend_known != Known::not_asked || length == 0) return;
  const Stopwatch stopwatch(cost.seconds);
  bend_known = Known::no;
  if (edge > most_amplified || !know_slopes()) return;
  std::fill(bend.begin(), bend.end(), Bend());
  for (int round = 0; round < 2; ++round) {
    for (std::size_t p = 0; p < 2; ++p) {
      quintic(inner_points[p], stage[0]);
      if (!fill_derivative(t_before + inner_points[p] * length, stage[0], slope[p]))
        return void(bend_known = Known::no);
    }
    for (std::size_t l = 0; l < nv; ++l)
      bend[l] = Bend(between(nq + l), length * slope[0][nq + l], length * slope[1][nq + l]);
    bend_known = Known::yes;
  }
}

// Without accelerations; the slopes of the positions are known whether the rest is or not.
void Hem5::State::cubic(double x, Span y_at) const {
  for (std::size_t i = 0; i < nq; ++i) y_at[i] = between(i).value(x);
  for (std::size_t i = nq; i < y.size(); ++i) y_at[i] = y_before[i] + x * (y[i] - y_before[i]);
}

Hem5::Hem5(const MechanicalProblem& problem, Options options, double t, CSpan y)
    : state_(std::make_unique<State>(problem, options, t, y)) {}
Hem5::~Hem5() = default;
Hem5::Hem5(const Hem5& other) : state_(std::make_unique<State>(*other.state_)) {}
Hem5& Hem5::operator=(const Hem5& other) { return *this = Hem5(other); }
Hem5::Hem5(Hem5&&) noexcept = default;
Hem5& Hem5::operator=(Hem5&&) noexcept = default;

StepResult Hem5::step(double t_limit) { return state_->step(t_limit); }
void Hem5::interpolate(double t, Span y, Span yp) const { state_->interpolate(t, y, yp); }
void Hem5::refine() { state_->refine(); }
void Hem5::restart(Jump, double t, CSpan y) { state_->restart(t, y); }
double Hem5::t() const { return state_->t; }
CSpan Hem5::y() const { return state_->y; }
const Cost& Hem5::cost() const { return state_->cost; }
long Hem5::repairs() const { return state_->projections; }
double Hem5::stiff_rate() const { return state_->stiff_rate; }
void Hem5::forget_stiffness() { state_->stiff_count = 0; }
bool Hem5::is_stiff() const { return state_->stiff_count >= stiff_steps; }

}  // namespace skyhook::integrator
