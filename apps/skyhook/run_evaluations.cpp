#include "run_evaluations.h"

#include <fmt/format.h>

#include <algorithm>

#include "skyhook/analysis/standards.h"
#include "skyhook/base/utf8.h"
#include "skyhook/io/result/amend.h"
#include "skyhook/io/result/signals.h"
#include "skyhook/model/analysis_options.h"
#include "skyhook/simulation/channels.h"

namespace skyhook::app {

std::vector<analysis::EvaluationRequest> evaluations_of(const model::Experiment& e) {
  std::vector<analysis::EvaluationRequest> out;
  if (!e.options) return out;
  for (const model::EvaluationOptions& o : e.options->evaluations)
    out.push_back({o.standard, o.name, o.given, o.where});
  return out;
}

void also_record(const std::vector<std::string>& words, const simulation::Prepared& p, model::Experiment& e) {
  const auto kept = p.channels();
  const auto& all = *kept;
  const auto recorded = simulation::choose_channels(all, e.outputs.empty() ? p.model->outputs : e.outputs);
  const auto has = [](const auto& list, const std::string& name) {
    return std::ranges::any_of(list, [&](const simulation::Channel& c) { return c.name == name; });
  };
  std::vector<std::string> missing;
  for (const std::string& word : words) {
    if (has(all, word) && !has(recorded, word) && std::ranges::find(missing, word) == missing.end())
      missing.push_back(word);
  }
  if (missing.empty()) return;
  if (e.outputs.empty()) e.outputs = p.model->outputs;
  if (e.outputs.empty()) {
    for (const simulation::Channel& c : recorded) e.outputs.push_back({c.name, c.name, {}});
  }
  for (const std::string& name : missing) e.outputs.push_back({name, name, {}});
}

namespace {

bool is_of_rail(const std::string& standard) {
  return standard == "rail" || standard == "en14363" || standard == "en12299" || standard == "sperling" ||
         standard == "wear";
}

// "left.Q" and so on, of all wheels on rails.
std::vector<std::string> channels_of_wheels(const model::Model& m, std::initializer_list<const char*> quantities) {
  std::vector<std::string> out;
  for (const model::Contribution& c : m.contributions) {
    if (c.type != "wheel_rail") continue;
    for (const char* quantity : quantities) out.push_back(c.name + "." + quantity);
  }
  return out;
}

// Of a rail vehicle, where nobody says which: the heaviest body, in axes that yaw with it. Across the track it is what an accelerometer on the floor feels, whose axis leans
// with cant and roll and so has its share of gravity.
void name_accelerations(const model::Model& m, model::EvaluationOptions& o) {
  const analysis::Standard* standard = analysis::find_standard(o.standard);
  if (!standard || !is_of_rail(o.standard) || m.tracks.empty() || m.bodies.empty()) return;
  const std::string& b = std::ranges::max_element(m.bodies, {}, &model::Body::mass)->name;
  const double g = norm(m.gravity);
  const std::pair<const char*, std::string> usual[] = {
      {"longitudinal_acceleration", fmt::format("{0}.ax*cos({0}.yaw) + {0}.ay*sin({0}.yaw)", b)},
      {"lateral_acceleration",
       fmt::format("({0}.ay*cos({0}.yaw) - {0}.ax*sin({0}.yaw))*cos({0}.roll) + ({0}.az + {1}[m/s^2])*sin({0}.roll)", b,
                   g)},
      {"vertical_acceleration", b + ".az"}};
  const auto is_acceleration = [](const auto& given) { return given.first.ends_with("_acceleration"); };
  if (std::ranges::any_of(o.given, is_acceleration)) return;
  for (const auto& [role, formula] : usual) {
    if (std::ranges::find(standard->roles, role, &analysis::Role::name) != standard->roles.end())
      o.given.emplace_back(role, formula);
  }
}

}  // namespace

void record_wheels_on_rails(const simulation::Prepared& p, model::Experiment& e) {
  const auto words = channels_of_wheels(
      *p.model, {"normal", "angle", "on_wheel", "on_rail", "tangential_x", "tangential_y", "second_normal",
                 "second_angle", "second_on_wheel", "Y", "Q", "YQ", "along", "lateral", "lift", "roll", "yaw"});
  if (!words.empty()) also_record(words, p, e);
}

void record_what_is_evaluated(const simulation::Prepared& p, model::Experiment& e) {
  std::vector<std::string> words;
  if (e.options && !e.options->evaluations.empty()) {
    auto options = std::make_shared<model::AnalysisOptions>(*e.options);
    for (model::EvaluationOptions& o : options->evaluations) {
      name_accelerations(*p.model, o);
      if (!is_of_rail(o.standard)) continue;
      for (std::string& word : channels_of_wheels(*p.model, {"Y", "Q", "along", "curvature", "power"}))
        words.push_back(std::move(word));
    }
    e.options = std::move(options);
  }
  for (const auto& request : evaluations_of(e)) {
    for (const auto& [name, text] : request.given) {
      words.push_back(text);  // a name may hold what is no letter
      for (const std::string& word : analysis::words_of(text)) words.push_back(word);
      if (text.ends_with(".ax") || text.ends_with(".ay"))
        words.push_back(text.substr(0, text.size() - 2) + "yaw");  // whether its axes turn
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
        if (!evaluation.sections.empty()) out.text += "\n" + section_table(evaluation).to_text();
        for (const std::string& note : evaluation.notes) out.text += printable(note) + "\n";
        const std::string json = json_of(evaluation), curves = curves_json(evaluation);
        list += (list.empty() ? "" : ",\n") + json;
        found +=
            fmt::format("{}{}: {}", found.empty() ? "" : ",\n", json_string(evaluation.name),
                        curves.empty() ? json : json.substr(0, json.rfind('}')) + ",\n\"curves\": " + curves + "}");
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
