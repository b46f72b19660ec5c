#include "skyhook/integrator/radau5.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include "skyhook/integrator/radau5_state.h"

namespace skyhook::integrator {
namespace {

using namespace radau_iia;

constexpr int most_iterations = 7;
constexpr double safety = 0.9, smallest_factor = 0.2, largest_factor = 8.0;
constexpr double equal_steps = 1e-6;       // steps from sample to sample differ by the rounding of t
constexpr double good_contraction = 1e-3;  // below it the Jacobian is kept
constexpr double rounding_of_stages = 1e-13;
constexpr double little_rounding = 0.1;    // times the tolerance, multipliers included
constexpr double clear_of_rounding = 0.3;  // errors below it grow steps whatever part of them is rounding
// Times the tolerance. A step that began on the manifold has left it by no more than its error, which the test has just
// found below one tolerance. What needs more has been led astray, as Newton's method is at singular positions.
constexpr double largest_repair = 1;

}  // namespace

Radau5::State::State(const DaeProblem& p, Options o, double t0, CSpan y0, CSpan yp0)
    : problem(p),
      structure(p.structure()),
      options(o),
      workspace(p.workspace()),
      dF_dy(structure.pattern),
      dF_dyp(structure.pattern),
      real_matrix(dF_dy.value.size()),
      real(structure.pattern),
      complex(structure.pattern),
      t(t0),
      y(y0.begin(), y0.end()),
      yp(yp0.begin(), yp0.end()),
      right_complex(y.size()) {
  assert(static_cast<int>(y.size()) == structure.size() && yp.size() == y.size());
  for (auto* all : {&Z, &Zp, &F, &W, &poly}) {
    for (auto& v : *all) v.assign(y.size(), 0.0);
  }
  for (auto* v : {&y_end, &weight, &right, &trial, &stage, &moved}) v->assign(y.size(), 0.0);
  const double tolerance = std::max(options.relative_tolerance, 1e-15);
  kappa = options.kappa > 0 ? options.kappa : std::max(1e-15 / tolerance, std::min(0.03, std::sqrt(tolerance)));
  noise = rounding_of_stages / tolerance;
  bearable = std::min(largest_rounding, nothing_but_rounding / tolerance);
}

// ---- the step

StepResult Radau5::State::step(double t_limit) {
  assert(t_limit >= t - rounding(t));
  if (t_limit - t <= rounding(t_limit)) return {.status = StepStatus::reached_limit, .t = t_limit, .reason = {}};
  const Stopwatch stopwatch(cost.seconds);
  if (h == 0) {
    h = first_step(structure, y, yp, {options.initial_step, options.relative_tolerance, t_limit - t, 1e-2});
    h = std::max(h, least_step(t, options));
  }
  blame.clear(), stalled = unknown_size, h_rejected = 0;
  while (!is_too_small(h, t, t_limit, options)) {
    const auto [wanted, at_limit] = reach_of(h, t, t_limit, options);
    set_weights();
    const Attempt outcome = attempt();
    if (outcome == Attempt::good) return accepted(t_limit, at_limit, wanted);
    if (outcome == Attempt::error_too_large) {
      ++cost.error_test_failures;
      if (blame != below_rounding) blame.clear();
      if (h_rejected == 0) h_rejected = h, err_rejected = err;
      h *= cost.steps == 0 ? 0.1 : std::clamp(safety * std::pow(err, -0.25), smallest_factor, 0.9);
    } else {
      ++cost.newton_failures;
      h *= 0.5;
    }
    rejected = true;
  }
  if (blame.empty()) blame = why_error_stays();
  return {.status = StepStatus::failed, .t = t, .h = h, .reason = too_small_a_step(h, t, blame)};
}

Radau5::State::Attempt Radau5::State::attempt() {
  if (!prepare_matrices()) return Attempt::not_solved;
  predict();
  if (!solve_stages()) {
    if (!jacobian_is_new) has_jacobian = false;
    return Attempt::not_solved;
  }
  estimate_error();
  if (!std::isfinite(err)) {
    blame = no_error;
    return Attempt::not_solved;
  }
  if (err < 1 || is_rounding_of_error()) return repair_end() ? Attempt::good : Attempt::not_solved;
  return Attempt::error_too_large;
}

bool Radau5::State::repair_end() {
  for (std::size_t i = 0; i < y.size(); ++i) y_end[i] = y[i] + Z[2][i];
  repair = {};
  workspace->blame.clear();
  if (!problem.repairs()) return true;
  if (problem.repair(t + h, y_end, weight, repair, *workspace) != Eval::ok) {
    blame = workspace->blame.empty() ? "the projection onto the constraints did not converge." : workspace->blame;
    return false;
  }
  if (repaired_by() <= largest_repair) return true;
  blame = "the step ends far from the constraints. Look for a position where the mechanism locks or may branch.";
  return false;
}

// In the norm of the error test.
double Radau5::State::repaired_by() const {
  double sum = 0;
  int tested = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (!structure.y[i].in_error_test) continue;
    sum += std::pow(weight[i] * (y_end[i] - (y[i] + Z[2][i])), 2), ++tested;
  }
  return tested > 0 ? std::sqrt(sum / tested) : 0.0;
}

