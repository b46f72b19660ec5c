#include "skyhook/io/model_file/template_checks.h"

#include <fmt/format.h>

#include "skyhook/io/model_file/scalar.h"

namespace skyhook::io::model_file {
namespace {

std::string in_unit(const Dimension& dimension) {
  return dimension.is_dimensionless() ? "a plain number" : "in " + to_string(dimension);
}

std::string named_value(const std::string& name, const expression::Value& value) {
  const bool has_unit = !value.dimension.is_dimensionless();
  return fmt::format("{} = {:.6g}{}", name, value.value, has_unit ? " " + to_string(value.dimension) : "");
}

}  // namespace

// By a setting, which wins, or where the part is used. Null: it has its default.
const Node* TemplateChecks::given_value(const std::string& name) const {
  const auto setting = reading_.part_settings.find(part_.name + "." + name);
  if (setting != reading_.part_settings.end()) return &setting->second.value;
  const Entry* beside = find(part_.value, name);
  const Entry* entry = beside ? beside : find(more_, name);
  if (entry) return &entry->value;
  const std::size_t dot = name.rfind('.');  // a coordinate: its point
  return dot == std::string::npos ? nullptr : given_value(name.substr(0, dot));
}

void TemplateChecks::add(const Node* where, const std::string& what, const std::string& advice) const {
  reading_.report.add(where ? *where : part_.key, "part \"" + part_.name + "\": " + what, advice);
}

void TemplateChecks::check_units(const Node& known) const {
  for (const Entry& parameter : known.entries) {
    const Node* given = given_value(parameter.key.text);
    const auto value = own_.find(parameter.key.text);
    const Node& by_default = parameter.value;
    if (!given || !value || value->value == 0 || !by_default.is_text()) continue;
    try {
      const auto usual = evaluate_text(by_default.text, by_default.quoted, {}, own_.scope({}), own_);
      const bool may_be_anything =
          usual.dimension.is_dimensionless() && (usual.value == 0 || !is_expression(by_default.text));
      if (usual.dimension == value->dimension || may_be_anything) continue;  // a plain number is in SI
      add(given,
          parameter.key.text + " is " + in_unit(value->dimension) + ", but its default in the template, \"" +
              by_default.text + "\", is " + in_unit(usual.dimension) + ".",
          "Give it in units of the same kind.");
    } catch (const ModelError&) {  // it needs what has no value, which is reported there
    }
  }
}

void TemplateChecks::check_required(const Node& conditions) const {
  if (!own_.all_known()) return;
  Scope scope;
  for (const std::string& name : own_.names()) scope.locals.push_back({name, *own_.find(name)});
  const ScalarReader scalars(reading_.report, reading_.parameters, scope);
  for (const Entry& condition : conditions.entries) {
    Node text = condition.value;
    const auto holds = scalars.boolean(text, {"template: require: " + condition.key.text});
    if (!holds || *holds) continue;
    const Node* where = nullptr;
    std::string values;
    for (const std::string& name : expression::names_in(condition.value.text.substr(1), {})) {
      if (!where) where = given_value(name);
      if (const auto value = own_.find(name)) values += (values.empty() ? "" : ", ") + named_value(name, *value);
    }
    add(where, condition.key.text + ", but " + values + ".", "Change what is given, or the default.");
  }
}

}  // namespace skyhook::io::model_file
