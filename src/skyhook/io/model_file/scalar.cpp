#include "skyhook/io/model_file/scalar.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "skyhook/expression/lexer.h"
#include "skyhook/expression/point.h"
#include "skyhook/io/model_file/points.h"
#include "skyhook/io/model_file/slips.h"
#include "skyhook/model/field_source.h"

namespace skyhook::io::model_file {
namespace {

bool is_not_finite(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  text.erase(0, text.find_first_not_of("+-."));
  return text == "nan" || text == "inf" || text == "infinity";
}

std::vector<expression::Symbol> symbols_of(const std::string& variables) {
  std::vector<expression::Symbol> symbols;
  for (std::size_t begin = 0; begin < variables.size();) {
    const std::size_t end = std::min(variables.find(' ', begin), variables.size());
    const std::string item = variables.substr(begin, end - begin);
    const std::size_t colon = item.find(':');
    const std::string unit = colon == std::string::npos ? "" : item.substr(colon + 1);
    if (!item.empty()) symbols.push_back({item.substr(0, colon), parse_unit(unit).dimension});
    begin = end + 1;
  }
  return symbols;
}

}  // namespace

std::string range_text(const Range& range, const std::string& unit) {
  const std::string suffix = unit == "1" ? "" : " " + unit;
  if (std::isfinite(range.low) && std::isfinite(range.high)) {
    return fmt::format("{} {}{} and at most {}{}", range.low_excluded ? "above" : "at least", range.low, suffix,
                       range.high, suffix);
  }
  if (std::isfinite(range.low))
    return fmt::format("{} {}{}", range.low_excluded ? "above" : "at least", range.low, suffix);
  return fmt::format("at most {}{}", range.high, suffix);
}

static const std::string parent = "$parent.";

std::string local_name(std::string reference) {
  while (reference.starts_with(parent)) reference.erase(0, parent.size());
  return reference;
}

// What a text that is no number may have been meant to be; else the error tells.
[[noreturn]] static void fail_as_meant(const ModelError& error, const std::string& text, const Location& where,
                                       const expression::Scope& scope, const Parameters& parameters) {
  const auto is_known = [&](const std::string& name) {
    return parameters.is_defined(name) || (scope.constants && scope.constants(name));
  };
  for (const auto& slip :
       {decimal_comma(text, where), sexagesimal(text, where), forgotten_equals(text, where, is_known)}) {
    if (slip) throw ModelError({*slip});
  }
  throw error;
}

bool is_expression(const std::string& text) { return !text.empty() && text[0] == '='; }

Location expression_place(Location scalar, bool quoted) {
  if (scalar.column > 0) scalar.column += quoted ? 2 : 1;
  return scalar;
}

// "=name", which most expressions are; no value: it is to be compiled.
static std::optional<expression::Value> value_by_name(const std::string& text, const expression::Scope& scope) {
  const std::string name = text.substr(1);
  if (!is_identifier(name) || !scope.variables.empty() || !scope.constants) return {};
  return scope.constants(name);
}

// What is no more than a number, "=name" or neither: then the text has to be looked at closely.
static std::optional<expression::Value> simple_value(const std::string& text, const expression::Scope& scope) {
  if (is_expression(text)) return value_by_name(text, scope);
  const bool is_negative = text.size() > 1 && text[0] == '-';
  std::size_t end = is_negative ? 1 : 0;
  const auto number = read_number(text, end);
  if (!number || end != text.size()) return {};
  return expression::Value{is_negative ? -*number : *number, {}};
}

expression::Value evaluate_text(const std::string& text, bool quoted, const Location& where,
                                const expression::Scope& scope, const Parameters& parameters) {
  if (const auto known = simple_value(text, scope)) return *known;
  if (is_expression(text)) {
    const auto compiled = parameters.compile(text.substr(1), scope, expression_place(where, quoted));
    return {compiled.constant(), compiled.dimension()};
  }
  const bool begins_with_digit = !text.empty() && text[0] >= '0' && text[0] <= '9';  // as most do
  if (const auto truth = begins_with_digit ? std::nullopt : truth_of(text)) return {*truth ? 1.0 : 0.0, {}};
  if (!begins_with_digit && is_not_finite(text))
    throw ModelError(where, "\"" + text + "\" is not a finite number.", "Write a finite number.");
  Quantity quantity;
  try {
    quantity = parse_quantity(text, where);
  } catch (const ModelError& error) {
    fail_as_meant(error, text, where, scope, parameters);
  }
  if (!std::isfinite(quantity.si()))
    throw ModelError(where, "\"" + text + "\" is too large for a number.", "Write a finite number.");
  return {quantity.si(), quantity.unit ? quantity.unit->dimension : Dimension{}};
}

std::string unit_text(const char* unit) { return to_string(parse_unit(unit).dimension); }

ScalarReader::ScalarReader(Report& report, const Parameters& parameters, Scope scope)
    : report_(report), parameters_(parameters), scope_(std::move(scope)), names_(parameters.scope(scope_.locals)) {}

bool ScalarReader::is_text(const Node& node, const std::string& what) const {
  if (!node.is_text()) report_.add(node, what + " should be a single value, but is " + kind_name(node) + ".", "");
  return node.is_text();
}

void ScalarReader::take_text(Node& node) const {
  if (!node.is_text() || !is_expression(node.text)) return;
  const std::string name = node.text.substr(1);
  const Local* local = scope_.find(name);
  if (const Node* text = local ? local->text.get() : parameters_.text_named(name)) node = Node(*text);
}

bool ScalarReader::take_text(Node& node, const std::string& what) const {
  take_text(node);
  if (!is_text(node, what)) return false;
  if (!is_expression(node.text)) return true;
  if (needs_wrong_parameter(node.text.substr(1))) throw Report::Known{};
  report_.add(node, what + " is \"" + node.text + "\", but there is no text parameter of that name.",
              "Declare it: parameters: {" + node.text.substr(1) + ": {text: ...}}, or write the text here.");
  return false;
}

// A parameter whose own value is wrong has been reported; what uses it is not reported again.
bool ScalarReader::needs_wrong_parameter(const std::string& text) const {
  if (parameters_.none_wrong()) return false;
  if (is_identifier(text)) return parameters_.is_wrong(text);
  try {
    const auto names = expression::names_in(text, {});
    return std::any_of(names.begin(), names.end(), [&](const std::string& n) { return parameters_.is_wrong(n); });
  } catch (const ModelError&) {
    return false;
  }
}

void ScalarReader::add(const ModelError& error, const Node& node, const std::string& what) const {
  if (is_expression(node.text) && needs_wrong_parameter(node.text.substr(1))) throw Report::Known{};
  const auto count = [&](char c) { return std::count(node.text.begin(), node.text.end(), c); };
  const bool is_split = !node.quoted && is_expression(node.text) && count('(') > count(')');
  report_.add(error, what,
              is_split ? "Inside [ ] or { } a comma ends the text: put the expression between quotes." : "");
}

std::optional<expression::Value> ScalarReader::value(const Node& node, const Wanted& wanted) const {
  if (!is_text(node, wanted.what)) return {};
  if (const auto known = simple_value(node.text, names_)) return known;  // no place is made up, which takes longer
  try {
    return evaluate_text(node.text, node.quoted, report_.at(node), names_, parameters_);
  } catch (const ModelError& error) {
    add(error, node, wanted.what);
    return {};
  }
}

bool ScalarReader::is_point(const Node& node) const {
  if (!node.is_text() || !is_expression(node.text)) return false;
  const std::string text = node.text.substr(1);
  const auto is_it = [&](const std::string& name) { return !names_.constants(name) && point_named(name); };
  return is_identifier(text) ? is_it(text) : expression::uses_point(text, is_it);
}

std::optional<std::array<expression::Value, 3>> ScalarReader::point_named(const std::string& name) const {
  std::array<expression::Value, 3> point;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto value = names_.constants(coordinate_name(name, point_axes[i]));
    if (!value) return {};
    point[i] = *value;
  }
  return point;
}

