#include "skyhook/simulation/row_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "skyhook/formalism/drives_of_loop.h"

namespace skyhook::simulation {

void RowWatch::begin(std::shared_ptr<const Equations> all, std::shared_ptr<const Equations> active) {
  all_ = std::move(all), active_ = std::move(active);
  redundant_.clear(), refused_rate_ = 0;
  std::ranges::set_difference(all_->active(), active_->active(), std::back_inserter(redundant_));
  is_ready_ = false;
  if (!redundant_.empty()) make_ready();
}

void RowWatch::make_ready() {
  is_ready_ = true;
  workspace_ = all_->workspace();
  g_.resize(all_->ng()), rate_.resize(all_->ng()), is_active_.resize(all_->ng());
  for (std::size_t k = 0; k < is_active_.size(); ++k)
    is_active_[k] = std::ranges::binary_search(active_->active(), all_->active()[k]);
}

void RowWatch::residuals(double t, CSpan q, CSpan v, Span out) {
  std::ranges::fill(out, 0.0);
  if (all_->ng() == 0) return;
  if (!is_ready_) make_ready();
  all_->constraints(t, q, v, g_, rate_, workspace_);
  for (std::size_t k = 0; k < g_.size(); ++k) {
    const auto row = 2 * static_cast<std::size_t>(all_->active()[k]);
    out[row] = g_[k], out[row + 1] = rate_[k];
  }
}

bool RowWatch::have_strayed(const Snapshot& s) const {
  if (redundant_.empty()) return false;
  double redundant = 0, active = 0;
  for (int k : redundant_) redundant = std::max(redundant, std::abs(s.positions[k]));
  for (int k : active_->active()) active = std::max(active, std::abs(s.positions[k]));
  return redundant > 1e3 * tolerance_ * length_ && redundant > 10 * active;
}

std::string RowWatch::strayed_reason(const Snapshot& s) const {
  int worst = redundant_[0];
  for (int k : redundant_) {
    if (std::abs(s.positions[k]) > std::abs(s.positions[worst])) worst = k;
  }
  const std::string drives = formalism::drives_of_loop(*all_, worst);
  return fmt::format(
      "Constraint \"{}\" followed from the others at the start, but has opened by {:.3g}. Drives of one motion may "
      "contradict each other{}{}; otherwise a tighter tolerance may help.",
      all_->rows()[worst].name(), std::abs(s.positions[worst]), drives.empty() ? "" : ": ", drives);
}

bool RowWatch::lose_hold(const formalism::State& s) {
  if (redundant_.empty()) return false;
  all_->constraints(s.t, s.q, s.v, g_, rate_, workspace_);
  Rates rates;
  for (std::size_t k = 0; k < rate_.size(); ++k) {
    double& largest = is_active_[k] ? rates.active : rates.redundant;
    largest = std::max(largest, std::abs(rate_[k]));
  }
  return open_fast(rates, s.v);
}

bool RowWatch::lose_hold(const Snapshot& s) {
  if (redundant_.empty()) return false;
  Rates rates;
  for (const int k : redundant_) rates.redundant = std::max(rates.redundant, std::abs(s.velocities[k]));
  for (const int k : active_->active()) rates.active = std::max(rates.active, std::abs(s.velocities[k]));
  return open_fast(rates, s.v);
}

bool RowWatch::open_fast(const Rates& rates, CSpan v) {
  const auto [redundant, active] = rates;
  double speed = 1;
  for (const double each : v) speed = std::max(speed, std::abs(each));
  if (redundant < 10 * std::max(active, tolerance_ * speed) || redundant < 2 * refused_rate_) return false;
  refused_rate_ = redundant;
  return true;
}

}  // namespace skyhook::simulation
