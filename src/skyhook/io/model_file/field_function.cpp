// The fields that hold formulas, curves and motions.
#include <fmt/format.h>

#include <cctype>

#include "skyhook/io/model_file/field_reader.h"
#include "skyhook/io/model_file/table_overshoot.h"

namespace skyhook::io::model_file {
namespace {

// "s" of "t:s x:m"
std::string unit_of_first(const std::string& variables) {
  const std::size_t colon = variables.find(':');
  return colon == std::string::npos ? "" : variables.substr(colon + 1, variables.find(' ', colon) - colon - 1);
}

// As a name of its own, not as a part of front.q.
bool uses(const std::string& formula, const std::string& name) {
  const auto is_of_name = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  for (std::size_t at = formula.find(name); at != std::string::npos; at = formula.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool begins = at == 0 || (!is_of_name(formula[at - 1]) && formula[at - 1] != '.');
    if (begins && (end >= formula.size() || !is_of_name(formula[end]))) return true;
  }
  return false;
}

std::string variables_of(const FieldInfo& info, const char* otherwise) {
  return *info.variables ? info.variables : otherwise;
}

}  // namespace

model::Beyond beyond_named(const std::string& name) {
  if (name == "hold") return model::Beyond::hold;
  if (name == "stop") return model::Beyond::stop;
  if (name == "straight") return model::Beyond::straight;
  return name == "refuse" ? model::Beyond::refuse : model::Beyond::unsaid;
}

std::optional<expression::Expression> FieldReader::law(const FieldInfo& info, Node& node,
                                                       const std::string& variables) {
  warn_of_hidden_parameters(variables);
  warn_of_hidden_locals(node, variables);
  auto formula = scalars_.formula(node, wanted(info), variables);
  if (formula && place_formula(info, node)) formula = scalars_.formula(node, {what_of(info), info.unit, {}}, variables);
  return formula;
}

void FieldReader::set(const FieldInfo& info, Node& node, std::optional<model::Formula>& value) {
  value = law(info, node, info.variables);
}

void FieldReader::set(const FieldInfo& info, Node& node, std::optional<model::Curve>& value) {
  const std::string variables = variables_of(info, "x:-");
  if (!node.is_text()) {
    if (const auto rows = table(info, node, unit_of_first(variables))) value.emplace(curve_of(info, node, *rows));
  } else if (auto formula = law(info, node, variables)) {
    value.emplace(std::move(*formula));
  }
}

void FieldReader::set(const FieldInfo& info, Node& node, std::optional<model::Motion>& value) {
  const std::string variables = variables_of(info, "t:s");
  if (!node.is_text()) {
    if (const auto rows = table(info, node, unit_of_first(variables))) value.emplace(motion_of(info, node, *rows));
  } else if (auto formula = law(info, node, variables)) {
    value.emplace(std::move(*formula));
  }
}

model::Curve FieldReader::curve_of(const FieldInfo& info, const Node& node, const Table& rows) {
  const model::Beyond beyond = rows.beyond;
  if (beyond == model::Beyond::stop)
    report().add(node, what_of(info) + ": only a table of time can come to rest at its ends.",
                 "Write beyond: hold, straight or refuse.");
  const bool is_level = beyond == model::Beyond::hold;
  return model::Curve(MonotoneCubic(rows.x, rows.y, is_level ? Continued::level : Continued::straight), beyond);
}

model::Motion FieldReader::motion_of(const FieldInfo& info, const Node& node, const Table& rows) {
  const model::Beyond beyond = rows.beyond;
  const bool is_straight = beyond == model::Beyond::straight;
  CubicSpline curve(rows.x, rows.y, beyond == model::Beyond::stop ? SplineEnd::at_rest : SplineEnd::not_a_knot,
                    is_straight ? Continued::straight : Continued::level);
  reading_.model.time_tables.push_back({what_of(info), report().at(node), curve.first(), curve.last(),
                                        curve.derivative(curve.first()), curve.derivative(curve.last()), beyond});
  if (const auto most = overshoot(curve, rows.y)) {
    const std::string unit = *info.unit == '-' ? "" : std::string(" ") + info.unit;
    reading_.warn("table_overshoots", report().at(node),
                  fmt::format("{}: the smooth curve through the rows of the table swings to {:.4g}{} at {:.4g} s, but "
                              "the rows lie between {:.4g} and {:.4g}{}.",
                              what_of(info), most->y, unit, most->x, most->lowest, most->highest, unit),
                  "Add rows on both sides of its corners, or write a formula, as with ramp().");
  }
  return model::Motion(std::move(curve));
}

// {table: rows, units: [of x, of y]}, the rows alone, or {file: name, columns: [of x, of y], units: ...}.
std::optional<FieldReader::Table> FieldReader::table(const FieldInfo& info, Node& node, const std::string& unit_of_x) {
  TableFields parts;
  FieldReader reader = inner(node, info);
  if (node.is_list())
    parts.table.node = &node;
  else
    read_described(reader, parts);
  if (!has_one_source(info, node, parts)) return {};
  TableUnits units{{unit_of_x, info.unit}, {}};
  if (parts.units.node && !read_units(*parts.units.node, info, units)) return {};
  if (parts.file.node) return reader.has_failed() ? std::nullopt : table_of_file(info, node, parts, units);
  Table read;
  read.beyond = beyond_named(parts.beyond);
  read_rows(*parts.table.node, info, units, read);
  erase(node, "units");  // the numbers are SI now
  if (reader.has_failed()) return {};
  place_table(info, node, read);
  return read;
}

void FieldReader::read_rows(Node& rows, const FieldInfo& info, const TableUnits& units, Table& read) {
  if (!rows.is_list() || rows.items.size() < 2) {
    report().add(rows, what_of(info) + ": a table needs a list of at least two rows.",
                 "Write [[x1, y1], [x2, y2], ...].");
    return;
  }
  for (Node& row : rows.items) read_row(row, info, units, read);
}

bool FieldReader::read_units(Node& list, const FieldInfo& info, TableUnits& units) {
  if (!list.is_list() || list.items.size() != 2 || !list.items[0].is_text() || !list.items[1].is_text()) {
    report().add(list, what_of(info) + ": units should be a list of two.", "Write for example units: [mm, kN].");
    return false;
  }
  for (std::size_t i = 0; i < 2; ++i) {
    try {
      units.plain[i] = parse_unit(list.items[i].text, report().at(list.items[i]));
    } catch (const ModelError& error) {
      report().add(error, what_of(info) + ": units");
      return false;
    }
    const Dimension needed = parse_unit(units.needed[i]).dimension;
    if (units.plain[i].dimension != needed) {
      report().add(list.items[i],
                   fmt::format("{}: the unit {} is given, but {} is needed.", what_of(info), list.items[i].text,
                               to_string(needed)),
                   "Write a unit of the same kind.");
      return false;
    }
  }
  return true;
}

void FieldReader::read_row(Node& row, const FieldInfo& info, const TableUnits& units, Table& read) {
  const std::string what = fmt::format("{}: row {} of the table", what_of(info), read.x.size() + 1);
  if (!row.is_list() || row.items.size() != 2) {
    report().add(row, what + " is " + kind_name(row) + (row.is_list() ? fmt::format(" of {}.", row.items.size()) : "."),
                 "Write [x, y].");
    return;
  }
  const auto x = scalars_.number_in(row.items[0], {what, units.needed[0].c_str(), {}}, units.plain[0]);
  const auto y = scalars_.number_in(row.items[1], {what, units.needed[1].c_str(), info.range}, units.plain[1]);
  if (!x || !y) return;
  if (!read.x.empty() && *x <= read.x.back()) {
    report().add(row, fmt::format("{} has x = {}, which is not above {} of the row before.", what, *x, read.x.back()),
                 "Sort the rows, and remove doubles.");
  }
  read.x.push_back(*x);
  read.y.push_back(*y);
}

// In a template a name like x is often both; only where the formula uses it the reader may be mistaken.
void FieldReader::warn_of_hidden_locals(const Node& node, const std::string& variables) {
  for (const Local& local : scalars_.scope().locals) {
    if ((" " + variables).find(" " + local.name + ":") == std::string::npos) continue;
    if (uses(node.text, local.name))
      reading_.warn("hidden_name", report().at(node),
                    "parameter or index \"" + local.name +
                        "\" is hidden by the variable of the same name in formulas of " + what_ + ".");
  }
}

// A variable wins over a parameter of the same name, which is easily overlooked.
void FieldReader::warn_of_hidden_parameters(const std::string& variables) {
  for (const std::string& name : reading_.parameters.names()) {
    if ((" " + variables).find(" " + name + ":") != std::string::npos) {
      reading_.warn(
          "hidden_name", where(""),
          "parameter \"" + name + "\" is hidden by the variable of the same name in formulas of " + what_ + ".");
    }
  }
}

}  // namespace skyhook::io::model_file
