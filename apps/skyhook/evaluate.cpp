#include "skyhook/analysis/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "analysis_files.h"
#include "evaluate_command.h"
#include "refuse.h"
#include "skyhook/analysis/standards.h"
#include "skyhook/base/utf8.h"
#include "skyhook/io/result/signals.h"
#include "warnings_of_runs.h"
#include "write_text.h"

namespace skyhook::app {
namespace {

using analysis::Evaluation;

std::string channels_text(const Evaluation& e) {
  std::string out;
  for (const auto& [role, channel] : e.channels) {
    if (role != channel) out += fmt::format("{}{} is {}", out.empty() ? "" : ", ", role, channel);
  }
  return out.empty() ? "" : out + "\n";
}

// Where the bodies are at the start of the run, for the scene of the report.
void place(const io::ResultFile& result, analysis::Findings& findings) {
  const io::Block poses = result.poses();
  if (poses.rows == 0) return;
  auto stand = std::make_shared<analysis::Stand>();
  stand->poses.assign(poses.row(0).begin(), poses.row(0).end());
  for (auto& point : findings.points) point.stand = stand;
}

// Of a default that has none of its own.
std::string unit_behind(const analysis::EvaluationSetting& setting) {
  const bool has_own = setting.initial.find(' ') != std::string::npos;
  return setting.unit == "-" || setting.unit.empty() || has_own ? "" : " " + setting.unit;
}

std::string default_name(const EvaluateCommand& o) {
  return std::filesystem::path(o.results.front()).stem().string() + "_" + o.standard;
}

void refuse_bad(const EvaluateCommand& o) {
  if (o.standard.empty())
    refuse(
        "it is not said by which standard to evaluate.", "Give --standard; " + [] {
          std::string names;
          for (const auto& s : analysis::standards()) names += (names.empty() ? "" : ", ") + s.name;
          return names + ". `skyhook evaluate --help` says what each needs.";
        }());
  if (o.json && o.csv == "-") refuse("--json and --csv - both print to standard output.", "Give --csv a file.");
  if (!o.csv.empty()) check_writable(o.csv);
  keep_inputs({o.csv}, o.results);
}

}  // namespace

int evaluate(const EvaluateCommand& options) {
  refuse_bad(options);
  EvaluateCommand o = options;
  o.model = default_name(o);
  const AnalysisFiles files = analysis_files(o, o.results);
  std::vector<io::ResultFile> results;
  for (const std::string& name : o.results) results.push_back(io::ResultFile::open(name));
  std::vector<analysis::EvaluatedRun> runs;
  for (const io::ResultFile& r : results) runs.push_back({r.path().stem().string(), io::signals_of(r)});
  const Evaluation found = analysis::evaluate({.standard = o.standard, .given = o.given}, runs);
  for (std::size_t k = 0; k < results.size(); ++k) tell_of_warnings(o.results[k], results[k].summary().warnings);
  analysis::Findings findings = analysis::findings_of(found);
  place(results.front(), findings);
  const auto& info = results.front().info();
  if (o.json) {
    fmt::print("{}\n", findings.json);
  } else if (o.csv != "-" && !o.quiet) {
    const std::string& experiment = info.experiment;
    fmt::print("{}{}: {}\n{}{}", printable(info.model_name), experiment.empty() ? "" : ", " + printable(experiment),
               o.standard, channels_text(found), table_of(found).to_text());
    if (!found.sections.empty()) fmt::print("\n{}", section_table(found).to_text());
    for (const std::string& note : found.notes) fmt::print("{}\n", printable(note));
  }
  write_analysis(files, o, findings, info);
  if (!o.csv.empty()) write_text(o.csv, table_of(found).to_csv());
  return success;
}

std::vector<std::pair<std::string, std::string>> evaluation_options() {
  std::vector<std::pair<std::string, std::string>> out;
  const auto add = [&](const std::string& name, const std::string& help) {
    if (std::ranges::find(out, name, &std::pair<std::string, std::string>::first) == out.end())
      out.emplace_back(name, help);
  };
  for (const analysis::Standard& s : analysis::standards()) {
    for (const auto& role : s.roles) add(role.name, "channel or formula: " + role.help);
    for (const auto& setting : s.settings)
      add(setting.name,
          setting.help + (setting.initial.empty() ? "" : "; default " + setting.initial + unit_behind(setting)));
  }
  add("from", "begin at this time, s"), add("to", "end at this time, s");
  return out;
}

std::string evaluation_help() {
  const auto option = [](std::string name) {
    std::ranges::replace(name, '_', '-');
    return "--" + name;
  };
  std::string out = "Standards:\n";
  for (const analysis::Standard& s : analysis::standards()) {
    out += fmt::format("  {}: {}\n    of {}\n", s.name, s.help, s.needs);
    for (const auto& role : s.roles) {
      std::string usual;
      for (const auto& name : role.usual) usual += (usual.empty() ? "" : ", ") + name;
      out += fmt::format("    {}{}: {}{}\n", option(role.name), role.is_required ? " (needed)" : "", role.help,
                         usual.empty() ? "" : "; usual names: " + usual);
    }
    std::string settings;
    for (const auto& setting : s.settings) settings += (settings.empty() ? "" : ", ") + option(setting.name);
    out += "    settings: " + settings + "\n";
  }
  out += "Formulas of channels, here and in show and plot, may call:\n";
  for (const analysis::SignalFunction& f : analysis::signal_functions())
    out += fmt::format("  {:32} {}\n", f.signature, f.help);
  return out;
}

}  // namespace skyhook::app
