// References: the encodings of RFC 3629 and RFC 2781, and how a terminal draws the characters.
#include "skyhook/base/utf8.h"

#include <doctest/doctest.h>

using namespace skyhook;

TEST_CASE("Characters of one to four bytes are decoded and encoded back") {
  const std::string text = "a\u00e9\u4e2d\U0001F697";
  CHECK(decode_utf8(text) == U"a\u00e9\u4e2d\U0001F697");
  std::string again;
  for (const char32_t c : decode_utf8(text)) append_utf8(again, c);
  CHECK(again == text);
}

TEST_CASE("Bytes that are not UTF-8 become the replacement character, one a byte") {
  CHECK(decode_utf8("a\xFF"
                    "b") == U"a\uFFFDb");
  CHECK(decode_utf8("\xE4\xB8") == U"\uFFFD\uFFFD");            // cut
  CHECK(decode_utf8("\xC0\xAF") == U"\uFFFD\uFFFD");            // overlong "/"
  CHECK(decode_utf8("\xED\xA0\x80") == U"\uFFFD\uFFFD\uFFFD");  // a surrogate
}

TEST_CASE("UTF-16 uses a pair of surrogates above U+FFFF") {
  CHECK(to_utf16("\u03c9\U0001F697") == u"\u03c9\U0001F697");
  CHECK(to_utf16("\U0001F697").size() == 2);
}

TEST_CASE("Width counts the columns of a terminal") {
  CHECK(display_width("m\u00b2") == 2);
  CHECK(display_width("\u4e2d\u6587") == 4);
  CHECK(display_width("e\u0301") == 1);  // e and a combining accent
  CHECK(display_width("\U0001F697") == 2);
}

TEST_CASE("Control characters are made visible") { CHECK(printable("a\nb\tc\x1b[31m") == "a\\nb\\tc\\x1b[31m"); }

TEST_CASE("Lines stay lines, and a character in two pieces is waited for") {
  CHECK(printable_lines("a\nb\tc\x1b[31m\r\xC2\x9B") == "a\nb\tc\\x1b[31m\\x0d\\x9b");
  CHECK(incomplete_tail("abc") == 0);
  CHECK(incomplete_tail("\u03c9") == 0);
  CHECK(incomplete_tail("a\xCF") == 1);
  CHECK(incomplete_tail("a\xE4\xB8") == 2);
  CHECK(incomplete_tail("a\xF0\x9F\x98") == 3);
  CHECK(incomplete_tail("\xF0\x9F\x98\x80") == 0);
  CHECK(incomplete_tail("\x80\x80\x80\x80") == 0);  // never a character
}

TEST_CASE("Marks that turn the direction of a text are made visible, letters of such scripts stay") {
  CHECK(printable("a\u202Eb") == "a\\u202eb");
  CHECK(printable_lines("\u2066a\u2069\n\u200F") == "\\u2066a\\u2069\n\\u200f");
  CHECK(printable("\u2028") == "\\u2028");  // ends a line for some
  CHECK(printable("\u05D0\u200D\u03c9") == "\u05D0\u200D\u03c9");
}

TEST_CASE("Long names are cut between characters") {
  CHECK(shortened("abc", 3) == "abc");
  CHECK(shortened("\u03c9\u03c9\u03c9", 2) == "\u03c9\u03c9…");
}
