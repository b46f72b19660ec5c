// What an experiment evaluates at the end of its run.
#include <fmt/format.h>

#include <algorithm>

#include "skyhook/analysis/standards.h"
#include "skyhook/io/model_file/field_reader.h"
#include "skyhook/io/model_file/sections.h"
#include "skyhook/model/analysis_options.h"

namespace skyhook::io::model_file {
namespace {

// The unit of a setting that is a number; empty: a text, or a channel.
std::string unit_of(const analysis::Standard* standard, const std::string& name) {
  if (name == "from" || name == "to") return "s";
  if (!standard) return "";
  const auto setting = std::ranges::find(standard->settings, name, &analysis::EvaluationSetting::name);
  return setting == standard->settings.end() ? "" : setting->unit;
}

void read_field(Entry& entry, const analysis::Standard* standard, Reading& reading, const std::string& what,
                model::EvaluationOptions& out) {
  const ScalarReader scalars(reading.report, reading.parameters, {});
  const std::string& name = entry.key.text;
  const std::string unit = unit_of(standard, name);
  if (!unit.empty()) {
    if (const auto value = scalars.number(entry.value, {what + ": " + name, unit.c_str(), any()}))
      out.given.emplace_back(name, fmt::format("{}", *value));
  } else if (entry.value.is_list()) {
    for (const Node& item : entry.value.items) {
      if (scalars.is_text(item, what + ": " + name)) out.given.emplace_back(name, item.text);
    }
  } else if (scalars.is_text(entry.value, what + ": " + name)) {
    out.given.emplace_back(name, entry.value.text);
  }
}

}  // namespace

std::vector<model::EvaluationOptions> read_evaluations(const Part& part, Reading& reading, const std::string& what) {
  std::vector<model::EvaluationOptions> out;
  if (!part.node) return out;
  const std::string whose = what + ": evaluations";
  if (!part.node->is_list()) {
    reading.report.add(*part.node, whose + " should be a list, but is " + kind_name(*part.node) + ".",
                       "Write [{standard: iso2631, vertical_acceleration: car.az}].");
    return out;
  }
  for (Node& item : part.node->items) {
    const Entry* const standard = item.is_map() ? find(item, "standard") : nullptr;
    if (!standard || !standard->value.is_text()) {
      reading.report.add(item, whose + ": an entry does not say its standard.", "Write {standard: iso2631, ...}.");
      continue;
    }
    model::EvaluationOptions one{standard->value.text, standard->value.text, {}, reading.report.at(item)};
    for (Entry& entry : item.entries) {
      if (entry.key.text == "name" && entry.value.is_text())
        one.name = entry.value.text;
      else if (entry.key.text != "standard")
        read_field(entry, analysis::find_standard(one.standard), reading, whose, one);
    }
    if (std::ranges::find(out, one.name, &model::EvaluationOptions::name) != out.end())
      reading.report.add(item, whose + ": \"" + one.name + "\" is there twice.", "Give one of them another name: ...");
    try {
      analysis::check_request({one.standard, one.name, one.given, one.where});
    } catch (const ModelError& error) {
      reading.report.add(error, whose);
    }
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace skyhook::io::model_file
