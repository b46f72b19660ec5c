// Hands on what a run tells, on the account of writing.
#pragma once
#include "skyhook/simulation/run_clock.h"
#include "skyhook/simulation/sink.h"

namespace skyhook::simulation {

class TimedSink : public Sink {
 public:
  TimedSink(Sink& to, RunClock& clock) : to_(to), clock_(clock) {}

  void begin(const RunInfo& info) override {
    told([&] { to_.begin(info); });
  }
  void sample(const Sample& sample) override {
    told([&] { to_.sample(sample); });
  }
  void step(const StepRecord& step) override {
    told([&] { to_.step(step); });
  }
  void event(const EventRecord& event) override {
    told([&] { to_.event(event); });
  }
  void end(const RunSummary& summary) override {
    told([&] { to_.end(summary); });
  }

 private:
  template <class Tell>
  void told(Tell&& tell) {
    const auto turn = clock_.turn_of(Part::writing);
    tell();
  }

  Sink& to_;
  RunClock& clock_;
};

}  // namespace skyhook::simulation
