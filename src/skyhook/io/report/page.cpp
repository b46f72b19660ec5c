#include "skyhook/io/report/page.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "skyhook/base/utf8.h"

// SKYHOOK_VIEWER_PAGE is the file's name, given by the build if the viewer is part of it.
#ifdef SKYHOOK_VIEWER_PAGE
asm(R"(.section .rodata
.global skyhook_viewer_page_begin
.global skyhook_viewer_page_end
skyhook_viewer_page_begin:
)"
    ".incbin \"" SKYHOOK_VIEWER_PAGE
    "\"\n"
    R"(skyhook_viewer_page_end:
.byte 0
.previous
)");
extern "C" const char skyhook_viewer_page_begin[], skyhook_viewer_page_end[];
#endif

namespace skyhook::io::report {

std::string_view viewer_page() {
#ifdef SKYHOOK_VIEWER_PAGE
  return {skyhook_viewer_page_begin, static_cast<std::size_t>(skyhook_viewer_page_end - skyhook_viewer_page_begin)};
#else
  return {};
#endif
}

// The places are found before anything is filled in, so that a text may hold whatever it likes.
std::string fill_page(std::string_view page, const PageTexts& texts) {
  struct Place {
    std::string_view mark, text;
    std::size_t at;
  };
  const std::string title = escape_html(texts.title);
  std::array<Place, 3> places{
      {{"%SKYHOOK_TITLE%", title, 0}, {"%SKYHOOK_LIVE%", texts.live, 0}, {"%SKYHOOK_DATA%", texts.data, 0}}};
  for (Place& place : places) {
    place.at = page.find(place.mark);
    if (place.at == page.npos || page.find(place.mark, place.at + 1) != page.npos)
      throw std::logic_error("the page of the viewer must have " + std::string(place.mark) + " once");
  }
  std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) { return a.at < b.at; });
  std::string out;
  std::size_t done = 0;
  for (const Place& place : places) {
    out += page.substr(done, place.at - done);
    out += place.text;
    done = place.at + place.mark.size();
  }
  out += page.substr(done);
  return out;
}

std::string escape_html(std::string_view text) {
  std::string out;
  for (const char32_t c : decode_utf8(text)) {
    switch (c) {
      case U'&': out += "&amp;"; break;
      case U'<': out += "&lt;"; break;
      case U'>': out += "&gt;"; break;
      case U'"': out += "&quot;"; break;
      case U'\'': out += "&#39;"; break;
      case U'\0': break;  // HTML has no way to write it
      default: append_utf8(out, c);
    }
  }
  return out;
}

}  // namespace skyhook::io::report
