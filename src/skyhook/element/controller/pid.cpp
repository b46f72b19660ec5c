#include "skyhook/element/controller/pid.h"

#include <algorithm>
#include <array>
#include <limits>

#include "skyhook/element/finding.h"

namespace skyhook::element {
namespace {

enum class Windup { clamping, back_calculation, none };

// Memory: the integral, the rate part, the error of the sample before, whether there was one.
struct PidLaw final : model::SampledLaw {
  double kp, ki, kd, filter, lower, upper, tracking_time, sample_time;
  Windup windup;
  std::optional<model::Formula> setpoint;

  std::vector<double> memory() const override { return {0, 0, 0, 0}; }

  void update(double t, std::span<const double> in, std::span<double> r, std::span<double> out) const override {
    double &integral = r[0], &rate = r[1], &last = r[2], &has_last = r[3];
    const double e = wanted(t, in) - in[0];
    // Backward Euler of d + filter d' = kd e'.
    rate = has_last != 0 ? (filter * rate + kd * (e - last)) / (filter + sample_time) : 0.0;
    const double growth = ki * sample_time * e, free = kp * e + integral + growth + rate;
    out[0] = std::clamp(free, lower, upper);
    const double beyond = free - out[0];
    if (windup != Windup::clamping || beyond * growth <= 0) integral += growth;
    if (windup == Windup::back_calculation) integral -= sample_time / tracking_time * beyond;
    last = e;
    has_last = 1;
  }

 private:
  double wanted(double t, std::span<const double> in) const {
    if (in.size() > 1) return in[1];
    return setpoint ? setpoint->evaluate<double>(std::array{t}) : 0.0;
  }
};

Windup windup_of(const std::string& text) {
  return text == "none" ? Windup::none : text == "clamping" ? Windup::clamping : Windup::back_calculation;
}

void check(const Pid& pid, const model::FieldSource& source) {
  if (pid.setpoint && !pid.setpoint_input.channel.empty())
    fail(source, "setpoint_input", "both setpoint and setpoint_input are given.", "Remove one.");
  if (pid.lower && pid.upper && *pid.lower > *pid.upper)
    fail(source, "upper", "the upper limit is below the lower one.", "Exchange them.");
}

}  // namespace

void Pid::add_to(model::FieldSource& source, model::Model& model) const {
  check(*this, source);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  auto law = std::make_shared<PidLaw>();
  law->kp = kp, law->ki = ki, law->kd = kd;
  law->filter = derivative_filter;
  law->lower = lower.value_or(-infinity), law->upper = upper.value_or(infinity);
  law->tracking_time = tracking_time.value_or(std::max(sample_time, ki != 0 ? kp / ki : 0.0));
  law->sample_time = sample_time;
  law->windup = windup_of(anti_windup);
  law->setpoint = setpoint;
  std::vector<model::Output> inputs{input};
  if (!setpoint_input.channel.empty()) inputs.push_back(setpoint_input);
  add_controller(*this, std::move(inputs), {{"output"}, unit}, std::move(law), source, model);
}

}  // namespace skyhook::element
