#include "skyhook/formalism/acceleration_solver.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "skyhook/formalism/recursive/load_feedback.h"
#include "skyhook/formalism/singular_position.h"

namespace skyhook::formalism {

using recursive::Equations;
using recursive::LoadFeedback;

namespace {

bool is_finite(double x) { return std::isfinite(x); }

}  // namespace

AccelerationSolver::AccelerationSolver(const Equations& eq)
    : eq_(eq),
      jacobian_(std::make_shared<const Pattern>(eq.constraint_pattern())),
      x_(eq.nv() + eq.ng()),
      g_(eq.ng()),
      rate_(eq.ng()),
      zero_v_(eq.nv(), 0.0),
      zero_g_(eq.ng(), 0.0),
      past_(static_cast<std::size_t>(eq.nv())) {
  if (eq.ng() == 0) return;  // the recursion needs no M
  mass_ = Csc(std::make_shared<const Pattern>(eq.mass_pattern()));
  build_pattern();
  factored_ = matrix_;
  lu_.emplace(SparseLu::for_a_while(matrix_.pattern));
  if (!eq.has_feedback()) return;
  feedback_.emplace(eq);
  x_friction_.resize(x_.size());
}

// Column by column: M over G, and behind them G^T. Each contact that closes or opens makes such a pattern for all bodies, so that it is not searched.
void AccelerationSolver::build_pattern() {
  const Pattern &mass = eq_.mass_pattern(), &rows = eq_.constraint_pattern();
  const int nv = eq_.nv(), ng = eq_.ng();
  auto pattern = std::make_shared<Pattern>(Pattern{.rows = nv + ng, .cols = nv + ng, .start = {0}, .row = {}});
  std::vector<int> next(ng, 0);  // of each row of G: how many entries it has, then where its next one goes
  for (int j = 0; j < nv; ++j) {
    for (int k = mass.start[j]; k < mass.start[j + 1]; ++k) {
      mass_at_.push_back(static_cast<int>(pattern->row.size()));
      if (mass.row[k] == j) diagonal_at_.push_back(mass_at_.back());
      pattern->row.push_back(mass.row[k]);
    }
    for (int k = rows.start[j]; k < rows.start[j + 1]; ++k) {
      jacobian_at_.push_back(static_cast<int>(pattern->row.size()));
      pattern->row.push_back(nv + rows.row[k]);
      ++next[rows.row[k]];
    }
    pattern->start.push_back(static_cast<int>(pattern->row.size()));
  }
  for (int r = 0; r < ng; ++r) {
    const int first = pattern->start.back();
    pattern->start.push_back(first + next[r]);
    next[r] = first;
  }
  pattern->row.resize(pattern->start.back());
  for (int j = 0; j < nv; ++j) {
    for (int k = rows.start[j]; k < rows.start[j + 1]; ++k) {
      transposed_at_.push_back(next[rows.row[k]]++);
      pattern->row[transposed_at_.back()] = j;
    }
  }
  matrix_ = Csc(std::move(pattern));
}

AccelerationSolver::AccelerationSolver(const AccelerationSolver&) = default;
AccelerationSolver::AccelerationSolver(AccelerationSolver&&) noexcept = default;
AccelerationSolver::~AccelerationSolver() = default;

bool AccelerationSolver::is_factored(double t, CSpan q) const {
  return t == t_factored_ && std::equal(q.begin(), q.end(), q_factored_.begin(), q_factored_.end());
}

// Of the place whose factors there are.
bool AccelerationSolver::is_within(double distance, CSpan q) const {
  if (!regular_ || q_factored_.empty()) return false;
  for (std::size_t i = 0; i < q.size(); ++i) {
    if (!(std::abs(q[i] - q_factored_[i]) <= distance)) return false;
  }
  return true;
}

// Refinement gains about three digits each time where positions are near. Elsewhere it may gain as much: a car that drives on changes its
// matrices less than its way. So that is tried as long as it pays.
bool AccelerationSolver::tries_nearby(CSpan q) {
  constexpr double near = 1e-3;
  if (is_within(near, q)) return true;
  if (!regular_ || q_factored_.empty() || is_stale_) return false;
  return nearby_pause_ == 0 || --nearby_pause_ < 0;
}

void AccelerationSolver::factor(double t, CSpan q, Equations::Workspace& ws) {
  if (is_factored(t, q) && !is_elsewhere_) return;
  eq_.matrices(t, q, {mass_.value, jacobian_.value}, ws);
  factor_again(t, q);
}

void AccelerationSolver::factor(double t, CSpan q, CSpan v, Span g, Span g_rate, Equations::Workspace& ws) {
  eq_.matrices(t, q, v, {mass_.value, jacobian_.value}, g, g_rate, ws);
  factor_again(t, q);
}

void AccelerationSolver::take_matrices() {
  for (std::size_t k = 0; k < mass_at_.size(); ++k) matrix_.value[mass_at_[k]] = mass_.value[k];
  for (std::size_t k = 0; k < jacobian_at_.size(); ++k)
    matrix_.value[jacobian_at_[k]] = matrix_.value[transposed_at_[k]] = jacobian_.value[k];
}

// What was factored is kept beside.
void AccelerationSolver::take_matrices_elsewhere() {
  if (!matrix_is_elsewhere_) std::swap(matrix_.value, factored_.value);
  matrix_is_elsewhere_ = true;
  take_matrices();
}

void AccelerationSolver::factor_again(double t, CSpan q) {
  take_matrices();
  // Near a singular position plain LU loses all digits of lambda: from there on the solution of least size is taken.
  regular_ = lu_->factor(matrix_.value) && lu_->rcond() > 1e-14;
  ++factorisations_;
  euclidean_is_new_ = is_elsewhere_ = matrix_is_elsewhere_ = is_stale_ = is_worn_ = false;
  contraction_ = 1, spent_ = 0;
  if (feedback_) feedback_->forget_responses();
  if (keep_pause_ > 0) --keep_pause_;
  t_factored_ = t, q_factored_.assign(q.begin(), q.end());
}

Eval AccelerationSolver::solve(double t, CSpan q, CSpan v, Span a, Span lambda, Equations::Workspace& ws,
                               double alpha) {
  const Input at_rest{t, q, v, zero_v_, zero_g_, zero_g_};
  if (eq_.ng() == 0) return eq_.accelerations(at_rest, a, ws);
  const int nv = eq_.nv();
  t_solved_ = t;
  if (alpha == 0 && (may_predict(t, q) || may_begin_as_expected(t, q, ws)) && solve_predicted(t, q, v, ws)) {
    std::copy_n(x_.begin(), nv, a.begin());
    std::copy(x_.begin() + nv, x_.end(), lambda.begin());
    return Eval::ok;
  }
  begun_ = zero_v_;
  const Span forces = Span(x_).first(nv), bias = Span(x_).subspan(nv);
  const bool known = is_factored(t, q);
  const Matrices matrices{mass_.value, jacobian_.value};
  if (const Eval e = eq_.levels(at_rest, {forces, g_, rate_, bias}, ws, known ? nullptr : &matrices); e != Eval::ok)
    return e;
  refines_ = !known && uses_nearby_ && tries_nearby(q);
  if (refines_)
    take_matrices_elsewhere(), is_elsewhere_ = true;
  else if (!known)
    factor_again(t, q);
  for (std::size_t k = 0; k < bias.size(); ++k) bias[k] += alpha * (2 * rate_[k] + alpha * g_[k]);
  for (double& x : x_) x = -x;
  right_ = x_;
  Eval e = solve_here(t, v, ws);
  if (refines_ && e != Eval::ok) {
    factor_again(t, q), refines_ = false;
    x_ = right_;
    e = solve_here(t, v, ws);
  }
  if (e != Eval::ok && !feedback_) return e;
  const std::vector<double>& x = feedback_ ? x_friction_ : x_;
  std::copy_n(x.begin(), nv, a.begin());
  std::copy(x.begin() + nv, x.end(), lambda.begin());
  if (uses_nearby_ && e == Eval::ok) past_.add(t, x);
  return e;
}

// Its loads depend on all multipliers of its joint.
bool AccelerationSolver::has_friction() const { return feedback_ && feedback_->has_friction(); }

void AccelerationSolver::expect(double t, CSpan a, CSpan lambda) {
  expected_.assign(a.begin(), a.end());
  expected_.insert(expected_.end(), lambda.begin(), lambda.end());
  t_expected_ = t, expects_ = true;
}

bool AccelerationSolver::serves() const {
  return keeps_ && !has_friction() && regular_ && !q_factored_.empty() && !is_worn_ && keep_pause_ == 0;
}

// Until they have been made anew as often.
void AccelerationSolver::pause_keeping() {
  constexpr short longest = 64;
  keep_pause_ = keep_patience_;
  if (keep_patience_ < longest) keep_patience_ *= 2;
}

void AccelerationSolver::wear_out() {
  pause_keeping();
  ++keep_pause_;  // the next ones do not count
  is_worn_ = true;
}

// With factors of this very time, of positions that a projection has moved since, or those that serve; and solutions at times before that lie
// close.
bool AccelerationSolver::may_predict(double t, CSpan q) const {
  constexpr double near = 1e-4;
  if (!uses_nearby_ || has_friction() || (is_factored(t, q) && !feedback_) || !(is_expected(t) || past_.foretells(t)))
    return false;
  return t == t_factored_ ? is_within(near, q) : serves();
}

// Loads that read multipliers ask for several solutions of the linear equations from any other start: with new factors that costs more too.
bool AccelerationSolver::may_begin_as_expected(double t, CSpan q, Equations::Workspace& ws) {
  if (!uses_nearby_ || !feedback_ || has_friction() || !is_expected(t)) return false;
  factor(t, q, ws);
  return regular_;
}

// With the factors of a place at the distance d the step of Newton's method errs by d over a radius of a tenth (m or rad) times itself. What was
// seen at another place may have been a lucky direction.
double AccelerationSolver::contraction_here(double t, CSpan q) const {
  constexpr double radius = 0.1, least_believed = 0.01;
  if (t != t_factored_) return std::max(contraction_, least_believed);
  double distance = 0;
  for (std::size_t i = 0; i < q.size(); ++i) distance = std::max(distance, std::abs(q[i] - q_factored_[i]));
  return distance / radius;
}

// Forces, bias and M a + G^T lambda of the guess in one pass, and no M. Of what is left then the nodes tell M a.
bool AccelerationSolver::solve_predicted(double t, CSpan q, CSpan v, Equations::Workspace& ws) {
  if (is_expected(t)) {
    guess_ = expected_;
  } else {
    past_.foretell(t, guess_);
  }
  expects_ = false;
  const auto nv = static_cast<std::size_t>(eq_.nv());
  if (newton_step(t, q, v, CSpan(guess_).first(nv), CSpan(guess_).subspan(nv), ws) != Eval::ok) return false;
  begun_.assign(guess_.begin(), guess_.begin() + static_cast<std::ptrdiff_t>(nv));
  if (!improve_guess(t, q, v, ws) || !std::ranges::all_of(guess_, is_finite)) return false;
  x_ = guess_;
  past_.add(t, x_);
  return true;
}

// Steps of refinement as long as they gain. Where factors are kept one more than with new ones is cheap; each beyond it costs a third of these. Loads that
// read multipliers are no linear function of them: there the first step tells nothing of the next.
bool AccelerationSolver::improve_guess(double t, CSpan q, CSpan v, Equations::Workspace& ws) {
  const int most = feedback_ ? 8 : 4, cheap = feedback_ ? 3 : 2, price = feedback_ ? 8 : 3;
  const double least_gain = 0.1, good_gain = feedback_ ? least_gain : 0.01;
  double gain = feedback_ ? 1.0 : contraction_here(t, q), before = 0;
  const bool are_of_this_time = t == t_factored_;
  const double digits =
      are_of_this_time ? 1e-9
                       : 1e-11;  // a contraction that was seen at another place may be ten times as good as that here
  for (int k = 1;; ++k) {
    for (std::size_t i = 0; i < x_.size(); ++i) guess_[i] -= x_[i];
    const double size = past_.relative_size(x_, guess_);
    if (k > 1) contraction_ = gain = before > 0 ? size / before : 0.0;
    if (gain * size <= digits) {
      if (are_of_this_time) return true;
      if (gain > good_gain) return wear_out(), true;
      is_worn_ = (spent_ += std::max(0, k - cheap)) >= price, keep_patience_ = 1;
      return true;
    }
    if (take_step(t, v, ws) != Eval::ok) return false;
    if (k == most || (k > 1 && !(gain <= least_gain))) return step_with_new_factors(t, q, v, ws);
    if (!solve_step()) return false;
    before = size;
  }
}

// What is left in right_ asks for x_.
bool AccelerationSolver::solve_step() {
  x_ = right_;
  lu_->solve(x_);
  return !feedback_ || feedback_->complete(x_);
}

// The guess has become smaller by x_: the nodes go there, and right_ with them.
Eval AccelerationSolver::take_step(double t, CSpan v, Equations::Workspace& ws) {
  const auto nv = static_cast<std::size_t>(eq_.nv());
  change_.resize(2 * nv);
  const Span change = Span(change_).first(nv), forces = Span(change_).subspan(nv);
  for (std::size_t i = 0; i < nv; ++i) change[i] = -x_[i], begun_[i] += change[i];
  eq_.change_accelerations(change, forces, ws);
  for (std::size_t i = 0; i < nv; ++i) right_[i] += forces[i];
  const Pattern& rows = *jacobian_.pattern;
  for (std::size_t j = 0; j < nv; ++j) {
    for (int k = rows.start[j]; k < rows.start[j + 1]; ++k) {
      const auto row = nv + static_cast<std::size_t>(rows.row[k]);
      right_[j] -= jacobian_.value[k] * x_[row], right_[row] -= jacobian_.value[k] * x_[j];
    }
  }
  return feedback_ ? feedback_->take_changes(t, v, CSpan(guess_).subspan(nv), Span(right_).first(nv), ws) : Eval::ok;
}

// Then the next ones are not kept so soon.
bool AccelerationSolver::step_with_new_factors(double t, CSpan q, CSpan v, Equations::Workspace& ws) {
  eq_.matrices(t, q, {mass_.value, jacobian_.value}, ws);
  factor_again(t, q);
  pause_keeping();
  if (!regular_) return false;
  if (feedback_) return settle_loads(t, v, ws);
  x_ = right_;
  solve_refined(x_);
  for (std::size_t i = 0; i < x_.size(); ++i) guess_[i] -= x_[i];
  return true;
}

// With the slopes of the guess, until steps go down with their squares.
bool AccelerationSolver::settle_loads(double t, CSpan v, Equations::Workspace& ws) {
  constexpr int most = 10;
  constexpr double digits = 1e-11;
  if (!find_responses(t, v, CSpan(guess_).subspan(static_cast<std::size_t>(eq_.nv())), ws)) return false;
  double before = 0;
  for (int k = 0; k < most; ++k) {
    if (!solve_step()) return false;
    for (std::size_t i = 0; i < x_.size(); ++i) guess_[i] -= x_[i];
    const double size = past_.relative_size(x_, guess_);
    if (size <= digits || (k > 0 && size * size <= digits * before)) return true;
    if (take_step(t, v, ws) != Eval::ok) return false;
    before = size;
  }
  return false;
}

bool AccelerationSolver::find_responses(double t, CSpan v, CSpan lambda, Equations::Workspace& ws) {
  return feedback_->find_responses(
      t, v, lambda, [this](Span x) { return lu_->solve(x), true; }, ws);
}

// The right-hand side in x_ becomes the solution, with forces that depend on multipliers in x_friction_.
Eval AccelerationSolver::solve_here(double t, CSpan v, Equations::Workspace& ws) {
  if (solve_factored(x_)) return feedback_ ? add_feedback(t, v, ws) : Eval::ok;
  const int column = lu_->singular_column();
  ws.blame = column >= 0 && column < eq_.nv() ? eq_.without_inertia(column, ws)
                                              : std::string("the constraints contradict each other at this position");
  return Eval::recoverable;
}

// Iterative refinement with factors of a place nearby: each time the error falls by what the matrix differs. Accelerations and
// multipliers have sizes of their own. A factorisation costs as much as five or six of its steps.
bool AccelerationSolver::solve_nearby(Span x) {
  constexpr int most = 6, many = 4, longest = 64;
  constexpr double rounding = 1e-15, digits = 1e-13, least_gain = 0.1;
  const auto nv = static_cast<std::size_t>(eq_.nv());
  nearby_right_.assign(x.begin(), x.end());
  lu_->solve(x);
  auto before = sizes_of(x, nv);
  for (int k = 0; k < most; ++k) {
    correction_ = nearby_right_;
    multiply_add(matrix_, x, -1.0, correction_);
    lu_->solve(correction_);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += correction_[i];
    const auto size = sizes_of(correction_, nv), of_x = sizes_of(x, nv);
    bool is_exact = true, gains = true;
    for (std::size_t part = 0; part < size.size(); ++part) {
      const double gain = before[part] > 0 ? size[part] / before[part] : 0.0;
      is_exact = is_exact && (size[part] * gain <= digits * of_x[part] || size[part] <= 10 * rounding * of_x[part]);
      gains = gains && gain <= least_gain;
    }
    if (is_exact) return is_stale_ = k >= many, nearby_patience_ = 1, true;
    if (!gains) break;
    before = size;
  }
  is_stale_ = true;
  nearby_pause_ = nearby_patience_, nearby_patience_ = std::min(2 * nearby_patience_, longest);
  std::ranges::copy(nearby_right_, x.begin());
  return false;
}

bool AccelerationSolver::solve_factored(Span x) {
  if (refines_) return solve_nearby(x);
  if (!regular_) return solve_singular(matrix_, jacobian_, x);
  solve_refined(x);
  return true;
}

// With one step of iterative refinement in working precision: backward stable again after moderate growth of the kept pivots.
void AccelerationSolver::solve_refined(Span x) {
  correction_.assign(x.begin(), x.end());
  lu_->solve(x);
  multiply_add(as_factored(), x, -1.0, correction_);
  lu_->solve(correction_);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += correction_[i];
}

// With factors of a place 1e-6 away the change has six digits.
bool AccelerationSolver::can_follow(double t, CSpan q, Equations::Workspace& ws) {
  constexpr double same = 1e-6;
  if (eq_.ng() == 0) return true;
  if (has_friction()) return false;
  if (feedback_ && keeps_ && feedback_->knows_responses())
    return regular_;  // some steps of refinement cost less than factors
  if (t != t_factored_ || !is_within(same, q)) factor(t, q, ws);
  return regular_;
}

// What (a, lambda) are too large by, to first order, in x_.
Eval AccelerationSolver::newton_step(double t, CSpan q, CSpan v, CSpan a, CSpan lambda, Equations::Workspace& ws) {
  const auto nv = static_cast<std::size_t>(eq_.nv());
  const Span forces = Span(x_).first(nv), bias = Span(x_).subspan(nv);
  const Matrices constraints_alone{{}, jacobian_.value};
  if (const Eval e = eq_.levels({t, q, v, a, zero_g_, zero_g_}, {forces, g_, rate_, bias}, ws, &constraints_alone);
      e != Eval::ok)
    return e;
  const Pattern& rows = *jacobian_.pattern;
  for (int j = 0; j < rows.cols; ++j) {
    for (int k = rows.start[j]; k < rows.start[j + 1]; ++k) forces[j] += jacobian_.value[k] * lambda[rows.row[k]];
  }
  is_elsewhere_ = true;
  right_ = x_;
  if (!feedback_) return lu_->solve(x_), Eval::ok;
  if (const Eval e = feedback_->take_loads(t, v, lambda, Span(right_).first(nv), ws); e != Eval::ok) return e;
  if (!feedback_->knows_responses() && !find_responses(t, v, lambda, ws)) return Eval::recoverable;
  return solve_step() ? Eval::ok : Eval::recoverable;
}

// With kept factors and slopes some more steps bring the change to six digits.
Eval AccelerationSolver::follow(double t, CSpan q, CSpan v, Span a, Span lambda, Equations::Workspace& ws) {
  if (eq_.ng() == 0) return eq_.accelerations({t, q, v, zero_v_, zero_g_, zero_g_}, a, ws);
  const auto nv = static_cast<std::size_t>(eq_.nv());
  begun_.assign(a.begin(), a.end());
  if (const Eval e = newton_step(t, q, v, a, lambda, ws); e != Eval::ok) return e;
  guess_.assign(a.begin(), a.end());
  guess_.insert(guess_.end(), lambda.begin(), lambda.end());
  for (std::size_t i = 0; i < x_.size(); ++i) guess_[i] -= x_[i];
  if ((feedback_ && !follow_closer(t, v, ws)) || !std::ranges::all_of(guess_, is_finite))
    return solve(t, q, v, a, lambda, ws);
  std::copy_n(guess_.begin(), nv, a.begin());
  std::copy(guess_.begin() + static_cast<std::ptrdiff_t>(nv), guess_.end(), lambda.begin());
  return Eval::ok;
}

bool AccelerationSolver::follow_closer(double t, CSpan v, Equations::Workspace& ws) {
  constexpr int most = 4;
  constexpr double digits = 1e-6;
  const double whole = past_.relative_size(x_, guess_);
  double before = whole;
  for (int k = 0; k < most; ++k) {
    if (take_step(t, v, ws) != Eval::ok || !solve_step()) return false;
    for (std::size_t i = 0; i < x_.size(); ++i) guess_[i] -= x_[i];
    const double size = past_.relative_size(x_, guess_);
    if (size * size <= digits * whole * before) return true;
    before = size;
  }
  return false;
}

// levels() has moved the nodes.
Eval AccelerationSolver::add_feedback(double t, CSpan v, Equations::Workspace& ws) {
  const auto nv = static_cast<std::size_t>(eq_.nv());
  if (uses_nearby_ && regular_ && eq_.frictions().empty()) {
    x_friction_ = x_;
    const auto exactly = [this](Span x) { return solve_factored(x); };
    const auto roughly = [this](Span x) { return lu_->solve(x), true; };
    if (feedback_->solve_next(x_friction_, t, v, exactly, roughly, ws) == Eval::ok) return Eval::ok;
  }
  std::size_t friction = 0;
  int k = 0;
  const auto respond = [&](auto&& fill) {
    const Span z = feedback_->response(k++);
    std::ranges::fill(z, 0.0);
    fill(z.first(nv));
    return solve_factored(z);
  };
  bool is_solved = true;
  for (; friction < eq_.frictions().size(); ++friction)
    is_solved &= respond([&](Span row) {
      feedback_->factor[friction] = eq_.frictions()[friction].law().factor(eq_.sliding(friction, ws, row));
    });
  for (const int reader : eq_.readers()) {
    const auto& item = eq_.contributions()[static_cast<std::size_t>(reader)];
    for (int part = 0; part < Equations::load_parts(item) && item.acts(); ++part)
      is_solved &= respond([&](Span row) { eq_.load_row(item, part, t, row, ws); });
  }
  if (!is_solved) return ws.blame = feedback_->blame(), Eval::recoverable;
  x_friction_ = x_;
  return feedback_->solve(x_friction_, t, v, ws);
}

bool AccelerationSolver::smallest_step(CSpan right, Span step, Metric metric) {
  const auto nv = static_cast<std::size_t>(eq_.nv());
  if (metric == Metric::euclidean ? !factor_euclidean() : !regular_) return false;
  std::fill_n(x_.begin(), nv, 0.0);
  std::copy(right.begin(), right.end(), x_.begin() + static_cast<long>(nv));
  metric == Metric::euclidean ? euclidean_->solve_refined(x_) : solve_refined(x_);
  std::copy_n(x_.begin(), nv, step.begin());
  return true;
}

bool AccelerationSolver::correction(CSpan right, Span step) {
  const auto nv = static_cast<std::size_t>(eq_.nv());
  if (!regular_) return false;
  std::fill_n(x_.begin(), nv, 0.0);
  std::copy(right.begin(), right.end(), x_.begin() + static_cast<long>(nv));
  lu_->solve(x_);
  std::copy_n(x_.begin(), nv, step.begin());
  return true;
}

bool AccelerationSolver::factor_euclidean() {
  if (!euclidean_) euclidean_.emplace(matrix_.pattern);
  if (euclidean_is_new_) return true;
  euclidean_value_ = matrix_.value;
  for (const int k : mass_at_) euclidean_value_[static_cast<std::size_t>(k)] = 0.0;
  for (const int k : diagonal_at_) euclidean_value_[static_cast<std::size_t>(k)] = 1.0;
  return euclidean_is_new_ = euclidean_->factor(euclidean_value_) && euclidean_->rcond() > 1e-14;
}

}  // namespace skyhook::formalism
