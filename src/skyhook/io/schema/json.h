// A JSON document to be written: objects keep the order in which their entries were given.
#pragma once
#include <string>
#include <vector>

namespace skyhook::io {

class Json {
 public:
  Json() = default;  // an empty object
  Json(const char* text);
  Json(const std::string& text);
  Json(bool value);
  Json(int value);
  Json(double value);
  static Json list(std::vector<Json> items);
  static Json texts(const std::vector<std::string>& items);

  // Adds an entry to an object; returns the object, so that calls can be chained.
  Json& set(std::string key, Json value);

  std::string to_text() const;  // indented by two spaces; short lists and objects stay on one line

 private:
  enum class Kind { object, list, scalar };
  void write(std::string& out, std::size_t indent) const;
  void write_wide(std::string& out, std::size_t indent) const;
  std::string on_one_line() const;

  Kind kind_ = Kind::object;
  std::string scalar_;
  std::vector<std::string> keys_;  // of an object
  std::vector<Json> values_;       // of an object or list
};

}  // namespace skyhook::io
