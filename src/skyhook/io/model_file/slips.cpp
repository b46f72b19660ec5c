#include "skyhook/io/model_file/slips.h"

#include <algorithm>
#include <cctype>

#include "skyhook/base/units.h"
#include "skyhook/expression/expression.h"
#include "skyhook/expression/function_table.h"

namespace skyhook::io::model_file {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

bool is_quantity(const std::string& text) {
  try {
    (void)parse_quantity(text);
    return true;
  } catch (const ModelError&) {
    return false;
  }
}

// Digits, the separator, digits: where the separator is. npos: the text does not begin so.
std::size_t separator_between_digits(const std::string& text, char separator) {
  const std::size_t begin = text.empty() || (text[0] != '-' && text[0] != '+') ? 0 : 1;
  std::size_t at = begin;
  while (at < text.size() && is_digit(text[at])) ++at;
  const bool fits = at > begin && at + 1 < text.size() && text[at] == separator && is_digit(text[at + 1]);
  return fits ? at : std::string::npos;
}

bool calls_a_function(const std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::size_t end = i;
    while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_')) ++end;
    if (end > i && end < text.size() && text[end] == '(' && expression::find_function(text.substr(i, end - i)))
      return true;
    i = std::max(i, end);
  }
  return false;
}

}  // namespace

std::optional<Finding> forgotten_equals(const std::string& text, const Location& where,
                                        const std::function<bool(const std::string& name)>& is_known) {
  if (text.empty() || text[0] == '=' || is_quantity(text)) return {};
  try {
    const auto names = expression::names_in(text, where);
    const bool is_of_numbers = names.empty() && text.find_first_of("*/+-^") != std::string::npos && text != "-";
    if (!is_of_numbers && !calls_a_function(text) && text != "pi" && !std::any_of(names.begin(), names.end(), is_known))
      return {};
  } catch (const ModelError&) {
    return {};
  }
  return Finding{where, "\"" + text + "\" is not a number.",
                 "Did you forget the '='? An expression begins with it: \"=" + text + "\"."};
}

std::optional<Finding> decimal_comma(const std::string& text, const Location& where) {
  const std::size_t comma = separator_between_digits(text, ',');
  if (comma == std::string::npos) return {};
  std::string right = text;
  right[comma] = '.';
  return Finding{where, "\"" + text + "\" has a decimal comma.", "Write a decimal point: " + right + "."};
}

std::optional<Finding> sexagesimal(const std::string& text, const Location& where) {
  if (separator_between_digits(text, ':') == std::string::npos) return {};
  return Finding{where, "\"" + text + "\" is not a number: minutes after a colon are not known.",
                 "Write one number and its unit, for example 12.5 min."};
}

std::optional<bool> truth_of(std::string_view text) {
  const auto is = [&](std::string_view word) {
    const auto same = [](unsigned char a, char b) { return std::tolower(a) == b; };
    return text.size() == word.size() && std::ranges::equal(text, word, same);
  };
  if (is("true") || is("yes") || is("on")) return true;
  if (is("false") || is("no") || is("off")) return false;
  return {};
}

bool is_behind_decimal_comma(const Entry& entry) {
  return entry.value.is_nothing() && !entry.key.text.empty() && is_digit(entry.key.text[0]);
}

namespace {

enum class Comma { tight, wide, other };  // between digits, before a space, else

Comma comma_behind(const Node& list, std::size_t i) {
  const Node &a = list.items[i], &b = list.items[i + 1];
  if (a.line != b.line || !a.is_text() || !b.is_text() || a.text.empty() || b.text.empty()) return Comma::other;
  const int gap = b.column - a.column - static_cast<int>(a.text.size()) - (a.quoted ? 2 : 0);
  if (gap > 1) return Comma::wide;
  return !a.quoted && is_digit(a.text.back()) && is_digit(b.text[0]) ? Comma::tight : Comma::other;
}

}  // namespace

bool has_decimal_comma(const Node& list) {
  bool tight = false, wide = false;
  for (std::size_t i = 0; i + 1 < list.items.size(); ++i) {
    tight = tight || comma_behind(list, i) == Comma::tight;
    wide = wide || comma_behind(list, i) == Comma::wide;
  }
  return tight && wide;
}

bool has_decimal_commas_only(const Node& list) {
  const std::size_t n = list.items.size();
  if (n < 4 || n % 2 != 0) return false;
  for (std::size_t i = 0; i + 1 < n; ++i) {
    if (comma_behind(list, i) != (i % 2 == 0 ? Comma::tight : Comma::wide)) return false;
  }
  return true;
}

}  // namespace skyhook::io::model_file
