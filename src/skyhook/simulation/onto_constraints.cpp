#include "skyhook/simulation/onto_constraints.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "skyhook/math/dense.h"

namespace skyhook::simulation {
namespace {

// Moved by more than this part of its size, a state is another one.
constexpr double largest_move = 0.1;
// By factors that are kept, in positions; in velocities ten times as much, relative to 1 + speed.
constexpr double largest_left = 1e-11, share_of_tolerance = 1e-3, in_velocities = 10;
// What accelerations have told of the factors holds for other directions within an order or two.
constexpr double least_believed = 0.01;
constexpr double enough = 1e-9;  // a step of Newton's method behind which its product with the way so far is nothing

bool is_near(CSpan before, CSpan now) {
  double size = 1, moved = 0;
  for (std::size_t i = 0; i < now.size(); ++i) {
    size = std::max(size, std::abs(before[i]));
    const double by = std::abs(now[i] - before[i]);
    if (!(by <= moved)) moved = by;  // a NaN too
  }
  return moved <= largest_move * size;
}

double largest_of(CSpan x) {
  double size = 0;
  for (const double each : x) size = std::max(size, std::abs(each));
  return size;
}

}  // namespace

OntoConstraints::OntoConstraints(const formalism::EquationsOfMotion& equations, double tolerance)
    : equations_(equations),
      projection_(equations, formulation::Metric::mass),
      has_constraints_(equations.ng() > 0),
      along_(share_of_tolerance * tolerance),
      least_(std::min(largest_left, along_)),
      step_(equations.nv()),
      right_(equations.ng()),
      q_(equations.nq()),
      v_(equations.nv()) {
  projection_.solver().keep_factors();
}

bool OntoConstraints::move(double t, Span q, Span v) {
  projection_.normalise_quaternions(q);
  if (!has_constraints_) return true;
  look_back();
  has_kept_ = false;
  const bool serves = projection_.solver().serves();
  if (was_there_ || serves) {
    projection_.evaluate(t, q, v);
    was_there_ = is_there(v);
    if (was_there_ || (serves && move_with_kept_factors(t, q, v))) return true;
    if (serves) projection_.solver().wear_out();
    projection_.factor_and_evaluate(t, q, v);
  } else {
    projection_.factor_and_evaluate(t, q, v);  // in one pass
    was_there_ = is_there(v);
  }
  if (was_there_) return true;
  return move_positions(t, q, v) && move_velocities(t, q, v);
}

// But for rounding: a motion between steps, which others have put there before, needs no decomposition again.
bool OntoConstraints::is_there(CSpan v) const {
  constexpr double rounding = 1e-13;
  return largest(projection_.g()) <= rounding && largest(projection_.rate()) <= rounding * (1 + largest_of(v));
}

// The accelerations have been found at the place of the last move: with what it had left. Where that is more than was thought the factors do not
// serve.
void OntoConstraints::look_back() {
  constexpr double room = 10;
  constexpr int times = 16;
  const formalism::AccelerationSolver& solver = projection_.solver();
  if (!has_kept_ || solver.solved_at() != kept_at_) return;
  doubts_ = std::max(0, doubts_ - 1);
  if (largest(solver.g()) <= room * least_ && largest(solver.rate()) <= room * in_velocities * least_ * (1 + speed_))
    return;
  doubts_ = times;
  projection_.solver().wear_out();
}

bool OntoConstraints::move_with_kept_factors(double t, Span q, Span v) {
  if (!keep_positions(t, q, v) || !keep_velocities(t, q, v)) return false;
  kept_at_ = t, speed_ = largest_of(v), has_kept_ = true;
  return true;
}

// Each step leaves what the factors bring the error down by, and moves along the constraints by about as much, since it takes the directions of reactions
// from another place.
bool OntoConstraints::keep_positions(double t, Span q, CSpan v) {
  constexpr int most = 3;
  constexpr double least_gain = 0.2;
  double gain = std::max(projection_.solver().contraction(), least_believed), before = 0;
  for (int k = 0; k < most; ++k) {
    if (correct(projection_.g()) != Step::done) return false;
    last_ = largest(step_);
    if (k == 0 && !(gain * last_ <= along_)) return false;  // which no later step mends
    if (k > 0) gain = last_ / before;
    if (k > 0 && !(gain <= least_gain)) return false;
    equations_.plus(q, step_);
    if (gain * last_ <= least_ && doubts_ == 0) return true;  // the rates are those of positions `enough` away
    projection_.evaluate(t, q, v);
    if (largest(projection_.g()) <= least_) return true;
    before = last_;
  }
  return false;
}

bool OntoConstraints::keep_velocities(double t, CSpan q, Span v) {
  constexpr int most = 3;
  constexpr double least_gain = 0.2;
  double gain = std::max(projection_.solver().contraction(), least_believed), before = 0;
  for (int k = 0; k < most; ++k) {
    if (correct(projection_.rate()) != Step::done) return false;
    const double size = largest(step_), scale = in_velocities * (1 + largest_of(v));
    if (k == 0 && !(gain * size <= along_ * scale)) return false;
    if (k > 0) gain = size / before;
    if (k > 0 && !(gain <= least_gain)) return false;
    for (std::size_t i = 0; i < v.size(); ++i) v[i] += step_[i];
    if (gain * size <= least_ * scale && (k > 0 || doubts_ == 0)) return true;
    projection_.evaluate(t, q, v);
    before = size;
  }
  return false;
}

// The step that takes the residual away, to first order.
OntoConstraints::Step OntoConstraints::correct(const std::vector<double>& residual) {
  constexpr double rounding = 1e-12;
  for (std::size_t k = 0; k < right_.size(); ++k) right_[k] = -residual[k];
  if (projection_.solver().correction(right_, step_)) return Step::done;
  return largest(residual) < rounding ? Step::holds : Step::fails;
}

// Newton's method with the matrix of the first place: behind a step of 1e-9 its product with the way so far is left, which is nothing.
bool OntoConstraints::move_positions(double t, Span q, CSpan v) {
  constexpr int most = 12;
  constexpr double rounding = 1e-12, closed = 1e-14;
  double before = std::numeric_limits<double>::infinity();
  moved_ = last_ = 0;
  for (int k = 0; k < most; ++k) {
    if (k > 0) projection_.evaluate(t, q, v);
    if (k > 0 && largest(projection_.g()) <= closed) return last_ = 0, true;  // the rates are those of these positions
    const Step step = correct(projection_.g());
    if (step != Step::done) return step == Step::holds;
    equations_.plus(q, step_);
    const double size = largest(step_);
    moved_ += size, last_ = size;
    if (size <= enough) return true;
    if (!(size < 0.9 * before)) {
      if (size < rounding) return true;
      projection_.solver().factor(t, q, projection_.workspace());
      moved_ = 0;
    }
    before = size;
  }
  return false;
}

// The rates at the last positions but one begin: they err by the last step times the velocities, and the matrix, which is that of the
// first positions, by all steps times the correction. Over a radius of a tenth (m or rad) that makes ten times as much.
bool OntoConstraints::move_velocities(double t, CSpan q, Span v) {
  constexpr int most = 4;
  constexpr double enough = 1e-12, radius = 0.1;
  const auto is_enough = [](double left, double speed) { return left <= enough * radius * (1 + speed); };
  double rates_err_by = last_;
  for (int k = 0; k < most; ++k) {
    const double before = largest_of(v);
    if (k > 0 || !is_enough(rates_err_by * before, before)) projection_.evaluate(t, q, v), rates_err_by = 0;
    const Step step = correct(projection_.rate());
    if (step != Step::done) return step == Step::holds;
    for (std::size_t i = 0; i < v.size(); ++i) v[i] += step_[i];
    const double speed = largest_of(v);
    if (is_enough(moved_ * largest(step_) + rates_err_by * speed, speed)) return true;
  }
  return true;
}

void OntoConstraints::move_if_near(double t, Span q, Span v) {
  std::ranges::copy(q, q_.begin());
  std::ranges::copy(v, v_.begin());
  if (move(t, q, v) && is_near(q_, q) && is_near(v_, v)) return;
  ++left_;
  std::ranges::copy(q_, q.begin());
  std::ranges::copy(v_, v.begin());
}

}  // namespace skyhook::simulation
