#include "skyhook/simulation/sampled_power.h"

#include <algorithm>
#include <cmath>

namespace skyhook::simulation {

void SampledPower::add(const Value& sample) {
  constexpr double gap = 2.5;  // spacings: these may be doubled
  if (count_ > 0 && !(sample.t > last(0).t)) restart();
  if (count_ > 1 && sample.t - last(0).t > gap * spacing()) restart();
  if (is_full()) {
    std::shift_left(values_.begin(), values_.end(), 1);
    --count_;
  }
  values_[count_++] = sample;
}

namespace {

// By all values, and how far one less is from that.
SampledPower::Work between(std::span<const SampledPower::Value> values, double from, double to) {
  const double work = PowerCurve(values).work(from, to), lower = PowerCurve(values.subspan(1)).work(from, to);
  return {work, std::abs(work - lower)};
}

}  // namespace

SampledPower::Work SampledPower::since_last() const { return between(values_, last(1).t, last(0).t); }

double SampledPower::work_beyond(double t) const {
  return PowerCurve(std::span<const Value>(values_).first(count_)).work(last(0).t, t);
}

SampledPower::Work SampledPower::work_to(const Value& later) const {
  std::array<Value, order> values{};
  const std::size_t known = std::min(count_, order - 1);
  std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(count_ - known), known, values.begin());
  values[known] = later;
  return between(std::span<const Value>(values).first(known + 1), last(0).t, later.t);
}

}  // namespace skyhook::simulation
