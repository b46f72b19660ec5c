#include "skyhook/io/model_file/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "skyhook/expression/function_table.h"
#include "skyhook/expression/point.h"
#include "skyhook/io/model_file/points.h"
#include "skyhook/io/model_file/scalar.h"
#include "skyhook/io/model_file/slips.h"

namespace skyhook::io::model_file {
namespace {

std::string subject(const std::string& name) { return "parameter \"" + name + "\""; }

}  // namespace

bool is_reserved(const std::string& name) {
  static const std::vector<std::string> words = {"pi", "true", "false", "and", "or", "not"};
  return std::find(words.begin(), words.end(), name) != words.end() || expression::find_function(name) != nullptr;
}

bool is_identifier(const std::string& text) {
  const auto fits = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
         std::all_of(text.begin(), text.end(), fits);
}

const Node* declared_text(const Node& value) {
  return value.is_map() && value.entries.size() == 1 && value.entries[0].key.text == "text" ? &value.entries[0].value
                                                                                            : nullptr;
}

bool Parameters::is_usable(const Node& key, Report& report) const {
  const std::string& name = key.text;
  if (index_.count(name) != 0 || texts_.count(name) != 0) {  // keys are unique
    report.add(key, subject(name) + " is there twice: by itself, and as part of a point.", "Remove one of the two.");
    return false;
  }
  const bool is_of_instance = name.find('.') != std::string::npos;  // front.rate, in an expanded model
  if (!is_identifier(name) && !is_of_instance) {
    report.add(key, subject(name) + " has a name that expressions cannot use.",
               "Use letters, digits and _, not a digit first.");
  } else if (is_reserved(name)) {
    report.add(key, subject(name) + " has a name that the expression language uses itself.", "Choose another name.");
  } else {
    return true;
  }
  return false;
}

void Parameters::define(const Node& key, const Node& value, Report& report) {
  if (is_behind_decimal_comma({key, value})) {
    report.add(key, subject(key.text) + " has a name that begins with a digit, and no value.",
               "Is it the rest of a number with a decimal comma? Write a decimal point: 0.5 for 0,5.");
    return;
  }
  if (const Node* text = declared_text(value)) return define_text(key, *text, report);
  if (!is_usable(key, report)) return;
  if (value.is_list()) return define_point(key, value, report);
  if (!value.is_text()) {
    report.add(value.is_nothing() ? key : value,
               subject(key.text) + " needs a value, but has " + kind_name(value) + ".",
               "Write a number, a quantity like 730 kg, an expression that starts with '=', a point [x, y, z], or "
               "{text: ...}.");
  }
  Definition definition{.text = value.text, .quoted = value.quoted, .where = report.at(value)};
  if (!value.is_text()) definition.state = State::failed;
  add(key.text, std::move(definition));
}

void Parameters::define_text(const Node& key, const Node& value, Report& report) {
  if (!is_usable(key, report)) return;
  if (!value.is_text() || is_expression(value.text)) {
    report.add(
        value.is_nothing() ? key : value,
        subject(key.text) + " needs a text, but has " + (value.is_text() ? "an expression" : kind_name(value)) + ".",
        "Write {text: ...}, for example the name of a file.");
    return add(key.text, {.text = "", .state = State::failed});
  }
  texts_.emplace(key.text, value);
}

const Node* Parameters::text_named(const std::string& name) const {
  if (const auto found = texts_.find(name); found != texts_.end()) return &found->second;
  return model_ && index_.count(name) == 0 && !has_point(name) ? model_->text_named(name) : nullptr;
}

void Parameters::add(const std::string& name, Definition definition) {
  index_.emplace(name, definitions_.size());
  names_.push_back(name);
  definitions_.push_back(std::move(definition));
}

void Parameters::define_point(const Node& key, const Node& list, Report& report) {
  if (!is_list_of_point(list, subject(key.text), report)) return add(key.text, {.text = "", .state = State::failed});
  const Dimension plain = dimension_of_list(list).value_or(usual_dimension);
  for (std::size_t i = 0; i < 3; ++i) {
    if (!is_usable(text_node(coordinate_name(key.text, point_axes[i]), key), report)) continue;
    const Node& item = list.items[i];
    add(coordinate_name(key.text, point_axes[i]),
        {.text = item.text, .quoted = item.quoted, .where = report.at(item), .plain = plain});
  }
}

void Parameters::define(const Node& key, Known known, Report& report) {
  if (!is_usable(key, report)) return;
  add(key.text, {.text = known.text,
                 .where = known.where,
                 .state = known.value ? State::done : State::failed,
                 .value = known.value.value_or(expression::Value{})});
}

void Parameters::define(const Node& key, std::array<Known, 3> point, Report& report) {
  if (!is_usable(key, report)) return;
  for (std::size_t i = 0; i < 3; ++i) {
    Known& known = point[i];
    add(coordinate_name(key.text, point_axes[i]), {.text = known.text,
                                                   .where = known.where,
                                                   .plain = known.value ? known.value->dimension : usual_dimension,
                                                   .state = known.value ? State::done : State::failed,
                                                   .value = known.value.value_or(expression::Value{})});
  }
}

bool Parameters::has_point(const std::string& name) const {
  return index_.count(name) == 0 &&
         std::ranges::all_of(point_axes, [&](char axis) { return index_.count(coordinate_name(name, axis)) != 0; });
}

bool Parameters::is_point(const std::string& name) const {
  return has_point(name) || (index_.count(name) == 0 && model_ && model_->is_point(name));
}

// One that is found may make others points that use it.
void Parameters::find_points() {
  const auto is_it = [this](const std::string& name) { return is_point(name); };
  for (std::size_t i = 0; i < definitions_.size(); ++i) {
    const Definition& d = definitions_[i];
    if (d.state != State::open || d.axis || d.plain || !is_expression(d.text)) continue;
    if (!expression::uses_point(d.text.substr(1), is_it)) continue;
    split(i);
    i = static_cast<std::size_t>(-1);
  }
}

void Parameters::split(std::size_t number) {
  const std::string name = names_[number];
  Definition coordinate = definitions_[number];
  names_.erase(names_.begin() + static_cast<std::ptrdiff_t>(number));
  definitions_.erase(definitions_.begin() + static_cast<std::ptrdiff_t>(number));
  for (std::size_t i = 0; i < 3; ++i) {
    const auto at = static_cast<std::ptrdiff_t>(number + i);
    coordinate.axis = point_axes[i];
    names_.insert(names_.begin() + at, coordinate_name(name, point_axes[i]));
    definitions_.insert(definitions_.begin() + at, coordinate);
  }
  index_.clear();
  for (std::size_t i = 0; i < names_.size(); ++i) index_.emplace(names_[i], i);
}

void Parameters::redefine(const std::string& name, const Node& value, Report& report) {
  const Location where = report.at(value);
  if (const auto text = texts_.find(name); text != texts_.end()) {
    if (value.is_text() && !is_expression(value.text)) return void(text->second = value);
    return report.add(
        where,
        subject(name) + " is a text, but is set to " + (value.is_text() ? "an expression" : kind_name(value)) + ".",
        "Write a text, for example the name of a file.");
  }
  const auto set = [&](const std::string& own, const Node& text, char axis) {
    Definition& definition = definitions_[index_.at(own)];
    const bool is_coordinate = definition.plain || definition.axis;
    const Dimension plain = definition.plain.value_or(usual_dimension);
    const auto unit = is_coordinate || is_expression(text.text)
                          ? std::nullopt
                          : dimension_of_quantity(text_node(definition.text, text));
    definition = {.text = text.text, .quoted = text.quoted, .where = report.at(text), .axis = axis};
    if (is_coordinate && !axis) definition.plain = plain;
    if (unit) definition.plain = unit;  // a plain number for what the file gives with a unit: SI, as everywhere
  };
  if (has_point(name) && value.is_text() && is_expression(value.text)) {
    for (const char axis : point_axes) set(coordinate_name(name, axis), value, axis);
  } else if (has_point(name) && value.is_list()) {
    if (!is_list_of_point(value, subject(name), report)) return;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::string own = coordinate_name(name, point_axes[i]);
      if (const auto plain = dimension_of_list(value)) definitions_[index_.at(own)].plain = plain;
      set(own, value.items[i], '\0');
    }
  } else if (has_point(name)) {
    report.add(where, subject(name) + " is a point, but is set to \"" + value.text + "\".",
               "Write [x, y, z], or set one of its coordinates: " + name + ".z.");
  } else if (index_.count(name) == 0) {
    refuse_unknown(name, names_, where, report);
  } else if (!value.is_text()) {
    report.add(where, subject(name) + " is a number, but is set to " + kind_name(value) + ".",
               "Write a number, a quantity or an expression.");
  } else {
    set(name, value, '\0');
  }
}

