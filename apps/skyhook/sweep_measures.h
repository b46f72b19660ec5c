// What a sweep measures at each of its points.
#pragma once
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "skyhook/analysis/evaluate.h"
#include "skyhook/analysis/measure.h"
#include "skyhook/math/unresolved_rates.h"
#include "skyhook/simulation/channels.h"

namespace skyhook::app {

// What is recorded at a point, with the samples beside events: peaks may lie there.
struct Recorded : simulation::Sink {
  std::vector<simulation::ChannelInfo> channels;
  std::vector<double> time;
  std::vector<std::vector<double>> values, rates;  // by channel

  void begin(const simulation::RunInfo& info) override {
    channels = info.channels;
    values.resize(channels.size()), rates.resize(channels.size());
  }
  void sample(const simulation::Sample& s) override {
    time.push_back(s.t);
    for (std::size_t k = 0; k < channels.size(); ++k)
      values[k].push_back(s.channels[k]),
          rates[k].push_back(k < s.channel_rates.size() ? s.channel_rates[k] : std::nan(""));
  }
  void step(const simulation::StepRecord&) override {}
  void event(const simulation::EventRecord&) override {}
  void end(const simulation::RunSummary&) override {
    for (std::size_t k = 0; k < channels.size(); ++k) fill_unknown_rates(time, values[k], rates[k]);
  }

  std::optional<std::size_t> find(const std::string& name) const {
    const auto found = std::ranges::find(channels, name, &simulation::ChannelInfo::name);
    return found == channels.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - channels.begin()));
  }
  // Must not outlive this.
  analysis::SignalSource signals() const {
    analysis::SignalSource out;
    for (const auto& c : channels) out.names.push_back(c.name);
    out.find = [this](const std::string& name) -> std::optional<analysis::Signal> {
      const auto k = find(name);
      if (!k) return {};
      analysis::Signal s;
      s.name = name, s.unit = channels[*k].unit, s.x = time, s.y = values[*k], s.rate = rates[*k];
      return s;
    };
    return out;
  }
};

// By a record of nothing, so that a formula is refused before any point is run.
std::string unit_of_formula(const std::string& text, const std::vector<simulation::Channel>& all);

// By measure; units of evaluated numbers are put into `units`, for which one thread at a time is let in. ModelError: no such channel or number.
std::vector<double> measured(const std::vector<analysis::Measure>& measures,
                             const std::vector<analysis::EvaluationRequest>& requests, const Recorded& recorded,
                             std::vector<std::string>& units);

}  // namespace skyhook::app
