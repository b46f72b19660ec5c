// ISO 4138, steady-state circular driving, from general knowledge of it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "skyhook/analysis/standards.h"

namespace skyhook::analysis {
namespace {

// The samples of a slow ramp, or the settled ends of several runs.
std::vector<double> values_of(const Signal& s, const EvaluationInputs& inputs) {
  if (inputs.runs() == 1) return inputs.within(s).y;
  return {mean(part(s, s.x.back() - inputs.quantity_or_refuse("settled"), s.x.back()))};
}

std::optional<Signal> over_runs(const std::string& role, const EvaluationInputs& inputs) {
  Signal out;
  for (std::size_t k = 0; k < inputs.runs(); ++k) {
    const auto s = inputs.channel(role, k);
    if (!s && k > 0 && !out.y.empty()) (void)inputs.required(role, k);
    if (!s) return {};
    const std::vector<double> values = values_of(*s, inputs);
    out.y.insert(out.y.end(), values.begin(), values.end()), out.unit = s->unit;
  }
  out.name = role;
  return out;
}

struct Line {
  double offset = 0, slope = 0, deviation = 0;
  std::size_t count = 0;
};

Line fitted(const std::vector<double>& a, const std::vector<double>& y, double low, double high) {
  double n = 0, sa = 0, sy = 0, saa = 0, say = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (std::abs(a[k]) < low || std::abs(a[k]) > high) continue;
    n += 1, sa += a[k], sy += y[k], saa += a[k] * a[k], say += a[k] * y[k];
  }
  Line out;
  out.count = static_cast<std::size_t>(n);
  const double spread = n * saa - sa * sa;
  if (n < 2 || !(spread > 0)) return out;
  out.slope = (n * say - sa * sy) / spread, out.offset = (sy - out.slope * sa) / n;
  double squares = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (std::abs(a[k]) < low || std::abs(a[k]) > high) continue;
    squares += std::pow(y[k] - out.offset - out.slope * a[k], 2);
  }
  out.deviation = std::sqrt(squares / n);
  return out;
}

// The steer angle of the wheels less that of rolling without slip, delta_H/i - l kappa, with kappa = yaw rate/speed or a/v^2.
std::optional<Signal> understeer(const Signal& steering, const std::vector<double>& a, const EvaluationInputs& inputs,
                                 Evaluation& out) {
  const auto wheelbase = inputs.quantity("wheelbase"), ratio = inputs.quantity("steering_ratio");
  const auto speed = over_runs("speed", inputs), yaw_rate = over_runs("yaw_rate", inputs);
  if (!wheelbase || !ratio || !speed || !steering.unit.starts_with("rad")) {
    out.notes.emplace_back(
        "no understeer gradient: it needs the wheelbase, the steering ratio, the speed, and a steering wheel angle in "
        "rad");
    return {};
  }
  Signal s = steering;
  s.name = "understeer_angle";
  for (std::size_t k = 0; k < s.y.size(); ++k) {
    const double v = speed->y[k], curvature = yaw_rate ? yaw_rate->y[k] / v : a[k] / (v * v);
    s.y[k] = s.y[k] / *ratio - *wheelbase * curvature;
  }
  return s;
}

void add_speed(double gradient, double wheelbase, Evaluation& out) {
  if (gradient > 0)
    out.numbers.push_back(
        {"characteristic_speed", "m/s", std::sqrt(wheelbase / gradient), "of an understeering car: sqrt(l/K)"});
  else
    out.numbers.push_back({"critical_speed", "m/s", std::sqrt(-wheelbase / gradient),
                           "of an oversteering car, above which it is unstable: sqrt(-l/K)"});
}

// Over the lateral acceleration, rising.
void add_curves(const std::vector<double>& a, const std::vector<Signal>& values, const std::vector<Line>& lines,
                Evaluation& out) {
  std::vector<std::size_t> order(a.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t k) { return a[k]; });
  for (std::size_t i = 0; i < values.size(); ++i) {
    Signal curve, line;
    curve.name = values[i].name, curve.unit = values[i].unit, curve.abscissa = {"lateral_acceleration", "m/s^2"};
    line = curve, line.name += ".fit";
    for (const std::size_t k : order) {
      curve.x.push_back(a[k]), curve.y.push_back(values[i].y[k]);
      line.x.push_back(a[k]), line.y.push_back(lines[i].offset + lines[i].slope * a[k]);
    }
    out.curves.push_back(std::move(curve)), out.curves.push_back(std::move(line));
  }
}

