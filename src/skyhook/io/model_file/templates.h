// Templates: parts that a model uses once or more, with parameters of their own.
#pragma once
#include <vector>

#include "skyhook/io/model_file/sections.h"

namespace skyhook::io::model_file {

constexpr int deepest_use = 32;

// The model as the first level, then each instance of a template or group in it, with copies of their sections. All
// `use:` and `templates:` are gone. The model's parameters are known before.
std::vector<Level> levels_of(Node model, Reading& reading);

}  // namespace skyhook::io::model_file
