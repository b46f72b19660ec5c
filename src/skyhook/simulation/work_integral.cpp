#include "skyhook/simulation/work_integral.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "skyhook/formalism/energy.h"
#include "skyhook/simulation/instant.h"

namespace skyhook::simulation {

constexpr int most_halvings = 5;

void WorkIntegral::begin(const Snapshot& s) {
  lambda_ = s.lambda;
  t_ = s.t;
  is_open_ = is_known_ = knows_end_ = has_last_ = has_middle_ = false;
  first_ = last_ = {s.t, 0};
  ends_.restart();
  end_ride();
}

void WorkIntegral::end_ride() {
  rides_ = is_settled_ = false;
  stride_ = 1, left_out_ = 0;
  samples_.restart();
}

void WorkIntegral::open(double t, End end) {
  has_before_ = has_middle_;
  first_before_ = first_, middle_before_ = middle_;
  first_ = last_, has_first_ = has_last_;
  last_ = {t, 0}, end_ = end;
  is_open_ = true, is_known_ = knows_end_ = has_last_ = has_middle_ = false;
  constexpr double most_ends = 16;  // a sample
  if (rides_ && most_ends * most_steps * (last_.t - first_.t) < sample_spacing_) rides_ = false;
}

// Evenly between samples, and not right before one.
bool WorkIntegral::wants_end() const {
  const double h = last_.t - first_.t, ends = std::ceil(sample_spacing_ / (most_steps * h)),
               way = sample_spacing_ / ends;
  return rides_ && ends > 1 && last_.t - t_ >= way - 0.5 * h && last_sample_ + sample_spacing_ - last_.t > 0.5 * way;
}

std::optional<double> WorkIntegral::take_end(Evaluator& s, double exchanged) {
  const formalism::State& state = state_at_(last_.t);
  if (s.evaluate(last_.t, state.q, state.v, false) != Eval::ok) return rides_ = false, std::nullopt;
  energies_ = Recorder::energies_of(s.now()), knows_end_ = true;
  return take_node(s.now(), formalism::power(s.now(), s.now().lambda), exchanged);
}

std::optional<double> WorkIntegral::take(const Snapshot& s, double power, double exchanged) {
  sample_spacing_ = s.t - last_sample_, last_sample_ = s.t;
  return take_node(s, power, exchanged);
}

std::optional<double> WorkIntegral::take_node(const Snapshot& s, double power, double exchanged) {
  largest_power_ = std::max(largest_power_, std::abs(power));
  exchanged_ = exchanged;
  is_settled_ = false;
  if (rides_ && !samples_.goes_on_to(s.t)) return rest(), std::nullopt;  // those before tell what is left of the ride
  samples_.add({s.t, power});
  if (!samples_.is_full()) return {};
  const double erred = erred_;
  const auto since = settled(samples_, samples_.spacing());
  is_settled_ = since.has_value();
  if (!rides_) erred_ = erred;  // the work is not taken
  if (!since) return lose_samples(), std::nullopt;
  bridge_.from.t = s.t, bridge_.from.q = s.q, bridge_.from.v = s.v, bridge_.acceleration = s.a;
  if (!rides_) return {};
  t_ = s.t;
  choose_stride(since->error);
  if (t_ >= last_.t) is_open_ = false;
  patience_ = shortest_pause;
  return since->work;
}

// The error grows with the sixth power of the distance. At least two samples a step are taken: what a ride leaves behind where it ends is short.
void WorkIntegral::choose_stride(double error) {
  constexpr double twice = 64, room = 4;
  constexpr int most = 8;
  const double spacing = samples_.spacing();
  const bool has_room = is_small(twice * room * error, spacing) && 4 * spacing <= last_.t - first_.t;
  if (has_room && stride_ < most) stride_ *= 2;
  if (!is_small(room * error, spacing) && stride_ > 1) stride_ /= 2;
  left_out_ = 0;
}

// Little beside the power that flows; or all of them beside the energy that is exchanged, and none of them much: a corner is looked at, for what it errs by is not taken back.
bool WorkIntegral::may_err_by(double error, double h) {
  constexpr double share = 0.1, share_of_one = 0.02;  // of the tolerance
  const double in_all = erred_ + error, resolved = tolerance_ * exchanged_;
  if (!is_small(error, h) && !(std::abs(in_all) <= share * resolved && std::abs(error) <= share_of_one * resolved))
    return false;
  if (std::isfinite(in_all)) erred_ = in_all;
  return true;
}

// Since the last place where the power was known. Where that is little by the quintic the curve of low order need not be.
std::optional<SampledPower::Work> WorkIntegral::settled(const SampledPower& of, double h) {
  const SampledPower::Work since = of.since_last();
  if (!std::isfinite(since.work)) return {};
  if (may_err_by(since.error, h)) return since;
  const SampledPower::Work quintic = of.by_quintic();
  if (is_small(quintic.error, h) && may_err_by(quintic.error, h)) return quintic;
  return {};
}

// What is left of the ride lies behind the sample before.
void WorkIntegral::lose_samples() {
  rides_ ? samples_.drop_last() : samples_.restart();
  rest();
}

void WorkIntegral::rest() {
  constexpr int longest_pause = 256;
  pause_ = patience_, patience_ = std::min(2 * patience_, longest_pause);
  rides_ = false, stride_ = 1, left_out_ = 0;
}

double WorkIntegral::catch_up(Evaluator& s) {
  if (!(t_ < first_.t)) return 0;
  first_ = value_at(first_.t, s), has_first_ = true;
  const double work = same_instant(t_, first_.t) ? 0.0 : work_behind(s);
  t_ = first_.t;
  end_ride();
  return work;
}

// Up to the open step. Where the curve does not settle some drive may have a corner there, which no error test of steps sees.
double WorkIntegral::work_behind(Evaluator& s) {
  const auto [work, error, curve] = samples_.work_to(first_);
  if (may_err_by(error, first_.t - t_)) return work;
  bridge_.to = state_at_(first_.t), bridge_.at = bridge_.to;
  for (auto* rate : {&bridge_.rate_from, &bridge_.rate_to}) rate->resize(bridge_.to.q.size());
  s.equations().kinematics(bridge_.from.q, bridge_.from.v, bridge_.rate_from);
  s.equations().kinematics(bridge_.to.q, bridge_.to.v, bridge_.rate_to);
  std::vector<Piece> pieces;
  std::swap(pieces, pieces_);
  look_inside(t_, first_.t, s.has_drive() ? most_halvings : 0, s);
  double sum = 0;
  for (const Piece& piece : pieces_) sum += piece.curve.work(piece.from, piece.to);
  std::swap(pieces, pieces_);
  return sum;
}

const formalism::State& WorkIntegral::bridge(double t) const {
  auto& [from, to, at, acceleration, rate_from, rate_to] = bridge_;
  const double h = to.t - from.t, x = (t - from.t) / h;
  for (std::size_t i = 0; i < at.q.size(); ++i) {
    const double change = to.q[i] - from.q[i], a = h * rate_from[i], b = h * rate_to[i];
    at.q[i] = from.q[i] + x * (a + x * (3 * change - 2 * a - b + x * (a + b - 2 * change)));
  }
  for (std::size_t i = 0; i < at.v.size(); ++i) {
    const double a = h * acceleration[i];
    at.v[i] = from.v[i] + x * (a + x * (to.v[i] - from.v[i] - a));
  }
  return at.t = t, at;
}

double WorkIntegral::until(double t, Evaluator& s) {
  if (t <= t_) return 0;
  if (is_open_ && t_ < first_.t) {
    const double rest = catch_up(s);
    return rest + until(t, s);
  }
  if (rides_) end_ride();
  if (is_open_ && t > last_.t) {
    const double rest = until(last_.t, s);
    return rest + until(t, s);
  }
  if (!is_open_) open(t);
  const double work = up_to(t, s);
  t_ = t;
  if (t_ >= last_.t) is_open_ = false;
  return work;
}

double WorkIntegral::up_to(double t, Evaluator& s) {
  if (!s.has_power() || t <= t_) return 0;
  if (!is_open_ || t > last_.t || t_ < first_.t) {
    WorkIntegral further = *this;
    return further.until(t, s);
  }
  look(s);
  double work = 0;
  for (const Piece& piece : pieces_) {
    const double from = std::max(piece.from, t_), to = std::min(piece.to, t);
    if (from < to) work += piece.curve.work(from, to);
  }
  return work;
}

// The power in the open step.
void WorkIntegral::look(Evaluator& s) {
  if (is_known_) return;
  is_known_ = true;
  pieces_.clear();
  if (end_ == End::step) look_at_end(s);
  if (same_instant(first_.t, last_.t)) return;  // no room for times in between, and no work
  if (look_over_ends(s)) return;
  if (has_first_ && has_last_) return look_along(s);
  look_inside(first_.t, last_.t, s.has_drive() ? most_halvings : 0, s);
}

void WorkIntegral::look_at_end(Evaluator& s) {
  last_ = value_at(last_.t, s), has_last_ = true;
  s.measure_energy();
  energies_ = Recorder::energies_of(s.now()), knows_end_ = true;
  if (look_at_end_) look_at_end_(s.now());
}

// The last evaluation was that of the end.
bool WorkIntegral::look_over_ends(Evaluator& s) {
  if (!has_last_ || !s.has_drive() || !formalism::drives_keep_their_rates(s.now())) return ends_.restart(), false;
  ends_.add(last_);
  if (!has_first_ || !ends_.is_full()) return false;
  const auto since = settled(ends_, last_.t - first_.t);
  if (!since) return false;
  pieces_.push_back({first_.t, last_.t, since->curve});
  return true;
}

void WorkIntegral::look_along(Evaluator& s) {
  middle_ = value_at(0.5 * (first_.t + last_.t), s), has_middle_ = true;
  if (has_before_) {
    const PowerCurve curve(std::array{first_before_, middle_before_, first_, middle_, last_});
    if (settles(curve, first_, middle_, last_)) return pieces_.push_back({first_.t, last_.t, curve});
  }
  look_closer(first_, middle_, last_, s.has_drive() ? most_halvings : 0, s);
}

void WorkIntegral::look_closer(const Value& first, const Value& middle, const Value& last, int halvings, Evaluator& s) {
  const Value left = value_at(0.5 * (first.t + middle.t), s), right = value_at(0.5 * (middle.t + last.t), s);
  const PowerCurve curve(std::array{first, left, middle, right, last});
  if (settles(curve, first, middle, last)) return pieces_.push_back({first.t, last.t, curve});
  if (halvings == 0) return look_inside(first.t, last.t, 0, s);
  look_closer(first, left, middle, halvings - 1, s);
  look_closer(middle, right, last, halvings - 1, s);
}

// The parabola whose work is that of Gauss' rule of three points.
PowerCurve WorkIntegral::inside(double from, double to, Evaluator& s) {
  static const double off = 0.5 * std::sqrt(0.6);
  const double h = to - from, middle = from + 0.5 * h;
  return PowerCurve(std::array{value_at(middle - off * h, s), value_at(middle, s), value_at(middle + off * h, s)});
}

void WorkIntegral::look_inside(double from, double to, int halvings, Evaluator& s) {
  const PowerCurve whole = inside(from, to, s);
  if (halvings == 0) return pieces_.push_back({from, to, whole});
  const double middle = 0.5 * (from + to);
  const PowerCurve left = inside(from, middle, s), right = inside(middle, to, s);
  const double halves = left.work(from, middle) + right.work(middle, to);
  if (may_err_by(halves - whole.work(from, to), to - from)) {
    pieces_.push_back({from, middle, left});
    return pieces_.push_back({middle, to, right});
  }
  look_inside(from, middle, halvings - 1, s);
  look_inside(middle, to, halvings - 1, s);
}

// Against Simpson's rule, whose error the quartic shows.
bool WorkIntegral::settles(const PowerCurve& curve, const Value& first, const Value& middle, const Value& last) {
  const double h = last.t - first.t, simpson = h / 6 * (first.power + 4 * middle.power + last.power);
  return may_err_by(curve.work(first.t, last.t) - simpson, h);
}

// Where little power flows little accuracy is needed; of the power of springs, which is a difference of energies, the last digits are
// noise. What is no number will not become smaller.
bool WorkIntegral::is_small(double work, double h) const {
  constexpr double noise = 1e-10;
  return !std::isfinite(work) || std::abs(work) <= std::max(tolerance_, noise) * h * largest_power_;
}

// At a time within the last step. Forces of drives come from the accelerations there, never from interpolated multipliers.
PowerCurve::Value WorkIntegral::value_at(double t, Evaluator& s) {
  const formalism::State& state = t < first_.t ? bridge(t) : state_at_(t);
  if (s.has_drive() && s.evaluate_drives(t, state.q, state.v) == Eval::ok)
    lambda_ = s.now().lambda;
  else
    s.evaluate_motion(t, state.q, state.v);
  const double power = formalism::power(s.now(), lambda_);
  largest_power_ = std::max(largest_power_, std::abs(power));
  return {t, power};
}

}  // namespace skyhook::simulation
