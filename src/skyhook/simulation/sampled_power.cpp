#include "skyhook/simulation/sampled_power.h"

#include <algorithm>
#include <cmath>

namespace skyhook::simulation {

bool SampledPower::goes_on_to(double t) const {
  constexpr double gap = 2.5;  // of the widest spacing: these may be doubled
  if (count_ == 0) return true;
  return t > last(0).t && (count_ == 1 || t - last(0).t <= gap * widest());
}

void SampledPower::add(const Value& sample) {
  if (!goes_on_to(sample.t)) restart();
  if (is_full()) {
    std::shift_left(values_.begin(), values_.end(), 1);
    --count_;
  }
  values_[count_++] = sample;
  if (is_full()) look_at_orders();
}

void SampledPower::restart() {
  count_ = 0;
  differences_ = {}, is_smooth_ = true;
}

double SampledPower::widest() const {
  double out = 0;
  for (std::size_t back = 0; back + 1 < count_; ++back) out = std::max(out, last(back).t - last(back + 1).t);
  return out;
}

namespace {

struct ByOrder {
  std::array<PowerCurve, 4> curve;  // through the last three, four, five, six
  std::array<double, 4> work{};
};
ByOrder by_order(std::span<const PowerCurve::Value> six, double from, double to) {
  ByOrder out;
  for (std::size_t k = 0; k < out.curve.size(); ++k) {
    out.curve[k] = PowerCurve(six.last(3 + k));
    out.work[k] = out.curve[k].work(from, to);
  }
  return out;
}

}  // namespace

// One difference alone does not tell which order serves: where the power is rough two of high order agree now and then by accident, where it is smooth two of low
// order do. The last ones together tell: of a curve that samples follow those of high order are smaller, of noise they are larger.
void SampledPower::look_at_orders() {
  constexpr double kept = 0.7, settling = 0.8;
  const ByOrder all = by_order(values_, last(1).t, last(0).t);
  differences_[0] = kept * differences_[0] + std::abs(all.work[1] - all.work[0]);
  differences_[1] = kept * differences_[1] + std::abs(all.work[3] - all.work[2]);
  is_smooth_ = differences_[1] <= settling * differences_[0];
}

SampledPower::Work SampledPower::through(std::span<const Value> six, double from, double to, bool is_smooth) {
  const ByOrder all = by_order(six, from, to);
  const std::size_t k = is_smooth ? 3 : 1;
  return {all.work[k], all.work[k] - all.work[k - 1], all.curve[k]};
}

SampledPower::Work SampledPower::since_last() const { return through(values_, last(1).t, last(0).t, is_smooth_); }
SampledPower::Work SampledPower::by_quintic() const { return through(values_, last(1).t, last(0).t, true); }

double SampledPower::work_beyond(double t) const {
  return PowerCurve(std::span<const Value>(values_).first(count_)).work(last(0).t, t);
}

SampledPower::Work SampledPower::work_to(const Value& later) const {
  std::array<Value, order> values{};
  const std::size_t known = std::min(count_, order - 1);
  std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(count_ - known), known, values.begin());
  values[known] = later;
  if (known + 1 == order) return through(values, last(0).t, later.t, is_smooth_);
  const std::span<const Value> few = std::span<const Value>(values).first(known + 1);
  const PowerCurve curve(few);
  const double work = curve.work(last(0).t, later.t);
  return {work, work - PowerCurve(few.subspan(1)).work(last(0).t, later.t), curve};
}

}  // namespace skyhook::simulation
