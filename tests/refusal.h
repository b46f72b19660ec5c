// What is said of a model that is refused.
#pragma once
#include "run_model.h"

namespace skyhook::testing {

// "": it was read.
inline std::string refusal(const std::string& text) {
  try {
    load_text(text);
  } catch (const ModelError& error) {
    return error.what();
  }
  return {};
}

inline bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace skyhook::testing
