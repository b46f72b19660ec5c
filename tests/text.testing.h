// What a text has and what it lacks, for the tests of messages.
#pragma once
#include <doctest/doctest.h>

#include <string>

namespace skyhook::testing {

inline bool has(const std::string& text, const std::string& part) {
  const bool found = text.find(part) != std::string::npos;
  if (!found) MESSAGE("missing: " << part << "\nin: " << text);
  return found;
}

inline bool lacks(const std::string& text, const std::string& part) { return text.find(part) == std::string::npos; }

}  // namespace skyhook::testing
