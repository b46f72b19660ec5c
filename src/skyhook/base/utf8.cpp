#include "skyhook/base/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace skyhook {
namespace {

constexpr char32_t replacement = 0xFFFD;

struct Decoded {
  char32_t character;
  std::size_t bytes;
};

// The first character of a non-empty text. Overlong forms, surrogates and cut sequences are bad.
Decoded decode_first(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return {replacement, 1};
  char32_t c = lead & (0x7F >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {replacement, 1};
    c = c << 6 | (byte(i) & 0x3F);
  }
  constexpr std::array<char32_t, 5> smallest{0, 0, 0x80, 0x800, 0x10000};
  const bool bad = c < smallest[bytes] || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF);
  return bad ? Decoded{replacement, 1} : Decoded{c, bytes};
}

struct Interval {
  char32_t first, last;
};

// The main blocks of Unicode 14's East Asian Width W and F, and of the marks that take no column.
constexpr std::array<Interval, 12> wide{{{0x1100, 0x115F},
                                         {0x2E80, 0x303E},
                                         {0x3041, 0x4DBF},
                                         {0x4E00, 0xA4CF},
                                         {0xAC00, 0xD7A3},
                                         {0xF900, 0xFAFF},
                                         {0xFE30, 0xFE6F},
                                         {0xFF00, 0xFF60},
                                         {0xFFE0, 0xFFE6},
                                         {0x1F300, 0x1F6FF},
                                         {0x1F900, 0x1FAFF},
                                         {0x20000, 0x3FFFD}}};
constexpr std::array<Interval, 5> without_width{
    {{0x0300, 0x036F}, {0x200B, 0x200F}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}}};

template <std::size_t n>
bool contains(const std::array<Interval, n>& intervals, char32_t c) {
  return std::any_of(intervals.begin(), intervals.end(), [c](Interval i) { return c >= i.first && c <= i.last; });
}

bool is_control(char32_t c) { return c < 0x20 || (c >= 0x7F && c < 0xA0); }

}  // namespace

std::u32string decode_utf8(std::string_view text) {
  std::u32string characters;
  characters.reserve(text.size());
  while (!text.empty()) {
    const auto [character, bytes] = decode_first(text);
    characters += character;
    text.remove_prefix(bytes);
  }
  return characters;
}

void append_utf8(std::string& text, char32_t c) {
  const auto tail = [c](int shift) { return static_cast<char>(0x80 | (c >> shift & 0x3F)); };
  if (c < 0x80) {
    text += static_cast<char>(c);
  } else if (c < 0x800) {
    text += {static_cast<char>(0xC0 | c >> 6), tail(0)};
  } else if (c < 0x10000) {
    text += {static_cast<char>(0xE0 | c >> 12), tail(6), tail(0)};
  } else {
    text += {static_cast<char>(0xF0 | c >> 18), tail(12), tail(6), tail(0)};
  }
}

std::u16string to_utf16(std::string_view utf8) {
  std::u16string units;
  for (const char32_t c : decode_utf8(utf8)) {
    if (c < 0x10000) {
      units += static_cast<char16_t>(c);
    } else {
      units += static_cast<char16_t>(0xD800 + ((c - 0x10000) >> 10));
      units += static_cast<char16_t>(0xDC00 + ((c - 0x10000) & 0x3FF));
    }
  }
  return units;
}

std::size_t display_width(std::string_view utf8) {
  std::size_t width = 0;
  for (const char32_t c : decode_utf8(utf8)) width += contains(without_width, c) ? 0 : contains(wide, c) ? 2 : 1;
  return width;
}

namespace {

// Marks that turn the direction of what follows, or end a line for some terminals, and are not seen themselves.
bool is_unseen(char32_t c) {
  return c == 0x061C || c == 0x200E || c == 0x200F || (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

void append_printable(std::string& text, char32_t c) {
  if (c == U'\n') {
    text += "\\n";
  } else if (c == U'\t') {
    text += "\\t";
  } else if (is_control(c)) {
    text += fmt::format("\\x{:02x}", static_cast<unsigned>(c));
  } else if (is_unseen(c)) {
    text += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
  } else {
    append_utf8(text, c);
  }
}

}  // namespace

std::string printable(std::string_view utf8) {
  std::string text;
  for (const char32_t c : decode_utf8(utf8)) append_printable(text, c);
  return text;
}

std::string printable_lines(std::string_view utf8) {
  std::string text;
  for (const char32_t c : decode_utf8(utf8))
    c == U'\n' || c == U'\t' ? append_utf8(text, c) : append_printable(text, c);
  return text;
}

std::string shortened(std::string_view utf8, std::size_t most) {
  const std::u32string characters = decode_utf8(utf8);
  if (characters.size() <= most) return std::string(utf8);
  std::string text;
  for (const char32_t c : characters.substr(0, most)) append_utf8(text, c);
  return text + "…";
}

std::size_t incomplete_tail(std::string_view utf8) {
  for (std::size_t back = 1; back <= 3 && back <= utf8.size(); ++back) {
    const auto byte = static_cast<unsigned char>(utf8[utf8.size() - back]);
    if (byte < 0x80) return 0;
    if (byte >= 0xC0) return back < (byte >= 0xF0 ? 4u : byte >= 0xE0 ? 3u : 2u) ? back : 0;
  }
  return 0;
}

}  // namespace skyhook