void Parameters::redefine(const std::string& name, Known known) {
  Definition& definition = definitions_[index_.at(name)];
  const Dimension plain = definition.plain.value_or(usual_dimension);
  if (known.value && known.value->dimension.is_dimensionless()) known.value->dimension = plain;
  definition = {.text = known.text,
                .where = known.where,
                .plain = plain,
                .state = known.value ? State::done : State::failed,
                .value = known.value.value_or(expression::Value{})};
}

void Parameters::refuse_unknown(const std::string& name, const std::vector<std::string>& known, const Location& where,
                                Report& report) {
  static const std::string how_to_set_a_field =
      " A field of a thing is set by a parameter that stands in it: `parameters: {m: 20 kg}`, `mass: =m`, and then `m` "
      "is set.";
  const std::string advice = suggest(name, known, "Parameters");
  report.add(
      where, subject(name) + " is to be set, but the model has none of this name.",
      name.find('.') == std::string::npos || advice.starts_with("Did you mean") ? advice : advice + how_to_set_a_field);
}

void Parameters::find_needs(Definition& definition, const std::string& name, Report& report) {
  if (definition.state != State::open || !is_expression(definition.text)) return;
  try {
    for (const std::string& other :
         expression::names_in(definition.text.substr(1), expression_place(definition.where, definition.quoted))) {
      std::vector<std::string> own{other};
      if (has_point(other)) own.clear();
      for (const char axis : point_axes) {
        const bool is_needed = !definition.axis || definition.axis == axis;  // all where it is wrong to use a point
        if (has_point(other) && is_needed) own.push_back(coordinate_name(other, axis));
      }
      for (const std::string& name_of_need : own) {
        if (const auto found = index_.find(name_of_need); found != index_.end())
          definition.needs.push_back(found->second);
      }
    }
  } catch (const ModelError& error) {
    if (!definition.axis || definition.axis == 'x') report.add(error, subject(name));  // of a point once
    definition.state = State::failed;
  }
}

