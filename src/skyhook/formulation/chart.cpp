#include "skyhook/formulation/chart.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "skyhook/formulation/projection.h"
#include "skyhook/math/dense.h"
#include "skyhook/math/rotation_vector.h"

namespace skyhook::formulation {
namespace {

using formalism::EquationsOfMotion;

constexpr int most_iterations = 25;
constexpr double slow = 0.2;             // contraction of Newton's corrections above which the matrix is made anew
constexpr double at_rounding = 1e-14;    // corrections below, relative to positions, are noise where they do not shrink
constexpr double near_rounding = 1e-10;  // the same with a matrix of this very position: a poorly conditioned one

constexpr double farthest_turn = 1.5;  // rad, of a ball from the accepted position to one within a step

constexpr const char* undetermined =
    "the independent coordinates do not determine the others at this position (a dead centre or a singular position)";

// A on its pattern: the rows of the constraints, then one for each independent coordinate.
Pattern pattern_of(const EquationsOfMotion& eq, const std::vector<int>& independent) {
  const Pattern& rows = eq.constraint_pattern();
  PatternBuilder builder(eq.nv(), eq.nv());
  for (int j = 0; j < rows.cols; ++j) {
    for (int k = rows.start[j]; k < rows.start[j + 1]; ++k) builder.add(rows.row[k], j);
  }
  for (std::size_t k = 0; k < independent.size(); ++k) builder.add(eq.ng() + static_cast<int>(k), independent[k]);
  return builder.build();
}

Vec3d triple(const std::vector<double>& x, int i) { return {x[i], x[i + 1], x[i + 2]}; }
void put(const Vec3d& value, std::vector<double>& x, int i) { x[i] = value.x, x[i + 1] = value.y, x[i + 2] = value.z; }

}  // namespace

ChartWork::ChartWork(const EquationsOfMotion& eq)
    : q(eq.nq()),
      v(eq.nv()),
      step(eq.nv()),
      rate(eq.nv()),
      a(eq.nv()),
      lambda(eq.ng()),
      solver(eq.acceleration_solver()),
      equations(eq.workspace()),
      g(eq.ng()),
      gI(eq.ng()),
      right(eq.nv()),
      zero_v(eq.nv(), 0.0),
      predicted(eq.nv()) {}

Chart::Chart(const EquationsOfMotion& eq, double t, CSpan q0, std::vector<int> independent, ChartWork& work)
    : eq_(&eq),
      q0_(q0.begin(), q0.end()),
      guess_(eq.nv(), 0.0),
      scale_(independent.size(), 1.0),
      independent_(std::move(independent)) {
  normalise_quaternions(eq, q0_);  // ⊞ keeps their size to rounding: many charts would not
  matrix_ = Csc(std::make_shared<const Pattern>(pattern_of(eq, independent_)));
  here_.emplace(matrix_.pattern);
  accepted_.emplace(matrix_.pattern);
  std::fill(work.step.begin(), work.step.end(), 0.0);
  place(work);
  if (factor(t, work)) accept(work);
  for (std::size_t k = 0; regular_ && k < independent_.size(); ++k) scale_[k] = 1 / std::max(1.0, response(k, work));
}

void Chart::place(ChartWork& work) const {
  std::copy(q0_.begin(), q0_.end(), work.q.begin());
  eq_->plus(work.q, work.step);
}

bool Chart::factor(double t, ChartWork& work) {
  if (eq_->ng() > 0) work.solver.factor(t, work.q, work.equations);
  const Csc& G = work.solver.jacobian();
  const auto& start = G.pattern->start;
  std::fill(matrix_.value.begin(), matrix_.value.end(), 1.0);  // the last rows; G covers the others
  for (int j = 0; j < eq_->nv(); ++j) {
    std::copy(G.value.begin() + start[j], G.value.begin() + start[j + 1],
              matrix_.value.begin() + matrix_.pattern->start[j]);
  }
  // A row of G J in a ball's three columns is J^T of that row of G: all three columns know the same rows.
  for (const auto& slot : eq_->rotations()) {
    const Vec3d d = triple(work.step, slot.iv);
    const auto& at = matrix_.pattern->start;
    for (int k = 0; k < start[slot.iv + 1] - start[slot.iv]; ++k) {
      double *x = &matrix_.value[at[slot.iv] + k], *y = &matrix_.value[at[slot.iv + 1] + k],
             *z = &matrix_.value[at[slot.iv + 2] + k];
      const Vec3d turned = angular_velocity(-d, Vec3d{*x, *y, *z});
      *x = turned.x, *y = turned.y, *z = turned.z;
    }
  }
  ++work.factorisations;
  return here_->factor(matrix_.value);
}

bool Chart::correct(Klu& lu, double t, CSpan x, ChartWork& work) {
  eq_->constraints(t, work.q, work.zero_v, work.g, work.gI, work.equations);
  for (std::size_t k = 0; k < work.g.size(); ++k) work.right[k] = -work.g[k];
  for (std::size_t k = 0; k < x.size(); ++k)
    work.right[work.g.size() + k] = scale_[k] * x[k] - work.step[independent_[k]];
  lu.solve(work.right);
  for (std::size_t j = 0; j < work.step.size(); ++j) work.step[j] += work.right[j];
  place(work);
  return std::isfinite(largest(work.step));
}

Eval Chart::positions(double t, CSpan x, ChartWork& work) {
  std::copy(guess_.begin(), guess_.end(), work.step.begin());
  place(work);
  Klu* lu = accepted_.get();
  double before = 0;
  bool fresh = false;  // the last correction was made with a matrix of its own position
  for (int k = 0; regular_ && k < most_iterations; ++k) {
    if (!correct(*lu, t, x, work)) break;
    if (k == 0) work.predicted = work.right;
    const double size = largest(work.right) / (1 + largest(work.q)), contraction = k > 0 ? size / before : slow;
    before = size;
    if (size * std::min(contraction, 1.0) < 1e-17) return arrived(work);  // what the next correction would be
    if (contraction > slow && size < (fresh ? near_rounding : at_rounding)) return arrived(work);
    if (fresh && k > 2 && contraction > 2) break;
    fresh = k > 0 && contraction > slow;
    if (!fresh) continue;
    if (!factor(t, work)) break;
    lu = here_.get();
  }
  work.blame = regular_ ? "the dependent coordinates could not be found from the independent ones" : undetermined;
  return Eval::recoverable;
}

// A body that spins about one line does so at a constant rate in this chart, and no error keeps a step from passing over many turns. But
// angles of cut joints are counted by half turns from step to step: so much for two bodies that turn against each other. Rotation vectors
// differ by at least the angle between their rotations.
bool Chart::turns_too_far(const ChartWork& work) const {
  return eq_->counts_turns() && std::ranges::any_of(eq_->rotations(), [&](const auto& slot) {
           return norm(triple(work.step, slot.iv) - triple(guess_, slot.iv)) > farthest_turn;
         });
}

// At a dead centre two branches meet, and on each x grows like the square of the distance s from it. From s0 to s the
// prediction is (s^2 - s0^2) / (2 s0); the move misses it by |s - s0| / |s + s0| of its size: by less than all of it on the
// branch of s0, by more on the other one, where s has another sign.
Eval Chart::arrived(ChartWork& work) const {
  if (turns_too_far(work)) {
    work.blame = "a body would turn by more than 1.5 rad in one step";
    return Eval::recoverable;
  }
  double missed = 0;
  for (std::size_t j = 0; j < guess_.size(); ++j)
    missed = std::max(missed, std::abs(work.step[j] - guess_[j] - work.predicted[j]));
  if (missed <= std::max(largest(work.predicted), near_rounding)) return Eval::ok;
  work.blame = "the dependent coordinates were found on another branch only, beyond a dead centre";
  return Eval::recoverable;
}

Eval Chart::velocities(double t, CSpan x_rate, ChartWork& work) {
  if (!factor(t, work)) {
    work.blame = work.equations.blame().empty() ? undetermined : work.equations.blame();
    return Eval::recoverable;
  }
  eq_->constraints(t, work.q, work.zero_v, work.g, work.gI, work.equations);
  for (std::size_t k = 0; k < work.gI.size(); ++k) work.rate[k] = -work.gI[k];
  for (std::size_t k = 0; k < x_rate.size(); ++k) work.rate[work.gI.size() + k] = scale_[k] * x_rate[k];
  here_->solve_refined(work.rate);
  work.v = work.rate;
  for (const auto& slot : eq_->rotations())
    put(angular_velocity(triple(work.step, slot.iv), triple(work.rate, slot.iv)), work.v, slot.iv);
  return Eval::ok;
}

Eval Chart::expand(double t, CSpan x, CSpan x_rate, ChartWork& work) {
  work.blame.clear(), work.equations.blame().clear();
  if (const Eval e = positions(t, x, work); e != Eval::ok) return e;
  return velocities(t, x_rate, work);
}

Eval Chart::accelerations(double t, Span out, ChartWork& work) {
  const Eval e = work.solver.solve(t, work.q, work.v, work.a, work.lambda, work.equations);
  if (e != Eval::ok) {
    work.blame = work.equations.blame();
    return e;
  }
  work.right = work.a;
  for (const auto& slot : eq_->rotations()) {
    put(rotation_vector_acceleration(triple(work.step, slot.iv), triple(work.rate, slot.iv), triple(work.a, slot.iv)),
        work.right, slot.iv);
  }
  for (std::size_t k = 0; k < independent_.size(); ++k) out[k] = work.right[independent_[k]] / scale_[k];
  return Eval::ok;
}

void Chart::spread(CSpan x, Span step, ChartWork& work) {
  std::fill(work.right.begin(), work.right.end(), 0.0);
  for (std::size_t k = 0; k < x.size(); ++k) work.right[work.g.size() + k] = scale_[k] * x[k];
  here_->solve(work.right);
  for (const auto& slot : eq_->rotations())
    put(angular_velocity(triple(work.step, slot.iv), triple(work.right, slot.iv)), work.right, slot.iv);
  std::copy(work.right.begin(), work.right.end(), step.begin());
}

void Chart::gather(CSpan step, Span x, ChartWork& work) const {
  std::copy(step.begin(), step.end(), work.right.begin());
  for (const auto& slot : eq_->rotations())
    put(rotation_vector_rate(triple(work.step, slot.iv), triple(work.right, slot.iv)), work.right, slot.iv);
  for (std::size_t k = 0; k < independent_.size(); ++k) x[k] = work.right[independent_[k]] / scale_[k];
}

void Chart::accept(const ChartWork& work) {
  std::copy(work.step.begin(), work.step.end(), guess_.begin());
  std::swap(here_, accepted_);
  regular_ = true;
}

double Chart::turned() const {
  double most = 0;
  for (const auto& slot : eq_->rotations()) most = std::max(most, norm(triple(guess_, slot.iv)));
  return most;
}

// The others per unit of the k-th independent component, in work.right; the largest of them.
double Chart::response(std::size_t k, ChartWork& work) {
  std::fill(work.right.begin(), work.right.end(), 0.0);
  const Pattern& rows = eq_->constraint_pattern();
  const int i = independent_[k];
  if (rows.start[i] == rows.start[i + 1]) return 0;  // no constraint knows this one
  work.right[work.g.size() + k] = 1;
  accepted_->solve(work.right);
  work.right[i] = 0;
  return largest(work.right);
}

Chart::Sensitivity Chart::sensitivity(ChartWork& work) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  if (!regular_) return {infinite, infinite};
  Sensitivity most;
  if (eq_->ng() == 0) return most;
  const Csc& M = work.solver.mass();
  for (std::size_t k = 0; k < independent_.size(); ++k) {
    most.growth = std::max(most.growth, response(k, work) * scale_[k]);
    double energy = 0;
    for (int j = 0; j < eq_->nv(); ++j) energy = std::max(energy, M.at(j, j) * work.right[j] * work.right[j]);
    most.energy = std::max(most.energy, std::sqrt(energy / M.at(independent_[k], independent_[k])));
  }
  return most;
}

}  // namespace skyhook::formulation