// How far the lateral acceleration goes within a second, at most, to where it counts.
double largest_change(const Signal& a, double low, double high) {
  constexpr double second = 1.0;
  double most = 0;
  std::size_t from = 0;
  for (std::size_t k = 0; k < a.x.size(); ++k) {
    while (a.x[k] - a.x[from] > second) ++from;
    if (std::abs(a.y[k]) < low || std::abs(a.y[k]) > high) continue;
    for (std::size_t j = from; j < k; ++j) most = std::max(most, std::abs(a.y[k] - a.y[j]));
  }
  return most;
}

// Of a run whose samples all count as steady. A car answers its steering within tenths of a second: at 0.5 m/s^2 in a second one is some 0.1 m/s^2
// behind the other. And in a steady motion the steering wheel has one angle for each acceleration.
void doubt_steadiness(const EvaluationInputs& inputs, const Signal& steering, const Line& line, double low, double high,
                      Evaluation& out) {
  constexpr double most_change = 0.5, most_deviation = 0.05;
  if (inputs.runs() > 1) return;
  const Signal a = inputs.within(*inputs.channel("lateral_acceleration", 0));
  const double change = largest_change(a, low, high);
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (std::size_t k = 0; k < steering.y.size(); ++k) {
    if (std::abs(a.y[k]) >= low && std::abs(a.y[k]) <= high)
      least = std::min(least, steering.y[k]), most = std::max(most, steering.y[k]);
  }
  if (change <= most_change && line.deviation <= most_deviation * (most - least)) return;
  out.notes.push_back(
      fmt::format("warning: the motion is not steady, and these are no numbers of the standard: within a second the "
                  "lateral acceleration changes by up to {:.2g} m/s^2 (of a slow ramp by at most {:g}), and the "
                  "steering wheel is off its line by {:.2g} of the {:.2g} {} that it goes through",
                  change, most_change, line.deviation, most - least, steering.unit));
}

}  // namespace

void evaluate_iso4138(const EvaluationInputs& inputs, Evaluation& out) {
  (void)inputs.required("lateral_acceleration"), (void)inputs.required("steering_wheel_angle");
  const std::vector<double> a = over_runs("lateral_acceleration", inputs)->y;
  const double low = inputs.quantity_or_refuse("low"), high = inputs.quantity_or_refuse("high");
  std::vector<Signal> values;
  std::vector<Line> lines;
  const auto take = [&](std::optional<Signal> s, const std::string& number, const std::string& meaning) -> const Line* {
    if (!s) return nullptr;
    values.push_back(std::move(*s)), lines.push_back(fitted(a, values.back().y, low, high));
    out.numbers.push_back(
        {number, values.back().unit + "/(m/s^2)", lines.back().slope,
         fmt::format("{}; deviation from the line {:.2g} {}", meaning, lines.back().deviation, values.back().unit)});
    return &lines.back();
  };
  const Line first =
      *take(over_runs("steering_wheel_angle", inputs), "steering_wheel_gradient", "of the steering wheel angle");
  if (first.count < 3 || first.slope == 0)
    inputs.fail(
        fmt::format("only {} points have a lateral acceleration of {:g} to {:g} m/s^2.", first.count, low, high),
        "Give other --low and --high, a longer ramp, or more results.");
  doubt_steadiness(inputs, values[0], first, low, high, out);
  if (const Line* k =
          take(understeer(values[0], a, inputs, out), "understeer_gradient", "K: of the steer angle less l/R")) {
    const double gradient = k->slope;
    add_speed(gradient, inputs.quantity_or_refuse("wheelbase"), out);
  }
  (void)take(over_runs("sideslip", inputs), "sideslip_gradient", "of the sideslip angle");
  (void)take(over_runs("roll", inputs), "roll_gradient", "of the roll angle");
  const auto [least, most] = std::ranges::minmax_element(a);
  out.numbers.push_back({"largest_lateral_acceleration", "m/s^2", std::max(*most, -*least), "reached"});
  out.notes.push_back(
      fmt::format("lines of least squares through {} points from {:g} to {:g} m/s^2", first.count, low, high));
  add_curves(a, values, lines, out);
}

}  // namespace skyhook::analysis
