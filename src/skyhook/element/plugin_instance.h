// What a library has made for one element of a model.
#pragma once
#include "skyhook/element/plugin_library.h"
#include "skyhook/model/element.h"

namespace skyhook::element::plugin {

constexpr int most_unknowns = 100;  // states, and algebraic unknowns, as skyhook/plugin.h says

class Instance {
 public:
  // Throws ModelError where the library refuses, or declares unknowns that make no sense.
  Instance(std::shared_ptr<const Library> library, std::vector<double> values, const Name& name, const Location& where);
  ~Instance();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  const std::shared_ptr<const Library> library;
  const std::vector<double> values;  // of the parameters, SI
  const Name name;
  std::vector<model::InnerState> states, algebraic;
  bool has_unknowns() const { return !states.empty() || !algebraic.empty(); }
  const void* get() const { return library->create ? made_ : values.data(); }

 private:
  void create(const std::string& what, const Location& where);
  void destroy();
  void read_unknowns(const std::string& what, const Location& where);

  void* made_ = nullptr;
};

}  // namespace skyhook::element::plugin
