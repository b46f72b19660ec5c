#include "skyhook/math/live_entries.h"

namespace skyhook {
namespace {

// Whoever factorises on the pattern orders it anew when it grows, which costs as much as several factorisations.
constexpr long free_growths = 4, factorisations_a_growth = 16;

}  // namespace

LiveEntries::LiveEntries(std::shared_ptr<const Pattern> whole, bool all) : whole_(std::move(whole)) {
  if (!all) is_live_.assign(whole_->row.size(), 0), rebuild();
}

bool LiveEntries::take(std::span<const double> values) {
  ++asked_;
  bool any = false;
  for (std::size_t k = 0; k < is_live_.size(); ++k) {
    if (values[k] != 0 && !is_live_[k]) is_live_[k] = 1, any = true;
  }
  if (!any) return false;
  if (++grown_ > free_growths + asked_ / factorisations_a_growth)
    is_live_ = {}, from_ = {}, live_ = {};
  else
    rebuild();
  return true;
}

void LiveEntries::rebuild() {
  const Pattern& all = *whole_;
  live_ = {.rows = all.rows, .cols = all.cols, .start = {0}, .row = {}};
  from_.clear();
  for (int j = 0; j < all.cols; ++j) {
    for (int k = all.start[j]; k < all.start[j + 1]; ++k) {
      if (is_live_[k]) live_.row.push_back(all.row[k]), from_.push_back(k);
    }
    live_.start.push_back(static_cast<int>(live_.row.size()));
  }
}

}  // namespace skyhook