StepResult Radau5::State::accepted(double t_limit, bool at_limit, double wanted) {
  const StepResult result{.status = at_limit ? StepStatus::reached_limit : StepStatus::ok,
                          .t = at_limit ? t_limit : t + h,
                          .h = h,
                          .order = 5,
                          .dominant = dominant,
                          .reason = {}};
  for (std::size_t i = 0; i < y.size(); ++i) {  // divided differences at c = 1, c2, c1, 0
    const double z1 = Z[0][i], z2 = Z[1][i], z3 = Z[2][i], ak = (z1 - z2) / (c[0] - c[1]);
    poly[0][i] = (z2 - z3) / (c[1] - 1);
    poly[1][i] = (ak - poly[0][i]) / (c[0] - 1);
    poly[2][i] = poly[1][i] - (ak - z1 / c[0]) / c[1];
    moved[i] = y_end[i] - (y[i] + z3);
    yp[i] = Zp[2][i];
  }
  std::swap(y, y_end);
  ++cost.steps;
  if (repair.iterations > 0) ++repairs;
  t = result.t, poly_h = h;
  choose_next_step();
  if (at_limit) h = std::max(h, wanted);
  after_jump.accepted(h);
  jacobian_is_new = false;
  if (contraction > good_contraction) has_jacobian = false;
  return result;
}

// Hairer, Wanner II, IV.8: the elementary rule, and Gustafsson's, which looks at the step before.
void Radau5::State::choose_next_step() {
  if (rounding_shows && err > clear_of_rounding)
    err = std::max(err - most_roundings * rounding_of_error(), clear_of_rounding);
  const double fewer = safety * (2.0 * most_iterations + 1) / (2.0 * most_iterations + iterations);
  double factor = fewer * std::pow(err, -0.25);
  if (h_before > 0) factor = std::min(factor, fewer * h / h_before * std::pow(err_before / (err * err), 0.25));
  factor = std::clamp(factor, smallest_factor, largest_factor);
  if (rejected) factor = std::min(factor, 1.0);
  err_before = std::max(err, 1e-2), h_before = h, rejected = false;
  const bool keep = factor >= 1.0 && factor <= 1.2 && contraction <= good_contraction;  // and with it the factorisation
  if (!keep) h *= factor;
}

// Lost are the first guess of the stages and Gustafsson's step before.
void Radau5::State::restart(Jump jump, double at, CSpan y_at, CSpan yp_at) {
  t = at;
  std::copy(y_at.begin(), y_at.end(), y.begin());
  std::copy(yp_at.begin(), yp_at.end(), yp.begin());
  poly_h = h_before = 0, rejected = false, h = after_jump.at_restart(h);
  if (jump != Jump::input) has_jacobian = false;
}

// ---- Newton

bool Radau5::State::prepare_matrices() {
  if (!has_jacobian && !renew_jacobian()) return false;
  if (std::abs(h - factored_h) <= equal_steps * h) return true;
  for (std::size_t k = 0; k < real_matrix.size(); ++k)
    real_matrix[k] = gamma_real / h * dF_dyp.value[k] + dF_dy.value[k];
  cost.factorisations += 2;
  factored_h = h;
  if (real.factor(real_matrix) && complex.factor(gamma_complex / h, dF_dyp.value, dF_dy.value)) return true;
  factored_h = 0;
  blame = "the equations do not determine the solution here (singular Jacobian).";
  if (const int column = real.singular_column(); column >= 0)
    blame = fmt::format("the equations do not determine {} here (singular Jacobian).",
                        structure.y[static_cast<std::size_t>(column)].name);
  return false;
}

