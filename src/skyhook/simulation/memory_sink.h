// Keeps a run in memory: for --verify, for tests, for programs that use Skyhook as a library.
#pragma once
#include <algorithm>
#include <cmath>

#include "skyhook/simulation/sink.h"

namespace skyhook::simulation {

struct MemorySink : Sink {
  RunInfo info;
  std::vector<double> time;
  std::vector<std::vector<double>> channels, states, reactions;  // a row a sample
  std::vector<StepRecord> steps;
  std::vector<EventRecord> events;
  RunSummary summary;

  void begin(const RunInfo& i) override { info = i; }
  // Samples at the output times only: runs can then be compared one by one. Those beside events are left out.
  void sample(const Sample& s) override {
    if (s.side != 0) return;
    time.push_back(s.t);
    channels.emplace_back(s.channels.begin(), s.channels.end());
    states.emplace_back(s.y.begin(), s.y.end());
    reactions.emplace_back(s.reactions.begin(), s.reactions.end());
  }
  void step(const StepRecord& s) override { steps.push_back(s); }
  void event(const EventRecord& e) override { events.push_back(e); }
  void end(const RunSummary& s) override { summary = s; }

  // Column of a channel, -1 if there is none.
  int find(const std::string& name) const {
    for (std::size_t k = 0; k < info.channels.size(); ++k) {
      if (info.channels[k].name == name) return static_cast<int>(k);
    }
    return -1;
  }
  double last(const std::string& name) const { return channels.back().at(static_cast<std::size_t>(find(name))); }
};

// Keeps what happens in the model, in the order of time; notes of the run itself stand in its summary.
struct EventLog : Sink {
  std::vector<EventRecord> events;

  void begin(const RunInfo&) override {}
  void sample(const Sample&) override {}
  void step(const StepRecord&) override {}
  void event(const EventRecord& e) override {
    if (e.is_of_the_model()) events.push_back(e);
  }
  void end(const RunSummary&) override {}
};

// Hands everything on to two sinks.
struct TwoSinks : Sink {
  Sink &a, &b;
  TwoSinks(Sink& first, Sink& second) : a(first), b(second) {}
  void begin(const RunInfo& i) override { a.begin(i), b.begin(i); }
  void sample(const Sample& s) override { a.sample(s), b.sample(s); }
  void step(const StepRecord& s) override { a.step(s), b.step(s); }
  void event(const EventRecord& e) override { a.event(e), b.event(e); }
  void end(const RunSummary& s) override { a.end(s), b.end(s); }
};

}  // namespace skyhook::simulation
