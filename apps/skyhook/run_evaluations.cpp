#include "run_evaluations.h"

#include <fmt/format.h>

#include <algorithm>

#include "skyhook/base/utf8.h"
#include "skyhook/io/result/amend.h"
#include "skyhook/io/result/signals.h"
#include "skyhook/model/analysis_options.h"
#include "skyhook/simulation/channels.h"

namespace skyhook::app {

std::vector<analysis::EvaluationRequest> evaluations_of(const model::Experiment& e) {
  std::vector<analysis::EvaluationRequest> out;
  if (!e.options) return out;
  for (const model::EvaluationOptions& o : e.options->evaluations) out.push_back({o.standard, o.name, o.given, o.where});
  return out;
}

void also_record(const std::vector<std::string>& words, const simulation::Prepared& p, model::Experiment& e) {
  const auto all = simulation::all_channels(*p.active);
  const auto recorded = simulation::choose_channels(all, e.outputs.empty() ? p.model->outputs : e.outputs);
  const auto has = [](const auto& list, const std::string& name) {
    return std::ranges::any_of(list, [&](const simulation::Channel& c) { return c.name == name; });
  };
  std::vector<std::string> missing;
  for (const std::string& word : words) {
    if (has(all, word) && !has(recorded, word) && std::ranges::find(missing, word) == missing.end()) missing.push_back(word);
  }
  if (missing.empty()) return;
  if (e.outputs.empty()) e.outputs = p.model->outputs;
  if (e.outputs.empty()) {
    for (const simulation::Channel& c : recorded) e.outputs.push_back({c.name, c.name, {}});
  }
  for (const std::string& name : missing) e.outputs.push_back({name, name, {}});
}

void record_what_is_evaluated(const simulation::Prepared& p, model::Experiment& e) {
  std::vector<std::string> words;
  for (const auto& request : evaluations_of(e)) {
    for (const auto& [name, text] : request.given) {
      words.push_back(text);  // a name may hold what is no letter
      for (const std::string& word : analysis::words_of(text)) words.push_back(word);
    }
  }
  if (!words.empty()) also_record(words, p, e);
}

Evaluated evaluate_run(const model::Experiment& e, const std::string& file) {
  const auto requests = evaluations_of(e);
  if (requests.empty()) return {};
  Evaluated out;
  std::string list, found;
  {
    const io::ResultFile result = io::ResultFile::open(file);
    for (const analysis::EvaluationRequest& request : requests) {
      try {
        const auto evaluation = analysis::evaluate(request, {{result.path().stem().string(), io::signals_of(result)}});
        out.text += fmt::format("\n{}\n{}", printable(evaluation.name), table_of(evaluation).to_text());
        for (const std::string& note : evaluation.notes) out.text += printable(note) + "\n";
        const std::string json = json_of(evaluation);
        list += (list.empty() ? "" : ",\n") + json;
        found += fmt::format("{}{}: {}", found.empty() ? "" : ",\n", json_string(evaluation.name), json);
      } catch (const ModelError& error) {
        fmt::print(stderr, "{}\n", error.what());
        out.failed = true;
      }
    }
  }
  if (!found.empty()) io::add_found(file, "{" + found + "}");
  if (!out.text.empty()) out.text += "\n";
  out.json = ", \"evaluations\": [" + list + "]";
  return out;
}

}  // namespace skyhook::app
