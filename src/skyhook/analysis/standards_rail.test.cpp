// References: exact solutions: sines through the filters of the standards and a mean over a window, steps, constants; formulas of limits by hand.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>

#include "skyhook/analysis/filters.h"
#include "skyhook/analysis/rail_wheels.h"
#include "skyhook/analysis/signal_over.h"

using namespace skyhook;
using namespace skyhook::analysis;
using doctest::Approx;

namespace {

constexpr double pi = std::numbers::pi;

struct Recorded {
  std::string name, unit;
  std::function<double(double)> value, rate;
};

EvaluatedRun recorded(double until, double step, const std::vector<Recorded>& channels) {
  std::map<std::string, Signal> all;
  for (const Recorded& c : channels) {
    Signal s;
    s.name = c.name, s.unit = c.unit;
    for (int k = 0; k * step <= until * (1 + 1e-12); ++k)
      s.x.push_back(k * step), s.y.push_back(c.value(k * step)), s.rate.push_back(c.rate(k * step));
    all[c.name] = s;
  }
  EvaluatedRun out{"r", {}};
  for (const auto& [key, s] : all) out.signals.names.push_back(key);
  out.signals.find = [all](const std::string& key) -> std::optional<Signal> {
    const auto found = all.find(key);
    return found == all.end() ? std::nullopt : std::optional(found->second);
  };
  return out;
}

Recorded wave(const std::string& name, const std::string& unit, double mean, double amplitude, double f) {
  const double w = 2 * pi * f;
  return {name, unit, [=](double t) { return mean + amplitude * std::sin(w * t); },
          [=](double t) { return amplitude * w * std::cos(w * t); }};
}
Recorded constant(const std::string& name, const std::string& unit, double value) {
  return wave(name, unit, value, 0, 1);
}

double value_of(const Evaluation& e, const std::string& name) {
  const EvaluatedNumber* n = e.find(name);
  REQUIRE_MESSAGE(n != nullptr, name);
  return n->value;
}
bool notes(const Evaluation& e, const std::string& part) {
  return std::ranges::any_of(e.notes, [&](const std::string& note) { return note.find(part) != std::string::npos; });
}
std::string refused(const EvaluationRequest& request, const EvaluatedRun& run) {
  try {
    evaluate(request, {run});
  } catch (const ModelError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("Sliding mean: exact on a step, a ramp and a cubic") {
  Signal s;
  s.name = "Y", s.unit = "N", s.abscissa = {"distance", "m"};
  s.x = {0, 10, 10, 20}, s.y = {1, 1, 5, 5};
  const Signal m = sliding_mean(s, 2, 0.5);
  CHECK(m.x.front() == Approx(1));
  CHECK(m.x.back() == Approx(19));
  REQUIRE(m.x.size() == 37);
  for (std::size_t k = 0; k < m.x.size(); ++k) {
    const double behind = std::clamp(m.x[k] + 1 - 10, 0.0, 2.0) / 2;  // part of the window that has passed the step
    CHECK(m.y[k] == Approx(1 + 4 * behind).epsilon(1e-14));
  }
  Signal cubic;
  cubic.abscissa = {"distance", "m"};
  for (const double x : {0.0, 3.0, 4.0, 10.0})
    cubic.x.push_back(x), cubic.y.push_back(x * x * x - 2 * x), cubic.rate.push_back(3 * x * x - 2);
  const Signal c = sliding_mean(cubic, 2, 0.25);
  for (std::size_t k = 0; k < c.x.size(); ++k)
    CHECK(c.y[k] ==
          Approx(std::pow(c.x[k], 3) + c.x[k] - 2 * c.x[k]).scale(1).epsilon(1e-12));  // mean of x^3 over +-1: x^3 + x
  CHECK(sliding_mean(s, 30, 0.5).x.empty());
}

TEST_CASE(
    "Signals over the distance: rates follow the chain rule, standing still is no sample, and going back is refused") {
  Signal y, s;
  y.name = "y", y.unit = "m", s.name = "s", s.unit = "m";
  for (const double t : {0.0, 0.5, 1.0, 1.5})
    y.x.push_back(t), y.y.push_back(std::sin(t * t)), y.rate.push_back(2 * t * std::cos(t * t)), s.x.push_back(t),
        s.y.push_back(t * t), s.rate.push_back(2 * t);
  const auto out = over(y, s);
  REQUIRE(out);
  CHECK(out->abscissa.unit == "m");
  CHECK(out->rate[2] == Approx(std::cos(1.0)));
  s.y[2] = s.y[1];
  REQUIRE(over(y, s));
  CHECK(over(y, s)->x.size() == 3);
  s.y[2] = 0;
  CHECK(!over(y, s));
}

TEST_CASE("Sperling: the filters have the sizes B(f), and Wz of a sine is (a B)^0.3 with a in cm/s^2") {
  const auto comfort = [](double k, double f) {
    return k * std::sqrt((1.911 * f * f + std::pow(0.25 * f * f, 2)) /
                         (std::pow(1 - 0.277 * f * f, 2) + std::pow(1.563 * f - 0.0368 * f * f * f, 2)));
  };
  const auto ride = [](double f) {
    return 1.14 * std::sqrt((std::pow(1 - 0.056 * f * f, 2) + std::pow(0.645 * f, 2)) * 3.55 * f * f /
                            ((std::pow(1 - 0.252 * f * f, 2) + std::pow(1.547 * f - 0.00444 * f * f * f, 2)) *
                             (1 + 3.55 * f * f)));
  };
  for (const double f : {0.5, 1.0, 2.0, 5.4, 10.0, 20.0, 30.0}) {
    CAPTURE(f);
    CHECK(std::abs(response(sperling(SperlingIndex::horizontal), f)) == Approx(comfort(0.737, f)).epsilon(1e-12));
    CHECK(std::abs(response(sperling(SperlingIndex::vertical), f)) == Approx(comfort(0.588, f)).epsilon(1e-12));
    CHECK(std::abs(response(sperling(SperlingIndex::ride), f)) == Approx(ride(f)).epsilon(1e-12));
  }
  const EvaluatedRun run =
      recorded(30, 0.005, {wave("body.ay", "m/s^2", 0, 0.5, 2), wave("body.az", "m/s^2", 0, 0.2, 5)});
  const Evaluation e = evaluate({.standard = "sperling", .given = {{"from", "10 s"}}}, {run});
  CHECK(value_of(e, "lateral.Wz") == Approx(std::pow(50 * comfort(0.737, 2), 0.3)).epsilon(1e-6));
  CHECK(value_of(e, "vertical.Wz") == Approx(std::pow(20 * comfort(0.588, 5), 0.3)).epsilon(1e-6));
  const Evaluation v = evaluate({.standard = "sperling", .given = {{"from", "10 s"}, {"use", "ride"}}}, {run});
  CHECK(value_of(v, "lateral.Wz") == Approx(std::pow(50 * ride(2), 0.3)).epsilon(1e-6));
}

TEST_CASE("EN 12299: mean comfort of sines that have whole periods in each block") {
  const EvaluatedRun run = recorded(
      320, 0.005,
      {wave("car.ax", "m/s^2", 0, 0.1, 1), wave("car.ay", "m/s^2", 0, 0.15, 0.8), wave("car.az", "m/s^2", 0, 0.2, 4)});
  const Evaluation e = evaluate({.standard = "en12299", .given = {{"from", "15 s"}, {"to", "315 s"}}}, {run});
  const double x = 0.1 * std::abs(response(weighting("Wd"), 1)) / std::sqrt(2.0),
               y = 0.15 * std::abs(response(weighting("Wd"), 0.8)) / std::sqrt(2.0),
               z = 0.2 * std::abs(response(weighting("Wb"), 4)) / std::sqrt(2.0);
  // Cubics between samples take (w h)^4/720 of a sine, before the filter and behind it: 7e-7 of the 4 Hz.
  CHECK(value_of(e, "vertical.p95") == Approx(z).epsilon(1e-6));
  CHECK(value_of(e, "N_MV") == Approx(6 * std::sqrt(x * x + y * y + z * z)).epsilon(1e-6));
  CHECK(!notes(e, "blocks"));
  CHECK(notes(evaluate({.standard = "en12299", .given = {{"to", "50 s"}}}, {run}), "10 blocks"));
  CHECK(refused({.standard = "en12299", .given = {{"to", "2 s"}}}, run).find("shorter than a block") !=
        std::string::npos);
}

// One wheelset at 20 m/s, Y of its wheels sines of 2.5 Hz, 8 m long, which a mean over 2 m takes down by sin(pi/4)/(pi/4), and the filter of order 4 at 20 Hz by
// 1/(1 + (1/8)^8)^(1/2). 99.85 % of a sine are cos(0.0015 pi) of its amplitude. Values every 0.05 m: lines between them lack 2e-4.
TEST_CASE("EN 14363: Y/Q, sum of Y, unloading of a wheelset whose forces are sines") {
  const double Q0 = 55e3, v = 20;
  const EvaluatedRun run = recorded(40, 0.01,
                                    {wave("front.left.Y", "N", 0, 20e3, 2.5), constant("front.left.Q", "N", Q0),
                                     wave("front.right.Y", "N", 0, -12e3, 2.5),
                                     wave("front.right.Q", "N", Q0, 11e3, 2.5), constant("speed", "m/s", v)});
  const Evaluation e = evaluate(
      {.standard = "en14363", .given = {{"interval", "0.05 m"}, {"from", "4 s"}, {"static_load", "55 kN"}}}, {run});
  const double gain = 1 / std::sqrt(1 + std::pow(2.5 / 20, 8)), window = std::sin(pi / 4) / (pi / 4),
               percent = std::cos(0.0015 * pi);
  CHECK(value_of(e, "front.left.yq.p99.85") == Approx(20e3 / Q0 * gain * window * percent).epsilon(5e-4));
  CHECK(value_of(e, "front.left.yq.p0.15") == Approx(-20e3 / Q0 * gain * window * percent).epsilon(5e-4));
  CHECK(value_of(e, "front.left.y_qst") == Approx(0).scale(20e3).epsilon(1e-3));
  CHECK(value_of(e, "front.sum_y.p99.85") ==
        Approx(32e3 * gain * window * percent).epsilon(5e-4));  // left less right: both push to the left
  CHECK(value_of(e, "front.right.unloading") == Approx(0.2 * gain).epsilon(1e-3));
  CHECK(value_of(e, "front.right.q.p99.85") == Approx(Q0 + 11e3 * gain * percent).epsilon(1e-4));
  CHECK(value_of(e, "front.sum_y.limit") == Approx(10e3 + 110e3 / 3));  // Prud'homme, by hand
  CHECK(value_of(e, "nadal") == Approx((2.7474774 - 0.36) / (1 + 0.36 * 2.7474774)).epsilon(1e-7));
  CHECK(value_of(e, "worst.sum_y") == Approx(32e3 * gain * window * percent).epsilon(5e-4));
  CHECK(!notes(e, "above the limit"));
  CHECK(e.curves.front().abscissa.unit == "m");
  CHECK(std::ranges::any_of(e.curves, [](const Signal& s) { return s.name == "sum_y.limit"; }));
  const Evaluation tight =
      evaluate({.standard = "en14363", .given = {{"yq_limit", "0.2"}, {"static_load", "20 kN"}}}, {run});
  CHECK(notes(tight, "front.left.yq"));
  CHECK(notes(tight, "Prud'homme"));  // 28.8 kN, above 10 + 40/3 kN
}

// A bogie that hunts at 6 Hz on top of a curve's constant force and of a wave of 1 Hz, which the band of 4 to 8 Hz leaves out: high and low pass of order 4 have the gains 1/(1 + (4/f)^8)^(1/2) and 1/(1 + (f/8)^8)^(1/2), 4e-3 at 1 Hz. Rms of a sine by hand; 10 whole periods of 6 Hz are
// 33 m, so that 100 m have 30 of them.
TEST_CASE("EN 14363: instability by the sum of Y, and by the acceleration of the bogie") {
  const double w6 = 2 * pi * 6, w1 = 2 * pi;
  const auto sum = [=](double a6, double a1, double mean) {
    return std::pair([=](double t) { return mean + a6 * std::sin(w6 * t) + a1 * std::sin(w1 * t); },
                     [=](double t) { return a6 * w6 * std::cos(w6 * t) + a1 * w1 * std::cos(w1 * t); });
  };
  const auto [left, left_rate] = sum(20e3, 8e3, 10e3);
  const auto [ay, ay_rate] = sum(6, 1, 0.5);
  const EvaluatedRun run = recorded(20, 0.005,
                                    {{"front.left.Y", "N", left, left_rate},
                                     constant("front.left.Q", "N", 55e3),
                                     constant("front.right.Y", "N", 0),
                                     constant("front.right.Q", "N", 55e3),
                                     {"frame.ay", "m/s^2", ay, ay_rate},
                                     constant("speed", "m/s", 20)});
  const Evaluation e = evaluate({.standard = "en14363",
                                 .given = {{"from", "4 s"},
                                           {"static_load", "55 kN"},
                                           {"bogie_acceleration", "frame.ay"},
                                           {"bogie_mass", "10 t"}}},
                                {run});
  const double low_pass = 1 / std::sqrt(1 + std::pow(6.0 / 20, 8)),
               band = 1 / std::sqrt((1 + std::pow(4.0 / 6, 8)) * (1 + std::pow(6.0 / 8, 8)));
  CHECK(value_of(e, "front.sum_y.instability") == Approx(20e3 / std::sqrt(2.0) * low_pass * band).epsilon(2e-3));
  CHECK(value_of(e, "front.sum_y.instability.limit") == Approx((10e3 + 110e3 / 3) / 2));
  CHECK(value_of(e, "bogie.instability") == Approx(6 / std::sqrt(2.0) * band).epsilon(2e-3));
  CHECK(value_of(e, "bogie.instability.limit") == Approx(5));  // (12 - 10/5)/2
  CHECK(!notes(e, "steadily"));
  CHECK(notes(evaluate({.standard = "en14363",
                        .given = {{"from", "4 s"}, {"static_load", "20 kN"}, {"instability_frequency", "6 Hz"}}},
                       {run}),
              "it does not run steadily"));  // 13.2 kN, above 11.7 kN
  CHECK(notes(evaluate({.standard = "en14363", .given = {{"to", "4 s"}, {"instability_window", "100 m"}}}, {run}),
              "the way is shorter"));
}

TEST_CASE("EN 14363: what is missing is told") {
  const EvaluatedRun no_wheels = recorded(10, 0.1, {constant("speed", "m/s", 10)});
  CHECK(refused({.standard = "en14363"}, no_wheels).find("NAME.Y with NAME.Q") != std::string::npos);
  const EvaluatedRun no_speed = recorded(10, 0.1, {constant("a.Y", "N", 1), constant("a.Q", "N", 2)});
  CHECK(refused({.standard = "en14363"}, no_speed).find("--distance") != std::string::npos);
  const EvaluatedRun back =
      recorded(10, 0.1, {constant("a.Y", "N", 1), constant("a.Q", "N", 2), wave("speed", "m/s", 0, 1, 0.1)});
  CHECK(refused({.standard = "en14363"}, back).find("does not rise") != std::string::npos);
  CHECK(refused({.standard = "wear"}, no_speed).find("--distance") != std::string::npos);
}

TEST_CASE("Wheels of an axle are told by their names") {
  CHECK(name_of_axle("bogie1.front.left") == "bogie1.front");
  CHECK(name_of_axle("bogie1.front.right") == "bogie1.front");
  CHECK(name_of_axle("wheel_2_l") == "wheel_2");
  CHECK(name_of_axle("left_2") == "2");
  CHECK(name_of_axle("ws3R") == "ws3");
  CHECK(name_of_axle("left") == "axle");
  CHECK(name_of_axle("wheel") == "");  // its l is no side
  CHECK(is_left("wheel_2_l"));
  CHECK(!is_left("right"));
}

// 900 W at 20 m/s are 45 N, and 45 J a metre.
TEST_CASE("Wear number: what creep dissipates a metre") {
  const EvaluatedRun run =
      recorded(10, 0.05, {constant("w.power", "W", 900), constant("w.Q", "N", 5e4), wave("speed", "m/s", 20, 5, 0.3)});
  const Evaluation e = evaluate({.standard = "wear", .given = {{"to", "10 s"}}}, {run});
  CHECK(value_of(e, "w.mean") == Approx(9000 / (200 + 5 * (1 - std::cos(2 * pi * 3)) / (2 * pi * 0.3))).epsilon(1e-6));
  CHECK(notes(e, "mild"));
}

// A curve of 500 m behind 100 m of straight track, 20 m/s; Q0 = 50 kN. Y/Q of the left wheel is 0.1 before it and 0.3 within, so that are its largest values there; by hand.
TEST_CASE("EN 14363: values on sections of the track, and their statistics") {
  const auto step = [](double a, double b) { return [=](double t) { return t < 10 ? a : b; }; };
  const auto flat = [](double) { return 0.0; };
  const EvaluatedRun run = recorded(40, 0.01,
                                    {{"left.Y", "N", step(5e3, 15e3), flat},
                                     constant("left.Q", "N", 50e3),
                                     constant("right.Y", "N", 0),
                                     constant("right.Q", "N", 50e3),
                                     {"left.along", "m", [](double t) { return 20 * t; }, [](double) { return 20.0; }},
                                     {"left.curvature", "1/m", step(0, 1.0 / 500), flat}});
  const Evaluation e = evaluate({.standard = "en14363"}, {run});
  REQUIRE(e.sections.size() == 8);  // 200 m of straight track and 600 m of curve
  const auto value = [&](std::size_t section, const std::string& name) {
    const auto& all = e.sections[section].values;
    return std::ranges::find(all, name, &std::pair<std::string, double>::first)->second;
  };
  CHECK(e.sections[0].zone == "straight");
  CHECK(e.sections[7].zone == "curve 400-600 m");
  CHECK(e.sections[7].radius == Approx(500));
  CHECK(value(0, "yq") == Approx(0.1));
  CHECK(value(7, "yq") == Approx(0.3));
  CHECK(value(7, "sum_y") == Approx(15e3));
  CHECK(value(7, "y_qst") == Approx(15e3));
  CHECK(value(7, "q") == Approx(50e3));
  CHECK(value(7, "unloading") == Approx(0).scale(1));
  CHECK(value_of(e, "zone.curve 400-600 m.q") == Approx(50e3));  // no spread
  CHECK(value_of(e, "zone.curve 400-600 m.yq") >= 0.3);
  CHECK(e.find("zone.straight.q") == nullptr);  // two sections are no statistics
}

TEST_CASE("rail: all standards of a rail vehicle at once, with the numbers that each has by itself") {
  const EvaluatedRun run =
      recorded(30, 0.005,
               {wave("a.left.Y", "N", 2e3, 5e3, 1), constant("a.left.Q", "N", 5e4), wave("a.right.Y", "N", 0, 3e3, 1),
                constant("a.right.Q", "N", 5e4), constant("a.left.power", "W", 900), constant("speed", "m/s", 20),
                wave("car.ay", "m/s^2", 0, 0.5, 2), wave("car.az", "m/s^2", 0, 0.2, 5)});
  const Evaluation all = evaluate({.standard = "rail", .given = {{"from", "5 s"}}}, {run});
  for (const auto& [standard, number] : {std::pair("en14363", "worst.yq"),
                                         {"en14363", "a.sum_y.p99.85"},
                                         {"sperling", "lateral.Wz"},
                                         {"en12299", "N_MV"},
                                         {"wear", "a.left.mean"}}) {
    const Evaluation one = evaluate({.standard = standard, .given = {{"from", "5 s"}}}, {run});
    CHECK(value_of(all, std::string(standard) + "." + number) == value_of(one, number));
  }
  for (const Signal& s : all.curves) CHECK(s.y.size() == all.curves.front().x.size());
  CHECK(std::ranges::any_of(all.curves, [](const Signal& s) { return s.name == "wear.a.left"; }));
  const std::string json = curves_json(all);
  CHECK(json.find("\"abscissa\": \"distance\"") != std::string::npos);
  CHECK(json.find("sum_y.limit") != std::string::npos);
  const EvaluatedRun bare =
      recorded(30, 0.01, {constant("l.Y", "N", 1e3), constant("l.Q", "N", 5e4), constant("speed", "m/s", 20)});
  const Evaluation few = evaluate({.standard = "rail"}, {bare});
  CHECK(notes(few, "no wear number"));
  CHECK(notes(few, "neither Wz nor comfort"));
}

// A way that is recorded under the name of a joint along the track does as well as one that is named; what a record lacks leaves out what needs it, and no more.
TEST_CASE("rail: the way is found among what was recorded, and what is missing is told") {
  const Recorded way{"car.position", "m", [](double t) { return 20 * t + std::sin(t); },
                     [](double t) { return 20 + std::cos(t); }};
  const std::vector<Recorded> wheel{wave("l.Y", "N", 2e3, 5e3, 1), constant("l.Q", "N", 5e4)};
  const std::vector<Recorded> ride{wave("car.ay", "m/s^2", 0, 0.5, 2), wave("car.az", "m/s^2", 0, 0.2, 5)};
  const auto of = [&](double until, std::vector<Recorded> channels, const std::vector<Recorded>& more = {}) {
    channels.insert(channels.end(), more.begin(), more.end());
    return recorded(until, 0.01, channels);
  };
  const Recorded swings = wave("a.position", "m", 0, 1, 1),
                 heavy = wave("b.position", "kg", 0, 1, 1);  // these are no ways
  const EvaluatedRun both = of(20, wheel, {swings, heavy, way});
  const Evaluation found = evaluate({.standard = "en14363"}, {both}),
                   named = evaluate({.standard = "en14363", .given = {{"distance", "car.position"}}}, {both});
  CHECK(value_of(found, "l.yq.p99.85") == value_of(named, "l.yq.p99.85"));
  CHECK(std::ranges::count(found.channels, std::pair<std::string, std::string>("distance", "car.position")) == 1);
  const Evaluation nowhere = evaluate({.standard = "rail"}, {of(20, wheel, ride)});
  CHECK(notes(nowhere, "not known how far"));
  CHECK(value_of(nowhere, "sperling.lateral.Wz") > 0);
  const Evaluation no_wheels = evaluate({.standard = "rail"}, {of(20, ride, {way})});
  CHECK(notes(no_wheels, "neither safety nor wear"));
  const Evaluation brief = evaluate({.standard = "rail"}, {of(4, wheel, {ride[0], ride[1], way})});
  CHECK(notes(brief, "less than a block"));
  CHECK(value_of(brief, "en14363.worst.yq") > 0);
  CHECK(refused({.standard = "rail"}, of(20, wheel)).find("--distance") != std::string::npos);  // nothing would be left
}

TEST_CASE("rail: settings without sense are refused, before they are divided by or make values without end") {
  const EvaluatedRun run =
      recorded(20, 0.01,
               {constant("l.Q", "N", 5e4),
                wave("l.Y", "N", 2e3, 5e3, 1),
                wave("car.ay", "m/s^2", 0, 0.5, 2),
                {"car.position", "m", [](double t) { return 20 * t; }, [](double) { return 20; }}});
  const auto says = [&](const char* setting, const char* value, const char* what) {
    CAPTURE(setting);
    CAPTURE(value);
    CHECK(refused({.standard = "rail", .given = {{setting, value}}}, run).find(what) != std::string::npos);
  };
  for (const char* each : {"block", "window", "interval", "section", "cutoff", "static_load", "yq_limit",
                           "unloading_limit", "prudhomme_factor", "instability_window", "instability_frequency"})
    says(each, "0", "must be above 0"), says(each, "-1", "must be above 0");
  says("friction", "-0.1", "\"-0.1\", but must be at least 0.");
  says("bogie_mass", "-1", "must be at least 0 kg");
  says("flange_angle", "95 deg", "above 0 and at most 1.571 rad");
  for (const char* each : {"block", "interval"}) says(each, "1e-9", "values");
  says("section", "1.9", "shorter than the window");
  CHECK(refused({.standard = "rail", .given = {{"friction", "0"}}}, run) == "no error");
}

// The filter of forces against its transfer function: sines of the run come out with the size 1/(1 + (f/20)^8)^(1/2).
TEST_CASE("EN 14363: forces pass the filter of order 4 as its transfer function says") {
  for (const double f : {2.0, 10.0, 20.0, 30.0}) {
    CAPTURE(f);
    const EvaluatedRun run =
        recorded(20, 0.001, {constant("w.Y", "N", 0), wave("w.Q", "N", 5e4, 1e4, f), constant("speed", "m/s", 20)});
    const Evaluation e = evaluate({.standard = "en14363", .given = {{"from", "5 s"}, {"static_load", "50 kN"}}}, {run});
    CHECK(value_of(e, "w.unloading") == Approx(0.2 / std::sqrt(1 + std::pow(f / 20, 8))).epsilon(2e-3));
  }
}

// Several frequencies are added by the rms: two sines, by hand.
TEST_CASE("Sperling: Wz of two sines is that of the sum of their squares") {
  const EvaluatedRun run = recorded(
      40, 0.005,
      {{"body.ay", "m/s^2", [](double t) { return 0.3 * std::sin(2 * pi * t) + 0.2 * std::sin(2 * pi * 6 * t); },
        [](double t) { return 0.6 * pi * std::cos(2 * pi * t) + 2.4 * pi * std::cos(2 * pi * 6 * t); }}});
  const double a = 30 * std::abs(response(sperling(SperlingIndex::horizontal), 1)),
               b = 20 * std::abs(response(sperling(SperlingIndex::horizontal), 6));
  CHECK(value_of(evaluate({.standard = "sperling", .given = {{"from", "10 s"}}}, {run}), "lateral.Wz") ==
        Approx(std::pow(a * a + b * b, 0.15)).epsilon(1e-5));
}
