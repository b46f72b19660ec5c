#include "skyhook/simulation/run_state.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "skyhook/base/error.h"
#include "skyhook/simulation/instant.h"

using namespace skyhook::simulation;

namespace {

const std::string lift = "lift", pid = "pid";

void save(RunState& to, double first) {
  Saving saving(to);
  saving.put("work", first);
  saving.put({"controller", lift, pid}, "next", first + 1);
  for (int k = 0; k < 2; ++k) saving.put({"controller", lift, pid}, "memory", first + 2 + k, k);
}

}  // namespace

TEST_CASE("Run state: what was put comes back by name, and saving again makes no new names") {
  RunState state;
  save(state, 10);
  save(state, 20);
  CHECK(state.names == std::vector<std::string>{"run: work", "controller lift (pid): next",
                                                "controller lift (pid): memory 0", "controller lift (pid): memory 1"});
  CHECK(state.numbers == std::vector<double>{20, 21, 22, 23});
  const Restoring from(state);
  CHECK(from.get("work") == 20);
  CHECK(from.get({"controller", lift, pid}, "memory", 1) == 23);
  CHECK_FALSE(from.get({"controller", lift, pid}, "memory", 2));
  CHECK_FALSE(from.get({"controller", lift, "expression"}, "next"));  // another law of the same name
  CHECK_FALSE(from.get("energy"));
}

TEST_CASE(
    "Run state: numbers that no run can have saved are refused, with the file, their name and what they should be") {
  const double never = std::numeric_limits<double>::infinity();
  const Owner owner{"controller", lift, pid};
  const auto holding = [](double value) {
    RunState state{.source = "a.h5, sample at t = 0.6 s"};
    Saving saving(state);
    saving.put("acted", value);
    saving.put({"controller", lift, pid}, "next", value);
    return Restoring(state);
  };
  for (const double value : {std::nan(""), never, -never, 1e300, -1.0, 0.5, 7.0})
    CHECK_THROWS_AS(holding(value).whole(owner, "next", 0, 6), skyhook::ModelError);
  for (const double value : {std::nan(""), never, 0.7})
    CHECK_THROWS_AS(holding(value).past("acted", 0.6), skyhook::ModelError);
  for (const double value : {std::nan(""), never})
    CHECK_THROWS_AS(holding(value).finite(owner, "next"), skyhook::ModelError);
  CHECK_THROWS_AS(holding(2).flag(owner, "next"), skyhook::ModelError);
  CHECK(holding(6).whole(owner, "next", 0, 6) == 6);
  CHECK(holding(0.1 + 0.2).past("acted", 0.3) == 0.1 + 0.2);
  CHECK(holding(-1e300).past(owner, "next", 0.3) == -1e300);  // it never was
  CHECK(holding(1).flag(owner, "next") == true);
  CHECK_FALSE(holding(1).whole(owner, "later", 0, 6));
  try {
    holding(7).whole(owner, "next", 0, 6);
  } catch (const skyhook::ModelError& error) {
    CHECK(std::string(error.what())
              .find("a.h5, sample at t = 0.6 s: the state of the run is damaged: \"controller lift "
                    "(pid): next\" is 7, but should be a whole number from 0 to 6.") == 0);
  }
  RunState cut_off{.names = {"run: t", "run: work"}, .numbers = {1.0}};
  CHECK_THROWS_AS(Restoring{cut_off}, skyhook::ModelError);
}

TEST_CASE("Parameters that events set: each name once, with its last value") {
  Parameters list;
  for (int k = 0; k < 100000; ++k) set_parameter(list, k % 2 == 0 ? "stiffness" : "damping", std::to_string(k));
  CHECK(list == Parameters{{"stiffness", "99998"}, {"damping", "99999"}});
}

TEST_CASE("Instants: one within rounding, two beyond it, and never is near no time") {
  CHECK(same_instant(0.1 + 0.2, 0.3));
  CHECK(same_instant(1e6 * 0.1, 1e5));
  CHECK_FALSE(same_instant(1, 1 + 1e-12));
  CHECK_FALSE(same_instant(0, 1e-300));
  CHECK(same_instant(1e-17, 0, 1));  // computed from numbers of size 1
  const double never = std::numeric_limits<double>::infinity();
  CHECK_FALSE(same_instant(1e300, never));
  CHECK(same_instant(never, never));
}
