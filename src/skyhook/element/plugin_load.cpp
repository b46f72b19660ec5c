// From what the model file says of a plug-in to an instance of it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "skyhook/element/plugin_instance.h"
#include "skyhook/element/plugin_law.h"

namespace skyhook::element::plugin {
namespace {

std::string in_unit(double value, const Dimension& dimension) {
  return fmt::format("{}{}", value, dimension.is_dimensionless() ? "" : " " + to_string(dimension));
}

// As the reader does for fields of its own: a number without dimension is SI.
void check_value(const model::OpenValue& given, const Parameter& parameter, const std::string& what,
                 Findings& findings) {
  const std::string unit = to_string(parameter.dimension);
  if (!given.dimension.is_dimensionless() && given.dimension != parameter.dimension) {
    const bool has_none = parameter.dimension.is_dimensionless();
    findings.add(
        given.where,
        fmt::format("{} is \"{}\", a quantity in {}, but the plug-in needs {}.", what, given.text,
                    to_string(given.dimension), has_none ? "a number without unit" : unit),
        has_none ? "Remove the unit." : "Write a plain number (SI) or a unit of the same kind as " + unit + ".");
  } else if (!parameter.range.contains(given.value)) {
    findings.add(
        given.where,
        fmt::format("{} is {}, but the plug-in allows {} to {} only.", what, in_unit(given.value, parameter.dimension),
                    parameter.range.low, in_unit(parameter.range.high, parameter.dimension)),
        "Correct the value.");
  }
}

std::string help_of(const Parameter& p) { return p.help.empty() ? "." : ": " + p.help + "."; }

}  // namespace

std::vector<double> Law::values_for(const Library& library) const {
  Findings findings;
  std::vector<double> values;
  std::vector<std::string> known;
  const auto what = [&](const std::string& name) {
    return fmt::format("\"{}\": parameter {}", wish_.name.element, name);
  };
  for (const Parameter& parameter : library.parameters()) {
    known.push_back(parameter.name);
    const auto given = std::ranges::find(wish_.parameters, parameter.name, &model::OpenValue::name);
    if (given != wish_.parameters.end())
      check_value(*given, parameter, what(parameter.name), findings);
    else if (std::isnan(parameter.value))
      findings.add(wish_.parameters_where,
                   fmt::format("\"{}\": the plug-in \"{}\" needs the parameter \"{}\".", wish_.name.element,
                               wish_.name.library, parameter.name),
                   "Add it" + help_of(parameter));
    values.push_back(given != wish_.parameters.end() ? given->value : parameter.value);
  }
  for (const model::OpenValue& given : wish_.parameters) {
    if (std::ranges::find(known, given.name) != known.end()) continue;
    findings.add(given.where,
                 fmt::format("{} is not known to the plug-in \"{}\".", what(given.name), wish_.name.library),
                 known.empty() ? "It has no parameters." : suggest(given.name, known, "Parameters"));
  }
  findings.throw_if_any();
  return values;
}

std::shared_ptr<const Law> Law::loaded() const {
  std::error_code ignored;  // what cannot be looked at is not there
  if (!std::filesystem::is_regular_file(wish_.library.path, ignored)) {
    throw ModelError(wish_.library_where,
                     fmt::format("\"{}\": there is no plug-in \"{}\".", wish_.name.element, wish_.library.name),
                     "Compile it, or correct the name. Looked for: " + wish_.library.tried +
                         ". Folders can be added by --path or SKYHOOK_PATH.");
  }
  const auto law = std::make_shared<Law>(wish_);
  const auto library = Library::load(wish_.library.path, law->wish_.name, wish_.library_where);
  law->instance_ = std::make_shared<Instance>(library, values_for(*library), wish_.name, wish_.library_where);
  law->declared_.states = law->instance_->states, law->declared_.algebraic = law->instance_->algebraic;
  return law;
}

std::shared_ptr<const model::Model> load_plugins(std::shared_ptr<const model::Model> model) {
  const auto unloaded = [](const model::Contribution& what) {
    const auto* law = dynamic_cast<const Law*>(what.wrench.get());
    return law && !law->is_loaded() ? law : nullptr;
  };
  if (std::ranges::none_of(model->contributions, unloaded)) return model;
  auto copy = std::make_shared<model::Model>(*model);
  Findings findings;
  for (model::Contribution& what : copy->contributions) {
    try {
      const Law* law = unloaded(what);
      if (!law) continue;
      auto loaded = law->loaded();
      if (loaded->has_unknowns())
        what.wrench = nullptr, what.law = std::move(loaded);
      else
        what.wrench = std::move(loaded);
    } catch (const ModelError& error) {
      findings.add(error);
    }
  }
  findings.throw_if_any();
  return copy;
}

std::vector<std::string> Law::describe() const {
  std::vector<std::string> lines;
  const std::size_t count = instance_ ? instance_->values.size() : 0;
  for (std::size_t k = 0; k < count; ++k) {
    const Parameter& p = instance_->library->parameters()[k];
    const bool is_given = std::ranges::count(wish_.parameters, p.name, &model::OpenValue::name) > 0;
    lines.push_back(fmt::format("{} = {}{}{}", p.name, in_unit(instance_->values[k], p.dimension),
                                is_given ? "" : " (default)", p.help.empty() ? "" : ": " + p.help));
  }
  const auto list = [&](const char* noun, const std::vector<model::InnerState>& unknowns) {
    for (const model::InnerState& u : unknowns)
      lines.push_back(
          fmt::format("{} {}{}, starts at {}", noun, u.name, u.unit == "-" ? "" : " [" + u.unit + "]", u.start));
  };
  list("inner state", declared_.states);
  list("algebraic unknown", declared_.algebraic);
  return lines;
}

std::vector<const Law*> plugins_of(const model::Model& model) {
  std::vector<const Law*> found;
  for (const model::Contribution& what : model.contributions) {
    if (const auto* law = dynamic_cast<const Law*>(what.wrench.get())) found.push_back(law);
    if (const auto* law = dynamic_cast<const Law*>(what.law.get())) found.push_back(law);
  }
  return found;
}

}  // namespace skyhook::element::plugin
