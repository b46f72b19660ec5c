#include "skyhook/io/report/json_check.h"

#include <cctype>

namespace skyhook::io::report {
namespace {

constexpr int most_deep = 64;  // a scene needs seven; the stack of a browser has an end

// Each function takes what it is called after off the front of the text, or returns false.
class Checker {
 public:
  explicit Checker(std::string_view text) : rest_(text) {}
  bool is_object() {
    skip_blanks();
    if (rest_.empty() || rest_.front() != '{' || !value(0)) return false;
    skip_blanks();
    return rest_.empty();
  }

 private:
  bool value(int depth);
  bool list(int depth);
  bool object(int depth);
  bool string();
  bool escape();
  bool number();
  bool digits();
  bool word(std::string_view name);
  bool take(char c);
  void skip_blanks();

  std::string_view rest_;
};

bool Checker::take(char c) {
  if (rest_.empty() || rest_.front() != c) return false;
  rest_.remove_prefix(1);
  return true;
}

void Checker::skip_blanks() {
  while (take(' ') || take('\n') || take('\t') || take('\r')) {}
}

bool Checker::word(std::string_view name) {
  if (rest_.substr(0, name.size()) != name) return false;
  rest_.remove_prefix(name.size());
  return true;
}

bool Checker::value(int depth) {
  if (rest_.empty() || depth > most_deep) return false;
  switch (rest_.front()) {
    case '{': return object(depth + 1);
    case '[': return list(depth + 1);
    case '"': return string();
    case 't': return word("true");
    case 'f': return word("false");
    case 'n': return word("null");
    default: return number();
  }
}

bool Checker::list(int depth) {
  take('[');
  skip_blanks();
  if (take(']')) return true;
  do {
    skip_blanks();
    if (!value(depth)) return false;
    skip_blanks();
  } while (take(','));
  return take(']');
}

bool Checker::object(int depth) {
  take('{');
  skip_blanks();
  if (take('}')) return true;
  do {
    skip_blanks();
    if (!string()) return false;
    skip_blanks();
    if (!take(':')) return false;
    skip_blanks();
    if (!value(depth)) return false;
    skip_blanks();
  } while (take(','));
  return take('}');
}

bool Checker::string() {
  if (!take('"')) return false;
  while (!rest_.empty() && static_cast<unsigned char>(rest_.front()) >= 0x20) {
    if (take('"')) return true;
    if (take('\\')) {
      if (!escape()) return false;
    } else {
      rest_.remove_prefix(1);
    }
  }
  return false;
}

bool Checker::escape() {
  if (take('u')) {
    for (int i = 0; i < 4; ++i) {
      if (rest_.empty() || !std::isxdigit(static_cast<unsigned char>(rest_.front()))) return false;
      rest_.remove_prefix(1);
    }
    return true;
  }
  if (rest_.empty() || std::string_view("\"\\/bfnrt").find(rest_.front()) == std::string_view::npos) return false;
  rest_.remove_prefix(1);
  return true;
}

bool Checker::digits() {
  const std::size_t before = rest_.size();
  while (!rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9') rest_.remove_prefix(1);
  return rest_.size() < before;
}

bool Checker::number() {
  take('-');
  if (!take('0') && !digits()) return false;
  if (take('.') && !digits()) return false;
  if (!take('e') && !take('E')) return true;
  if (!take('+')) take('-');
  return digits();
}

}  // namespace

bool is_json_object(std::string_view text) { return Checker(text).is_object(); }

}  // namespace skyhook::io::report