void Parameters::evaluate(Report& report) {
  for (std::size_t i = 0; i < definitions_.size(); ++i) find_needs(definitions_[i], names_[i], report);
  for (std::size_t i = 0; i < definitions_.size(); ++i) evaluate_from(i, report);
  check_points(report);
}

// All coordinates measure the same.
void Parameters::check_points(Report& report) const {
  for (std::size_t i = 0; i + 2 < definitions_.size(); ++i) {
    const std::string point = names_[i].substr(0, names_[i].size() - std::min<std::size_t>(2, names_[i].size()));
    if (!definitions_[i].plain || names_[i] != coordinate_name(point, 'x')) continue;
    const Definition *x = &definitions_[i], *y = x + 1, *z = x + 2;
    const bool are_known = x->state == State::done && y->state == State::done && z->state == State::done;
    if (!are_known || (x->value.dimension == y->value.dimension && x->value.dimension == z->value.dimension)) continue;
    report.add(x->where,
               subject(point) + " has coordinates in " + to_string(x->value.dimension) + ", " +
                   to_string(y->value.dimension) + " and " + to_string(z->value.dimension) + ".",
               "Give all three in units of the same kind.");
  }
}

// Depth first over what a parameter needs, with a stack of its own: a chain of parameters may be long.
void Parameters::evaluate_from(std::size_t start, Report& report) {
  std::vector<std::size_t> trail, next;
  const auto enter = [&](std::size_t i) {
    definitions_[i].state = State::being_read;
    trail.push_back(i);
    next.push_back(0);
  };
  if (definitions_[start].state == State::open) enter(start);
  while (!trail.empty()) {
    Definition& here = definitions_[trail.back()];
    if (next.back() < here.needs.size()) {
      const std::size_t need = here.needs[next.back()++];
      if (definitions_[need].state == State::being_read) {
        report_circle(trail, need, report);
        here.state = State::failed;
      } else if (definitions_[need].state == State::open) {
        enter(need);
      }
    } else {
      compute(trail.back(), report);
      trail.pop_back();
      next.pop_back();
    }
  }
}

void Parameters::report_circle(const std::vector<std::size_t>& trail, std::size_t again, Report& report) {
  if (definitions_[again].axis && definitions_[again].axis != 'x') return;  // of a point once
  const auto first = std::find(trail.begin(), trail.end(), again);
  std::string path;
  for (auto i = first; i != trail.end(); ++i) path += names_[*i] + " -> ";
  report.add(definitions_[again].where, subject(names_[again]) + " depends on itself: " + path + names_[again] + ".",
             "Give one of them a value that does not need the others.");
}

void Parameters::compute(std::size_t number, Report& report) {
  Definition& here = definitions_[number];
  const bool needs_failed = std::any_of(here.needs.begin(), here.needs.end(),
                                        [&](std::size_t i) { return definitions_[i].state != State::done; });
  if (here.state == State::failed || needs_failed) {
    here.state = State::failed;
    return;
  }
  try {
    here.value = here.axis
                     ? coordinate(here.text.substr(1), here.axis, scope({}), expression_place(here.where, here.quoted))
                     : evaluate_text(here.text, here.quoted, here.where, scope({}), *this);
    if (here.plain && here.value.dimension.is_dimensionless()) here.value.dimension = *here.plain;
    here.state = State::done;
  } catch (const ModelError& error) {
    if (!here.axis || here.axis == 'x') report.add(error, subject(names_[number]));  // of a point once
    here.state = State::failed;
  }
}

