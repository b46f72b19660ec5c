#include "skyhook/integrator/radau5.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <complex>
#include <limits>
#include <random>
#include <vector>

#include "skyhook/integrator/common.h"
#include "skyhook/math/sparse_lu.h"

namespace skyhook::integrator {
namespace {

// Coefficients as in radau5.f of Hairer and Wanner; data/integrators.yaml, where T TI = 1 is checked.
const double sqrt6 = std::sqrt(6.0);
const std::array<double, 3> c = {(4 - sqrt6) / 10, (4 + sqrt6) / 10, 1.0};
constexpr double gamma_real = 3.63783425274449573;  // real eigenvalue of A^-1
const std::complex<double> gamma_complex(2.68108287362775213, 3.05043019924741057);
constexpr double T[3][3] = {{9.1232394870892942792e-2, -0.14125529502095420843, -3.0029194105147424492e-2},
                            {0.24171793270710701896, 0.20412935229379993199, 0.38294211275726193779},
                            {0.96604818261509293619, 1.0, 0.0}};
constexpr double TI[3][3] = {{4.3255798900631553510, 0.33919925181580986954, 0.54177053993587487119},
                             {-4.1787185915519047273, -0.32768282076106238708, 0.47662355450055045196},
                             {-0.50287263494578687595, 2.5719269498556054292, -0.59603920482822492497}};
// Where in a step its polynomial is farthest from a smooth solution: there |s (s - c1) (s - c2) (s - 1)| is largest.
constexpr double farthest = 0.87;
const std::array<double, 3> e = {-(13 + 7 * sqrt6) / 3, (-13 + 7 * sqrt6) / 3, -1.0 / 3};  // of the error estimate

constexpr int most_iterations = 7;
constexpr double safety = 0.9, smallest_factor = 0.2, largest_factor = 8.0;
constexpr double equal_steps = 1e-6;       // steps from sample to sample differ by the rounding of t
constexpr double good_contraction = 1e-3;  // below it the Jacobian is kept
constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double rounding_of_stages = 1e-13;
constexpr double largest_rounding = 0.1;  // times the tolerance, that a step may end with
// Times the tolerance. A step that began on the manifold has left it by no more than its error, which the test has just
// found below one tolerance. What needs more has been led astray, as Newton's method is at singular positions.
constexpr double largest_repair = 1;

// Value and slope at s, over [0, 1], of the polynomial of the stage increments: what the k-th counts in them.
std::array<double, 2> share_of(std::size_t k, double s) {
  const double a = c[(k + 1) % 3], b = c[(k + 2) % 3], scale = c[k] * (c[k] - a) * (c[k] - b);
  return {s * (s - a) * (s - b) / scale, ((s - a) * (s - b) + s * (2 * s - a - b)) / scale};
}

}  // namespace

struct Radau5::State {
  State(const DaeProblem& problem, Options options, double t, CSpan y, CSpan yp);
  StepResult step(double t_limit);
  void restart(Jump jump, double at, CSpan y_at, CSpan yp_at);
  void interpolate(double at, Span y_at, Span yp_at) const;

  enum class Attempt { good, error_too_large, not_solved };
  Attempt attempt();
  StepResult accepted(double t_limit, bool at_limit, double wanted);
  bool repair_end();
  double repaired_by() const;
  bool prepare_matrices();
  bool renew_jacobian();
  void predict();
  bool solve_stages();
  bool evaluate_stages();
  double correct();
  double solve_for_corrections();
  bool is_rounding(double size);
  double rounding_of_corrections();
  void update_stages();
  void estimate_error();
  double error_from(CSpan start);
  double error_between();
  double filtered_error(int& largest_at);
  void set_weights();
  void choose_next_step();
  double polynomial(std::size_t i, double s) const;
  double slope(std::size_t i, double s) const;

  const DaeProblem& problem;
  const Structure& structure;
  Options options;
  Boxed<Workspace> workspace;
  Csc dF_dy, dF_dyp;
  std::vector<double> real_matrix;
  SparseLu real;
  ComplexSparseLu complex;
  Cost cost;
  std::string blame;  // of the last failure in this step

