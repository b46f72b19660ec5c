// A run whose records nobody keeps: what remains is its own cost.
#pragma once
#include "skyhook/simulation/sink.h"

namespace skyhook::bench {

struct NoSink : simulation::Sink {
  void begin(const simulation::RunInfo&) override {}
  void sample(const simulation::Sample&) override {}
  void step(const simulation::StepRecord&) override {}
  void event(const simulation::EventRecord&) override {}
  void end(const simulation::RunSummary&) override {}
};

}  // namespace skyhook::bench
