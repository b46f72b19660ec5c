#include "skyhook/element/plugin_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

namespace skyhook::element::plugin {
namespace {

constexpr int most_parameters = 1000;  // a list without end is more likely
const char* const how_to_compile =
    "Compile it with: cc -O2 -shared -fPIC -I <folder of skyhook/plugin.h> law.c -o law.so";

template <class Function>
Function* find(void* handle, const char* name) {
  return reinterpret_cast<Function*>(dlsym(handle, name));
}

Parameter described(const skyhook_parameter& given, const std::string& what, const Location& where) {
  Parameter p;
  p.name = given.name;
  p.unit = given.unit ? given.unit : "-";
  p.help = given.help ? given.help : "";
  p.value = given.value;
  if (given.low < given.high) p.range = between(given.low, given.high);
  const std::string it = fmt::format("{} describes the parameter \"{}\"", what, p.name);
  const char* const mend_it = "Correct it in the source of the plug-in.";
  if (!is_name(p.name)) throw ModelError(where, it + ", which is no name: letters, digits and _ are allowed.", mend_it);
  try {
    p.dimension = parse_unit(p.unit).dimension;
  } catch (const ModelError& error) {
    throw ModelError(where, fmt::format("{} in \"{}\": {}", it, p.unit, error.findings().at(0).what), mend_it);
  }
  if (!std::isnan(p.value) && !p.range.contains(p.value))
    throw ModelError(where, fmt::format("{} with the default {}, which its own range excludes.", it, p.value), mend_it);
  return p;
}

}  // namespace

bool is_name(const std::string& name) {
  return !name.empty() && std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

std::string text_in(const char (&message)[SKYHOOK_MESSAGE_SIZE]) {
  std::string text(message, std::find(message, message + SKYHOOK_MESSAGE_SIZE, '\0'));
  std::ranges::replace_if(
      text, [](unsigned char c) { return std::iscntrl(c) != 0; }, ' ');
  return text;
}

std::shared_ptr<const Library> Library::load(const std::string& path, const Name& caller, const Location& where) {
  const Call call(caller);  // a library may run code as it is loaded
  const std::shared_ptr<Library> library(new Library);
  const std::string what = fmt::format("\"{}\": the plug-in \"{}\"", caller.element, path);
  std::error_code ignored;  // no absolute path: dlopen tells
  library->caller_ = caller;
  library->handle_ = dlopen(std::filesystem::absolute(path, ignored).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library->handle_) {
    const char* const reason = dlerror();
    throw ModelError(where, fmt::format("{} cannot be loaded: {}.", what, reason ? reason : "no reason given"),
                     how_to_compile);
  }
  library->find_functions(what, where);
  library->read_parameters(what, where);
  return library;
}

// Its own destructors run now, and may crash: what the program has printed is not to be lost.
Library::~Library() {
  if (!handle_) return;
  std::fflush(stdout);
  const Call call(caller_);
  dlclose(handle_);
}

void Library::find_functions(const std::string& what, const Location& where) {
  auto* const version = find<decltype(skyhook_plugin_version)>(handle_, "skyhook_plugin_version");
  const auto missing = [&](const char* name) {
    throw ModelError(
        where, fmt::format("{} does not export the function {}.", what, name),
        "Define it as skyhook/plugin.h has it; from C++ include that header, so that its name stays as it is.");
  };
  if (!version) missing("skyhook_plugin_version");
  const int written_for = version();
  if (written_for < 1 || written_for > SKYHOOK_PLUGIN_VERSION) {
    throw ModelError(where,
                     fmt::format("{} is written for version {} of the interface, this program has versions 1 to {}.",
                                 what, written_for, SKYHOOK_PLUGIN_VERSION),
                     "Compile it anew with the skyhook/plugin.h of this program.");
  }
  evaluate = find<decltype(skyhook_plugin_evaluate)>(handle_, "skyhook_plugin_evaluate");
  create = find<decltype(skyhook_plugin_create)>(handle_, "skyhook_plugin_create");
  destroy = find<decltype(skyhook_plugin_destroy)>(handle_, "skyhook_plugin_destroy");
  energy = find<decltype(skyhook_plugin_energy)>(handle_, "skyhook_plugin_energy");
  if (written_for > 1) {
    states = find<decltype(skyhook_plugin_states)>(handle_, "skyhook_plugin_states");
    algebraic = find<decltype(skyhook_plugin_algebraic)>(handle_, "skyhook_plugin_algebraic");
    loads = find<decltype(skyhook_plugin_loads)>(handle_, "skyhook_plugin_loads");
    stored_energy = find<decltype(skyhook_plugin_stored_energy)>(handle_, "skyhook_plugin_stored_energy");
  }
  if (!loads && (states || algebraic)) missing("skyhook_plugin_loads");
  if (!evaluate && !loads) missing("skyhook_plugin_evaluate");
}

void Library::read_parameters(const std::string& what, const Location& where) {
  auto* const list = find<decltype(skyhook_plugin_parameters)>(handle_, "skyhook_plugin_parameters");
  const skyhook_parameter* next = list ? list() : nullptr;
  for (; next && next->name; ++next) {
    if (parameters_.size() == most_parameters)
      throw ModelError(where, what + " describes more than 1000 parameters.", "End the list by one without name: {0}.");
    parameters_.push_back(described(*next, what, where));
    const auto is_it = [&](const Parameter& p) { return p.name == next->name; };
    if (std::ranges::count_if(parameters_, is_it) > 1)
      throw ModelError(where, fmt::format("{} describes the parameter \"{}\" twice.", what, next->name),
                       "Rename one in the source of the plug-in.");
  }
}

}  // namespace skyhook::element::plugin