std::optional<std::array<expression::Value, 3>> ScalarReader::point(const Node& node, const Wanted& wanted) const {
  std::array<expression::Value, 3> point;
  if (node.is_list()) {
    if (!is_list_of_point(node, wanted.what, report_)) return {};
    bool is_good = true;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto read = value(node.items[i], wanted);
      is_good = is_good && read;
      point[i] = read.value_or(expression::Value{});
    }
    return is_good ? std::optional(point) : std::nullopt;
  }
  const std::string text = node.text.substr(1);
  if (is_identifier(text) && !names_.constants(text)) {
    if (const auto known = point_named(text)) return known;
  }
  try {
    const Location where = expression_place(report_.at(node), node.quoted);
    for (std::size_t i = 0; i < 3; ++i) point[i] = parameters_.coordinate(text, point_axes[i], names_, where);
    return point;
  } catch (const ModelError& error) {
    add(error, node, wanted.what);
    return {};
  }
}

void ScalarReader::spread_point(Node& node, const Wanted& wanted, bool is_direction) const {
  if (!node.is_text() || !is_expression(node.text)) return;
  if (needs_wrong_parameter(node.text.substr(1))) throw Report::Known{};
  if (!is_point(node)) return;
  const auto read = point(node, wanted);
  if (!read) throw Report::Known{};
  Node list = list_node(node);
  for (expression::Value value : *read) {
    if (is_direction) value.dimension = {};
    if (!fits(node, value, wanted)) throw Report::Known{};
    list.items.push_back(number_node(value.value, node));
  }
  node = std::move(list);
}

