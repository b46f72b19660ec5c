// ISO 7401, lateral transient response: step input and one period of a sine, from general knowledge of it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "skyhook/analysis/standards.h"

namespace skyhook::analysis {
namespace {

constexpr const char* responses[] = {"lateral_acceleration", "yaw_rate", "sideslip", "roll"};

struct Response {
  std::string name;
  Signal signal;
};

std::vector<Response> responses_of(const EvaluationInputs& inputs) {
  std::vector<Response> out;
  for (const char* role : responses) {
    if (const auto s = inputs.channel(role)) out.push_back({role, inputs.within(*s)});
  }
  if (out.empty()) (void)inputs.required("yaw_rate");  // says what is missing
  return out;
}

double largest_departure(const Signal& s) { return std::max(largest(s) - s.y.front(), s.y.front() - smallest(s)); }

// From the value at the start to the mean of the end.
struct Change {
  double initial = 0, steady = 0, drift = 0;  // drift: how the end still changes
  double size() const { return steady - initial; }
};

Change change_of(const Signal& s, double settled) {
  const Signal end = part(s, s.x.back() - settled, s.x.back());
  return {s.y.front(), mean(end), end.y.back() - end.y.front()};
}

void evaluate_step(const Signal& steering, const std::vector<Response>& all, const EvaluationInputs& inputs,
                   Evaluation& out) {
  const double settled = inputs.quantity_or_refuse("settled");
  if (!(settled > 0 && settled < steering.span()))
    inputs.fail("settled must be above 0 and shorter than the run.", "Usual is 0.5 s.");
  const Change step = change_of(steering, settled);
  const double t0 = *first_at(steering, step.initial + 0.5 * step.size(), steering.x.front());
  out.numbers.push_back({"steering.step", steering.unit, step.size(), "steady change of the steering"});
  out.numbers.push_back({"steering.time", "s", t0, "when half of it is reached: response times count from here"});
  std::optional<double> yaw_peak_time, sideslip;
  for (const auto& [name, s] : all) {
    const Change change = change_of(s, settled);
    const auto add = [&](const char* kind, const std::string& unit, double value, const char* meaning) {
      out.numbers.push_back({name + "." + kind, unit, value, meaning});
    };
    add("steady", s.unit, change.size(), "steady change");
    add("gain", quotient_unit(s.unit, steering.unit), change.size() / step.size(),
        "steady change over that of the steering");
    if (const auto t90 = first_at(s, change.initial + 0.9 * change.size(), s.x.front()))
      add("response_time", "s", *t90 - t0, "from there until 90 % of the steady change are reached");
    const double sign = change.size() < 0 ? -1 : 1;
    const Peak top = peak(s, sign, t0, s.x.back());
    add("peak", s.unit, top.value - change.initial, "largest change");
    add("overshoot", "%", 100 * (top.value - change.steady) / change.size(), "of the peak beyond the steady change");
    if (top.t < s.x.back() - settled) {
      add("peak_response_time", "s", top.t - t0, "from there until the peak");
      if (name == "yaw_rate") yaw_peak_time = top.t - t0;
    } else {
      out.notes.push_back(name + ": no peak before the steady end, so no peak response time");
    }
    if (name == "sideslip") sideslip = std::abs(change.size());
    if (std::abs(change.drift) > 0.05 * std::abs(change.size()))
      out.notes.push_back(
          fmt::format("{} still changes by {:.0f} % within the last {:g} s: its steady value is that of the end", name,
                      100 * std::abs(change.drift / change.size()), settled));
  }
  if (yaw_peak_time && sideslip)
    out.numbers.push_back(
        {"tb_factor", "rad.s", *yaw_peak_time * *sideslip, "peak response time of the yaw rate times steady sideslip"});
}

// Half-waves about the initial value that matter.
std::vector<Peak> half_waves(Signal s) {
  const double initial = s.y.front(), least = 0.2 * largest_departure(s);
  for (double& y : s.y) y -= initial;
  std::vector<double> zeros{s.x.front()};
  for (std::size_t k = 1; k < s.x.size(); ++k) {
    if ((s.y[k - 1] < 0) != (s.y[k] < 0))
      zeros.push_back(first_at(part(s, s.x[k - 1], s.x[k]), 0, s.x[k - 1]).value_or(s.x[k]));
  }
  zeros.push_back(s.x.back());
  std::vector<Peak> out;
  for (std::size_t k = 1; k < zeros.size(); ++k) {
    if (!(zeros[k] > zeros[k - 1])) continue;
    const Peak up = peak(s, 1, zeros[k - 1], zeros[k]), down = peak(s, -1, zeros[k - 1], zeros[k]);
    const Peak larger = up.value > -down.value ? up : down;
    if (std::abs(larger.value) > least) out.push_back(larger);
  }
  return out;
}

void evaluate_sine(const Signal& steering, const std::vector<Response>& all, const EvaluationInputs& inputs,
                   Evaluation& out) {
  const std::vector<Peak> wheel = half_waves(steering);
  if (wheel.size() < 2)
    inputs.fail("the steering has no two half-waves: it is no sine.", "Give --test step for a step that is held.");
  const double frequency = 0.5 / (wheel[1].t - wheel[0].t);
  out.numbers.push_back({"steering.frequency", "Hz", frequency, "by the distance of its first two peaks"});
  out.numbers.push_back({"steering.amplitude", steering.unit, std::abs(wheel[0].value), "of the first peak"});
  for (const auto& [name, s] : all) {
    const std::vector<Peak> answer = half_waves(s);
    for (std::size_t k = 0; k < 2; ++k) {
      const std::string which = k == 0 ? "first" : "second";
      if (answer.size() <= k) {
        out.notes.push_back(name + " has no " + which + " peak");
        continue;
      }
      const double lag = answer[k].t - wheel[k].t;
      const auto add = [&](const std::string& kind, const std::string& unit, double value, const std::string& meaning) {
        out.numbers.push_back({name + "." + which + "_" + kind, unit, value, meaning});
      };
      add("lag", "s", lag, "from the " + which + " peak of the steering to its own");
      add("phase_lag", "rad", 2 * std::numbers::pi * frequency * lag, "the same as an angle of the sine");
      add("gain", quotient_unit(s.unit, steering.unit), std::abs(answer[k].value / wheel[k].value),
          which + " peak over that of the steering");
    }
  }
}

}  // namespace

void evaluate_iso7401(const EvaluationInputs& inputs, Evaluation& out) {
  const Signal whole = inputs.required("steering_wheel_angle"), steering = inputs.within(whole);
  const double most = largest_departure(steering), rounding = 1e-6 * std::max({largest(whole), -smallest(whole), 1e-3});
  if (!(most > rounding))
    inputs.fail(
        fmt::format(
            "the steering does not move from {:g} to {:g} s: its value differs by {:.2g} from that at the start.",
            steering.x.front(), steering.x.back(), most),
        "Choose --from and --to about the step or the sine, or name the channel that steers: --steering-wheel-angle "
        "CHANNEL.");
  const std::vector<Response> all = responses_of(inputs);
  const std::string test = inputs.text("test");
  if (test != "auto" && test != "step" && test != "sine")
    inputs.fail("test is \"" + test + "\".", "Give step, sine or auto.");
  const bool ends_away = std::abs(steering.y.back() - steering.y.front()) > 0.5 * most;
  if (test == "step" || (test == "auto" && ends_away)) {
    if (!ends_away)
      inputs.fail("the steering ends where it began: it is no step that is held.",
                  "Give --test sine, or another --to.");
    evaluate_step(steering, all, inputs, out);
  } else {
    evaluate_sine(steering, all, inputs, out);
  }
  out.curves.push_back(steering);
  out.curves[0].name = "steering_wheel_angle";
  for (const Response& r : all) {
    if (r.signal.x != steering.x) continue;
    out.curves.push_back(r.signal);
    out.curves.back().name = r.name;
  }
}

}  // namespace skyhook::analysis
