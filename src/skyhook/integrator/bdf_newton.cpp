#include "skyhook/integrator/bdf_newton.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "skyhook/integrator/common.h"

namespace skyhook::integrator {
namespace {

// What Newton leaves over is noise in the history, which its differences of order k + 1 enlarge by up to 2^(k + 1): it must
// stay far below the tolerance, or the error test sees nothing else at order 5.
// 2^(k + 1)/(k + 1) is 11 at order 5, no more than 3 at orders 1 and 2. Of constraints what is left over stays, or drifts.
constexpr double own_kappa = 0.05, own_low_kappa = 0.2;
constexpr double kept_alpha =
    0.25;  // relative change of alpha for which the matrix is kept, with the factor c of [Arnold 2006] (18)
constexpr double equal_alpha = 0.05;
constexpr double dassl_alpha =
    0.6;  // least ratio of the smaller alpha to the larger one for which DASSL keeps a matrix
constexpr int stale_after = 3, stale_after_if_thrifty = 4;  // iterations that tell of a dF/dy grown old
// An evaluation costs as much as these corrections. When a matrix has caused as many, beyond one for each solution, another one pays, unless the last
// one brought nothing.
constexpr int price_of_matrix = 6, highest_price = 32 * price_of_matrix;
// A rate is believed down to a bound, and less with each solution that tells no new one: a rate of nothing, measured once where
// the equations are linear, would let any first correction pass for ever.
constexpr double least_carried = 0.02, doubt = 1.15;
constexpr int most_unmeasured = 8;   // solutions
constexpr double negligible = 1e-8;  // correction, in terms of kappa
constexpr double last_bits = 4 * std::numeric_limits<double>::epsilon();
constexpr double unknown = 1;  // rate / (1 - rate) before it is known
constexpr int most_iterations = 4, most_if_persistent = 6;
constexpr double slow = 0.9;             // a contraction beyond it is none
constexpr double stalled = 2;            // beyond it what grows is no rounding
constexpr double little_rounding = 0.1;  // tolerances: more is the neighbourhood of a singular position
constexpr int always_new_for = 20;       // solutions, where a matrix that was kept has failed

bool has_multipliers(const Structure& structure) {
  return std::ranges::any_of(structure.y, [](const Variable& v) { return !v.in_error_test; });
}

}  // namespace

BdfNewton::BdfNewton(const DaeProblem& p, const Options& options)
    : workspace(p.workspace()),
      problem(p),
      structure(p.structure()),
      kappa(options.kappa > 0 ? options.kappa : own_kappa),
      low_kappa(options.kappa > 0 || has_multipliers(p.structure()) ? kappa : own_low_kappa),
      is_thrifty(options.jacobian.update != JacobianStrategy::Update::none),
      is_as_dassl(!is_thrifty && options.jacobian.source != JacobianStrategy::Source::exact),
      may_begin(!is_thrifty && !is_as_dassl && !options.persistent_newton && !has_multipliers(p.structure())),
      matrix(p, options.jacobian) {
  for (auto* v : {&y, &yp, &E, &F, &y_start, &yp_start, &weight, &error_weight}) v->assign(structure.y.size(), 0.0);
  tested = looked_at = 0;
  for (std::size_t i = 0; i < structure.y.size(); ++i) {
    const Variable& v = structure.y[i];
    floor.push_back(options.absolute_tolerance * v.nominal);
    relative.push_back(v.counts_way ? 0 : options.relative_tolerance);
    // Multipliers of index 2 follow from the rest, linearly, but columns that have grown old leave a part of what they are corrected by: they count by
    // what they would move within the step, lest that part grow unseen.
    const int power = v.in_error_test ? std::max(v.index - 1, 0) : std::max(v.index, 1);
    is_tested.push_back(v.in_error_test ? 1.0 : 0.0);
    const bool goes_on = !powers.empty() && powers.back().end == i && powers.back().of_h == power;
    if (goes_on)
      ++powers.back().end;
    else if (power > 0)
      powers.push_back({i, i + 1, power});
    if (!v.in_error_test && v.index > 1) unseen.push_back(i);
    tested += is_tested[i], looked_at += v.in_error_test || v.index < 2 ? 1.0 : 0.0;
  }
  tested = std::max(tested, 1.0), looked_at = std::max(looked_at, 1.0);
}

void BdfNewton::set_weights(CSpan at, double step) {
  const std::size_t n = at.size();
  for (std::size_t i = 0; i < n; ++i) weight[i] = 1 / (relative[i] * std::abs(at[i]) + floor[i]);
  const double limited = std::min(step, 1.0);
  const double of_h[] = {1, limited, limited * limited, limited * limited * limited};  // no index is above 3
  for (const Power& p : powers) {
    const double factor = of_h[p.of_h];
    for (std::size_t i = p.begin; i < p.end; ++i) weight[i] *= factor;
  }
  // No prediction enlarges what is left of multipliers by more than 2^(k + 1) - 1 = 63: a 63rd of them may be left, whatever it would move.
  double largest = 0;
  for (const std::size_t i : unseen) largest = std::max(largest, std::abs(at[i]));
  const double enough = 63 * own_kappa * std::sqrt(looked_at) / largest;
  for (const std::size_t i : unseen) weight[i] = std::min(weight[i], enough);
  Sum squares;
  in_fours(n, [&](auto kind, std::size_t i) {
    using T = decltype(kind);
    const T size = load<T>(weight.data() + i) * load<T>(at.data() + i);
    squares.add(size * size);
  });
  rounding = std::min(last_bits * std::sqrt(squares.total() / looked_at), little_rounding);
  for (std::size_t i = 0; i < n; ++i) error_weight[i] = is_tested[i] * weight[i];
  if (is_persistent) magnitude.assign(at.begin(), at.end());
}

Eval BdfNewton::evaluate_residual(Cost& cost) {
  const Eval eval = checked_residual(problem, {t, y, yp}, F, *workspace, cost, blame);
  is_fatal = eval == Eval::fatal;
  return eval;
}

// False: there are no factors.
bool BdfNewton::renew(Renewal renewal, Cost& cost) {
  workspace->blame.clear();
  const Point point = is_low_order && may_begin && !begin.y.empty() ? begin : Point{t, y, yp};
  has_matrix = false;
  Eval eval = Eval::ok;
  if (renewal == Renewal::combine)
    matrix.combine(alpha);
  else
    eval = renewal == Renewal::update  ? matrix.update(point, alpha, *workspace, cost)
           : renewal == Renewal::widen ? matrix.widen(point, F, alpha, *workspace, cost)
                                       : matrix.evaluate(point, F, alpha, *workspace, cost);
  is_fatal = eval == Eval::fatal;
  if (eval != Eval::ok) {
    blame = workspace->blame.empty() ? "The derivatives could not be evaluated." : workspace->blame;
    return false;
  }
  if (!matrix.factor(h, cost)) {
    blame = fmt::format(
        "The equations do not determine {} here (singular Jacobian): look for a locked position, a body without "
        "mass or constraints that repeat each other.",
        structure.y[static_cast<std::size_t>(matrix.singular_column())].name);
    return false;
  }
  has_matrix = true;
  const bool is_new = renewal == Renewal::evaluate || renewal == Renewal::widen;
  carried = is_new ? unknown : std::max(carried, unknown);
  if (renewal != Renewal::combine)
    measured = carried;  // a correction that only confirms it is none that old derivatives cost
  return true;
}

// What may help where a matrix that was renewed like this does not: none, if nothing is left.
BdfNewton::Renewal BdfNewton::next_after(Renewal used) const {
  if (used == Renewal::none && matrix.follows_inputs()) return Renewal::update;
  if (used == Renewal::none || used == Renewal::combine || used == Renewal::update) return Renewal::evaluate;
  return used == Renewal::evaluate && matrix.may_lack_entries() ? Renewal::widen : Renewal::none;
}

// Where the strategy keeps dF/dy an update, else the matrices as they are, where they are known by themselves: the corrections that they cost tell when they
// have grown old.
BdfNewton::Renewal BdfNewton::for_other_alpha() const {
  if (matrix.can_update()) return Renewal::update;
  return matrix.can_combine() ? Renewal::combine : Renewal::evaluate;
}

// y -= c J^-1 F, which stands in F; y' follows. The weighted size of the correction.
double BdfNewton::correct(double c) {
  const std::size_t n = y.size();
  const double a = alpha;
  double *value = y.data(), *slope = yp.data(), *sum = E.data();
  const double *delta = F.data(), *w = weight.data();
  Sum squares;
  in_fours(n, [&](auto kind, std::size_t i) {
    using T = decltype(kind);
    const T d = T(-c) * load<T>(delta + i), weighted = load<T>(w + i) * d;
    store(load<T>(value + i) + d, value + i);
    store(load<T>(sum + i) + d, sum + i);
    store(load<T>(slope + i) + T(a) * d, slope + i);
    squares.add(weighted * weighted);
  });
  return std::sqrt(squares.total() / looked_at);
}

BdfNewton::Solved BdfNewton::iterate(Cost& cost) {
  const double c = 2 / (1 + alpha / matrix.alpha()), enough = (is_low_order ? low_kappa : kappa) / tighter;
  double first = 0;
  is_falling = false;
  for (iterations = 1;; ++iterations) {
    ++cost.newton_iterations;
    matrix.solve(F);
    const double size = correct(c);
    if (!std::isfinite(size)) return Solved::no;
    if (iterations == 1) {
      first = size;
      if (size <= std::max(negligible * enough, rounding)) return Solved::yes;
      carried *= doubt, ++unmeasured;
    } else {
      const double rate = iterations == 2 ? size / first : std::pow(size / first, 1.0 / (iterations - 1));
      is_falling = rate <= slow;
      if (!is_falling) return size <= rounding || (rate < stalled && is_rounding(size)) ? Solved::yes : Solved::no;
      carried = measured = std::max(rate / (1 - rate), least_carried), unmeasured = 0;
    }
    const bool must_measure = iterations == 1 && (is_quiet || unmeasured > most_unmeasured);
    if (carried * size <= enough && !must_measure) return Solved::yes;
    if (iterations == 1) was_checked = measured * size <= enough;
    if (iterations >= (is_persistent ? most_if_persistent : most_iterations))
      return is_rounding(size) ? Solved::yes : Solved::no;
    if (evaluate_residual(cost) != Eval::ok) return Solved::not_evaluated;
  }
}

// With derivatives at the present iterate.
BdfNewton::Solved BdfNewton::iterate_on(Cost& cost) {
  if (evaluate_residual(cost) != Eval::ok || !renew(Renewal::evaluate, cost)) return Solved::not_evaluated;
  return iterate(cost);
}

// Whether rounding of residuals (residual_rounding.h), an upper bound of it, makes corrections as large: none are smaller then, in any step.
bool BdfNewton::is_rounding(double size) {
  if (!is_persistent || !std::isfinite(size)) return false;
  const Csc& J = matrix.value();
  const Pattern& pattern = *J.pattern;
  std::minstd_rand sign;
  std::ranges::fill(F, 0.0);
  for (std::size_t j = 0; j < magnitude.size(); ++j) {
    const double each = std::abs(magnitude[j]) + structure.y[j].nominal;
    for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k) F[pattern.row[k]] += std::abs(J.value[k]) * each;
  }
  for (double& f : F) f *= (sign() % 2 == 0 ? 1 : -1) * std::numeric_limits<double>::epsilon();
  matrix.solve(F);
  double sum = 0;
  for (std::size_t i = 0; i < F.size(); ++i) sum += std::pow(weight[i] * F[i], 2);
  return size <= std::min(std::sqrt(sum / looked_at), little_rounding);
}

