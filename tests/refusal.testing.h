// What is said of a model that is refused.
#pragma once
#include "run_model.testing.h"
#include "text.testing.h"

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