// A result without dimension is taken as a number in SI: parameters without units are common.
bool ScalarReader::fits(const Node& node, const expression::Value& value, const Wanted& wanted) const {
  const bool takes_any = wanted.unit == std::string_view(model::any_unit);
  const Dimension needed = takes_any ? value.dimension : parse_unit(wanted.unit).dimension;
  if (!value.dimension.is_dimensionless() && value.dimension != needed) {
    const std::string unit = to_string(needed);
    const std::string right = needed.is_dimensionless() ? "a number without unit" : unit;
    report_.add(node,
                fmt::format("{} is \"{}\", a quantity in {}, but needs {}.", wanted.what, node.text,
                            to_string(value.dimension), right),
                needed.is_dimensionless() ? "Remove the unit."
                                          : "Write a plain number (SI) or a unit of the same kind as " + unit + ".");
    return false;
  }
  if (!wanted.range.contains(value.value)) {
    const std::string unit = to_string(needed);
    report_.add(node,
                fmt::format("{} is {}{}, but must be {}.", wanted.what, value.value, unit == "1" ? "" : " " + unit,
                            range_text(wanted.range, unit)),
                "Correct the value.");
    return false;
  }
  return true;
}

std::optional<double> ScalarReader::number(Node& node, const Wanted& wanted) const {
  return number_in(node, wanted, {});
}

std::optional<double> ScalarReader::number_in(Node& node, const Wanted& wanted, const Unit& plain) const {
  if (node.is_text() && truth_of(node.text)) {
    report_.add(node, wanted.what + " is \"" + node.text + "\", a truth value, but must be a number.",
                "Write a finite number and a unit, like 85 kN/m or -2.5.");
    return {};
  }
  auto read = value(node, wanted);
  if (!read) return {};
  if (read->dimension.is_dimensionless() && !is_expression(node.text)) read->value = plain.to_si(read->value);
  if (!fits(node, *read, wanted)) return {};
  node.text = fmt::format("{}", read->value);
  node.quoted = false;
  return read->value;
}

std::optional<long> ScalarReader::integer(Node& node, const Wanted& wanted) const {
  const std::string written = node.text;
  const auto x = number(node, wanted);
  if (!x) return {};
  if (*x != std::round(*x) || std::abs(*x) > 1e9) {
    report_.add(node, wanted.what + " is \"" + written + "\", but must be a whole number.", "Round it.");
    return {};
  }
  return static_cast<long>(*x);
}

