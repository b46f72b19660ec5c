#include "skyhook/io/model_file/text_lines.h"

#include <algorithm>

namespace skyhook::io::model_file {

bool Lines::next(std::string_view& line) {
  if (text_.empty()) return false;
  const std::size_t end = std::min(text_.find_first_of("\r\n"), text_.size());
  line = text_.substr(0, end);
  const bool is_pair = text_.substr(end, 2) == "\r\n";
  text_.remove_prefix(std::min(end + (is_pair ? 2 : 1), text_.size()));
  ++number_;
  return true;
}

std::string_view next_word(std::string_view& line) {
  constexpr std::string_view blanks = " \t\v\f";
  line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
  const std::string_view word = line.substr(0, line.find_first_of(blanks));
  line.remove_prefix(word.size());
  return word;
}

std::string shown(std::string_view word) {
  std::string text = "\"";
  for (const char c : word.substr(0, 20)) text += c >= ' ' && c <= '~' ? c : '?';
  return text + (word.size() > 20 ? "...\"" : "\"");
}

}  // namespace skyhook::io::model_file
