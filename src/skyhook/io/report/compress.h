// Bytes as a page can carry them: compressed, and written with the letters of base64.
#pragma once
#include <string>
#include <string_view>

namespace skyhook::io::report {

std::string gzip(std::string_view bytes);
std::string base64(std::string_view bytes);  // with padding, in one line (RFC 4648, section 4)

}  // namespace skyhook::io::report
