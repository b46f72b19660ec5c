#include "experiment_options.h"

#include "skyhook/model/analysis_options.h"

namespace skyhook::app {
namespace {

using model::AnalysisOptions;

// The experiment that is meant is named from now on.
AnalysisOptions options_of(const std::string& analysis, ModelOptions& o) {
  model::Experiment experiment;
  load(o, analysis, experiment);
  if (o.experiment.empty()) o.experiment = experiment.name;
  return experiment.options ? *experiment.options : AnalysisOptions{};
}

// An instant of a run is that of an experiment which simulates, unless one is named.
AnalysisOptions options_of(const std::string& analysis, LinearCommand& o) {
  const bool runs = o.at || o.from;
  return options_of(runs ? "simulate" : analysis, static_cast<ModelOptions&>(o));
}

template <class T>
void fill(std::optional<T>& value, const std::optional<T>& other) {
  if (!value) value = other;
}

template <class List>
void fill(List& value, const List& other) {
  if (value.empty()) value = other;
}

// --start, --at and --from win over `at` and `at_start`.
template <class Command>
void fill_place(Command& o, const AnalysisOptions& a) {
  if (o.start || o.at || o.from) return;
  o.at = a.at, o.start = a.at_start;
}

}  // namespace

void complete(ModesCommand& o) {
  const AnalysisOptions a = options_of("modes", o);
  fill_place(o, a);
  if (o.sweep.empty()) o.sweep = a.sweep, o.crossing = o.crossing || a.crossing;
  if (!o.lowest && a.lowest > 0) o.lowest = a.lowest;
}

void complete(LinearizeCommand& o) {
  const AnalysisOptions a = options_of("linearize", o);
  fill_place(o, a);
  fill(o.inputs, a.inputs);
}

void complete(NominalCommand& o) {
  const AnalysisOptions a = options_of("nominal", o);
  fill(o.vary, a.vary), fill(o.weight, a.weights), fill(o.alpha, a.alpha);
}

void complete(LinearResponseCommand& o) {
  if (o.model.ends_with(".h5")) {
    if (o.per_octave == 0) o.per_octave = 24;
    return;
  }
  model::Experiment experiment;
  load(o, o.linear && !o.at ? "response" : "simulate", experiment);
  if (o.experiment.empty()) o.experiment = experiment.name;
  o.linear = o.linear || experiment.analysis == "response";
  const AnalysisOptions a = experiment.options ? *experiment.options : AnalysisOptions{};
  fill_place(o, a);
  if (o.input.empty() && !a.inputs.empty()) o.input = a.inputs.front();
  if (o.low == 0) o.low = a.low.value_or(0);
  if (o.high == 0) o.high = a.high.value_or(0);
  if (o.per_octave == 0) o.per_octave = a.per_octave > 0 ? a.per_octave : 24;
  fill(o.psd, a.psd), fill(o.also, a.also), fill(o.beside, a.beside), fill(o.coherence, a.coherence);
}

}  // namespace skyhook::app