bool Radau5::State::renew_jacobian() {
  ++cost.jacobians;
  workspace->blame.clear();
  has_jacobian = jacobian_is_new = problem.derivatives({t, y, yp}, dF_dy, dF_dyp, *workspace) == Eval::ok;
  factored_h = 0;
  if (!has_jacobian) blame = workspace->blame.empty() ? "the derivatives could not be evaluated." : workspace->blame;
  return has_jacobian;
}

// The polynomial of the last step, continued. Where there is none, or where a limit cut it so short that it would be
// continued over many times its length, a straight line along y'; algebraic variables, whose y' is then rounding, stay.
void Radau5::State::predict() {
  const bool continues = poly_h > 0 && h <= largest_factor * poly_h;
  if (!continues) carried = 1;  // a rate found near the solution tells nothing of a guess far from it
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double line = structure.y[i].index == 0 ? h * yp[i] : 0.0;
    double z[3];
    for (std::size_t k = 0; k < 3; ++k) z[k] = continues ? polynomial(i, c[k] * h / poly_h) - y[i] : c[k] * line;
    for (std::size_t k = 0; k < 3; ++k) W[k][i] = TI[k][0] * z[0] + TI[k][1] * z[1] + TI[k][2] * z[2];
  }
  update_stages();
}

// From W: Z = T W and the stage derivatives T Lambda W / h.
void Radau5::State::update_stages() {
  const double a = gamma_complex.real(), b = gamma_complex.imag();
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double w[3] = {W[0][i], W[1][i], W[2][i]};
    const double l[3] = {gamma_real * w[0], a * w[1] - b * w[2], b * w[1] + a * w[2]};
    for (std::size_t k = 0; k < 3; ++k) {
      Z[k][i] = T[k][0] * w[0] + T[k][1] * w[1] + T[k][2] * w[2];
      Zp[k][i] = (T[k][0] * l[0] + T[k][1] * l[1] + T[k][2] * l[2]) / h;
    }
  }
}

bool Radau5::State::evaluate_stages() {
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t i = 0; i < y.size(); ++i) stage[i] = y[i] + Z[k][i];
    if (checked_residual(problem, {t + c[k] * h, stage, Zp[k]}, F[k], *workspace, cost, blame) != Eval::ok)
      return false;
  }
  return true;
}

// One correction; returns its weighted size.
auto Radau5::State::correct() -> Size {
  const Size size = solve_for_corrections();
  for (std::size_t i = 0; i < y.size(); ++i)
    W[0][i] += right[i], W[1][i] += right_complex[i].real(), W[2][i] += right_complex[i].imag();
  update_stages();
  return size;
}

// What W lacks by the residuals F, into right and right_complex.
auto Radau5::State::solve_for_corrections() -> Size {
  for (std::size_t i = 0; i < y.size(); ++i) {
    const auto row = [&](int k) { return -(TI[k][0] * F[0][i] + TI[k][1] * F[1][i] + TI[k][2] * F[2][i]); };
    right[i] = row(0);
    right_complex[i] = {row(1), row(2)};
  }
  real.solve(right);
  complex.solve(right_complex);
  double all = 0, of_tested = 0;
  int tested = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double square = weight[i] * weight[i] * (right[i] * right[i] + std::norm(right_complex[i]));
    all += square;
    if (structure.y[i].in_error_test) of_tested += square, ++tested;
  }
  return {std::sqrt(all / (3.0 * static_cast<double>(y.size()))), std::sqrt(of_tested / (3.0 * std::max(tested, 1)))};
}

// Corrections that shrink no more, and are no larger than rounding makes them, are those of a solution: a smaller step would not
// shrink them either. So are corrections that half the step has not shrunk, though derivatives tell of less noise: where Newton's
// method is merely slow, half the step makes it fast. Multipliers take most of it: on Andrews' mechanism those of the
// positions are corrected by 1e-13 to the end, which moves nothing.
bool Radau5::State::is_rounding(Size size) {
  const bool as_in_twice_the_step = size.all > 0.5 * stalled;
  stalled = jacobian_is_new ? size.all : unknown_size;
  const bool is_small = size.all <= most_roundings * rounding_of_corrections().all;
  if (!is_small && !(as_in_twice_the_step && size.tested <= bearable)) {  // nor is a NaN
    blame =
        "Newton's iteration did not converge. Look for a force that jumps, an inconsistent start or a position where "
        "the mechanism locks.";
    return false;
  }
  if (size.all <= little_rounding || size.tested <= bearable) return true;
  blame = below_rounding;
  return false;
}

