#include "skyhook/io/schema/json.h"

#include "skyhook/base/table.h"

namespace skyhook::io {
namespace {

constexpr std::size_t line_width = 100;

}  // namespace

Json::Json(const char* text) : Json(std::string(text)) {}
Json::Json(const std::string& text) : kind_(Kind::scalar), scalar_(json_string(text)) {}
Json::Json(bool value) : kind_(Kind::scalar), scalar_(value ? "true" : "false") {}
Json::Json(int value) : kind_(Kind::scalar), scalar_(std::to_string(value)) {}
Json::Json(double value) : kind_(Kind::scalar), scalar_(json_number(value)) {}

Json Json::list(std::vector<Json> items) {
  Json json;
  json.kind_ = Kind::list;
  json.values_ = std::move(items);
  return json;
}

Json Json::texts(const std::vector<std::string>& items) { return list({items.begin(), items.end()}); }

Json& Json::set(std::string key, Json value) {
  keys_.push_back(std::move(key));
  values_.push_back(std::move(value));
  return *this;
}

std::string Json::on_one_line() const {
  if (kind_ == Kind::scalar) return scalar_;
  std::string out = kind_ == Kind::list ? "[" : "{";
  for (std::size_t i = 0; i < values_.size(); ++i) {
    if (i > 0) out += ", ";
    if (kind_ == Kind::object) out += json_string(keys_[i]) + ": ";
    out += values_[i].on_one_line();
  }
  return out + (kind_ == Kind::list ? "]" : "}");
}

void Json::write(std::string& out, std::size_t indent) const {
  const std::string line = on_one_line();
  if (line.size() + indent <= line_width || kind_ == Kind::scalar)
    out += line;
  else
    write_wide(out, indent);
}

void Json::write_wide(std::string& out, std::size_t indent) const {
  const std::string margin(indent + 2, ' ');
  out += kind_ == Kind::list ? "[\n" : "{\n";
  for (std::size_t i = 0; i < values_.size(); ++i) {
    out += margin;
    if (kind_ == Kind::object) out += json_string(keys_[i]) + ": ";
    values_[i].write(out, indent + 2);
    out += i + 1 < values_.size() ? ",\n" : "\n";
  }
  out += std::string(indent, ' ') + (kind_ == Kind::list ? "]" : "}");
}

std::string Json::to_text() const {
  std::string out;
  write(out, 0);
  return out + "\n";
}

}  // namespace skyhook::io
