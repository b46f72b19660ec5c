// A shared library with the functions of skyhook/plugin.h, loaded.
#pragma once
#include <skyhook/plugin.h>

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "skyhook/base/field.h"
#include "skyhook/base/units.h"
#include "skyhook/element/plugin_call.h"

namespace skyhook::element::plugin {

// What the library says of one of its parameters.
struct Parameter {
  std::string name, unit, help;
  Dimension dimension;
  double value = std::numeric_limits<double>::quiet_NaN();  // default, SI; NaN: none
  Range range;
};

class Library {
 public:
  // Runs code of the library. `caller` is named where it crashes. Throws ModelError at `where`: no library, wrong version, a
  // function is missing, a description that makes no sense.
  static std::shared_ptr<const Library> load(const std::string& path, const Name& caller, const Location& where);
  ~Library();
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  const std::vector<Parameter>& parameters() const { return parameters_; }

  // nullptr where the library does not have it.
  decltype(&skyhook_plugin_create) create = nullptr;
  decltype(&skyhook_plugin_destroy) destroy = nullptr;
  decltype(&skyhook_plugin_evaluate) evaluate = nullptr;
  decltype(&skyhook_plugin_energy) energy = nullptr;
  // Of version 2.
  decltype(&skyhook_plugin_states) states = nullptr;
  decltype(&skyhook_plugin_algebraic) algebraic = nullptr;
  decltype(&skyhook_plugin_loads) loads = nullptr;
  decltype(&skyhook_plugin_stored_energy) stored_energy = nullptr;

 private:
  Library() = default;
  void find_functions(const std::string& what, const Location& where);
  void read_parameters(const std::string& what, const Location& where);

  void* handle_ = nullptr;
  Name caller_;
  std::vector<Parameter> parameters_;
};

// Letters, digits and _.
bool is_name(const std::string& name);

// The text that a plug-in left in its buffer, cut to one line.
std::string text_in(const char (&message)[SKYHOOK_MESSAGE_SIZE]);

}  // namespace skyhook::element::plugin
