#include "skyhook/io/flexible/text_table.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

namespace skyhook::io::fe {

bool TextLines::next(std::string_view& line) {
  if (text_.empty()) return false;
  const std::size_t end = std::min(text_.find('\n'), text_.size());
  line = text_.substr(0, end);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  text_.remove_prefix(std::min(end + 1, text_.size()));
  ++number_;
  return true;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::vector<std::string> split(std::string_view line, char separator) {
  std::vector<std::string> out;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(separator, begin), line.size());
    out.emplace_back(trimmed(line.substr(begin, end - begin)));
    begin = end + 1;
  }
  return out;
}

std::vector<std::string> words(std::string_view line) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < line.size();) {
    const std::size_t first = line.find_first_not_of(" \t", i);
    if (first == std::string_view::npos) break;
    const std::size_t end = std::min(line.find_first_of(" \t", first), line.size());
    out.emplace_back(line.substr(first, end - first));
    i = end;
  }
  return out;
}

std::optional<double> fe_number(std::string_view given) {
  std::string text(trimmed(given));
  if (!text.empty() && text[0] == '+') text.erase(0, 1);
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == 'd' || text[i] == 'D') text[i] = 'e';
    const bool is_sign = text[i] == '+' || text[i] == '-';
    if (is_sign && text[i - 1] != 'e' && text[i - 1] != 'E') text.insert(i++, "e");  // 1.5-3
    if (is_sign && text[i] == '+') text.erase(i, 1);
  }
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return {};
  return value;
}

double fe_number(std::string_view text, const Location& where) {
  if (const auto value = fe_number(text)) return *value;
  throw ModelError(where, "\"" + std::string(trimmed(text)) + "\" should be a number.");
}

int fe_integer(std::string_view text, const Location& where) {
  const double value = fe_number(text, where);
  if (value != std::floor(value) || std::abs(value) > 2e9)
    throw ModelError(where, "\"" + std::string(text) + "\" should be a whole number.");
  return static_cast<int>(value);
}

std::string upper_case(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return out;
}

}  // namespace skyhook::io::fe
