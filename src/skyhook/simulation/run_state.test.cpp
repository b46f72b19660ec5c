#include "skyhook/simulation/run_state.h"

#include <doctest/doctest.h>

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
