// Runs that are made by hand: what is the same, what is an error, and what is another motion.
#include "skyhook/analysis/verification.h"

#include <doctest/doctest.h>

using namespace skyhook;
using namespace skyhook::analysis;

namespace {

// x = 1 + slope t until `step`, where an event adds 10; sampled each second.
simulation::MemorySink run(double until, double slope, std::vector<double> steps = {}) {
  simulation::MemorySink out;
  out.info.channels = {{"x", "m"}, {"energy.balance", "J"}};
  for (int k = 0; k <= static_cast<int>(until); ++k) {
    const double t = k;
    const auto passed = std::ranges::count_if(steps, [t](double s) { return s < t; });
    out.time.push_back(t);
    out.channels.push_back({1 + slope * t + 10 * static_cast<double>(passed), 5 * t * slope});
  }
  for (const double t : steps) out.events.push_back({t, "step", "", "step", "user"});
  out.summary.t_reached = until;
  return out;
}

}  // namespace

TEST_CASE("Verification: the largest difference at common times; errors of the run are not compared") {
  const Verification v = verify(run(10, 1e-3), run(10, 2e-3));
  REQUIRE(v.errors.size() == 1);
  CHECK(v.errors[0].largest == doctest::Approx(1e-2));
  CHECK(v.errors[0].size == doctest::Approx(1.02));
  CHECK(v.compared == 11);
  CHECK(v.notes.empty());
}

TEST_CASE("Verification: samples between the two times of an event are not compared, and the shift is told") {
  const Verification v = verify(run(10, 0, {3.9}), run(10, 0, {5.1}));
  CHECK(v.errors[0].largest == 0);
  CHECK(v.compared == 9);  // but 4 and 5
  REQUIRE(v.notes.size() == 1);
  CHECK(v.notes[0].find("most event \"step\": at 3.9 s, with the finer tolerance at 5.1 s") != std::string::npos);
}

TEST_CASE("Verification: from an event on that only one run has seen nothing is estimated") {
  for (const bool in_finer : {false, true}) {
    const auto with = run(10, 0, {2.5, 6.5}), without = run(10, 0, {2.5});
    const Verification v = in_finer ? verify(without, with) : verify(with, without);
    CHECK(v.until == 6.5);
    CHECK(v.compared == 7);
    CHECK(v.errors[0].largest == 0);
    REQUIRE(v.notes.size() == 1);
    CHECK(v.notes[0].find("event \"step\" happens at 6.5 s") == 0);
    CHECK((v.notes[0].find("finer tolerance only") != std::string::npos) == in_finer);
  }
  // One that is missing in the middle: those behind it are no partners.
  const Verification v = verify(run(10, 0, {1.5, 3.5, 5.5, 7.5}), run(10, 0, {1.5, 5.5, 7.5}));
  CHECK(v.until == 3.5);
}

TEST_CASE("Verification: nothing is compared beyond the end of the shorter run, and samples are found by their time") {
  simulation::MemorySink shorter = run(4, 0);
  shorter.time.erase(shorter.time.begin() + 2), shorter.channels.erase(shorter.channels.begin() + 2);
  const Verification v = verify(run(10, 1e-3), shorter);
  CHECK(v.until == 4);
  CHECK(v.compared == 4);
  CHECK(v.errors[0].largest == doctest::Approx(4e-3));
  REQUIRE(v.notes.size() == 1);
  CHECK(v.notes[0] == "The run ends at 10 s, that at the finer tolerance at 4 s.");
  const Verification none = verify(run(10, 0, {-0.5}), run(10, 0));
  CHECK(none.compared == 0);
  CHECK(none.errors.empty());
}
