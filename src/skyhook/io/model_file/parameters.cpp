#include "skyhook/io/model_file/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "skyhook/expression/function_table.h"
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

bool Parameters::is_usable(const Node& key, Report& report) const {
  const std::string& name = key.text;
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
  if (!is_usable(key, report)) return;
  if (!value.is_text()) {
    report.add(value.is_nothing() ? key : value,
               subject(key.text) + " needs a value, but has " + kind_name(value) + ".",
               "Write a number, a quantity like 730 kg, or an expression that starts with '='.");
  }
  index_.emplace(key.text, definitions_.size());
  names_.push_back(key.text);
  Definition definition{.text = value.text, .quoted = value.quoted, .where = report.at(value)};
  if (!value.is_text()) definition.state = State::failed;
  definitions_.push_back(std::move(definition));
}

void Parameters::define(const Node& key, const std::string& text, std::optional<expression::Value> value,
                        Report& report) {
  if (!is_usable(key, report)) return;
  index_.emplace(key.text, definitions_.size());
  names_.push_back(key.text);
  Definition definition{.text = text, .where = report.at(key)};
  definition.state = value ? State::done : State::failed;
  definition.value = value.value_or(expression::Value{});
  definitions_.push_back(std::move(definition));
}

void Parameters::redefine(const std::string& name, const std::string& text, const Location& where, Report& report) {
  const auto found = index_.find(name);
  if (found == index_.end())
    refuse_unknown(name, names_, where, report);
  else
    definitions_[found->second] = {.text = text, .where = where};
}

void Parameters::refuse_unknown(const std::string& name, const std::vector<std::string>& known, const Location& where,
                                Report& report) {
  report.add(where, subject(name) + " is to be set, but the model has none of this name.",
             suggest(name, known, "Parameters"));
}

void Parameters::find_needs(Definition& definition, const std::string& name, Report& report) {
  if (definition.state != State::open || !is_expression(definition.text)) return;
  try {
    for (const std::string& other :
         expression::names_in(definition.text.substr(1), expression_place(definition.where, definition.quoted))) {
      if (const auto found = index_.find(other); found != index_.end()) definition.needs.push_back(found->second);
    }
  } catch (const ModelError& error) {
    report.add(error, subject(name));
    definition.state = State::failed;
  }
}

void Parameters::evaluate(Report& report) {
  for (std::size_t i = 0; i < definitions_.size(); ++i) find_needs(definitions_[i], names_[i], report);
  for (std::size_t i = 0; i < definitions_.size(); ++i) evaluate_from(i, report);
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
    here.value = evaluate_text(here.text, here.quoted, here.where, scope({}), *this);
    here.state = State::done;
  } catch (const ModelError& error) {
    report.add(error, subject(names_[number]));
    here.state = State::failed;
  }
}

std::optional<expression::Value> Parameters::find(const std::string& name) const {
  const auto found = index_.find(name);
  if (found == index_.end() && model_) return model_->find(name);
  if (found == index_.end() || definitions_[found->second].state != State::done) return {};
  return definitions_[found->second].value;
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

Node expanded(const std::vector<model::Parameter>& parameters, const Node& place) {
  Node map = map_node(place);
  for (const model::Parameter& p : parameters) {
    const std::string text = fmt::format("{}", p.value) + (p.unit == "-" ? "" : " " + p.unit);
    map.entries.push_back({text_node(p.name, place), text_node(text, place)});
  }
  return map;
}

expression::Scope Parameters::scope(std::vector<Local> locals) const {
  expression::Scope scope;
  for (const Local& local : locals) scope.constant_names.push_back(local.name);
  scope.constants = [this, locals = std::move(locals)](const std::string& name) -> std::optional<expression::Value> {
    for (auto local = locals.rbegin(); local != locals.rend(); ++local) {
      if (local->name == name) return local->value;
    }
    return find(name);
  };
  scope.tables = [this](const std::string& name) { return expression::find_table(*tables_, name); };
  return scope;
}

// The list of names is needed for messages only, and copying it for each expression would be slow.
expression::Expression Parameters::compile(const std::string& text, const expression::Scope& scope,
                                           const Location& where) const {
  try {
    return expression::Expression::compile(text, scope, where);
  } catch (const ModelError&) {
    expression::Scope named = scope;
    for (const Parameters* known : {this, model_}) {
      if (known) named.constant_names.insert(named.constant_names.end(), known->names_.begin(), known->names_.end());
    }
    for (const auto& table : *tables_) named.table_names.push_back(table->name);
    return expression::Expression::compile(text, named, where);
  }
}

}  // namespace skyhook::io::model_file
