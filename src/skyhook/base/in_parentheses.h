// Where something stands in a file, behind its name in a sentence.
#pragma once
#include <string>

#include "skyhook/base/error.h"

namespace skyhook {

// " (car.yaml:4)"; empty where it is not known.
inline std::string in_parentheses(const Location& where) {
  if (where.file.empty() || where.line <= 0) return {};
  return " (" + where.file + ":" + std::to_string(where.line) + ")";
}

}  // namespace skyhook
