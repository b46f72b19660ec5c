#include "skyhook/simulation/rate_trial.h"

#include <algorithm>
#include <cmath>

namespace skyhook::simulation {
namespace {

constexpr int first_trial = 16, later_trials = 10, shortest_pause = 32, longest_pause = 256;  // in samples

void pick(CSpan from, const auto& channels, std::vector<double>& to) {
  to.resize(channels.size());
  for (std::size_t k = 0; k < to.size(); ++k) to[k] = from[channels[k].number];
}

}  // namespace

void RateTrial::begin(const std::vector<std::size_t>& channels) {
  channels_.clear();
  for (const std::size_t number : channels) channels_.push_back({.number = number, .now = {}, .before = {}});
  compared_ = 0, has_middle_ = false, is_worth_it_ = true;
  left_ = channels.empty() ? 0 : first_trial, pause_ = patience_ = shortest_pause;
  restart();
}

void RateTrial::take_middle(double t, CSpan values) {
  pick(values, channels_, middle_);
  t_middle_ = t, has_middle_ = true;
}

void RateTrial::take(double t, CSpan values, CSpan rates) {
  std::ranges::rotate(nodes_, nodes_.end() - 1);
  known_ = std::min(known_ + 1, nodes_.size());
  Node& now = nodes_[0];
  now.t = t, now.has_rates = !rates.empty(), now.has_middle = has_middle_, now.t_middle = t_middle_;
  std::swap(now.middle, middle_), has_middle_ = false;
  pick(values, channels_, now.value);
  if (now.has_rates) pick(rates, channels_, now.rate);
  for (std::size_t k = 0; k < channels_.size(); ++k) {
    Channel& c = channels_[k];
    const double x = now.value[k];
    if (!std::isfinite(x)) continue;
    c.low = c.is_known ? std::min(c.low, x) : x, c.high = c.is_known ? std::max(c.high, x) : x;
    c.is_known = true;
  }
  if (may_compare()) compare();
  if (is_on() && --left_ == 0) return close();
  if (!is_on() && --pause_ <= 0) left_ = channels_.empty() ? 0 : later_trials;
}

// The two samples in the middle of the last four, at even distances, and the middle between them.
bool RateTrial::may_compare() const {
  constexpr double even = 1e-6;
  if (known_ < nodes_.size()) return false;
  const Node &b = nodes_[1], &a = nodes_[2];
  if (!a.has_rates || !b.has_rates || !b.has_middle) return false;
  const double h = b.t - a.t;
  const auto is_even = [&](double distance) { return std::abs(distance - h) <= even * h; };
  return is_even(nodes_[0].t - b.t) && is_even(a.t - nodes_[3].t) && is_even(2 * (b.t_middle - a.t));
}

void RateTrial::compare() {
  const Node &behind = nodes_[0], &b = nodes_[1], &a = nodes_[2], &before = nodes_[3];
  const double h = b.t - a.t;
  for (std::size_t k = 0; k < channels_.size(); ++k) {
    const double line = 0.5 * (a.value[k] + b.value[k]) - b.middle[k];
    const double exact = line + h / 8 * (a.rate[k] - b.rate[k]);
    const double slopes = (b.value[k] - before.value[k]) - (behind.value[k] - a.value[k]);
    const double differences = line + slopes / 16;
    if (!std::isfinite(exact) || !std::isfinite(differences)) continue;
    channels_[k].now.exact += exact * exact, channels_[k].now.differences += differences * differences;
  }
  ++compared_;
}

// Channels that differences show to such a share of their range need no better rates.
bool RateTrial::are_better_by_rates() const {
  constexpr double much = 0.4, share = 1e-5;
  double sum = 0;  // of logarithms
  for (const Channel& c : channels_) {
    const double least = share * (c.high - c.low);
    if (!(c.now.differences > compared_ * least * least)) continue;
    if (c.now.exact < much * much * c.now.differences) return true;
    sum += std::log(c.now.exact / c.now.differences);
  }
  return sum < 0;
}

// Where there was nothing to compare all stays as it is. What was found before counts half each time, and no more than several times what was found now.
void RateTrial::close() {
  constexpr double several = 3;
  const bool was_worth_it = is_worth_it_;
  for (Channel& c : channels_) {
    c.now.exact += std::min(c.before.exact / 2, several * c.now.exact);
    c.now.differences += std::min(c.before.differences / 2, several * c.now.differences);
  }
  if (compared_ > 0) {
    is_worth_it_ = are_better_by_rates();
    for (Channel& c : channels_) c.before = c.now;
  }
  for (Channel& c : channels_) c.now = {};
  patience_ = is_worth_it_ == was_worth_it ? std::min(2 * patience_, longest_pause) : shortest_pause;
  pause_ = patience_;
  compared_ = 0;
}

}  // namespace skyhook::simulation
