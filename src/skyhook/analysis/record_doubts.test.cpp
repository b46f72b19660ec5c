// References: angles and numbers of samples by hand.
#include "skyhook/analysis/record_doubts.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "skyhook/math/unresolved_rates.h"

using namespace skyhook;
using namespace skyhook::analysis;

namespace {

using Function = std::function<double(double)>;

// 20 s, every 10 ms.
EvaluatedRun run_with(const std::map<std::string, std::pair<std::string, Function>>& channels) {
  EvaluatedRun out{"r", {}};
  std::map<std::string, Signal> all;
  for (const auto& [name, of] : channels) {
    Signal s;
    s.name = name, s.unit = of.first;
    for (int k = 0; k <= 2000; ++k)
      s.x.push_back(0.01 * k), s.y.push_back(of.second(0.01 * k)),
          s.rate.push_back((of.second(0.01 * k + 1e-6) - of.second(0.01 * k - 1e-6)) / 2e-6);
    s.unresolved = forget_unresolved_rates(s.x, s.y, s.rate);
    all[name] = s, out.signals.names.push_back(name);
  }
  out.signals.find = [all](const std::string& name) {
    return all.contains(name) ? std::optional(all.at(name)) : std::nullopt;
  };
  return out;
}

std::string notes(const EvaluationRequest& request, const EvaluatedRun& run) {
  std::string out;
  for (const std::string& note : evaluate(request, {run}).notes) out += note + "\n";
  return out;
}

double shaken(double t) { return std::sin(6 * t); }

}  // namespace

TEST_CASE("An acceleration in global axes of what turns is told, by its yaw or the curvature of the track") {
  const EvaluationRequest plain{.standard = "sperling", .given = {{"lateral_acceleration", "car.ay"}}};
  const auto turning = [](double rate) {
    return run_with({{"car.ay", {"m/s^2", shaken}}, {"car.yaw", {"rad", [=](double t) { return rate * t; }}}});
  };
  CHECK(notes(plain, turning(0.01)).find("car.ay is in global axes, but the vehicle turns by 11.5 deg") !=
        std::string::npos);
  CHECK(notes(plain, turning(0.004)).find("global axes") == std::string::npos);  // 4.6 deg
  CHECK(notes({.standard = "sperling", .given = {{"lateral_acceleration", "car.ay*cos(car.yaw)"}}}, turning(0.01))
            .find("global axes") == std::string::npos);
  const EvaluatedRun rail = run_with({{"coach.floor.ay", {"m/s^2", shaken}},
                                      {"left.curvature", {"1/m", [](double t) { return t < 10 ? 0.0 : -0.002; }}},
                                      {"left.along", {"m", [](double t) { return 20 * t; }}}});
  CHECK(notes({.standard = "sperling", .given = {{"lateral_acceleration", "coach.floor.ay"}}}, rail)
            .find("turns by 22.9 deg") != std::string::npos);  // 0.4 rad
}

TEST_CASE("Samples whose rates are not borne out are counted in a note, and make no peak") {
  const double begin = 5.0099;  // a needle of 0.2 ms, of which one sample takes the rising flank
  const EvaluatedRun run = run_with(
      {{"az",
        {"m/s^2", [=](double t) { return std::sin(t) + (std::abs(t - 5.0101) < 2e-4 ? 3e3 * (t - begin) : 0.0); }}}});
  const EvaluationRequest request{.standard = "statistics", .given = {{"channels", "az"}}};
  CHECK(notes(request, run).find("1 samples of a channel (most of az: 1)") != std::string::npos);
}

TEST_CASE("Of channels and coordinates with a usual name the channel is taken") {
  EvaluatedRun run = run_with({{"car.ay", {"m/s^2", shaken}}, {"motion.ay", {"m/s^2", [](double) { return 0.0; }}}});
  const auto taken = [](const EvaluatedRun& r) { return evaluate({.standard = "sperling"}, {r}).channels; };
  CHECK_THROWS(taken(run));  // two channels may be it
  run.signals.states = {"motion.ay"};
  REQUIRE(taken(run).size() == 1);
  CHECK(taken(run)[0].second == "car.ay");
}
