#include "skyhook/expression/lexer.h"

#include <fmt/format.h>

#include <string>

#include "skyhook/base/units.h"

namespace skyhook::expression {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

constexpr std::string_view symbols[] = {"<=", ">=", "==", "!=", "+", "-", "*", "/", "^", "<",
                                        ">",  "?",  ":",  "(",  ")", "[", "]", ",", "."};

// Operators of other languages, and what they are here.
struct Foreign {
  std::string_view text, advice;
};
constexpr Foreign foreign[] = {{"&&", "Write \"and\"."},
                               {"||", "Write \"or\"."},
                               {"!", "Write \"not\"."},
                               {"**", "Write \"^\" for a power."},
                               {"=", "Write \"==\" to compare."}};

class Lexer {
 public:
  Lexer(std::string_view text, const Location& where) : text_(text), where_(where) {}

  std::vector<Token> run() {
    for (skip_space(); at_ < text_.size(); skip_space()) next();
    tokens_.push_back({Token::Kind::end, text_.size(), text_.size(), {}});
    return std::move(tokens_);
  }

 private:
  [[noreturn]] void fail(std::size_t offset, std::string what, std::string advice = {}) const {
    throw ModelError(advanced(where_, text_, offset), std::move(what), std::move(advice));
  }
  void skip_space() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }
  void push(Token::Kind kind, std::size_t begin, double value = 0.0) {
    tokens_.push_back({kind, begin, at_, text_.substr(begin, at_ - begin), value});
  }

  void next() {
    const char c = text_[at_];
    if (is_letter(c)) return identifier();
    if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) return number();
    symbol();
  }

  void identifier() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    push(Token::Kind::identifier, begin);
  }

  // A bracket after a number holds a unit, whose letters are none of this lexer's business.
  void number() {
    const std::size_t begin = at_;
    const auto value = read_number(text_, at_);
    if (!value) fail(begin, fmt::format("the number \"{}\" is out of range.", text_.substr(begin, at_ - begin)));
    push(Token::Kind::number, begin, *value);
    skip_space();
    if (at_ < text_.size() && text_[at_] == '[') unit();
  }
  void unit() {
    const std::size_t open = at_, close = text_.find(']', open);
    if (close == std::string_view::npos)
      fail(open, "the bracket of a unit is not closed.", "A unit looks like 5[kN/m].");
    at_ = close + 1;
    tokens_.push_back({Token::Kind::unit, open, at_, text_.substr(open + 1, close - open - 1)});
  }

  void symbol() {
    const std::size_t begin = at_;
    const std::string_view rest = text_.substr(at_);
    const auto begins_with = [&](std::string_view s) { return rest[0] == s[0] && rest.starts_with(s); };
    const bool known_here = begins_with("!=") || begins_with("==");
    for (const Foreign& f : foreign) {
      if (!known_here && begins_with(f.text))
        fail(begin, fmt::format("unexpected \"{}\".", f.text), std::string(f.advice));
    }
    for (const std::string_view s : symbols) {
      if (!begins_with(s)) continue;
      at_ += s.size();
      return push(Token::Kind::symbol, begin);
    }
    fail(begin, fmt::format("unexpected character \"{}\".", whole_character(rest)));
  }

  // A whole UTF-8 character, so that the message stays readable.
  static std::string_view whole_character(std::string_view rest) {
    std::size_t n = 1;
    while (n < rest.size() && n < 4 && (static_cast<unsigned char>(rest[n]) & 0xC0) == 0x80) ++n;
    return rest.substr(0, n);
  }

  std::string_view text_;
  const Location& where_;
  std::size_t at_ = 0;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokens_of(std::string_view text, const Location& where) { return Lexer(text, where).run(); }

}  // namespace skyhook::expression
