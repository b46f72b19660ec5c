// References: exact solutions of what the standards define: sines through weightings, the bicycle model, a damped oscillator, straight lines.
#include "skyhook/analysis/standards.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>

#include "skyhook/analysis/filters.h"

using namespace skyhook;
using namespace skyhook::analysis;
using doctest::Approx;

namespace {

constexpr double pi = std::numbers::pi;
using Function = std::function<double(double)>;

struct Channel {
  std::string name, unit;
  Function value, rate = {};
};

// Samples every `step` s, and both sides of a jump at `jump` if there is one.
EvaluatedRun run_of(const std::string& name, double until, double step, const std::vector<Channel>& channels,
                    double jump = -1) {
  std::map<std::string, Signal> all;
  for (const Channel& c : channels) {
    Signal s;
    s.name = c.name, s.unit = c.unit;
    const auto add = [&](double t, double y) {
      s.x.push_back(t), s.y.push_back(y), s.rate.push_back(c.rate ? c.rate(t) : std::nan(""));
    };
    for (int k = 0; k * step <= until * (1 + 1e-12); ++k) {
      if (std::abs(k * step - jump) < 1e-9) add(jump, c.value(jump - 1e-12));
      add(k * step, c.value(k * step));
    }
    all[c.name] = s;
  }
  EvaluatedRun out{name, {}};
  for (const auto& [key, s] : all) out.signals.names.push_back(key);
  out.signals.find = [all](const std::string& key) -> std::optional<Signal> {
    const auto found = all.find(key);
    return found == all.end() ? std::nullopt : std::optional(found->second);
  };
  return out;
}

double number(const Evaluation& e, const std::string& name) {
  const EvaluatedNumber* n = e.find(name);
  REQUIRE_MESSAGE(n != nullptr, name);
  return n->value;
}

bool is_noted(const Evaluation& e, const std::string& part) {
  return std::ranges::any_of(e.notes, [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

std::string refusal(const EvaluationRequest& request, const std::vector<EvaluatedRun>& runs) {
  try {
    evaluate(request, runs);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "no error";
}

Channel sine(const std::string& name, double amplitude, double f) {
  const double w = 2 * pi * f;
  return {name, "m/s^2", [=](double t) { return amplitude * std::sin(w * t); },
          [=](double t) { return amplitude * w * std::cos(w * t); }};
}

}  // namespace

// Sines: rms is amplitude times |W|/sqrt 2, the crest factor sqrt 2, MTVV of whole periods the rms itself, VDV (3/8 T)^(1/4) times the
// amplitude. 100 samples a period and more.
TEST_CASE("ISO 2631: sines in three axes") {
  const EvaluatedRun run =
      run_of("r", 20, 0.002, {sine("car.ax", 0.5, 2), sine("car.ay", 0.3, 1), sine("car.az", 1, 5)});
  const Evaluation e = evaluate({.standard = "iso2631", .given = {{"from", "10 s"}, {"to", "20 s"}}}, {run});
  const double x = 0.5 * std::abs(response(weighting("Wd"), 2)) / std::sqrt(2.0),
               y = 0.3 * std::abs(response(weighting("Wd"), 1)) / std::sqrt(2.0),
               z = std::abs(response(weighting("Wk"), 5)) / std::sqrt(2.0);
  CHECK(number(e, "longitudinal.rms") == Approx(x).epsilon(1e-6));
  CHECK(number(e, "lateral.rms") == Approx(y).epsilon(1e-6));
  CHECK(number(e, "vertical.rms") == Approx(z).epsilon(1e-6));
  CHECK(number(e, "vertical.mtvv") == Approx(z).epsilon(1e-5));
  CHECK(number(e, "vertical.crest_factor") == Approx(std::sqrt(2.0)).epsilon(1e-3));  // of samples
  CHECK(number(e, "vertical.vdv") == Approx(z * std::sqrt(2.0) * std::pow(10 * 3.0 / 8, 0.25)).epsilon(1e-5));
  CHECK(number(e, "total.rms") == Approx(std::sqrt(x * x + y * y + z * z)).epsilon(1e-6));
  CHECK(is_noted(e, "uncomfortable"));
  CHECK(e.channels[2].second == "car.az");
  const Evaluation health = evaluate({.standard = "iso2631", .given = {{"use", "health"}, {"from", "10"}}}, {run});
  CHECK(number(health, "total.rms") == Approx(std::sqrt(1.96 * (x * x + y * y) + z * z)).epsilon(1e-6));
  const analysis::Findings f = findings_of(e);
  CHECK(f.abscissa.name == "time");
  CHECK(f.channels[4].name == "vertical.weighted");
  CHECK(f.points.back().s == Approx(20));
}

TEST_CASE("ISO 2631: a shock is told by MTVV, VDV and the crest factor") {
  const EvaluatedRun run =
      run_of("r", 60, 0.005,
             {{"az", "m/s^2", [](double t) { return 5 * std::exp(-std::pow((t - 30) / 0.05, 2)); },
               [](double t) { return -10 * (t - 30) / 0.0025 * std::exp(-std::pow((t - 30) / 0.05, 2)); }}});
  const Evaluation e = evaluate({.standard = "iso2631"}, {run});
  CHECK(is_noted(e, "crest factor is above 9"));
  CHECK(is_noted(e, "mtvv is"));
  CHECK(is_noted(e, "vdv is"));
}

// A bicycle model in its linear range, l = 2.7 m, K = 0.003 rad/(m/s^2), i = 16: delta_H = i (l/R + K a).
TEST_CASE(
    "ISO 4138: the gradients of a bicycle model are found again, at constant speed, on a constant radius and over "
    "several runs") {
  const double l = 2.7, K = 0.003, i = 16;
  const auto check = [&](const Evaluation& e) {
    CHECK(number(e, "understeer_gradient") == Approx(K).epsilon(1e-9));
    CHECK(number(e, "characteristic_speed") == Approx(30).epsilon(1e-9));  // sqrt(2.7/0.003)
    CHECK(number(e, "roll_gradient") == Approx(-0.006).epsilon(1e-9));
    CHECK(number(e, "sideslip_gradient") == Approx(-0.002).epsilon(1e-9));
  };
  const std::vector<std::pair<std::string, std::string>> car{{"wheelbase", "2.7 m"}, {"steering_ratio", "16"}};
  const auto ramp = [](double t) { return 0.1 * t; };  // lateral acceleration
  const std::vector<Channel> body{{"lateral_acceleration", "m/s^2", ramp},
                                  {"roll", "rad", [&](double t) { return -0.006 * ramp(t); }},
                                  {"sideslip", "rad", [&](double t) { return 0.03 - 0.002 * ramp(t); }}};
  std::vector<Channel> at_speed = body, on_circle = body;
  at_speed.push_back({"speed", "m/s", [](double) { return 25.0; }});
  at_speed.push_back({"steering_wheel_angle", "rad", [&](double t) { return i * (l * ramp(t) / 625 + K * ramp(t)); }});
  const Evaluation e = evaluate({.standard = "iso4138", .given = car}, {run_of("ramp", 50, 0.1, at_speed)});
  check(e);
  CHECK(number(e, "steering_wheel_gradient") == Approx(i * (l / 625 + K)).epsilon(1e-9));
  on_circle.push_back({"speed", "m/s", [&](double t) { return std::sqrt(40 * ramp(t)); }});
  on_circle.push_back({"yaw_rate", "rad/s", [&](double t) { return std::sqrt(ramp(t) / 40); }});
  on_circle.push_back({"steering_wheel_angle", "rad", [&](double t) { return i * (l / 40 + K * ramp(t)); }});
  check(evaluate({.standard = "iso4138", .given = car}, {run_of("circle", 50, 0.1, on_circle)}));
  std::vector<EvaluatedRun> runs;
  for (const double a : {1.0, 2.0, 3.0, 3.9}) {
    const auto steady = [](double value) { return [value](double) { return value; }; };
    runs.push_back(run_of("a", 5, 0.1,
                          {{"lateral_acceleration", "m/s^2", steady(a)},
                           {"speed", "m/s", steady(20)},
                           {"roll", "rad", steady(-0.006 * a)},
                           {"sideslip", "rad", steady(0.02 - 0.002 * a)},
                           {"steering_wheel_angle", "rad", steady(i * (l * a / 400 + K * a))}}));
  }
  check(evaluate({.standard = "iso4138", .given = car}, runs));
  CHECK_FALSE(is_noted(e, "not steady"));
  CHECK(is_noted(evaluate({.standard = "iso4138"}, {run_of("ramp", 50, 0.1, at_speed)}), "no understeer gradient"));
  CHECK(
      refusal({.standard = "iso4138", .given = {{"low", "100"}, {"high", "200"}}}, {run_of("ramp", 50, 0.1, at_speed)})
          .find("only 0 points") != std::string::npos);
}

// A weave at 0.5 Hz of 4 m/s^2, answered with a delay of 0.1 s: most within a second, half a period, is 8 m/s^2, and off its line the steering wheel is an
// ellipse. A ramp of 1 m/s^2 in a second is too fast as well, though its line is a line.
TEST_CASE("ISO 4138: a motion that is not steady is told, with figures") {
  const auto weave = [](double delay) { return [=](double t) { return std::sin(std::numbers::pi * (t - delay)); }; };
  const auto evaluated = [&](std::function<double(double)> a, std::function<double(double)> steering) {
    return evaluate({.standard = "iso4138"},
                    {run_of("lane change", 10, 0.01,
                            {{"lateral_acceleration", "m/s^2", a}, {"steering_wheel_angle", "rad", steering}})});
  };
  const Evaluation e = evaluated([&](double t) { return 4 * weave(0.1)(t); }, weave(0));
  CHECK(is_noted(e, "the motion is not steady"));
  CHECK(is_noted(e, "changes by up to 8 m/s^2"));
  CHECK(is_noted(evaluated([](double t) { return t; }, [](double t) { return 0.2 * t; }), "changes by up to 1 m/s^2"));
}

// A step at 1 s answered by an oscillator with w = 8 1/s and damping D = 0.5: overshoot exp(-pi D/sqrt(1-D^2)) at pi/(w sqrt(1-D^2)).
TEST_CASE("ISO 7401: the step response of a damped oscillator") {
  const double w = 8, D = 0.5, wd = w * std::sqrt(1 - D * D);
  const auto y = [=](double t) {
    const double s = std::max(0.0, t - 1);
    return 0.4 * (1 - std::exp(-D * w * s) * (std::cos(wd * s) + D * w / wd * std::sin(wd * s)));
  };
  const auto rate = [=](double t) {
    const double s = std::max(0.0, t - 1);
    return 0.4 * w * w / wd * std::exp(-D * w * s) * std::sin(wd * s);
  };
  const EvaluatedRun run =
      run_of("r", 8, 0.01,
             {{"steering_wheel_angle", "rad", [](double t) { return t < 1 ? 0.0 : 2.0; }, [](double) { return 0.0; }},
              {"yaw_rate", "rad/s", y, rate},
              {"sideslip", "rad", [=](double t) { return -0.1 * y(t); }, [=](double t) { return -0.1 * rate(t); }}},
             1);
  const Evaluation e = evaluate({.standard = "iso7401"}, {run});
  CHECK(number(e, "steering.time") == Approx(1));
  CHECK(number(e, "yaw_rate.gain") == Approx(0.2).epsilon(1e-6));
  CHECK(number(e, "yaw_rate.overshoot") == Approx(100 * std::exp(-pi * D / std::sqrt(1 - D * D))).epsilon(1e-5));
  CHECK(number(e, "yaw_rate.peak_response_time") == Approx(pi / wd).epsilon(1e-5));
  const double t90 = number(e, "yaw_rate.response_time");
  CHECK(y(1 + t90) == Approx(0.9 * 0.4).epsilon(1e-6));
  CHECK(t90 < pi / wd);
  CHECK(number(e, "sideslip.steady") == Approx(-0.04).epsilon(1e-6));
  CHECK(number(e, "sideslip.overshoot") == Approx(number(e, "yaw_rate.overshoot")));
  CHECK(number(e, "tb_factor") == Approx(pi / wd * 0.04).epsilon(1e-5));
}

TEST_CASE("ISO 7401: lags and gains of a sine that comes later") {
  const double w = 2 * pi * 0.5, lag = 0.12;
  const auto wave = [=](double t) { return t > 0 && t < 2 ? std::sin(w * t) : 0.0; };
  const auto slope = [=](double t) { return t > 0 && t < 2 ? w * std::cos(w * t) : 0.0; };
  const EvaluatedRun run = run_of("r", 4, 0.01,
                                  {{"steering_wheel_angle", "rad", [=](double t) { return 0.5 * wave(t); },
                                    [=](double t) { return 0.5 * slope(t); }},
                                   {"yaw_rate", "rad/s", [=](double t) { return -0.1 * wave(t - lag); },
                                    [=](double t) { return -0.1 * slope(t - lag); }}});
  const Evaluation e = evaluate({.standard = "iso7401"}, {run});
  CHECK(number(e, "steering.frequency") == Approx(0.5).epsilon(1e-6));
  for (const char* which : {"first", "second"}) {
    CHECK(number(e, std::string("yaw_rate.") + which + "_lag") == Approx(lag).epsilon(1e-5));
    CHECK(number(e, std::string("yaw_rate.") + which + "_phase_lag") == Approx(w * lag).epsilon(1e-5));
    CHECK(number(e, std::string("yaw_rate.") + which + "_gain") == Approx(0.2).epsilon(1e-6));
  }
  CHECK(refusal({.standard = "iso7401", .given = {{"test", "step"}}}, {run}).find("no step that is held") !=
        std::string::npos);
}

// A car of 1.8 m through the middles of the lanes, with half waves of a cosine between them. Straight in a lane its clearance is
// half of what the lane is wider than the car.
TEST_CASE(
    "ISO 3888: cones kept on the way through the middles of the lanes, hit half a metre beside it, missed straight "
    "on") {
  const double w = 1.8, middle_1 = 0, b1 = 1.1 * w + 0.25, right = -b1 / 2;
  const double middle_3 = right + 3.5 + (1.2 * w + 0.25) / 2, middle_5 = right + (1.3 * w + 0.25) / 2;
  const auto between = [](double x, double x0, double x1, double y0, double y1) {
    const double s = std::clamp((x - x0) / (x1 - x0), 0.0, 1.0);
    return y0 + (y1 - y0) * (1 - std::cos(pi * s)) / 2;
  };
  const auto y = [&](double x) {
    return between(x, 18, 42, middle_1, middle_3) + between(x, 73, 92, 0, middle_5 - middle_3);
  };
  const auto run = [&](const std::string& name, double v, double aside, double share) {
    return run_of(name, 160 / v, 0.01,
                  {{"x", "m", [=](double t) { return v * t - 20; }},
                   {"y", "m", [=](double t) { return share * y(v * t - 20) + aside; }},
                   {"yaw", "rad",
                    [=](double t) { return share * std::atan((y(v * t - 20 + 0.01) - y(v * t - 20 - 0.01)) / 0.02); }},
                   {"speed", "m/s", [=](double) { return v; }}});
  };
  const EvaluationRequest request{.standard = "iso3888", .given = {{"width", "1.8 m"}, {"length", "4 m"}}};
  const Evaluation kept = evaluate(request, {run("kept", 20, 0, 1)});
  CHECK(number(kept, "cones_hit") == 0);
  CHECK(number(kept, "section_1.clearance") == Approx((0.1 * w + 0.25) / 2).epsilon(1e-3));
  CHECK(number(kept, "section_6.clearance") == Approx((0.3 * w + 0.25) / 2).epsilon(1e-3));
  CHECK(number(kept, "entry_speed") == Approx(20));
  CHECK(is_noted(kept, "all cones kept"));
  const Evaluation hit = evaluate(request, {run("hit", 20, 0.5, 1)});
  CHECK(number(hit, "cones_hit") > 0);
  CHECK(number(hit, "section_1.clearance") == Approx((0.1 * w + 0.25) / 2 - 0.5).epsilon(1e-3));
  CHECK(is_noted(evaluate(request, {run("straight", 20, 0, 0)}), "passed on the wrong side"));
  const Evaluation several = evaluate(request, {run("a", 20, 0, 1), run("b", 24, 0, 1), run("c", 26, 0.5, 1)});
  CHECK(number(several, "largest_entry_speed") == Approx(24));
  CHECK(number(several, "smallest_entry_speed_with_hits") == Approx(26));
  CHECK(refusal({.standard = "iso3888", .given = {{"width", "1.8 m"}}}, {run("a", 20, 0, 1)}).find("length") !=
        std::string::npos);
}

// After the step the steering differs from its value by rounding alone: there is nothing that anything could be a gain of.
TEST_CASE("ISO 7401 refuses a steering that does not move within the times evaluated") {
  const EvaluatedRun run =
      run_of("r", 6, 0.01,
             {{"steering_wheel_angle", "rad", [](double t) { return t < 1 ? 0.0 : 0.4 + 2e-16 * std::sin(600 * t); }},
              {"yaw_rate", "rad/s", [](double t) { return t < 1 ? 0.0 : 0.2; }}});
  CHECK(refusal({.standard = "iso7401", .given = {{"from", "3 s"}}}, {run})
            .find("the steering does not move from 3 to 6 s") != std::string::npos);
  CHECK(refusal({.standard = "iso7401"}, {run}) == "no error");
}

TEST_CASE("Statistics of a triangle, by hand") {
  const EvaluatedRun run = run_of("r", 4, 0.5, {{"x", "m", [](double t) { return std::abs(std::fmod(t, 2.0) - 1); }}});
  const Evaluation e = evaluate({.standard = "statistics"}, {run});
  CHECK(number(e, "x.mean") == Approx(0.5));
  CHECK(number(e, "x.rms") == Approx(std::sqrt(1.0 / 3)));
  CHECK(number(e, "x.std") == Approx(std::sqrt(1.0 / 12)));
  CHECK(number(e, "x.p95") == Approx(0.95));
  CHECK(number(e, "x.crossings") == Approx(0.5));
}

TEST_CASE("What is missing is said with what there is") {
  const EvaluatedRun run = run_of("lap", 20, 0.01, {sine("left.az", 1, 1), sine("right.az", 1, 1), sine("yaw", 1, 1)});
  CHECK(refusal({.standard = "iso2632"}, {run}).find("Did you mean \"iso2631\"") != std::string::npos);
  CHECK(refusal({.standard = "iso2631", .given = {{"vertical", "x"}}}, {run}).find("has no \"vertical\"") !=
        std::string::npos);
  CHECK(refusal({.standard = "iso2631", .given = {{"from", "1"}, {"from", "2"}}}, {run}).find("more than once") !=
        std::string::npos);
  const std::string missing = refusal({.standard = "iso7401"}, {run});
  CHECK(missing.find("steering_wheel_angle") != std::string::npos);
  CHECK(missing.find("--steering-wheel-angle CHANNEL") != std::string::npos);
  CHECK(missing.find("left.az") != std::string::npos);
  CHECK(refusal({.standard = "iso2631"}, {run}).find("vertical_acceleration") != std::string::npos);  // two may be it
  CHECK(refusal({.standard = "iso2631", .given = {{"vertical_acceleration", "left.az - right.az"}}}, {run}) ==
        "no error");
  CHECK(refusal({.standard = "iso2631", .given = {{"vertical_acceleration", "integral(left.az)"}}}, {run})
            .find("m/s^2") != std::string::npos);
  CHECK(refusal({.standard = "iso2631"}, {run, run}).find("one run") != std::string::npos);
}
