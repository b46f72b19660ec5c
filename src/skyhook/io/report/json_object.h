// An object of JSON under construction.
#pragma once
#include <string>
#include <string_view>
#include <utility>

#include "skyhook/base/table.h"

namespace skyhook::io::report {

class JsonObject {
 public:
  JsonObject& json(std::string_view name, std::string_view value) {  // a value that is JSON already
    text_ += (text_.empty() ? "" : ",") + json_string(name) + ":";
    text_ += value;
    return *this;
  }
  JsonObject& text(std::string_view name, std::string_view value) { return json(name, json_string(value)); }
  JsonObject& number(std::string_view name, double value) { return json(name, json_number(value)); }
  std::string str() const { return "{" + text_ + "}"; }

 private:
  std::string text_;
};

// [of(item), ...]
template <class Items, class Of>
std::string json_list(const Items& items, Of&& of) {
  std::string text = "[";
  for (const auto& item : items) {
    if (text.size() > 1) text += ",";
    text += of(item);
  }
  return text + "]";
}

}  // namespace skyhook::io::report
