// References: the rules of HTML for text, and pages small enough to write down.
#include "skyhook/io/report/page.h"

#include "skyhook/io/report/decode.testing.h"

using namespace skyhook::io::report;

TEST_CASE("Texts are escaped for HTML") {
  CHECK(escape_html("</title><script>alert('1') && \"2\"</script>") ==
        "&lt;/title&gt;&lt;script&gt;alert(&#39;1&#39;) &amp;&amp; &quot;2&quot;&lt;/script&gt;");
  CHECK(escape_html("Ω 車") == "Ω 車");
  CHECK(escape_html(std::string_view("a\0b\xff", 4)) == "ab\xEF\xBF\xBD");
}

TEST_CASE("A text that looks like a place is left alone") {
  const std::string page = fill_page("[%SKYHOOK_LIVE%][%SKYHOOK_TITLE%][%SKYHOOK_DATA%]",
                                     {"%SKYHOOK_DATA% %SKYHOOK_TITLE% %SKYHOOK_LIVE%", "version", "AAAA"});
  CHECK(page == "[version][%SKYHOOK_DATA% %SKYHOOK_TITLE% %SKYHOOK_LIVE%][AAAA]");
}

TEST_CASE("A page without its three places, or with one twice, is a defect") {
  CHECK_THROWS_AS(fill_page("%SKYHOOK_LIVE%%SKYHOOK_TITLE%", {}), std::logic_error);
  CHECK_THROWS_AS(fill_page("%SKYHOOK_LIVE%%SKYHOOK_TITLE%%SKYHOOK_DATA%%SKYHOOK_DATA%", {}), std::logic_error);
}

TEST_CASE("The page that is linked in has its places") {
  if (viewer_page().empty()) return;  // built without node
  CHECK_NOTHROW(fill_page(viewer_page(), {}));
  CHECK(viewer_page().substr(0, 15) == "<!doctype html>");
}
