#include "skyhook/analysis/kinematics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "analysis_files.h"
#include "commands.h"
#include "model_commands.h"
#include "refuse.h"
#include "skyhook/base/table.h"
#include "skyhook/base/utf8.h"

namespace skyhook::app {
namespace {

using analysis::KinematicCurves;

// Lengths in mm and angles in deg: what drawings of suspensions have.
struct Shown {
  std::string unit;
  double factor;
};
Shown shown(const std::string& unit) {
  if (unit == "m") return {"mm", 1e3};
  if (unit == "rad") return {"deg", 180 / std::numbers::pi};
  if (unit == "N/m") return {"N/mm", 1e-3};
  return {unit == "-" ? "" : unit, 1};
}

std::vector<std::size_t> chosen(std::size_t count, std::size_t most) {
  std::vector<std::size_t> rows;
  const std::size_t n = std::min(count, most);
  for (std::size_t i = 0; i < n; ++i) rows.push_back(n < 2 ? 0 : (i * (count - 1) + (n - 1) / 2) / (n - 1));
  return rows;
}

// The named channels over the abscissa, as far as they are there; `owner` is left out of their names.
Table table_of(const KinematicCurves& curves, const std::string& owner, const std::vector<std::string>& names) {
  constexpr std::size_t most = 17;
  constexpr int digits = 5;
  Table table;
  const Shown s = shown(curves.rig.unit);
  table.add_column(curves.rig.abscissa, s.unit, digits);
  std::vector<std::pair<std::size_t, double>> columns;
  for (const std::string& name : names) {
    const int k = curves.find(owner + name);
    if (k < 0 || owner + name == curves.rig.abscissa) continue;
    const Shown own = shown(curves.channels[static_cast<std::size_t>(k)].unit);
    table.add_column(name, own.unit, digits);
    columns.emplace_back(k, own.factor);
  }
  for (const std::size_t i : chosen(curves.values.size(), most)) {
    std::vector<Cell> row{s.factor * curves.path.points[i].s};
    for (const auto& [k, factor] : columns) row.emplace_back(factor * curves.values[i][k] + 0.0);  // no -0
    table.add_row(std::move(row));
  }
  return table;
}

// Springs of another axle have no ratio to this travel.
bool moves(const KinematicCurves& curves, const std::string& ratio) {
  const auto k = static_cast<std::size_t>(curves.find(ratio));
  return std::ranges::any_of(curves.values, [&](const auto& row) { return std::abs(row[k]) > 1e-9; });
}

std::string tables_text(const KinematicCurves& curves, const model::Kinematics& plan) {
  std::string text;
  for (const auto& wheel : plan.wheels) {
    text += "\n" + wheel.name + "\n" +
            table_of(curves, wheel.name + ".",
                     {"travel", "camber", "toe", "caster", "kingpin", "trail", "scrub_radius", "track_change",
                      "wheelbase_change", "roll_centre_height", "load", "rate"})
                .to_text();
  }
  std::vector<std::string> rest;
  for (const auto& c : curves.channels) {
    if ((c.name.ends_with(".motion_ratio") && moves(curves, c.name)) || c.name.find("_axle.") != std::string::npos)
      rest.push_back(c.name);
  }
  if (plan.wheels.empty()) {
    for (const auto& c : curves.channels) rest.push_back(c.name);
  }
  if (!rest.empty()) text += "\n" + table_of(curves, "", rest).to_text();
  return text;
}

std::string list_json(const std::vector<std::string>& list) {
  std::string text;
  for (const std::string& item : list) text += (text.empty() ? "" : ", ") + json_string(item);
  return "[" + text + "]";
}

std::string to_json(const KinematicCurves& curves, const std::string& out) {
  std::string points, channels;
  for (const auto& point : curves.path.points) points += (points.empty() ? "" : ", ") + json_number(point.s);
  for (std::size_t k = 0; k < curves.channels.size(); ++k) {
    std::string values;
    for (const auto& row : curves.values) values += (values.empty() ? "" : ", ") + json_number(row[k]);
    channels += (channels.empty() ? "" : ", ") + json_string(curves.channels[k].name) +
                ": {\"unit\": " + json_string(curves.channels[k].unit) + ", \"values\": [" + values + "]}";
  }
  return fmt::format(
      "{{\"found\": true, \"mode\": \"{}\", \"abscissa\": {}, \"unit\": {}, \"travel\": [{}], \"channels\": {{{}}}, "
      "\"free\": {}, \"ends\": {}, \"halvings\": {}, \"result\": {}, \"warnings\": {}}}\n",
      name_of(curves.path.mode), json_string(curves.rig.abscissa), json_string(curves.rig.unit), points, channels,
      list_json(curves.path.free), list_json(curves.path.ends), curves.path.halvings, json_string(out),
      skyhook::to_json(curves.warnings));
}

int tell_failure(const KinematicsCommand& options, const KinematicCurves& curves) {
  if (options.json) fmt::print("{{\"found\": false, \"problem\": {}}}\n", json_string(curves.path.problem));
  fmt::print(stderr, "{}: the travel cannot begin. {}\n", options.model, curves.path.problem);
  return numerical_failure;
}

}  // namespace

int kinematics(const KinematicsCommand& options) {
  if (options.points && *options.points < 2) refuse("--points must be 2 or more.", "They include both ends.");
  model::Experiment experiment;
  const auto m = std::make_shared<const model::Model>(load(options, "kinematics", experiment));
  if (!experiment.kinematics) {
    const auto wheel = std::ranges::find_if(m->bodies, [](const model::Body& b) { return b.wheel.has_value(); });
    const std::string name = wheel == m->bodies.end() ? "WHEEL" : wheel->name;
    const std::string that = wheel == m->bodies.end() ? " WHEEL is a body with the field `wheel`." : "";
    throw ModelError({options.model}, "there is no experiment with `analysis: kinematics`.",
                     "Add one: bump: {analysis: kinematics, travel: {" + name + ": [-80 mm, 80 mm]}}." + that +
                         " Of a car that is free name its joint in `hold`, its tyres in `without`.");
  }
  if (options.points) {
    auto plan = *experiment.kinematics;
    plan.points = *options.points;
    experiment.kinematics = std::make_shared<const model::Kinematics>(std::move(plan));
  }
  const AnalysisFiles files = analysis_files(options, m->files, {}, Result::always);
  const KinematicCurves curves = analysis::find_kinematics(*m, experiment);
  if (!curves.path.ok()) return tell_failure(options, curves);
  analysis::Findings findings = analysis::findings_of(curves);
  findings.json = to_json(curves, files.result);
  print_warnings(curves.warnings);
  if (options.json)
    fmt::print("{}", findings.json);
  else
    fmt::print("{}, {}: {} points, {}\n{}", printable(m->name), printable(experiment.name), curves.values.size(),
               curves.path.mode == model::Kinematics::Mode::quasi_static ? "in equilibrium at each"
                                                                         : "by the constraints alone",
               options.quiet ? "" : tables_text(curves, *experiment.kinematics));
  AnalysisFiles others = files;
  others.picture.clear();  // that of the chosen channels comes from the result
  write_analysis(others, options, findings, analysis::info_of(curves.path.prepared, experiment));
  if (!files.picture.empty())
    plot({.file = files.result, .channels = options.channels, .out = files.picture, .degrees = true});
  return success;
}

}  // namespace skyhook::app
