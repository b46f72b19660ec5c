// Whether a text is JSON, before it becomes part of a report.
#pragma once
#include <string_view>

namespace skyhook::io::report {

// One object as RFC 8259 has it, with blanks around it, and no deeper than 64 lists and objects.
bool is_json_object(std::string_view text);

}  // namespace skyhook::io::report