std::optional<bool> ScalarReader::boolean(Node& node, const Wanted& wanted, const std::string& choices) const {
  if (!is_text(node, wanted.what)) return {};
  std::optional<bool> truth = truth_of(node.text);
  if (!truth && is_expression(node.text)) {
    const auto read = value(node, wanted);
    if (!read || !fits(node, *read, {wanted.what})) return {};
    truth = read->value != 0.0;
  }
  if (!truth)
    report_.add(node, wanted.what + " is \"" + node.text + "\", but must be " + choices + ".",
                "Write " + choices + ".");
  if (truth) node.text = *truth ? "true" : "false";
  return truth;
}

std::optional<long> ScalarReader::whole(const std::string& text, const Location& where, const std::string& what) const {
  const Node node = text_node("=" + text, {});
  try {
    const auto compiled = parameters_.compile(text, names_, where);
    const double x = compiled.constant();
    if (!compiled.dimension().is_dimensionless()) {
      report_.add(where,
                  fmt::format("{}: the index \"{}\" is a quantity in {}, but must be a number without unit.", what,
                              text, to_string(compiled.dimension())),
                  "Remove the unit, or correct the parameter.");
      return {};
    }
    if (x == std::round(x) && std::abs(x) <= 1e9) return static_cast<long>(x);
    report_.add(where, fmt::format("{}: the index \"{}\" is {}, but must be a whole number.", what, text, x),
                "Round it, or correct the parameter.");
  } catch (const ModelError& error) {
    add(error, node, what);
  }
  return {};
}

std::optional<std::string> ScalarReader::reference(Node& node, const std::string& what) const {
  if (!is_text(node, what)) return {};
  const std::string text = node.text;
  if (text.find('[') == std::string::npos) return text;
  Location place = report_.at(node);
  if (node.quoted) ++place.column;
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t close = text[i] == '[' ? text.find(']', i) : i;
    if (close == std::string::npos) {
      report_.add(node, what + ": \"" + text + "\" has a bracket that is not closed.", "Write an index as name[i-1].");
      return {};
    }
    const std::string inside = text[i] == '[' ? text.substr(i + 1, close - i - 1) : "";
    if (std::any_of(inside.begin(), inside.end(), [](unsigned char c) { return std::isalnum(c) != 0; })) {
      const auto index = whole(inside, advanced(place, text, i + 1), what);
      if (!index) return {};
      result += "[" + std::to_string(*index) + "]";
    } else {
      result += text.substr(i, close - i + 1);
    }
    i = close + 1;
  }
  node.text = result;
  return result;
}

// `$name` in a path is the text of a text parameter: $parent.$driver.eye.
bool ScalarReader::put_texts(std::string& name, const Node& node, const std::string& what) const {
  for (std::size_t at = name.find('$'); at != std::string::npos; at = name.find('$', at)) {
    std::size_t end = at + 1;
    while (end < name.size() && is_identifier("_" + name.substr(end, 1))) ++end;
    const std::string own = name.substr(at + 1, end - at - 1);
    at = end;
    if (own == "parent") continue;
    const Local* local = scope_.find(own);
    const Node* text = local ? local->text.get() : parameters_.text_named(own);
    if (!text) {
      report_.add(node, what + ": \"$" + own + "\" in \"" + node.text + "\" is neither $parent nor a text parameter.",
                  "Declare it: parameters: {" + own + ": {text: ...}}.");
      return false;
    }
    at -= own.size() + 1;
    name.replace(at, own.size() + 1, text->text);
    at += text->text.size();
  }
  return true;
}

std::optional<std::string> ScalarReader::full_name(Node& node, const std::string& what) const {
  auto name = reference(node, what);
  if (!name || *name == "ground") return name;
  if (!put_texts(*name, node, what)) return {};
  const Scope* level = &scope_;
  while (name->starts_with(parent)) {
    if (!level->outer) {
      report_.add(node, what + ": \"" + node.text + "\" goes out beyond the model.",
                  "$parent stands in templates and groups, once for each level out.");
      return {};
    }
    level = level->outer.get();
    name->erase(0, parent.size());
  }
  node.text = *name == "ground" ? *name : level->prefix + *name;
  return node.text;
}