// Where alpha differs, that alone may make the iteration slow.
BdfNewton::Renewal BdfNewton::after_slow(Renewal used) const {
  if (used == Renewal::none && std::abs(alpha / matrix.alpha() - 1) > equal_alpha) return for_other_alpha();
  const Renewal next = next_after(used);
  return next == Renewal::widen ? Renewal::none : next;
}

// Has the matrix cost as many corrections as a new one would? A matrix with which most solutions took one correction was worth its price; after others
// it is doubled, for then something else makes the iteration slow.
bool BdfNewton::has_paid(Renewal used) {
  if (is_thrifty) return false;
  if (used != Renewal::none && used != Renewal::combine) {
    further = single = 0;
    price = std::max(price, price_of_matrix);
    return false;
  }
  if (iterations == 1)
    ++single;
  else if (!was_checked)
    further += iterations - 1;
  if (further < price) return false;
  price = single >= further ? price_of_matrix : std::min(2 * price, highest_price);
  return true;
}

bool BdfNewton::has_other_alpha() const {
  const double ratio = alpha / matrix.alpha();
  return is_as_dassl ? std::min(ratio, 1 / ratio) < dassl_alpha : std::abs(ratio - 1) > kept_alpha;
}

// A solution has told that the matrix serves no longer as well as a new one would.
bool BdfNewton::has_aged(Renewal used) {
  if (is_as_dassl) return false;
  return has_paid(used) || iterations >= (is_thrifty ? stale_after_if_thrifty : stale_after);
}

