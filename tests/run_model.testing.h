// What the tests that cross folders share: read a model file, choose and change its experiment, run it into memory.
#pragma once
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "skyhook/io/model_file/model_reader.h"
#include "skyhook/simulation/memory_sink.h"
#include "skyhook/simulation/simulate.h"

namespace skyhook::testing {

struct Wish {
  std::string experiment = {};  // default: the first that simulates
  std::vector<io::Setting> set = {};
  double tolerance = 0, until = 0, output_step = 0;  // 0: the experiment's
  std::vector<std::string> outputs = {};             // channels; none: the model's
};

struct Loaded {
  std::shared_ptr<model::Model> model;
  model::Experiment experiment;
  simulation::RunOptions options = {};  // events may set parameters
};

struct Run {
  simulation::Prepared prepared;
  simulation::MemorySink sink;
  double last(const std::string& channel) const { return sink.last(channel); }
  double at(std::size_t sample, const std::string& channel) const {
    const int k = sink.find(channel);
    REQUIRE_MESSAGE(k >= 0, "no channel " << channel);
    return sink.channels.at(sample).at(static_cast<std::size_t>(k));
  }
};

inline std::string model_path(const std::string& name) {
  return std::string(SKYHOOK_SOURCE_DIR) + "/models/" + name + ".yaml";
}

template <class Read>
Loaded load_with(const Wish& wish, Read&& read) {
  std::string name = wish.experiment;
  model::Model m = read(name);
  if (name.empty()) {
    const auto first = std::find_if(m.experiments.begin(), m.experiments.end(),
                                    [](const auto& e) { return e.analysis == "simulate"; });
    if (first != m.experiments.end()) name = first->name, m = read(name);
  }
  Loaded out;
  for (const auto& e : m.experiments) {
    if (e.name == name) out.experiment = e;
  }
  if (wish.tolerance > 0) out.experiment.tolerance = wish.tolerance;
  if (wish.until > 0) out.experiment.until = wish.until;
  if (wish.output_step > 0) out.experiment.output_step = wish.output_step;
  if (!wish.outputs.empty()) out.experiment.outputs.clear();
  for (const auto& channel : wish.outputs) out.experiment.outputs.push_back({channel, channel, {}});
  out.model = std::make_shared<model::Model>(std::move(m));
  return out;
}

// `read(settings, experiment)` gives the model; events read it again with parameters of their own.
template <class Read>
Loaded load_again(const Wish& wish, Read read) {
  Loaded out = load_with(wish, [&](const std::string& experiment) { return read(wish.set, experiment); });
  out.options.reread = [read, set = wish.set, name = out.experiment.name](const auto& changes) {
    std::vector<io::Setting> all = set;
    for (const auto& [parameter, value] : changes) all.push_back({parameter, value});
    return std::make_shared<const model::Model>(read(all, name));
  };
  return out;
}
// `name` below models/, without .yaml.
inline Loaded load(const std::string& name, const Wish& wish = {}) {
  return load_again(wish, [path = model_path(name)](const auto& set, const std::string& experiment) {
    return io::read_model(path, set, experiment);
  });
}
inline Loaded load_text(const std::string& text, const Wish& wish = {}) {
  return load_again(wish, [text](const auto& set, const std::string& experiment) {
    return io::read_model_text(text, "test.yaml", set, experiment);
  });
}

// Runs to the end; anything else fails the test.
inline Run run(const Loaded& loaded) {
  Run out{simulation::prepare(loaded.model, loaded.experiment), {}};
  REQUIRE_MESSAGE(out.prepared.ok(), out.prepared.problem());
  simulation::simulate(out.prepared, loaded.experiment, out.sink, loaded.options);
  REQUIRE_MESSAGE(out.sink.summary.status == simulation::RunStatus::finished, out.sink.summary.reason);
  return out;
}
inline Run run(const std::string& name, const Wish& wish = {}) { return run(load(name, wish)); }
inline Run run_text(const std::string& text, const Wish& wish = {}) { return run(load_text(text, wish)); }

}  // namespace skyhook::testing
