// Power at samples or at ends of steps, which are evaluated anyway, and the work between them: the quintic through the last six. Its distance from the quartic
// through the last five tells how far it can be trusted. Where the power is rough, as that of a wheel on an uneven rail, higher orders do not come nearer: there it is the cubic
// through the last four, beside the parabola through three. Nothing is evaluated for it.
#pragma once
#include "skyhook/simulation/power_curve.h"

namespace skyhook::simulation {

class SampledPower {
 public:
  using Value = PowerCurve::Value;

  // What comes next does not go on smoothly from what was.
  void restart();
  // The next sample. Where some were left out in between it begins anew.
  // Whether a sample there would lie on the curve through those before; else it begins anew.
  bool goes_on_to(double t) const;
  void add(const Value& sample);
  void drop_last() { --count_; }

  bool is_full() const { return count_ == order; }
  double spacing() const { return count_ > 1 ? last(0).t - last(1).t : 0.0; }
  struct Work {
    double work, error;  // error: with its sign, since those of one piece and the next often take each other back
    PowerCurve curve;
  };
  Work since_last() const;  // between the last two samples; is_full() first
  Work by_quintic() const;  // the same, whichever order serves
  // From the last sample to a later value, at most one spacing away or little more.
  Work work_to(const Value& later) const;
  double work_beyond(double t) const;  // from the last sample to t, by the same curve: an extrapolation

 private:
  static constexpr std::size_t order = PowerCurve::most;
  const Value& last(std::size_t back) const { return values_[count_ - 1 - back]; }
  static Work through(std::span<const Value> six, double from, double to, bool is_smooth);
  void look_at_orders();
  double widest() const;  // of the ways between samples

  std::array<Value, order> values_{};  // the latest last
  std::size_t count_ = 0;
  std::array<double, 2>
      differences_{};  // of works, of the cubic from the parabola and of the quintic from the quartic: sums over the last samples
  bool is_smooth_ = true;  // as far as is known
};

}  // namespace skyhook::simulation
