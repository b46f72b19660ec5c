#include "skyhook/simulation/channels.h"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "skyhook/formalism/plane_linkage.testing.h"
#include "skyhook/simulation/prepare.h"

using namespace skyhook;
using namespace skyhook::simulation;
using formalism::testing::four_bar;

namespace {

std::vector<std::string> names_of(const std::vector<Channel>& list) {
  std::vector<std::string> names;
  for (const auto& c : list) names.push_back(c.name);
  return names;
}
double value(const std::vector<Channel>& list, const std::string& name, const Snapshot& s, const Running& run) {
  for (const auto& c : list) {
    if (c.name == name) return c.value(s, run);
  }
  FAIL("no channel " << name);
  return 0;
}

}  // namespace

TEST_CASE("Patterns: * any text, ? one character") {
  CHECK(matches("*", ""));
  CHECK(matches("*.angle", "A.angle"));
  CHECK(!matches("*.angle", "A.angle_rate"));
  CHECK(matches("*angle*", "A.angle_rate"));
  CHECK(matches("link[?].x", "link[3].x"));
  CHECK(!matches("link[?].x", "link[13].x"));
  CHECK(matches("a*b*c", "aXbYbZc"));
  CHECK(!matches("a*b*c", "aXbYbZ"));
  CHECK(!matches("?", ""));
  CHECK(matches("**", "x"));
  CHECK(matches("*aab", "aaaab"));  // needs going back
}

TEST_CASE("Every channel has a name of its own and a unit") {
  const auto p = prepare(four_bar().model, {});
  const auto all = all_channels(*p.active);
  std::set<std::string> seen;
  for (const auto& c : all) {
    CHECK_MESSAGE(seen.insert(c.name).second, c.name);
    CHECK(!c.unit.empty());
  }
  for (const char* name :
       {"crank.x", "rocker.az", "coupler.wz", "A.angle", "A.angle_rate", "A.angle_acceleration", "C.angle",
        "C.angle_rate", "C.force", "D.moment_z", "energy.balance", "constraints.velocity"}) {
    CHECK_MESSAGE(seen.count(name) == 1, name);
  }
}

TEST_CASE("Outputs choose channels, in their order, each once, under the user's names") {
  const auto p = prepare(four_bar().model, {});
  const auto all = all_channels(*p.active);
  CHECK(names_of(choose_channels(all, {{"tip", "rocker.x", {}}, {"", "*.angle", {}}, {"A.angle", "A.angle", {}}})) ==
        std::vector<std::string>{"tip", "A.angle", "B.angle", "D.angle", "C.angle"});
  CHECK(names_of(choose_channels(all, {{"all", "?.force", {}}})) ==
        std::vector<std::string>{"all.A.force", "all.B.force", "all.D.force", "all.C.force"});
  CHECK(!choose_channels(all, {}).empty());
  try {
    choose_channels(all, {{"", "crnk.x", {}}, {"", "*.nothing", {}}});
    FAIL("not refused");
  } catch (const ModelError& e) {
    CHECK(e.findings().size() == 2);
    CHECK(e.findings()[0].advice.find("crank.x") != std::string::npos);
  }
}

TEST_CASE("Positions, velocities and accelerations of a frame are derivatives of each other") {
  const auto p = prepare(four_bar().model, {});
  formalism::State x = p.state;
  x.v[0] = 3;
  REQUIRE(formalism::fit_velocities(*p.all, x, {0}).ok);
  Evaluator evaluator(p.active, p.all);
  const Snapshot& s = evaluator.now();
  REQUIRE(evaluator.evaluate(0, x.q, x.v) == Eval::ok);
  const std::vector<double> a = s.a;
  const auto all = all_channels(*p.active);
  const Running run;
  auto at = [&](double d, const std::string& name) {  // along the motion, to third order
    std::vector<double> q = x.q, v = x.v, step(v.size());
    for (std::size_t i = 0; i < v.size(); ++i) step[i] = d * x.v[i] + 0.5 * d * d * a[i], v[i] += d * a[i];
    p.active->plus(q, step);
    REQUIRE(evaluator.evaluate(d, q, v) == Eval::ok);
    return value(all, name, s, run);
  };
  const double h = 1e-4;  // errors h^2 times third derivatives of some 100
  for (const std::string body : {"crank", "coupler", "rocker"}) {
    for (const std::string axis : {"x", "y"}) {
      CHECK(std::abs((at(h, body + "." + axis) - at(-h, body + "." + axis)) / (2 * h) - at(0, body + ".v" + axis)) <
            1e-5);
      CHECK(std::abs((at(h, body + ".v" + axis) - at(-h, body + ".v" + axis)) / (2 * h) - at(0, body + ".a" + axis)) <
            1e-4);
    }
    CHECK(std::abs((at(h, body + ".angle_z") - at(-h, body + ".angle_z")) / (2 * h) - at(0, body + ".wz")) < 1e-5);
  }
  // The angle of the cut hinge: what the other three leave over, turned about the same axis.
  CHECK(std::abs(at(0, "C.angle") - (at(0, "D.angle") - at(0, "A.angle") - at(0, "B.angle"))) < 1e-12);
  CHECK(std::abs(at(0, "C.angle_rate") - (at(0, "D.angle_rate") - at(0, "A.angle_rate") - at(0, "B.angle_rate"))) <
        1e-12);
}

TEST_CASE("An output that is a formula without '=', or very long, is told what it is") {
  const Channel tip{.name = "tip.x", .unit = "m"};
  const auto error_of = [&](const std::string& output) -> std::string {
    try {
      choose_channels({tip}, {{output, output, {"m.yaml", 3}}});
      return "";
    } catch (const ModelError& e) {
      return e.what();
    }
  };
  for (const char* formula : {"tip.x*2", "2*tip.x", "tip.x-1", "max(tip.x)", "(tip.x)^2"}) {
    CAPTURE(formula);
    CHECK(error_of(formula).find("It reads as a formula.") != std::string::npos);
    CHECK(error_of(formula).find("Give it a name under `outputs`") != std::string::npos);
  }
  CHECK(error_of("tip.*z").find("formula") == std::string::npos);
  CHECK(error_of("tip.y").find("Did you mean \"tip.x\"?") != std::string::npos);
  const std::string message = error_of(std::string(300, 'n'));
  CHECK(message.find("\"" + std::string(80, 'n') + "…\"") != std::string::npos);
  CHECK(message.size() < 250);
}
