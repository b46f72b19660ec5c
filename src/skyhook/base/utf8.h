// Names come from users and may hold any bytes: what is needed to print them aligned and to encode them anew.
#pragma once
#include <string>
#include <string_view>

namespace skyhook {

// The characters of a text. A byte that is not UTF-8 becomes U+FFFD.
std::u32string decode_utf8(std::string_view text);

void append_utf8(std::string& text, char32_t character);
std::u16string to_utf16(std::string_view utf8);

// Columns a terminal needs for the text: 2 for East Asian and emoji, 0 for combining marks.
std::size_t display_width(std::string_view utf8);

// Control characters written as \n, \t, \x1b, and those that turn the direction of the text as \u202e, so that a hostile
// name keeps to its line and reads as it is; bad bytes as U+FFFD.
std::string printable(std::string_view utf8);
// The same for texts of several lines: line ends and tabs stay.
std::string printable_lines(std::string_view utf8);
// As it is up to so many characters; of a longer one the first and an ellipsis.
std::string shortened(std::string_view utf8, std::size_t most);
// Bytes at the end that begin a character but do not end it.
std::size_t incomplete_tail(std::string_view utf8);

}  // namespace skyhook