std::optional<expression::Value> Parameters::find(const std::string& name) const {
  const auto found = index_.find(name);
  if (found == index_.end() && model_ && !has_point(name)) return model_->find(name);
  if (found == index_.end() || definitions_[found->second].state != State::done) return {};
  return definitions_[found->second].value;
}

bool Parameters::is_wrong(const std::string& name) const {
  if (text_named(name)) return false;
  if (!is_point(name)) return is_defined(name) && !find(name);
  return std::ranges::any_of(point_axes, [&](char axis) { return !find(coordinate_name(name, axis)); });
}

const std::string* Parameters::text(const std::string& name) const {
  const auto found = index_.find(name);
  if (found == index_.end()) return model_ ? model_->text(name) : nullptr;
  return &definitions_[found->second].text;
}

std::vector<model::Parameter> Parameters::list() const {
  std::vector<model::Parameter> list;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const Definition& d = definitions_[i];
    const bool has_unit = !d.value.dimension.is_dimensionless();
    list.push_back({names_[i], d.value.value, has_unit ? to_string(d.value.dimension) : "-", d.text});
  }
  return list;
}

bool Parameters::all_known() const {
  return std::all_of(definitions_.begin(), definitions_.end(),
                     [](const Definition& d) { return d.state == State::done; });
}

bool Parameters::none_wrong() const { return all_known() && (!model_ || model_->none_wrong()); }

Node expanded(const std::vector<model::Parameter>& parameters, const Node& place) {
  Node map = map_node(place);
  for (const model::Parameter& p : parameters) {
    const std::string text = fmt::format("{}", p.value) + (p.unit == "-" ? "" : " " + p.unit);
    map.entries.push_back({text_node(p.name, place), text_node(text, place)});
  }
  return map;
}

namespace {

// The constants of formulas: locals, then parameters.
struct Constants {
  const Parameters* parameters;
  Locals locals;

  std::optional<expression::Value> operator()(const std::string& name) const {
    const Local* const local = locals.find_with_points(name);
    if (!local) return parameters->find(name);
    if (local->name != name || local->text) return {};  // a point, which hides a number of the model
    return local->value;
  }
};

}  // namespace

expression::Scope Parameters::scope(Locals locals) const {
  expression::Scope scope;
  scope.constants = Constants{this, std::move(locals)};
  scope.tables = [this](const std::string& name) { return expression::find_table(*tables_, name); };
  return scope;
}

// The list of names is needed for messages only, and copying it for each expression would be slow.
expression::Scope Parameters::named(const expression::Scope& scope) const {
  expression::Scope named = scope;
  if (const auto* constants = scope.constants.target<Constants>())
    for (const Local& local : constants->locals) named.constant_names.push_back(local.name);
  for (const Parameters* known : {this, model_}) {
    if (known) named.constant_names.insert(named.constant_names.end(), known->names_.begin(), known->names_.end());
  }
  for (const auto& table : *tables_) named.table_names.push_back(table->name);
  return named;
}

// A text in a formula would be an unknown name, but it is known.
static void refuse_text(const std::string& formula, const Location& where, const Parameters& parameters,
                        const Locals* locals) {
  for (const std::string& name : expression::names_in(formula, where)) {
    const auto is_it = [&](const Local& local) { return local.name == name && local.text; };
    if (parameters.text_named(name) || (locals && std::any_of(locals->begin(), locals->end(), is_it)))
      throw ModelError(where, "parameter \"" + name + "\" is a text, which no formula takes.",
                       "Write =" + name + " by itself, in a field that takes a text.");
  }
}

expression::Expression Parameters::compile(const std::string& text, const expression::Scope& scope,
                                           const Location& where) const {
  try {
    return expression::Expression::compile(text, scope, where);
  } catch (const ModelError&) {
    const auto* constants = scope.constants.target<Constants>();
    refuse_text(text, where, *this, constants ? &constants->locals : nullptr);
    return expression::Expression::compile(text, named(scope), where);
  }
}

expression::Value Parameters::coordinate(const std::string& text, char axis, const expression::Scope& scope,
                                         const Location& where) const {
  try {
    return expression::coordinate_of(text, axis, scope, where);
  } catch (const ModelError&) {
    return expression::coordinate_of(text, axis, named(scope), where);
  }
}

}  // namespace skyhook::io::model_file
