// What a library has made for one element of a model.
#pragma once
#include "skyhook/element/plugin_library.h"

namespace skyhook::element::plugin {

class Instance {
 public:
  // Throws ModelError where the library refuses.
  Instance(std::shared_ptr<const Library> library, std::vector<double> values, const Name& name, const Location& where);
  ~Instance();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  const std::shared_ptr<const Library> library;
  const std::vector<double> values;  // of the parameters, SI
  const Name name;
  const void* get() const { return library->create ? made_ : values.data(); }

 private:
  void* made_ = nullptr;
};

}  // namespace skyhook::element::plugin
