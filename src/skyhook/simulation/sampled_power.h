// Power at samples, which are evaluated anyway, and the work between them: the quintic through the last six. Its distance from the quartic
// through the last five tells how far it can be trusted. Nothing is evaluated for it.
#pragma once
#include "skyhook/simulation/power_curve.h"

namespace skyhook::simulation {

class SampledPower {
 public:
  using Value = PowerCurve::Value;

  // What comes next does not go on smoothly from what was.
  void restart() { count_ = 0; }
  // The next sample. Where some were left out in between it begins anew.
  void add(const Value& sample);
  void drop_last() { --count_; }

  bool is_full() const { return count_ == order; }
  double spacing() const { return count_ > 1 ? last(0).t - last(1).t : 0.0; }
  struct Work {
    double work, error;
  };
  Work since_last() const;  // between the last two samples; is_full() first
  PowerCurve curve() const { return PowerCurve(std::span<const Value>(values_).first(count_)); }
  // From the last sample to a later value, at most one spacing away or little more.
  Work work_to(const Value& later) const;
  double work_beyond(double t) const;  // from the last sample to t, by the same curve: an extrapolation

 private:
  static constexpr std::size_t order = PowerCurve::most;
  const Value& last(std::size_t back) const { return values_[count_ - 1 - back]; }

  std::array<Value, order> values_{};  // the latest last
  std::size_t count_ = 0;
};

}  // namespace skyhook::simulation
