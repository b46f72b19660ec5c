// The page of the viewer (viewer/, built by node) with places for a title, for the address that tells of changes and for
// data.
#pragma once
#include <string>
#include <string_view>

namespace skyhook::io::report {

// The page that is linked into the program; empty if this Skyhook was built without node.
std::string_view viewer_page();

struct PageTexts {
  std::string title;  // any text: it is escaped here
  std::string live;   // what the page asks for changes; empty: never
  std::string data;   // base64
};

// The template with %SKYHOOK_TITLE%, %SKYHOOK_LIVE% and %SKYHOOK_DATA%, each of which it has once, replaced.
std::string fill_page(std::string_view page, const PageTexts& texts);

// `<` and the like as HTML wants them in text and in quoted attributes; bytes that are not UTF-8 become U+FFFD.
std::string escape_html(std::string_view text);

}  // namespace skyhook::io::report
