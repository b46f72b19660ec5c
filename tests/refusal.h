// What is said of a model that is refused.
#pragma once
#include "run_model.h"
#include "text.h"

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

}  // namespace skyhook::testing
