// The section `plots`: pages of panels, by name.
#include "skyhook/io/model_file/plots.h"

#include "skyhook/base/units.h"
#include "skyhook/io/model_file/field_reader.h"
#include "skyhook/io/model_file/plot_fields.h"
#include "skyhook/io/model_file/sections.h"
#include "skyhook/io/model_file/yaml_parser.h"

namespace skyhook::io::model_file {
namespace {

constexpr const char* example = "Write page: [{curves: [car.x, \"=car.x - car.y\"], units: [mm]}, ...].";

// One text, or a list of them.
std::vector<std::string> texts_in(const Part& part, const std::string& what, Reading& reading) {
  std::vector<std::string> texts;
  if (!part.node) return texts;
  if (part.node->is_text()) return {part.node->text};
  if (!part.node->is_list())
    reading.report.add(*part.node, what + " should be a list, but is " + kind_name(*part.node) + ".", example);
  for (const Node& item : part.node->items) {
    if (item.is_text())
      texts.push_back(item.text);
    else
      reading.report.add(item, what + " should hold texts, but holds " + kind_name(item) + ".", example);
  }
  return texts;
}

// A report shows what is in `g`, the acceleration, which is no unit elsewhere.
void check_units(const PanelFields& given, const std::string& what, Reading& reading) {
  for (const std::string& unit : texts_in(given.units, what + ": units", reading)) {
    try {
      if (unit != "g") parse_unit(unit, reading.report.at(*given.units.node));
    } catch (const ModelError& error) {
      reading.report.add(error, what + ": units");
    }
  }
}

PlotPanel read_panel(Node& node, const Node& place, const std::string& what, Reading& reading) {
  PanelFields given;
  FieldReader reader(reading, node, what, "", place);
  read_described(reader, given);
  check_units(given, what, reading);
  const std::vector<std::string> curves = texts_in(given.curves, what + ": curves", reading);
  if (curves.empty() && given.view != "ellipse")
    reading.report.add(given.curves.node ? *given.curves.node : node, what + " has no curves.", example);
  return {given.title, given.x, given.view == "curves" ? "" : given.view, curves,
          texts_in(given.units, what + ": units", reading)};
}

std::vector<PlotPage> read_pages(Node& section, Reading& reading) {
  std::vector<PlotPage> pages;
  if (!section.is_map()) {
    reading.report.add(section, std::string("plots should be a map, but are ") + kind_name(section) + ".", example);
    return pages;
  }
  for (Entry& entry : section.entries) {
    const std::string what = "page \"" + entry.key.text + "\" of plots";
    if (!entry.value.is_list()) {
      reading.report.add(entry.key, what + " should be a list of panels, but is " + kind_name(entry.value) + ".",
                         example);
      continue;
    }
    PlotPage& page = pages.emplace_back(PlotPage{entry.key.text, {}});
    for (Node& panel : entry.value.items) {
      const std::string which = what + ", panel " + std::to_string(page.panels.size() + 1);
      page.panels.push_back(read_panel(panel, entry.key, which, reading));
    }
  }
  return pages;
}

}  // namespace

void read_plots(Node& section, Reading& reading) { read_pages(section, reading); }

}  // namespace skyhook::io::model_file

namespace skyhook::io {

std::vector<PlotPage> plot_pages(const std::string& model_text) {
  using namespace model_file;
  if (!model_text.starts_with("plots:") && model_text.find("\nplots:") == std::string::npos) return {};
  Reading reading("");
  Node root = parse_yaml(model_text, "", reading.report);
  Entry* section = find(root, "plots");
  if (!section || section->value.is_nothing()) return {};
  return read_pages(section->value, reading);
}

}  // namespace skyhook::io