auto Radau5::State::rounding_of_corrections() -> Size {
  std::minstd_rand sign;
  for (std::size_t k = 0; k < 3; ++k)
    residual_of_rounding(structure, dF_dy, dF_dyp, {t + c[k] * h, y, Zp[k]}, F[k], sign);
  return solve_for_corrections();
}

// Stops when the error left over, rate / (1 - rate) times the last correction, is below kappa; gives up when it will not
// be by the last iteration, unless what is left is rounding.
bool Radau5::State::solve_stages() {
  carried = std::pow(std::max(carried, 1e-16), 0.8);
  contraction = good_contraction;
  Size size{};
  double before = 0, ratio_before = 0;
  for (iterations = 1; iterations <= most_iterations; ++iterations) {
    if (!evaluate_stages()) return false;
    size = correct();
    ++cost.newton_iterations;
    if (!std::isfinite(size.all)) break;
    if (iterations > 1) {
      const double ratio = size.all / before;
      if (ratio > 0.1 && size.all < noise) return true;
      contraction = iterations == 2 ? ratio : std::sqrt(ratio * ratio_before);
      ratio_before = ratio;
      if (contraction >= 0.99) break;
      carried = contraction / (1 - contraction);
      if (carried * size.all * std::pow(contraction, most_iterations - iterations) > kappa) break;
    }
    if (carried * size.all <= kappa) return true;
    before = std::max(size.all, 1e-300);
  }
  return is_rounding(size);
}

// ---- between steps

double Radau5::State::polynomial(std::size_t i, double s) const {
  return y[i] + s * (poly[0][i] + (s + 1 - c[1]) * (poly[1][i] + (s + 1 - c[0]) * poly[2][i]));
}

double Radau5::State::slope(std::size_t i, double s) const {
  const double inner = poly[1][i] + (s + 1 - c[0]) * poly[2][i];
  return poly[0][i] + (s + 1 - c[1]) * inner + s * (inner + (s + 1 - c[1]) * poly[2][i]);
}

void Radau5::State::interpolate(double at, Span y_at, Span yp_at) const {
  const double s = poly_h > 0 ? (at - t) / poly_h : 0.0;
  // What the repair moved is taken away towards the start: nothing of it at the end, all at the start.
  const double share = s * s * (3 + 2 * s), rate = 6 * s * (1 + s);
  for (std::size_t i = 0; i < y.size(); ++i) {
    y_at[i] = s == 0 ? y[i] : polynomial(i, s) - share * moved[i];
    if (!yp_at.empty()) yp_at[i] = s == 0 ? yp[i] : (slope(i, s) - rate * moved[i]) / poly_h;
  }
}

// ---- the public face

Radau5::Radau5(const DaeProblem& problem, Options options, double t, CSpan y, CSpan yp)
    : state_(std::make_unique<State>(problem, options, t, y, yp)) {}
Radau5::~Radau5() = default;
Radau5::Radau5(const Radau5& other) : state_(std::make_unique<State>(*other.state_)) {}
Radau5& Radau5::operator=(const Radau5& other) { return *this = Radau5(other); }
Radau5::Radau5(Radau5&&) noexcept = default;
Radau5& Radau5::operator=(Radau5&&) noexcept = default;

StepResult Radau5::step(double t_limit) { return state_->step(t_limit); }
void Radau5::interpolate(double t, Span y, Span yp) const { state_->interpolate(t, y, yp); }
void Radau5::restart(Jump jump, double t, CSpan y, CSpan yp) { state_->restart(jump, t, y, yp); }
double Radau5::t() const { return state_->t; }
CSpan Radau5::y() const { return state_->y; }
CSpan Radau5::yp() const { return state_->yp; }
const Cost& Radau5::cost() const { return state_->cost; }
long Radau5::repairs() const { return state_->repairs; }

}  // namespace skyhook::integrator
