#include "skyhook/io/model_file/reading.h"

#include <fmt/format.h>

#include <algorithm>

#include "skyhook/io/model_file/points.h"

namespace skyhook::io::model_file {
namespace {

// Calls visit("a"), visit("a.b"), visit("a.b.c") until one is true.
template <class Visit>
bool any_owner(const std::string& name, Visit visit) {
  for (std::size_t dot = name.find('.');; dot = name.find('.', dot + 1)) {
    if (visit(name.substr(0, dot))) return true;
    if (dot == std::string::npos) return false;
  }
}

}  // namespace

std::vector<std::string> Reading::parameter_names() const {
  std::vector<std::string> list = parameters.names();
  for (const auto& [name, text] : parameters.texts()) list.push_back(name);
  for (const model::Parameter& p : instance_parameters) list.push_back(p.name);
  return list;
}

void Reading::add_instance_parameter(model::Parameter parameter) {
  instance_parameter_numbers_.emplace(parameter.name, instance_parameters.size());
  instance_parameters.push_back(std::move(parameter));
}

const model::Parameter* Reading::instance_parameter(const std::string& name) const {
  const auto found = instance_parameter_numbers_.find(name);
  return found == instance_parameter_numbers_.end() ? nullptr : &instance_parameters[found->second];
}

void Reading::set(const std::string& name, const Node& value, bool is_used) {
  if (parameters.is_defined(name) || name.find('.') == std::string::npos)
    return parameters.redefine(name, value, report);
  for (const char axis : point_axes) part_settings.erase(coordinate_name(name, axis));
  part_settings[name] = {value, is_used};
}

void Reading::warn(const char* kind, const Location& where, std::string what, std::string advice) {
  const auto is_told = [&](const Warning& w) { return w.what == what && w.where.file == where.file; };
  if (std::ranges::none_of(model.warnings, is_told))
    model.warnings.push_back({kind, where, std::move(what), std::move(advice)});
}

bool Reading::has_failed(const std::string& name) const {
  return any_owner(name, [&](const std::string& owner) { return failed.count(owner) != 0; });
}

const Reading::Off* Reading::switched_off(const std::string& name) const {
  const Off* found = nullptr;
  any_owner(name, [&](const std::string& owner) {
    const auto entry = off.find(owner);
    if (entry != off.end()) found = &entry->second;
    return found != nullptr;
  });
  return found;
}

std::string Reading::Off::reason() const {
  return fmt::format(" by the `if` of {} \"{}\", {}:{}", noun, name, where.file, where.line);
}

}  // namespace skyhook::io::model_file