BdfNewton::Solved BdfNewton::solve(double at, double step, double alpha_now, Cost& cost) {
  t = at, h = step, alpha = alpha_now;
  std::ranges::copy(y, y_start.begin());
  std::ranges::copy(yp, yp_start.begin());
  const bool moved = !has_matrix || has_other_alpha();
  Renewal renewal = wanted == Renewal::none && moved ? for_other_alpha() : wanted;
  if (always_new > 0) --always_new, renewal = Renewal::evaluate;
  for (;;) {
    std::ranges::fill(E, 0.0);
    if (evaluate_residual(cost) != Eval::ok) return Solved::not_evaluated;
    const bool has_factors = renewal == Renewal::none || renew(renewal, cost);
    Solved solved = has_factors ? iterate(cost) : Solved::not_evaluated;
    if (solved == Solved::no && is_persistent && is_falling && renewal == Renewal::evaluate) solved = iterate_on(cost);
    if (solved == Solved::yes) {
      wanted = has_aged(renewal) ? after_slow(renewal) : Renewal::none;
      return solved;
    }
    wanted = Renewal::none;
    if (is_fatal) return solved;
    ++cost.newton_failures;
    if (is_persistent && !is_thrifty && !is_as_dassl && renewal != Renewal::evaluate)
      always_new = always_new_for;  // derivatives age within a step
    renewal = next_after(renewal);
    if (renewal == Renewal::none) return solved;
    std::ranges::copy(y_start, y.begin());
    std::ranges::copy(yp_start, yp.begin());
  }
}

}  // namespace skyhook::integrator
