// Numbers with units on the command line: --until "2 min", --output-step "5 ms".
#pragma once
#include <string>

namespace skyhook::app {

// In SI. A plain number counts in `unit`. Refuses what is none, and quantities of another kind.
double quantity_option(const std::string& option, const std::string& text, const std::string& unit);

}  // namespace skyhook::app
