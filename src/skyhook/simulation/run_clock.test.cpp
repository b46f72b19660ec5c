// Reference: the steady clock itself, read around the run.
#include "skyhook/simulation/run_clock.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <thread>

#include "skyhook/formalism/plane_linkage.testing.h"
#include "skyhook/simulation/memory_sink.h"
#include "skyhook/simulation/simulation.h"

using namespace skyhook;
using namespace skyhook::simulation;

namespace {

void pass(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }
double since(RunClock::Time begun) { return std::chrono::duration<double>(RunClock::now() - begun).count(); }
bool none_is_negative(const PartSeconds& parts) {
  return std::ranges::all_of(parts.seconds, [](double s) { return s >= 0; });
}

}  // namespace

TEST_CASE("Each moment belongs to the innermost turn, and the parts add up") {
  const RunClock::Time begun = RunClock::now();
  RunClock clock(begun);
  pass(2e-3);
  {
    const auto outer = clock.turn_of(Part::output);
    pass(3e-3);
    {
      const auto inner = clock.turn_of(Part::writing);
      pass(4e-3);
    }
    pass(1e-3);
  }
  const double counted = clock.count().sum(), by_clock = since(begun);
  const PartSeconds& parts = clock.count();
  CHECK(parts[Part::set_up] >= 2e-3);
  CHECK(parts[Part::output] >= 4e-3);  // both of its pieces
  CHECK(parts[Part::writing] >= 4e-3);
  CHECK(parts[Part::integration] == 0);
  CHECK(counted <= by_clock);
  CHECK(by_clock - counted < 1e-3 + 0.1 * by_clock);  // two readings of the clock apart, but for a machine under load
}

TEST_CASE("A clock does not count while others have the run") {
  RunClock clock(RunClock::now());
  clock.count();
  pass(0.2);
  const RunClock::Going going(clock);
  const auto turn = clock.turn_of(Part::events);
  CHECK(clock.count()[Part::set_up] < 0.1);
}

namespace {

// Writes slowly.
struct Slow : MemorySink {
  void sample(const Sample& s) override { MemorySink::sample(s), pass(1e-3); }
  void end(const RunSummary& s) override { MemorySink::end(s), pass(2e-3); }
};

}  // namespace

TEST_CASE("The parts of a run add up to its wall time") {
  const RunClock::Time begun = RunClock::now();
  pass(5e-3);  // as reading a model would
  const formalism::testing::Linkage l = formalism::testing::four_bar();
  model::Experiment e;
  e.until = 1, e.output_step = 0.1, e.tolerance = 1e-6;
  Slow sink;
  RunOptions options;
  options.begun = begun;
  const RunSummary s = simulate(prepare(l.model, e), e, sink, options);
  const double by_clock = since(begun);
  CHECK(none_is_negative(s.parts));
  CHECK(s.parts.sum() == doctest::Approx(s.seconds).epsilon(1e-12));
  CHECK(s.seconds <= by_clock);
  CHECK(by_clock - s.seconds < 1e-3 + 0.1 * by_clock);
  CHECK(s.parts[Part::set_up] >= 5e-3);
  CHECK(s.parts[Part::writing] >= 13e-3);  // 11 samples, and the end that the sink itself cannot know of yet
  CHECK(sink.summary.parts[Part::writing] >= 11e-3);
  CHECK(sink.summary.seconds < s.seconds);
  CHECK(s.parts[Part::integration] > 0);
  CHECK(s.parts[Part::output] > 0);
}

TEST_CASE("A held run is not charged with the time of others") {
  const formalism::testing::Linkage l = formalism::testing::four_bar();
  model::Experiment e;
  e.until = 1, e.tolerance = 1e-6;
  const Prepared prepared = prepare(l.model, e);
  const RunClock::Time begun = RunClock::now();
  Simulation simulation(prepared, e);
  simulation.advance(0.5);
  pass(0.2);
  simulation.advance(1);
  const double seconds = simulation.finish().seconds;
  CHECK(seconds <= since(begun) - 0.2);  // however slow the machine is
}
