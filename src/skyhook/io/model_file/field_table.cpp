// Tables that stand in a file of their own.
#include <fmt/format.h>

#include <cmath>

#include "skyhook/io/model_file/csv.h"
#include "skyhook/io/model_file/field_reader.h"
#include "skyhook/io/model_file/named_file.h"

namespace skyhook::io::model_file {

bool FieldReader::has_one_source(const FieldInfo& info, const Node& node, const TableFields& parts) {
  const char* advice = "Write {table: [[x, y], ...]}, or {file: name.csv, columns: [x, y]}.";
  if (!parts.table.node && !parts.file.node) {
    report().add(node, what_of(info) + " needs \"table\".", advice);
  } else if (parts.table.node && (parts.file.node || parts.columns.node)) {
    const char* twice =
        parts.file.node ? " has a table and a file." : " has columns, which are those of a file, and a table.";
    report().add(node, what_of(info) + twice, advice);
    return false;
  }
  return parts.table.node || parts.file.node;
}

// {file: damper.csv, columns: [velocity, force], units: [mm/s, N]} becomes {table: rows}.
std::optional<FieldReader::Table> FieldReader::table_of_file(const FieldInfo& info, Node& node,
                                                             const TableFields& parts, TableUnits units) {
  if (!scalars_.take_text(*parts.file.node, what_of(info) + ": file")) return {};
  std::array<std::string, 2> wanted{"1", "2"};
  if (parts.columns.node && !read_columns(*parts.columns.node, info, wanted)) return {};
  const NamedFile file = read_file(reading_, *parts.file.node, what_of(info) + ": file");
  Table read;
  try {
    Csv csv = read_csv(file.bytes, file.path, wanted);
    for (std::size_t i = 0; i < 2; ++i) take_unit(csv, i, file.path, parts.units.node != nullptr, units);
    read = in_si(csv, info, units, file.path);
  } catch (const ModelError& error) {
    report().add(error, what_of(info));
    return {};
  }
  Node map = map_node(node);
  map.entries.push_back({text_node("table", node), rows_node(read.x, read.y, *parts.file.node)});
  read.beyond = beyond_named(parts.beyond);
  if (!parts.beyond.empty()) map.entries.push_back({text_node("beyond", node), text_node(parts.beyond, node)});
  node = std::move(map);
  place_table(info, node, read);
  return read;
}

bool FieldReader::read_columns(const Node& list, const FieldInfo& info, std::array<std::string, 2>& wanted) {
  if (!list.is_list() || list.items.size() != 2 || !list.items[0].is_text() || !list.items[1].is_text()) {
    report().add(list, what_of(info) + ": columns should be a list of two.",
                 "Write for example columns: [velocity, force] or [1, 3].");
    return false;
  }
  wanted = {list.items[0].text, list.items[1].text};
  return true;
}

// The unit that the file gives; where the model gives one as well, they must agree.
void FieldReader::take_unit(const Csv& csv, std::size_t i, const std::string& path, bool has_units,
                            TableUnits& units) const {
  const Csv::Column& column = csv.columns[i];
  if (!column.unit) return;
  const Location where{path, column.unit_line};
  Unit unit;
  try {
    unit = parse_unit(*column.unit, where);
  } catch (const ModelError& error) {
    if (has_units) return;  // a remark in brackets
    const Finding& f = error.findings().front();
    throw ModelError(where, f.what, "Correct the unit, or write units: [.., ..] in the model. " + f.advice);
  }
  const Dimension needed = parse_unit(units.needed[i]).dimension;
  if (unit.dimension != needed)
    throw ModelError(
        where, fmt::format("column \"{}\" is in {}, but {} is needed.", column.name, *column.unit, to_string(needed)),
        "Choose other columns with columns: [..], or correct the unit.");
  if (has_units && unit.factor != units.plain[i].factor)
    throw ModelError(where,
                     fmt::format("column \"{}\" is in {}, but the model says otherwise.", column.name, *column.unit),
                     "Remove units from the model, or from the file.");
  units.plain[i] = unit;
}

FieldReader::Table FieldReader::in_si(const Csv& csv, const FieldInfo& info, const TableUnits& units,
                                      const std::string& path) {
  Table read;
  const auto& xs = csv.columns[0].values;
  for (std::size_t k = 0; k < xs.size(); ++k) {
    const double x = units.plain[0].to_si(xs[k]), y = units.plain[1].to_si(csv.columns[1].values[k]);
    const Location where{path, csv.lines[k]};
    if (k > 0 && !(x > read.x.back()))
      throw ModelError(where, fmt::format("x = {} is not above {} of the row before.", xs[k], xs[k - 1]),
                       "Sort the rows, and remove doubles.");
    if (!info.range.contains(y) || !std::isfinite(x) || !std::isfinite(y))
      throw ModelError(where, fmt::format("the value {} is out of range: {} in SI.", csv.columns[1].values[k], y),
                       "Correct the value or its unit.");
    read.x.push_back(x);
    read.y.push_back(y);
  }
  return read;
}

}  // namespace skyhook::io::model_file
