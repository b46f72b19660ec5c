// A strict reader of JSON for tests: throws std::runtime_error at anything that RFC 8259 does not allow.
#pragma once
#include <cctype>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace skyhook::simulation::testing {

struct Json {
  enum class Kind { null, truth, number, text, list, map } kind = Kind::null;
  bool truth = false;
  double number = 0;
  std::string text;
  std::vector<Json> items;
  std::map<std::string, Json> entries;

  const Json& operator[](const std::string& key) const { return entries.at(key); }
  const Json& operator[](int i) const { return items.at(static_cast<std::size_t>(i)); }
  const Json& operator[](const char* key) const { return entries.at(key); }
};

class JsonReader {
 public:
  static Json read(const std::string& text) {
    JsonReader reader(text);
    Json value = reader.value();
    if (reader.peek() != 0) throw std::runtime_error("more behind the end");
    return value;
  }

 private:
  explicit JsonReader(const std::string& text) : text_(text) {}

  char peek() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  void expect(const std::string& what) {
    peek();
    if (text_.compare(at_, what.size(), what) != 0)
      throw std::runtime_error("expected " + what + " at " + text_.substr(at_, 20));
    at_ += what.size();
  }
  bool accept(char c) {
    const bool found = peek() == c;
    at_ += found ? 1 : 0;
    return found;
  }

  Json value() {
    Json v;
    switch (peek()) {
      case '{': v.kind = Json::Kind::map, members(v); break;
      case '[': v.kind = Json::Kind::list, elements(v); break;
      case '"': v.kind = Json::Kind::text, v.text = string(); break;
      case 't': v.kind = Json::Kind::truth, v.truth = true, expect("true"); break;
      case 'f': v.kind = Json::Kind::truth, expect("false"); break;
      case 'n': expect("null"); break;
      default: v.kind = Json::Kind::number, v.number = number();
    }
    return v;
  }
  void members(Json& v) {
    expect("{");
    if (accept('}')) return;
    do {
      peek();
      const std::string key = string();
      expect(":");
      if (!v.entries.emplace(key, value()).second) throw std::runtime_error("twice: " + key);
    } while (accept(','));
    expect("}");
  }
  void elements(Json& v) {
    expect("[");
    if (accept(']')) return;
    do v.items.push_back(value());
    while (accept(','));
    expect("]");
  }
  std::string string() {
    expect("\"");
    std::string out;
    for (; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (static_cast<unsigned char>(text_[at_]) < 0x20) throw std::runtime_error("bare control character");
      out += text_[at_] == '\\' ? escaped() : text_[at_];
    }
    expect("\"");
    return out;
  }
  // Of \u only what fits a byte.
  char escaped() {
    const std::string_view from = "\"\\/bfnrt", to = "\"\\/\b\f\n\r\t";
    const char c = text_.at(++at_);
    if (const std::size_t i = from.find(c); i != std::string_view::npos) return to[i];
    if (c != 'u') throw std::runtime_error("unknown escape");
    at_ += 4;
    return static_cast<char>(std::stoi(text_.substr(at_ - 3, 4), nullptr, 16));
  }
  double number() {
    const std::size_t start = at_;
    const auto digits = [&] {
      const std::size_t before = at_;
      while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
      if (at_ == before) throw std::runtime_error("no number at " + text_.substr(start, 20));
    };
    const auto is = [&](const char* any) {
      return at_ < text_.size() && std::string_view(any).find(text_[at_]) != std::string_view::npos;
    };
    if (is("-")) ++at_;
    digits();
    if (is(".")) ++at_, digits();
    if (is("eE")) {
      ++at_;
      if (is("+-")) ++at_;
      digits();
    }
    return std::stod(text_.substr(start, at_ - start));
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

}  // namespace skyhook::simulation::testing