std::string literal(const expression::Value& value) {
  const bool has_unit = !value.dimension.is_dimensionless();
  return fmt::format("({}{})", value.value, has_unit ? "[" + to_string(value.dimension) + "]" : "");
}

std::string ScalarReader::with_locals(const std::string& text, const std::string& variables,
                                      const Location& where) const {
  std::string result;
  std::size_t copied = 0;
  for (const expression::Token& token : expression::tokens_of(text, where)) {
    if (token.kind != expression::Token::Kind::identifier) continue;
    const std::string name(token.text);
    const bool is_part = token.begin > 0 && text[token.begin - 1] == '.';  // of crank.angle
    const bool is_variable = (" " + variables).find(" " + name + ":") != std::string::npos;
    const std::string coordinate = name + text.substr(token.end, 2);  // of a point: lower_front.z
    const bool goes_on = token.end + 2 < text.size() && is_identifier("_" + text.substr(token.end + 2, 1));
    const Local* local = is_part || is_variable ? nullptr : scope_.find(name);
    if (local && local->text) local = nullptr;
    const Local* of_point = is_part || goes_on || text[token.end] != '.' ? nullptr : scope_.find(coordinate);
    if (!local && !of_point) continue;
    result += text.substr(copied, token.begin - copied) + literal((of_point ? of_point : local)->value);
    copied = token.begin + (of_point ? coordinate : name).size();
  }
  return result + text.substr(copied);
}

std::optional<expression::Expression> ScalarReader::formula(Node& node, const Wanted& wanted,
                                                            const std::string& variables) const {
  if (!is_text(node, wanted.what)) return {};
  const Location where = expression_place(report_.at(node), node.quoted);
  try {
    expression::Scope scope = names_;
    scope.variables = symbols_of(variables);
    if (!is_expression(node.text)) {
      const auto is_variable = [&](const std::string& name) {
        return std::ranges::count(scope.variables, name, &expression::Symbol::name) > 0;
      };
      if (const auto slip = forgotten_equals(node.text, report_.at(node), is_variable)) throw ModelError({*slip});
      if (!number(node, wanted)) return {};
      return expression::Expression::compile(node.text, names_, report_.at(node));
    }
    scope.check_dimensions = wanted.unit != std::string_view(model::any_unit);
    auto compiled = parameters_.compile(node.text.substr(1), scope, where);
    const Wanted any_value{wanted.what, wanted.unit, {}};
    if (!fits(node, {0.0, compiled.dimension()}, any_value)) return {};
    if (!scope_.locals.empty()) node.text = "=" + with_locals(node.text.substr(1), variables, where);
    return compiled;
  } catch (const ModelError& error) {
    add(error, node, wanted.what);
    return {};
  }
}

std::optional<expression::Expression> ScalarReader::formula_in_si(Node& node, const std::string& what,
                                                                  const std::vector<std::string>& variables) const {
  if (!is_text(node, what)) return {};
  if (!is_expression(node.text)) {
    const auto constant = value(node, {what});
    if (!constant) return {};
    node = text_node(fmt::format("{}", constant->value), node);
    return expression::Expression::compile(node.text, names_, report_.at(node));
  }
  const Location where = expression_place(report_.at(node), node.quoted);
  expression::Scope scope = names_;
  scope.check_dimensions = false;
  std::string list;
  for (const std::string& name : variables) {
    scope.variables.push_back({name, {}});
    list += name + ": ";
  }
  try {
    auto compiled = parameters_.compile(node.text.substr(1), scope, where);
    if (!scope_.locals.empty()) node.text = "=" + with_locals(node.text.substr(1), list, where);
    return compiled;
  } catch (const ModelError& error) {
    add(error, node, what);
    return {};
  }
}

}  // namespace skyhook::io::model_file