  double t, h = 0, kappa, noise;  // Newton's iteration is done; its corrections are rounding
  std::vector<double> y, yp, y_end, weight;
  std::array<std::vector<double>, 3> Z, Zp, F, W;  // stage increments, stage derivatives, residuals, TI Z
  std::vector<double> right, trial, stage;
  std::vector<std::complex<double>> right_complex;

  // The collocation polynomial of the last step over s = (time - its end) / its length.
  std::array<std::vector<double>, 3> poly;
  double poly_h = 0;          // 0: none yet
  std::vector<double> moved;  // by the repair at its end
  Repair repair;
  long repairs = 0;

  bool has_jacobian = false, jacobian_is_new = false, rejected = false;
  double factored_h = 0;                // 0: not factored with the present Jacobian
  double contraction = 0, carried = 1;  // of Newton: rate, and factor of the error left over
  int iterations = 0, dominant = -1;
  double err = 1, err_before = 1, h_before = 0;
  StepAfterJump after_jump;
};

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
  blame.clear();
  while (!is_too_small(h, t, t_limit, options)) {
    const auto [wanted, at_limit] = reach_of(h, t, t_limit, options);
    set_weights();
    const Attempt outcome = attempt();
    if (outcome == Attempt::good) return accepted(t_limit, at_limit, wanted);
    if (outcome == Attempt::error_too_large) {
      ++cost.error_test_failures;
      blame.clear();
      h *= cost.steps == 0 ? 0.1 : std::clamp(safety * std::pow(err, -0.25), smallest_factor, 0.9);
    } else {
      ++cost.newton_failures;
      h *= 0.5;
    }
    rejected = true;
  }
  if (blame.empty()) blame = error_of(structure, dominant);
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
  if (err < 1) return repair_end() ? Attempt::good : Attempt::not_solved;
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
double Radau5::State::correct() {
  const double size = solve_for_corrections();
  for (std::size_t i = 0; i < y.size(); ++i)
    W[0][i] += right[i], W[1][i] += right_complex[i].real(), W[2][i] += right_complex[i].imag();
  update_stages();
  return size;
}

// What W lacks by the residuals F, into right and right_complex.
double Radau5::State::solve_for_corrections() {
  for (std::size_t i = 0; i < y.size(); ++i) {
    const auto row = [&](int k) { return -(TI[k][0] * F[0][i] + TI[k][1] * F[1][i] + TI[k][2] * F[2][i]); };
    right[i] = row(0);
    right_complex[i] = {row(1), row(2)};
  }
  real.solve(right);
  complex.solve(right_complex);
  double sum = 0;
  for (std::size_t i = 0; i < y.size(); ++i)
    sum += weight[i] * weight[i] * (right[i] * right[i] + std::norm(right_complex[i]));
  return std::sqrt(sum / (3.0 * static_cast<double>(y.size())));
}

// Corrections that shrink no more, and are no larger than rounding makes them, are those of a solution: a smaller step
// would not shrink them either.
bool Radau5::State::is_rounding(double size) {
  if (!(size <= 10 * rounding_of_corrections())) {  // nor is a NaN
    blame =
        "Newton's iteration did not converge. Look for a force that jumps, an inconsistent start or a position where "
        "the mechanism locks.";
    return false;
  }
  if (size <= largest_rounding) return true;
  blame = "rounding alone moves the solution by more than the tolerance. Choose a larger tolerance.";
  return false;
}

// The size that corrections keep at the solution: that for residuals which are nothing but the rounding of y and y' by one
// unit in the last place each, the signs at random.
double Radau5::State::rounding_of_corrections() {
  const Pattern& pattern = *structure.pattern;
  std::minstd_rand sign;
  for (std::size_t k = 0; k < 3; ++k) {
    std::fill(F[k].begin(), F[k].end(), 0.0);
    for (std::size_t j = 0; j < y.size(); ++j) {
      const double size = std::abs(y[j]) + structure.y[j].nominal, rate = std::abs(Zp[k][j]);
      for (int at = pattern.start[j]; at < pattern.start[j + 1]; ++at)
        F[k][pattern.row[at]] += std::abs(dF_dy.value[at]) * size + std::abs(dF_dyp.value[at]) * rate;
    }
    for (double& f : F[k]) f *= sign() % 2 == 0 ? epsilon : -epsilon;
  }
  return solve_for_corrections();
}

// Stops when the error left over, rate / (1 - rate) times the last correction, is below kappa; gives up when it will not
// be by the last iteration, unless what is left is rounding.
bool Radau5::State::solve_stages() {
  carried = std::pow(std::max(carried, 1e-16), 0.8);
  contraction = good_contraction;
  double size = 0, before = 0, ratio_before = 0;
  for (iterations = 1; iterations <= most_iterations; ++iterations) {
    if (!evaluate_stages()) return false;
    size = correct();
    ++cost.newton_iterations;
    if (!std::isfinite(size)) break;
    if (iterations > 1) {
      const double ratio = size / before;
      if (ratio > 0.1 && size < noise) return true;
      contraction = iterations == 2 ? ratio : std::sqrt(ratio * ratio_before);
      ratio_before = ratio;
      if (contraction >= 0.99) break;
      carried = contraction / (1 - contraction);
      if (carried * size * std::pow(contraction, most_iterations - iterations) > kappa) break;
    }
    if (carried * size <= kappa) return true;
    before = std::max(size, 1e-300);
  }
  return is_rounding(size);
}

// ---- error

void Radau5::State::set_weights() {
  for (std::size_t i = 0; i < y.size(); ++i) weight[i] = error_weight(structure.y[i], y[i], h, options);
}

// The embedded formula of order 3, filtered by the real matrix so that it stays small for stiff components; where it
// would reject a first or repeated step it is evaluated once more at the corrected start (Hairer, Wanner II, IV (8.20)).
void Radau5::State::estimate_error() {
  err = error_from(y);
  if (err >= 1 && (h_before == 0 || rejected)) {
    for (std::size_t i = 0; i < y.size(); ++i) stage[i] = y[i] + right[i];
    err = error_from(stage);
  }
  if (err < 1) err = std::max(err, error_between());
  err = std::max(err, 1e-10);  // a NaN stays one
}

double Radau5::State::error_from(CSpan start) {
  for (std::size_t i = 0; i < y.size(); ++i) trial[i] = -(e[0] * Z[0][i] + e[1] * Z[1][i] + e[2] * Z[2][i]) / h;
  if (checked_residual(problem, {t, start, trial}, right, *workspace, cost, blame) != Eval::ok) return 10.0;
  for (double& r : right) r = -r;
  return filtered_error(dominant);
}

// What the polynomial lacks between the stages: a step of Newton's method from it, which for constraints is their violation and
// for differential equations h times the defect. The embedded formula sees nothing of variables that constraints lead, or that
// are stiff: they keep to their stages however long the step is, and what is recorded would be anything.
double Radau5::State::error_between() {
  stage = y;
  std::ranges::fill(trial, 0.0);
  for (std::size_t k = 0; k < 3; ++k) {
    const auto [value, slope_there] = share_of(k, farthest);
    for (std::size_t i = 0; i < y.size(); ++i) stage[i] += value * Z[k][i], trial[i] += slope_there / h * Z[k][i];
  }
  if (checked_residual(problem, {t + farthest * h, stage, trial}, right, *workspace, cost, blame) != Eval::ok)
    return 10.0;
  int worst = -1;
  const double between = filtered_error(worst);
  if (between > err) dominant = worst;
  return between;
}

// Of the residuals in `right`, which become corrections.
double Radau5::State::filtered_error(int& largest_at) {
  real.solve(right);
  double sum = 0, largest = 0;
  int tested = 0;
  largest_at = -1;
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (!structure.y[i].in_error_test) continue;
    const double size = weight[i] * std::abs(right[i]);
    if (size > largest) largest = size, largest_at = static_cast<int>(i);
    sum += size * size, ++tested;
  }
  return tested > 0 ? std::sqrt(sum / tested) : 0.0;
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
