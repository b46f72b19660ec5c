#include "skyhook/simulation/event_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace skyhook::simulation {
namespace {

constexpr double first_phase = 1e-2;  // of the step: how far the plain dense output is trusted
constexpr double last_width = 1e-12;  // of the step
constexpr double epsilon = std::numeric_limits<double>::epsilon();

int sign_of(double z) { return (z > 0) - (z < 0); }

}  // namespace

void EventSearch::begin(const formalism::EquationsOfMotion& eq, std::size_t functions, std::size_t quiet,
                        Middle middle) {
  loud_ = functions - quiet;
  looks_at_middle_ = middle, are_calm_ = false;
  onto_.emplace(eq);
  state_.q.resize(eq.nq()), state_.v.resize(eq.nv());
  sign_.resize(functions, 0), changed_.assign(functions, 0);
  z_.assign(functions, 0.0), middle_ = end_ = probe_ = z_;
}

void EventSearch::start(const formalism::State& state, const std::vector<char>& fresh, std::size_t kept,
                        const Watch& watch) {
  std::fill(changed_.begin(), changed_.end(), 0);
  are_calm_ = false;
  if (sign_.empty() || !watch(state, z_)) return;
  t_ = state.t;
  for (std::size_t k = 0; k < sign_.size(); ++k) {
    const bool stays = z_[k] == 0 || (k < kept && sign_[k] != 0);
    sign_[k] = fresh[k] ? 0 : stays ? sign_[k] : sign_of(z_[k]);
  }
}

void EventSearch::set_positive(std::size_t function) {
  sign_[function] = 1;
  z_[function] = std::max(z_[function], std::numeric_limits<double>::min());
}

bool EventSearch::plain(double t, Span z, const Interpolate& interpolate, const Watch& watch) {
  state_.t = t;
  return interpolate.roughly(t, state_.q, state_.v) && watch(state_, z);
}

bool EventSearch::projected(double t, Span z, const Interpolate& interpolate, const Watch& watch) {
  state_.t = t;
  if (!interpolate.exactly(t, state_.q, state_.v) || !onto_->move(t, state_.q, state_.v)) return false;
  return watch(state_, z);
}

// No event up to t: signs that were missing are there now.
void EventSearch::go_on(double t, CSpan z) {
  std::ranges::copy(z, z_.begin());
  for (std::size_t k = 0; k < sign_.size(); ++k) {
    if (sign_[k] == 0) sign_[k] = sign_of(z_[k]);
  }
  t_ = t;
}

// Signs that are missing are those right behind the last event, not those of the first probe: much may happen before it.
bool EventSearch::arm(double to, const Interpolate& interpolate, const Watch& watch) {
  constexpr double behind = 1e-4;  // of the step
  if (std::ranges::find(sign_, 0) == sign_.end()) return true;
  if (!plain(t_ + behind * (to - t_), probe_, interpolate, watch)) return false;
  for (std::size_t k = 0; k < sign_.size(); ++k) {
    if (sign_[k] == 0) sign_[k] = sign_of(probe_[k]), z_[k] = probe_[k];
  }
  return true;
}

// Quiet functions that are negative at either end of the step are not watched in it: the integrator has seen their law.
void EventSearch::leave_to_step(CSpan end) {
  for (std::size_t k = loud_; k < sign_.size(); ++k) {
    if (sign_[k] < 0 || !(end[k] > 0)) sign_[k] = 0;
  }
}

// Where the parabola through the values at the ends and in the middle of the step first has the wrong sign in between, as a part
// of the step; 0: nowhere.
double EventSearch::first_dip() const {
  double first = 0;
  for (std::size_t k = 0; k < sign_.size(); ++k) {
    const double a = 2 * (z_[k] - 2 * middle_[k] + end_[k]), b = -3 * z_[k] + 4 * middle_[k] - end_[k];
    const double at = -b / (2 * a);
    if (!(at > 0 && at < 1) || !has_changed(sign_[k], z_[k] - b * b / (4 * a))) continue;
    if (first == 0 || at < first) first = at;
  }
  return first;
}

// Between z_ and end_. Quiet functions that are negative are not watched.
bool EventSearch::stay_far() const {
  constexpr double share = 0.25;
  for (std::size_t k = 0; k < sign_.size(); ++k) {
    if (k >= loud_ && sign_[k] < 0 && end_[k] < 0) continue;
    const double nearest = std::min(std::abs(z_[k]), std::abs(end_[k]));
    if (has_changed(sign_[k], end_[k]) || !(std::abs(end_[k] - z_[k]) <= share * nearest)) return false;
  }
  return true;
}

