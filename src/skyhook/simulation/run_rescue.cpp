// Where a run cannot go on as it did: `auto` takes another solver where stiffness sets in or ends; other rows of redundant constraints are
// chosen where they open; a singular position is crossed where a step fails.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "skyhook/simulation/crossing.h"
#include "skyhook/simulation/run.h"
#include "skyhook/simulation/run_warnings.h"

namespace skyhook::simulation {

// What `auto` has chosen by the fastest rate. Explicit methods see for themselves where they are at the border of stability. Implicit
// ones do not see that they could be left: the rate is found anew from time to time. Each time after twice as many steps: a
// long run pays nothing for it, and what comes and goes cannot take it back and forth for ever.
void Run::reconsider_solver(double t) {
  if (!choice_.may_change) return warn_of_stiffness(t);
  if (t >= until()) return;
  Progress now{.t = t, .constraints = hybrid_->active()->ng()};
  if (!is_implicit(choice_.solver)) {
    now.rate = motion_->stiff_rate();
    if (now.rate == 0) return;
    motion_->forget_stiffness();
    return change_solver(t, leave_explicit(choice_, now, experiment_));
  }
  if (auto_.since == 0) auto_.t = t;
  if (++auto_.since <= auto_.patience) return;
  now.step = (t - auto_.t) / static_cast<double>(auto_.since - 1);
  now.rate = fastest_rate(*hybrid_->active(), state_at(t));
  auto_.since = 0, auto_.patience *= 2;
  change_solver(t, leave_implicit(now, *prepared().model));
}

void Run::change_solver(double t, const std::optional<Choice>& to) {
  if (!to) return;
  close_books(t);
  const Choice& next = *to;
  state_ = state_at(t);
  leave_motion();
  choice_.solver = next.solver, auto_.since = 0;
  told_.stiffness = told_.stiffness || is_implicit(next.solver);
  out_.solver_changes.push_back({t, next.solver.name(), next.why});
  sink_.event({t, "solver changed", next.solver.name() + " from here on, because " + next.why});
  if (find_accelerations()) start_motion_here();
}

// Begins anew with other constraint rows; both sides of the instant are stored.
bool Run::restart() {
  const bool recorded = before_event_.q.empty() || record(before_event_, -1);
  before_event_ = {};
  if (recorded && !start()) return false;
  if (recorded && record(state_, +1)) return true;
  return fail(state_.t, accelerations_missing(state_.t)), false;
}

bool Run::renew_constraints(double t) {
  if (!watch_.rows.has_redundant() || t <= renewals_.last) return false;
  if (t > renewals_.first + 1e-3 * span()) renewals_.first = t, renewals_.count = 0;
  constexpr int most_at_one_place = 20;
  if (renewals_.count >= most_at_one_place) return false;
  const formalism::State before = state_at(motion_->t());
  state_ = before;
  const Equations& all = *hybrid_->all();
  if (!formalism::assemble(all, state_, {}).ok || !formalism::fit_velocities(all, state_, {}).ok) return false;
  const formalism::Rank rank = formalism::find_rank(all, state_);
  if (rank.independent == hybrid_->active()->active()) return false;
  before_event_ = before;
  close_books(before.t);
  hybrid_->choose(rank.independent);
  ++renewals_.count, renewals_.last = t;
  sink_.event({t, "constraints renewed", "other rows of the redundant constraints carry the motion from here on"});
  return true;
}

// Where the constraints lose rank (crossing.h). Refused after too many attempts at one place, each twice as wide.
bool Run::cross_singular_position(double t) {
  constexpr int most = 8;
  if (hybrid_->active()->ng() == 0 || count_.steps == 0) return false;
  Crossings& c = crossings_;
  c.attempts = t < c.last + 2 * c.width ? c.attempts + 1 : 0;
  if (c.attempts >= most) return false;
  const double average = (t - experiment_.from_time) / static_cast<double>(count_.steps);
  c.width = c.attempts == 0 ? 0.25 * average : 2 * c.width;
  c.last = t;
  close_books(motion_->t());
  for (int refused = 0; refused < 6; ++refused, c.width *= 1.7) {  // a stage may have met the singular position itself
    if (cross_within(state_at(motion_->t())) || cross_within(earlier_)) return true;
  }
  return false;
}

bool Run::cross_within(const formalism::State& origin) {
  const formalism::State before = state_at(motion_->t());
  const double width = std::min(crossings_.width + before.t - origin.t, until() - origin.t);
  double speed = 1;
  for (double v : before.v) speed = std::max(speed, std::abs(v));
  const auto crossing = cross(origin, width, speed, *hybrid_->all(), *evaluator_);
  if (!crossing) return false;
  const auto& path = crossing->path;
  for (double at = output_time(); at <= crossing->end.t && at > outputs_.last;
       at = output_time()) {  // output times on the way
    const auto& from = *std::find_if(path.rbegin(), path.rend(), [&](const auto& s) { return s.t <= at; });
    const formalism::State between = runge_kutta(from, at - from.t, *evaluator_);
    if (between.q.empty() || !record(between)) return false;
    outputs_.last = at, ++outputs_.next;
  }
  before_event_ = {};  // the samples on the way stand already
  if (outputs_.last < before.t) before_event_ = before;
  state_ = crossing->end, crossings_.any = true;
  sink_.event({before.t, "singular position crossed", fmt::format("within {:.3g} s, with the accelerations", width)});
  return true;
}

// Recommended pairs are tested there.
void Run::warn_of_crossing() {
  const GradedSolver g = graded(choice_.solver);
  if (!crossings_.any || told_.crossing || g.grade == Grade::recommended) return;
  told_.crossing = true;
  warn(crossings_.last, singular_position(g, crossings_.last));
}

}  // namespace skyhook::simulation
