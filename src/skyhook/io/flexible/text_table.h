// Lines of numbers and words, as files of finite elements have them.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "skyhook/base/error.h"

namespace skyhook::io::fe {

// A text line by line, with numbers for messages.
class TextLines {
 public:
  TextLines(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}
  bool next(std::string_view& line);  // false: the end
  Location where() const { return {file_, number_, 1}; }

 private:
  std::string_view text_;
  std::string file_;
  int number_ = 0;
};

std::string_view trimmed(std::string_view text);
std::vector<std::string> split(std::string_view line, char separator);  // trimmed; empty ones stay
std::vector<std::string> words(std::string_view line);                  // between blanks
// "1.5", "1.5E3", "1.5D3", "1.5+3" as Fortran and Nastran write it; nullopt: no number.
std::optional<double> fe_number(std::string_view text);
// The same; throws ModelError.
double fe_number(std::string_view text, const Location& where);
int fe_integer(std::string_view text, const Location& where);
std::string upper_case(std::string_view text);

}  // namespace skyhook::io::fe