std::optional<formalism::State> EventSearch::first(double to, const Interpolate& interpolate, const Watch& watch) {
  if (sign_.empty() || to <= t_ || !arm(to, interpolate, watch)) return std::nullopt;
  const bool were_calm = are_calm_;
  are_calm_ = false;
  if (were_calm) {
    if (!plain(to, end_, interpolate, watch)) return std::nullopt;
    if (stay_far()) return are_calm_ = true, go_on(to, end_), std::nullopt;
  }
  const double from = t_, half = 0.5 * (t_ + to);
  if (!plain(half, middle_, interpolate, watch)) return std::nullopt;
  if (any_changed(sign_, middle_)) {
    if (loud_ < sign_.size()) {
      if (!plain(to, end_, interpolate, watch)) return std::nullopt;
      leave_to_step(end_);
    }
    probe_ = middle_;
    if (any_changed(sign_, middle_)) {
      if (auto found = locate(half, interpolate, watch)) return found;
    }
  }
  if (!plain(to, end_, interpolate, watch)) return std::nullopt;
  leave_to_step(end_);
  if (!any_changed(sign_, end_)) {
    const double dip = t_ == from ? first_dip() : 0.0;
    if (dip > 0 && plain(from + dip * (to - from), probe_, interpolate, watch) && any_changed(sign_, probe_)) {
      if (dip > 0.5) go_on(half, middle_);
      if (auto found = locate(from + dip * (to - from), interpolate, watch)) return found;
    }
    are_calm_ = looks_at_middle_ == Middle::where_needed && t_ == from && stay_far();
    go_on(to, end_);
    return std::nullopt;
  }
  if (t_ < half) go_on(half, middle_);
  probe_ = end_;
  return locate(to, interpolate, watch);
}

void EventSearch::look_back(double from, double to, std::size_t function, const Interpolate& interpolate,
                            const Watch& watch, const Missed& missed) {
  const auto any = [&] {
    for (std::size_t k = function; k < loud_; ++k) {
      if (has_changed(sign_[k], probe_[k])) return true;
    }
    return false;
  };
  for (const double share : {0.13, 0.31, 0.62, 0.84}) {  // in no rhythm that a formula might have
    const double at = from + share * (to - from);
    if (!plain(at, probe_, interpolate, watch)) return;
    if (!any() || !projected(at, probe_, interpolate, watch)) continue;
    for (std::size_t k = function; k < loud_; ++k) {
      if (has_changed(sign_[k], probe_[k])) missed(k, at, probe_[k]);
    }
  }
}

// Some have changed at `at`, where probe_ has their values. None: the projection shows no event yet; signs stay, the next step
// will tell.
std::optional<formalism::State> EventSearch::locate(double at, const Interpolate& interpolate, const Watch& watch) {
  const auto bracket = narrow({t_, at}, interpolate, watch);
  if (!bracket || !projected(bracket->after, probe_, interpolate, watch)) {
    t_ = at;
    return std::nullopt;
  }
  for (std::size_t k = 0; k < sign_.size(); ++k) changed_[k] = has_changed(sign_[k], probe_[k]);
  std::ranges::copy(probe_, z_.begin());
  t_ = bracket->after;
  return state_;
}

// z_ and probe_ are the values at the ends of the whole interval.
std::optional<Bracket> EventSearch::narrow(Bracket whole, const Interpolate& interpolate, const Watch& watch) {
  const double h = whole.after - whole.before;
  const auto by_plain = [&](double t, Span z) { return plain(t, z, interpolate, watch); };
  const auto by_projected = [&](double t, Span z) { return projected(t, z, interpolate, watch); };
  RootSearch search{sign_, first_phase * h};
  auto bracket = first_change(search, whole, z_, probe_, by_plain);
  if (!bracket) return std::nullopt;
  std::vector<double> before(z_.size()), after(z_.size());
  const auto holds = [&] {
    const bool at_start = bracket->before == whole.before;  // a consistent state, from where the step began
    if (at_start)
      before = z_;
    else if (!by_projected(bracket->before, before))
      return false;
    return !any_changed(sign_, before) && by_projected(bracket->after, after) && any_changed(sign_, after);
  };
  if (!holds()) {  // [Simeon 1996]: the interval is lost where the projection moves the root out of it
    bracket = whole;
    if (!holds()) {
      if (any_changed(sign_, z_)) return Bracket{whole.before, whole.before};  // it was there already
      return std::nullopt;
    }
  }
  search.width = last_width * h + 4 * epsilon * std::abs(bracket->after);
  return first_change(search, *bracket, before, after, by_projected);
}

}  // namespace skyhook::simulation
