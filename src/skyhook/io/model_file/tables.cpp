// The section `tables`: tables that formulas call by their names.
#include "skyhook/io/model_file/field_reader.h"
#include "skyhook/io/model_file/sections.h"

namespace skyhook::io::model_file {
namespace {

struct SiUnit {
  Dimension dimension;
  std::string text;  // "N.m"; "-" where it has none
};

std::optional<SiUnit> si_unit(const Node& node, const std::string& what, Reading& reading) {
  try {
    const Dimension dimension = parse_unit(node.text, reading.report.at(node)).dimension;
    return SiUnit{dimension, dimension.is_dimensionless() ? "-" : to_string(dimension)};
  } catch (const ModelError& error) {
    reading.report.add(error, what + ": units");
    return {};
  }
}

// A formula must know them before the rows are read.
std::optional<std::array<SiUnit, 2>> units_of(const Entry& entry, const std::string& what, Reading& reading) {
  const Entry* units = find(entry.value, "units");
  const bool fits = units && units->value.is_list() && units->value.items.size() == 2 &&
                    units->value.items[0].is_text() && units->value.items[1].is_text();
  if (!fits) {
    reading.report.add(units ? units->value : entry.key, what + ": units should be a list of two.",
                       "Write for example units: [rad/s, N.m], and - for a plain number.");
    return {};
  }
  const auto x = si_unit(units->value.items[0], what, reading), y = si_unit(units->value.items[1], what, reading);
  if (!x || !y) return {};
  return std::array{*x, *y};
}

bool is_usable(const Node& key, const std::string& what, Reading& reading) {
  const std::string& name = key.text;
  if (!is_identifier(name))
    reading.report.add(key, what + " has a name that formulas cannot use.",
                       "Use letters, digits and _, not a digit first.");
  else if (is_reserved(name) || reading.parameters.is_defined(name))
    reading.report.add(key, what + " has the name of a " + (is_reserved(name) ? "function." : "parameter."),
                       "Choose another name.");
  else
    return true;
  return false;
}

// A run cannot see whether a formula has left a table: the user says what holds there.
bool says_beyond(const Entry& entry, model::Beyond beyond, const std::string& what, Reading& reading) {
  if (beyond == model::Beyond::hold || beyond == model::Beyond::straight) return true;
  reading.report.add(entry.key, what + " does not say what holds beyond its rows.",
                     "Write beyond: hold (the last value) or beyond: straight (on along the last slope).");
  return false;
}

void read_table(Node& section, Entry& entry, Reading& reading) {
  const std::string name = entry.key.text, what = "table \"" + name + "\"";
  if (!is_usable(entry.key, what, reading)) return;
  if (!entry.value.is_map()) {
    reading.report.add(entry.key, what + " should be a map, but is " + kind_name(entry.value) + ".",
                       "Write {table: [[x, y], ...], units: [of x, of y], beyond: hold}.");
    return;
  }
  const auto units = units_of(entry, what, reading);
  if (!units) return;
  const auto& [x, y] = *units;
  const std::string over = "x:" + x.text;
  FieldInfo info{name.c_str(), y.text.c_str(), any(), ""};
  info.variables = over.c_str();
  FieldReader reader(reading, section, "tables", "", entry.key);
  std::optional<model::Curve> curve;
  reader.read(info, &curve);
  if (!curve || !says_beyond(entry, curve->beyond(), what, reading)) return;
  Node list = list_node(entry.key);
  for (const SiUnit& unit : *units) list.items.push_back(text_node(unit.text, entry.key));
  entry.value.entries.push_back({text_node("units", entry.key), std::move(list)});
  reading.model.tables.push_back(
      std::make_shared<const expression::Table>(expression::Table{name, x.dimension, y.dimension, *curve->table()}));
}

}  // namespace

void read_tables(Node& section, Reading& reading) {
  if (!section.is_map()) {
    reading.report.add(section, std::string("tables should be a map, but are ") + kind_name(section) + ".",
                       "Write name: {table: [[x, y], ...], units: [of x, of y], beyond: hold}.");
    return;
  }
  for (Entry& entry : section.entries) read_table(section, entry, reading);
}

}  // namespace skyhook::io::model_file
